import Foundation
import SystemPackage

/// Examples of the documentation that are compiled: each is a source file of its own, and a page shows
/// the whole of it.
public enum WorkedExample {
  /// Whether a block of Swift on a page is a source file, word for word. Throws where one of the two
  /// cannot be read.
  ///
  /// - Parameters:
  ///   - source: its path below the top folder of the repository.
  ///   - page: that of the page.
  public static func isShown(_ source: String, on page: String) throws -> Bool {
    func text(_ path: String) throws -> String {
      let whole = Programs.repository.appending(FilePath(path).components).string
      return String(decoding: try Data(contentsOf: URL(fileURLWithPath: whole)), as: UTF8.self)
    }
    return try text(page).contains("\n```swift\n\(text(source))```\n")
  }
}
