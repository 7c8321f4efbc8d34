package import Files
package import JobLedger
internal import Outbox
package import Pipelines
internal import PluginKit
package import SystemPackage

extension JobRow {
  /// A result as it was published, and where it lies.
  package struct Result: Sendable {
    package var artifact: ArtifactReport
    /// Relative to the outbox.
    package var path: FilePath

    /// The file, where it still is of the size that was published.
    package func file(in outbox: Folder) -> OpenFile? {
      guard let file = try? outbox.reading(path), let status = try? file.status(),
        status.kind == .regular, status.size == artifact.bytes
      else { return nil }
      return file
    }
  }

  /// Its results, in the order of its report; none where it was quarantined.
  package var results: [Result] {
    guard let report, let publication = publication.flatMap(Publication.init),
      let item = publication.items.last, item.place == .outbox
    else { return [] }
    // The paths of a report are relative to it; in the folder layout it lies in that folder.
    let base = item.sealed == Sealer.folderName ? item.path : item.path.removingLastComponent()
    return (report["artifacts"]?.arrayValue ?? []).compactMap { json in
      ArtifactReport(json).map { artifact in
        Result(
          artifact: artifact,
          path: base.appending(FilePath(artifact.path).components).lexicallyNormalized())
      }
    }
  }
}

extension JobRow {
  /// Whether only a part of its file could be read.
  package var isReadInPart: Bool { report?["partial"]?.boolValue == true }

  /// The sender whom its steps found: the facts `fromName` and `from`.
  var sender: String? {
    let facts = (report?["steps"]?.arrayValue ?? []).compactMap { $0["facts"] }
    let found = ["fromName", "from"].flatMap { name in facts.compactMap { $0[name]?.stringValue } }
    return found.isEmpty ? nil : found.joined(separator: "\n")
  }

  /// What its steps noted.
  var stepNotes: [String] {
    (report?["steps"]?.arrayValue ?? []).flatMap { $0["notes"]?.arrayValue ?? [] }
      .compactMap(\.stringValue)
  }
}
