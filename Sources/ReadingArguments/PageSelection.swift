public import ArgumentParser
public import PluginKit

extension PageSelection: ExpressibleByArgument {
  /// Reads `2-5,9` and the like; nil, which is a mistake of the user, for what chooses no pages.
  public init?(argument: String) { self.init(argument) }
}
