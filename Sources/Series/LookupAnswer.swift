package import PluginKit

/// What is known of one number in one list.
package struct LookupAnswer: Sendable {
  package var number: String
  package var label: String?
  package var series: String
  /// The list itself.
  package var standing: ListStanding
  /// Whether its editions are kept, so that they make a history.
  package var isKept: Bool
  /// What the editions say of it, the newest first.
  package var story: [StoryPart]
  /// Numbers of the newest edition that a slip turns into this one.
  package var similar: [(number: String, slip: NumberSlip)]

  /// Looks a number up.
  ///
  /// - Returns: nil where the list has no edition.
  package init?(_ number: String, in series: String, _ reader: SeriesReader) throws(SeriesError) {
    guard let standing = try reader.standing(of: series) else { return nil }
    let followed = try reader.followed().first { $0.number == number }
    try self.init(
      followed ?? FollowedNumber(number: number, label: nil, since: 0), in: series, standing, reader
    )
  }

  /// Looks a number up in a list whose standing is known.
  init(
    _ followed: FollowedNumber, in series: String, _ standing: ListStanding, _ reader: SeriesReader
  ) throws(SeriesError) {
    (number, label) = (followed.number, followed.label)
    (self.series, self.standing) = (series, standing)
    isKept = true
    story = try reader.story(of: followed.number, in: series)
    similar = story.isEmpty ? try reader.similar(to: followed.number, in: standing.newest) : []
  }

  /// Looks a number up in a list that is not kept.
  ///
  /// - Parameter checked: when its server last said that this is the list.
  package init(
    _ number: String, in content: ListContent, of edition: Edition, checked: Int64? = nil
  ) {
    self.number = number
    series = edition.series
    standing = ListStanding(of: edition, checked: checked)
    isKept = false
    story = content.entries[number].map { [StoryPart(edition: edition, entries: $0)] } ?? []
    similar =
      story.isEmpty
      ? NumberSlip.candidates(for: number).compactMap { candidate in
        content.entries[candidate.0] == nil ? nil : (number: candidate.0, slip: candidate.1)
      } : []
  }

  private var newest: Edition { standing.newest }
  private var partial: [Edition] { standing.partial }

  /// The rows of the newest edition; empty where the number is not in it.
  package var entries: [ListEntry] {
    story.first { $0.edition.job == newest.job }?.entries ?? []
  }

  package var isFound: Bool { !entries.isEmpty }

  /// What the newest edition and those before it say, the newest first.
  private var past: ArraySlice<StoryPart> {
    story.drop { story in partial.contains { $0.job == story.edition.job } }
  }

  /// The first of the lists that all say what holds now.
  package var since: Edition? {
    guard isKept, let current = entries.current else { return nil }
    var since: Edition?
    for part in past {
      guard !part.isLostAfter, let entry = part.entries.current, entry.says(current) else {
        // A torn row of a damaged list says nothing.
        if part.edition.isPartial, part.entries.current?.doubt != nil { continue }
        break
      }
      since = part.edition
    }
    return since
  }

  /// What held before, with the list that said so last; of a number that is gone, what held at the end.
  package var before: (entry: ListEntry, edition: Edition)? {
    guard let current = entries.current else {
      return past.first.flatMap { part in part.entries.current.map { ($0, part.edition) } }
    }
    for part in past {
      if let entry = part.entries.current, !entry.says(current),
        !part.edition.isPartial || entry.doubt == nil
      {
        return (entry, part.edition)
      }
    }
    return nil
  }

  // MARK: - For people

  /// Lines for people.
  ///
  /// - Parameter withHistory: whether every row of every list is told.
  package func lines(withHistory: Bool, now: Int64) -> [String] {
    var lines = isFound ? foundLines : missingLines
    if withHistory, !story.isEmpty {
      lines.append("  History:")
      for line in story.history {
        let seen = line.first == line.last ? line.first : "\(line.first) to \(line.last)"
        lines.append("    \(seen)  \(line.entry.line)")
      }
    }
    let age = standing.checked.map { ", last checked \(Self.age(now - $0)) ago" } ?? ""
    lines.append(
      "  List \(series) of \(newest.told) (\(Self.grouped(newest.numbers)) numbers)\(age)"
    )
    if let damage = standing.damage { lines.append("  \(damage): \(damageMeaning)") }
    if let refusal = standing.refusal { lines.append("  \(refusal)") }
    return lines
  }

  private var damageMeaning: String {
    guard !newest.isPartial, let later = partial.first else { return "rows may be missing" }
    let entry = story.first { $0.edition.job == later.job }?.entries.current
    return "there \(entry.map { "it is \($0.line)" } ?? "the number was not found")"
  }

  private var foundLines: [String] {
    var lines = [label.map { "\(number)  \($0)" } ?? number]
    for entry in entries {
      let mark = entries.count > 1 && entry == entries.current ? "→ " : "  "
      lines.append("\(mark)\(entry.line)")
    }
    if let since {
      lines.append("  so since the list of \(since.told)")
    }
    if let before {
      lines.append(
        "  before: \(before.entry.line), last in the list of \(before.edition.told)"
      )
    }
    return lines
  }

  private var missingLines: [String] {
    var text =
      "\(label.map { "\($0) (\(number))" } ?? number) is not in \(newest.isPartial ? "what could be read of the list" : "the list")"
      + " of \(newest.told)"
      + " (\(Self.grouped(newest.numbers)) numbers)."
    for slip in similar.prefix(3) { text += " \(slip.number) is: \(slip.slip.rawValue)?" }
    var lines = [text]
    if let before {
      lines.append("  It was last in the list of \(before.edition.told): \(before.entry.line)")
    }
    return lines
  }

  /// `8,000` for 8000.
  static func grouped(_ value: Int) -> String {
    var digits = Array(String(value))
    var place = digits.count - 3
    while place > 0 {
      digits.insert(",", at: place)
      place -= 3
    }
    return String(digits)
  }

  /// A span of milliseconds in its largest whole unit.
  package static func age(_ milliseconds: Int64) -> String {
    let minutes = max(0, milliseconds) / 60_000
    func told(_ count: Int64, _ unit: String) -> String {
      "\(count) \(unit)\(count == 1 ? "" : "s")"
    }
    if minutes < 1 { return "less than a minute" }
    if minutes < 60 { return told(minutes, "minute") }
    if minutes < 48 * 60 { return told(minutes / 60, "hour") }
    return told(minutes / 1440, "day")
  }

  // MARK: - For programs

  package var json: JSON {
    [
      "number": .string(number), "label": label.map { .string($0) }, "series": .string(series),
      "found": .bool(isFound),
      "list": [
        "date": .string(newest.date), "name": .string(newest.name),
        "numbers": .integer(newest.numbers),
        "checked": standing.checked.map { .string(EditionDate.time(of: $0)) },
        "partial": newest.isPartial ? true : nil,
      ],
      "rows": .array(entries.map(\.json)), "current": entries.current?.json,
      "since": since.map { .string($0.date) },
      "before": before.map { $0.entry.json.setting("list", .string($0.edition.date)) },
      "partialSince": partial.isEmpty
        ? nil
        : .array(
          partial.map { edition in
            let rows = story.first { $0.edition.job == edition.job }?.entries ?? []
            return [
              "date": .string(edition.date), "name": .string(edition.name),
              "rows": .array(rows.map(\.json)),
            ]
          }),
      "refusedSince": standing.refused.isEmpty
        ? nil
        : .array(standing.refused.map(\.json)),
      "similar": similar.isEmpty ? nil : .array(similar.map { .string($0.number) }),
      "history": .array(
        story.history.map { line in
          line.entry.json.setting("first", .string(line.first)).setting(
            "last", .string(line.last))
        }),
    ]
  }
}
