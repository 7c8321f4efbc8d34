package import Files
internal import Pipelines
internal import PluginKit
package import SystemPackage

/// What a result of `convert` was made of. It is kept in an extended attribute of the result, so that it goes wherever
/// that goes and nothing lies beside it; on file systems without such attributes, and of results too many to be named
/// in one, nothing is known.
package struct ResultOrigin: Sendable {
  private static let attribute = "user.procd.origin"

  /// The name of the file that it was made of, as it is shown, and what that was.
  package var name: String
  /// The folder that it lay in, by device and inode; nil where it is not known. Read from a result alone.
  private(set) var folder: String?
  /// Where it lies; nil for what was read from a result.
  private var source: FilePath?
  package var bytes: Int
  package var modified: FileTime
  /// The only role that was wanted; nil for all.
  package var role: String?
  /// What tells the options from those of another call; nil for the usual ones.
  package var options: String?
  /// The names of all results that came of it, as they are shown.
  package var results: [String]
  /// How many bytes the result itself had; nil where it is not known.
  var size: Int?

  /// ``results`` as names. What is shown otherwise than it is written has been made by nobody under this name.
  var names: [FilePath] {
    results.map { FilePath($0) }.filter { $0.components.count == 1 && !$0.isAbsolute }
  }

  package init(
    _ source: FilePath, _ status: FileStatus, role: String?, options: String? = nil
  ) {
    (name, bytes, modified) = (
      source.lastComponent.map { FilePath(name: $0).printable } ?? "", Int(status.size),
      status.modified
    )
    (self.role, self.options, results) = (role, options, [])
    self.source = source
  }

  private static func mark(_ folder: FileStatus) -> String { "\(folder.device):\(folder.inode)" }

  /// What tells the folder that a file lies in; nil where it cannot be looked at.
  static func folder(of source: FilePath) -> String? {
    (try? Folder.open(source.removingLastComponent()).status()).map(mark)
  }

  /// - Returns: nil where it is not known.
  package init?(of result: OpenFile) {
    guard let value = result.attribute(Self.attribute),
      let json = try? JSONReader.read(value).value,
      let name = json["of"]?.stringValue, let bytes = json["bytes"]?.integerValue,
      let seconds = json["seconds"]?.integerValue,
      let nanoseconds = json["nanoseconds"]?.integerValue,
      let results = json["results"]?.arrayValue?.compactMap(\.stringValue)
    else { return nil }
    (self.name, self.bytes, self.results) = (name, bytes, results)
    modified = FileTime(seconds: Int64(seconds), nanoseconds: Int64(nanoseconds))
    (role, options) = (json["role"]?.stringValue, json["options"]?.stringValue)
    size = json["size"]?.integerValue
    folder = json["in"]?.stringValue
  }

  /// Whether a file of the name of the one that a result was made of stands in a folder; nil where it lay in another,
  /// or cannot be looked for.
  package func stands(in place: Folder) -> Bool? {
    let own = FilePath(name)
    // A name that is shown otherwise than it is written cannot be looked for.
    guard own.components.count == 1, !own.isAbsolute, !name.contains("\\"), let home = folder,
      let status = try? place.status(), home == Self.mark(status)
    else { return nil }
    return try? place.exists(own)
  }

  /// Whether a file is still the one that the result was made of.
  package func isOf(_ other: ResultOrigin) -> Bool {
    name == other.name && bytes == other.bytes && modified == other.modified
  }

  /// Whether two results came of one call over one file.
  package func cameWith(_ other: ResultOrigin) -> Bool {
    isOf(other) && role == other.role && options == other.options && results == other.results
  }

  func note(on result: OpenFile) {
    let json: JSON = [
      "of": .string(name), "in": source.flatMap(Self.folder).map { .string($0) },
      "bytes": .integer(bytes),
      "seconds": .integer(Int(modified.seconds)),
      "nanoseconds": .integer(Int(modified.nanoseconds)), "role": role.map { .string($0) },
      "options": options.map { .string($0) },
      "results": .array(results.map { .string($0) }),
      "size": (try? result.status()).map { .integer(Int($0.size)) },
    ]
    result.setAttribute(Self.attribute, json.line)
  }
}
