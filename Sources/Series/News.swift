internal import GRDB
package import PluginKit

/// What happened to a followed number.
package enum NewsKind: String, Sendable, CaseIterable {
  case appears
  case gainsRow = "gains-row"
  case changes
  case gone

  init(_ change: ListChanges.Change) {
    switch change.kind {
    case .added: self = .appears
    case .removed: self = .gone
    case .changed: self = change.gainsRows ? .gainsRow : .changes
    }
  }
}

/// News of a followed number.
package struct News: Sendable, Equatable {
  /// The same for the same news.
  package var id: String
  package var series: String
  package var number: String
  package var label: String?
  package var kind: NewsKind
  /// Milliseconds since 1970.
  package var time: Int64
  package var before: [ListEntry]
  package var after: [ListEntry]

  /// One line for people.
  package var subject: String {
    let who = label.map { "\($0) (\(number))" } ?? number
    let now = after.current?.line ?? ""
    return switch kind {
    case .appears: "\(who) is in the list \(series): \(now)"
    case .gainsRow: "\(who) has a new row in the list \(series): \(now)"
    case .changes: "\(who) has changed in the list \(series): \(now)"
    case .gone: "\(who) is no longer in the list \(series)"
    }
  }

  /// What it was and what it is, a line for each row.
  package var text: String {
    func lines(_ title: String, _ entries: [ListEntry]) -> [String] {
      guard !entries.isEmpty else { return [] }
      return ["\(title):"] + entries.map { "  \($0.status)  \($0.date)\($0.doubtMark)" }
    }
    return (lines("Now", after) + lines("Before", before)).joined(separator: "\n")
  }

  package var json: JSON {
    [
      "series": .string(series), "number": .string(number), "label": label.map { .string($0) },
      "kind": .string(kind.rawValue), "before": .array(before.map(\.json)),
      "after": .array(after.map(\.json)),
    ]
  }
}

extension News {
  init?(_ row: Row) throws {
    guard let kind = NewsKind(rawValue: row["kind"]) else { return nil }
    func entries(_ name: String) throws -> [ListEntry] {
      (try JSONReader.read(row[name] as String).value.arrayValue ?? []).compactMap(ListEntry.init)
    }
    self.init(
      id: row["id"], series: row["series"], number: row["number"], label: row["label"], kind: kind,
      time: row["time"], before: try entries("before"), after: try entries("after"))
  }
}
