public import Foundation
public import SystemPackage

/// A folder of its own for a test, removed when the test lets it go.
public final class TemporaryFolder: Sendable {
  /// Its absolute path.
  public let path: FilePath

  /// Makes the folder; the test program ends where that fails.
  public init() {
    let name = "procd-test-\(UUID().uuidString.prefix(13))"
    let base = FileManager.default.temporaryDirectory.appendingPathComponent(name)
    do {
      try FileManager.default.createDirectory(at: base, withIntermediateDirectories: true)
    } catch {
      Issue.stop("a temporary folder cannot be made: \(error)")
    }
    path = FilePath(base.path)
  }

  deinit { try? FileManager.default.removeItem(atPath: path.string) }

  /// An absolute path below the folder.
  public func callAsFunction(_ relative: String) -> FilePath {
    path.appending(FilePath(relative).components)
  }

  /// Writes a text in UTF-8; folders on the way are made, and a file that is there is replaced.
  public func write(_ text: String, to relative: String) throws {
    try write(Data(text.utf8), to: relative)
  }

  /// Writes bytes; folders on the way are made, and a file that is there is replaced.
  public func write(_ data: Data, to relative: String) throws {
    let file = URL(fileURLWithPath: self(relative).string)
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try data.write(to: file)
  }

  /// The content of a file; nil where it cannot be read.
  public func read(_ relative: String) -> Data? {
    FileManager.default.contents(atPath: self(relative).string)
  }

  /// Whether a file or folder is there; links are followed.
  public func exists(_ relative: String) -> Bool {
    FileManager.default.fileExists(atPath: self(relative).string)
  }

  /// Paths of all regular files below the folder, relative to it, sorted.
  public func files(below relative: String = "") -> [String] {
    let start = relative.isEmpty ? path.string : self(relative).string
    let all = FileManager.default.subpaths(atPath: start) ?? []
    return all.filter { name in
      var isFolder: ObjCBool = false
      let exists = FileManager.default.fileExists(
        atPath: "\(start)/\(name)", isDirectory: &isFolder)
      return exists && !isFolder.boolValue
    }.sorted()
  }
}

enum Issue {
  static func stop(_ message: String) -> Never { fatalError(message) }
}
