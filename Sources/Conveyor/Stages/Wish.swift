package import Files
internal import Glibc
internal import Pipelines
package import PluginKit
package import SystemPackage

/// What somebody asked for when they handed a file in: a rule that takes it, whatever else the rules say, and options of
/// steps. It is kept in the spool from before the file appears in the inbox until its job is over.
package struct Wish: Sendable, Equatable {
  package var rule: String?
  /// Options by name, for each step that has them.
  package var options: JSON

  package init(rule: String?, options: JSON = [:]) {
    (self.rule, self.options) = (rule, options)
  }

  package var isEmpty: Bool { rule == nil && options.members?.isEmpty != false }

  private static let folder = FilePath("wishes")
  /// Milliseconds for which one waits for its file to be taken.
  private static let patience: Int64 = 30 * 86_400_000

  /// A file is known by its inode and its last change, which stay when it is renamed.
  private static func name(_ file: RetriedFile) -> FilePath { FilePath("\(file.mark).json") }

  /// Leaves a wish for a file that is not in the inbox yet.
  package func leave(for file: FileStatus, in spool: FilePath) throws(FileError) {
    guard !isEmpty else { return }
    let folder = try Folder.make(spool.appending(Self.folder.components))
    let json: JSON = ["rule": rule.map { .string($0) }, "options": options]
    try folder.writeDurably(json.line, as: Self.name(RetriedFile(file)))
  }

  /// Returns the wish for a file, or nil if nobody left one or it cannot be read.
  static func of(_ arrival: Arrival, in spool: Folder) -> Wish? {
    guard let folder = try? spool.folder(Self.folder),
      let bytes = try? folder.reading(name(RetriedFile(arrival))).readAll(limit: 64 << 10),
      let json = try? JSONReader.read(bytes).value
    else { return nil }
    return Wish(rule: json["rule"]?.stringValue, options: json["options"] ?? [:])
  }

  /// Removes the wish for a file whose job is over.
  static func forget(_ arrival: Arrival, in spool: Folder) {
    // One that cannot be removed is removed when it is old: no other file has its inode and time.
    _ = try? spool.folder(folder).remove(name(RetriedFile(arrival)))
  }

  /// Removes wishes whose files were never taken.
  static func removeOld(in spool: Folder, at now: Int64) {
    guard let folder = try? spool.folder(folder) else { return }
    for name in (try? folder.names()) ?? [] {
      guard let status = try? folder.status(name), now - status.modified.milliseconds > patience
      else { continue }
      _ = try? folder.remove(name)
    }
  }

  /// The options of a step with those that were asked for, as far as the step has them and they fit.
  func added(to options: Options, of step: StepManifest) -> Options {
    var json = options.json
    for member in self.options.members ?? [] {
      guard let field = step.options[member.name],
        let node = try? JSONReader.read(member.value.line),
        field.shape.complaints(about: node).isEmpty
      else {
        continue
      }
      json = json.setting(member.name, member.value)
    }
    return Options(checked: json)
  }
}
