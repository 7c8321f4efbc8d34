internal import JobLedger
internal import Pipelines
internal import PlainText
internal import PluginKit

/// What is told of a job.
enum JobNotices {
  /// None where the job has not ended, or with nothing new.
  static func notices(of row: JobRow) -> [Notice] {
    [notice(of: row), news(of: row)].compactMap(\.self)
  }

  /// What its steps have to tell, the fact `news` of each.
  private static func news(of row: JobRow) -> Notice? {
    guard row.state == .done, row.outcome == .done else { return nil }
    let news = (row.report?["steps"]?.arrayValue ?? []).compactMap {
      $0["facts"]?["news"]?.stringValue
    }
    guard !news.isEmpty else { return nil }
    let path = row.path.repaired.text
    let text = news.joined(separator: "\n"), lines = text.split(separator: "\n")
    let more = lines.count > 1 ? " and \(lines.count - 1) more" : ""
    return Notice(
      id: "job:\(row.id):news", event: .news, time: row.finished ?? row.arrived,
      subject: "\(row.pipeline ?? path): \((lines.first ?? "").prefix(100))\(more)",
      text: text,
      details: [
        "job": .string(row.id), "path": .string(path), "pipeline": row.pipeline.map { .string($0) },
        "news": .array(news.map { .string($0) }),
      ])
  }

  private static func notice(of row: JobRow) -> Notice? {
    guard row.state == .done, let outcome = row.outcome else { return nil }
    let path = row.path.repaired.text
    let details: JSON = [
      "job": .string(row.id), "path": .string(path), "outcome": .string(outcome.rawValue),
      "pipeline": row.pipeline.map { .string($0) }, "code": row.errorCode.map { .string($0) },
      "message": row.errorMessage.map { .string($0) },
      "original": row.original.map { .string($0.whole.repaired.text) },
      "artifacts": row.report?["artifacts"], "partial": row.isReadInPart ? true : nil,
    ]
    let id = "job:\(row.id):\(outcome.rawValue)", time = row.finished ?? row.arrived
    switch outcome {
    case .quarantined:
      let reason = row.errorMessage ?? "it could not be processed"
      let lines = [
        row.errorCode.map { "\(reason) [\($0)]" } ?? reason,
        row.report?["error"]?["hint"]?.stringValue.map { "What to do: \($0)" },
        row.original.map { "It is at \($0.whole.repaired.text)" },
        "To try it again: procd retry \(row.id)",
      ]
      return Notice(
        id: id, event: .quarantined, time: time, subject: "\(path) went to quarantine",
        text: lines.compactMap { $0?.plain }.joined(separator: "\n"), details: details)
    case .done:
      let results = (row.report?["artifacts"]?.arrayValue ?? []).compactMap {
        $0["path"]?.stringValue.map { ArtifactReport.shown($0).plain }
      }
      // What could not be read is said by its steps.
      let notes = row.isReadInPart ? row.stepNotes.prefix(5).map(\.plain) : []
      return Notice(
        id: id, event: row.isReadInPart ? .partial : .done, time: time,
        subject: "\(path) is done\(row.isReadInPart ? ", but only part of it could be read" : "")",
        text: (results + notes).joined(separator: "\n"), details: details)
    case .duplicate: return nil
    }
  }
}
