public import ArgumentParser
public import PluginKit

extension PageSelection: ExpressibleByArgument {
  public init?(argument: String) { self.init(argument) }
}
