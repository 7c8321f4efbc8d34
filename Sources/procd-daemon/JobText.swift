import Conveyor
import Files
import Glibc
import JobLedger
import Pipelines
import PlainText
import PluginKit
import SystemPackage

/// Jobs as text and as JSON.
enum JobText {
  static func line(_ row: JobRow) -> String {
    let outcome = row.state == .done ? row.outcome?.rawValue ?? "" : row.shownState.rawValue
    let time = timestamp(row.finished ?? row.arrived)
    let code = row.errorCode.map { "  [\($0)]" } ?? ""
    let told = [row.isReadInPart ? "in part" : nil, row.reusedFrom.map { "as job \($0)" }]
      .compactMap(\.self)
    let more = told.isEmpty ? "" : "  (\(told.joined(separator: ", ")))"
    return "\(time)  \(ShownText.padded(outcome, to: 11)) \(row.path.printable)\(code)\(more)"
  }

  /// - Parameters:
  ///   - fate: what became of its original, where that does not lie where it was put.
  ///   - active: where results and originals lie.
  static func story(_ row: JobRow, fate: String?, in active: ActiveConfiguration) -> String {
    var lines = [
      "\(row.path.printable)  (job \(row.id), \(row.size) bytes)",
      "  arrived   \(timestamp(row.arrived)) (\(row.completeness.rawValue))",
    ]
    if let mime = row.mime { lines.append("  type      \(mime)") }
    if !row.companions.isEmpty {
      lines.append(
        "  with      \(row.companions.map { $0.name.printable }.joined(separator: ", "))")
    }
    if let pipeline = row.pipeline { lines.append("  pipeline  \(pipeline)") }
    for step in row.report?["steps"]?.arrayValue ?? [] {
      let id = step["id"]?.stringValue ?? "", outcome = step["outcome"]?.stringValue ?? ""
      let wall = step["wallMs"]?.integerValue ?? 0
      lines.append("  step      \(id): \(outcome), \(wall) ms")
      for note in step["notes"]?.arrayValue ?? [] {
        lines.append("  note      \((note.stringValue ?? "").plain)")
      }
    }
    if row.state == .done {
      lines.append(
        "  \(row.outcome?.rawValue ?? "")  \(row.finished.map(timestamp) ?? "")")
    } else {
      lines.append("  state     \(row.shownState.rawValue)")
    }
    if row.isReadInPart {
      lines.append("  in part   only a part of it could be read; its report says which")
    }
    if let twin = row.reusedFrom {
      let fate = row.outcome == .duplicate ? "nothing was done again" : "whose results were reused"
      lines.append("  content   the same as that of job \(twin), \(fate)")
    }
    for note in row.report?["notes"]?.arrayValue ?? [] {
      lines.append("  note      \((note.stringValue ?? "").plain)")
    }
    if let message = row.errorMessage {
      lines.append("  reason    \(message.plain) [\(row.errorCode ?? "")]")
    }
    for result in row.results {
      let place = active.folder(.outbox).appending(result.path.components)
      let isGone = !place.allows(F_OK) && errno == ENOENT
      lines.append("  result    \(isGone ? "no longer at " : "")\(place.printable)")
    }
    if let original = active.original(of: row) {
      lines.append("  original  \(fate ?? original.whole.printable)")
    }
    return lines.joined(separator: "\n")
  }

  static func json(
    _ row: JobRow, in active: ActiveConfiguration, isGone: Bool = false
  ) -> JSON {
    [
      "job": .string(row.id), "path": .string(row.path.repaired.text),
      "state": .string(row.shownState.rawValue),
      "outcome": row.outcome.map { .string($0.rawValue) },
      "arrived": .string(timestamp(row.arrived)),
      "finished": row.finished.map { .string(timestamp($0)) },
      "pipeline": row.pipeline.map { .string($0) }, "mime": row.mime.map { .string($0) },
      "sha256": row.sha256.map { .string($0) }, "suspect": row.suspect ? true : nil,
      "notBefore": row.notBefore.map { .string(timestamp($0)) },
      "code": row.errorCode.map { .string($0) }, "message": row.errorMessage.map { .string($0) },
      "original": isGone
        ? nil : active.original(of: row).map { .string($0.whole.repaired.text) },
      "partial": row.isReadInPart ? true : nil, "reusedFrom": row.reusedFrom.map { .string($0) },
    ]
  }
}

extension JobRow {
  /// What came with its file; empty until its report stands.
  var companions: [ClaimedFile.Member] { ClaimedFile.Member.list(report?["companions"]) }

  /// Its state for people: one that is held up waits, whatever it was at.
  fileprivate var shownState: State {
    errorCode == Self.heldUp && state != .done ? .waiting : state
  }

  /// The job whose results it has, or of whose content it is.
  fileprivate var reusedFrom: String? { report?["reusedFrom"]?.stringValue }
}
