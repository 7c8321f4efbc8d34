internal import ArgumentParser
internal import PluginKit

extension PageSelection {
  /// Reads `2-5,9` and the like, as they are typed.
  static func typed(_ text: String) throws -> PageSelection {
    guard let pages = PageSelection(text) else {
      throw ValidationError("pages are written 1, 1-3, 2-5,9 or all, the first one is 1")
    }
    return pages
  }
}
