package import Files
internal import Glibc
internal import Pipelines
package import PluginKit
package import SystemPackage

/// The choices made when a file is handed in: a rule that takes it without looking at its `match`, and options of steps.
/// It is kept in the spool from before the file appears in the inbox until its job is over.
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

  /// Returns the wish for a file, or nil if there is none or it cannot be read.
  ///
  /// - Parameter report: takes a sentence about a wish that cannot be read.
  static func of(
    _ arrival: Arrival, in spool: Folder, report: (String) -> Void = { _ in }
  ) -> Wish? {
    do {
      let name = name(RetriedFile(arrival))
      guard let folder = try spool.standing(Self.folder), try folder.exists(name) else {
        return nil
      }
      let json = try JSONReader.read(folder.reading(name).readAll(limit: 64 << 10)).value
      return Wish(rule: json["rule"]?.stringValue, options: json["options"] ?? [:])
    } catch {
      report("what was asked for with \(arrival.path.printable) cannot be read: \(error)")
      return nil
    }
  }

  /// Removes the wish for a file whose job is over.
  static func forget(_ arrival: Arrival, in spool: Folder) {
    // A wish that cannot be removed affects no other file, because no other has this inode and time; `removeOld` tries
    // again later.
    _ = try? spool.folder(folder).remove(name(RetriedFile(arrival)))
  }

  /// Removes wishes whose files were never taken.
  static func removeOld(in spool: Folder, at now: Int64) {
    // Errors are not reported: an old wish affects no file, and the next start tries again.
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
