internal import GRDB
package import PluginKit

extension SeriesStore {
  /// Keeps an edition and compares it with the one before.
  ///
  /// The same job gives the same answer, however often it is recorded. News of followed numbers is
  /// noted in the same transaction; only the newest edition brings news.
  package func record(
    _ edition: Edition, _ content: ListContent
  ) throws(SeriesError) -> RecordedEdition {
    try write { database in
      if let known = try answer(to: edition.job, in: database) { return known }
      let before = try Self.wholeEdition(before: edition, in: database)
      let after = try Self.neighbour(of: edition, later: true, in: database)
      for neighbour in [before, after] {
        guard let neighbour,
          try Self.entries(of: neighbour.id, in: database) == content.entries
        else { continue }
        try database.execute(
          sql: "UPDATE edition SET confirmed = max(confirmed, ?) WHERE id = ?",
          arguments: [edition.arrived, neighbour.id])
        let recorded = RecordedEdition(
          edition: edition, standing: .known, comparedWith: neighbour.edition.date,
          changes: ListChanges())
        try Self.keep(recorded, edition: neighbour.id, in: database)
        return recorded
      }
      let id = try Self.insert(edition, content, in: database)
      var baseline: [String: [ListEntry]] = [:]
      if let before {
        baseline = try Self.entries(of: before.id, in: database)
        // What partial editions since then have told already is no change again.
        for partial in try Self.partialEditions(
          after: before.edition, before: edition, in: database)
        {
          baseline.merge(try Self.entries(of: partial, in: database)) { $1 }
        }
      }
      let isFirst = before == nil
      let standing: RecordedEdition.Standing =
        after != nil ? .late : isFirst ? .first : .newest
      let changes = ListChanges(
        from: baseline, to: content.entries, isWhole: !edition.isPartial)
      var kept = edition
      (kept.numbers, kept.rows) = (content.numbers.count, content.rowCount)
      let recorded = RecordedEdition(
        edition: kept, standing: standing, comparedWith: before?.edition.date,
        // Everything is new in the first edition, which is no news.
        changes: isFirst ? ListChanges() : changes)
      try Self.keep(recorded, edition: id, in: database)
      if standing != .late { try Self.noteNews(of: changes, edition, in: database) }
      return recorded
    }
  }

  /// An edition with its place in the store.
  struct Kept {
    var id: Int64
    var edition: Edition
  }

  private func answer(to job: String, in database: Database) throws -> RecordedEdition? {
    guard
      let row = try Row.fetchOne(
        database,
        sql: """
          SELECT answer.standing, answer.comparedWith, answer.changes, edition.*
          FROM answer JOIN edition ON edition.id = answer.edition WHERE answer.job = ?
          """, arguments: [job])
    else { return nil }
    let json = try JSONReader.read(row["changes"] as String).value
    let standing = RecordedEdition.Standing(rawValue: row["standing"]) ?? .known
    var edition = Edition(row)
    edition.job = job
    return RecordedEdition(
      edition: edition, standing: standing, comparedWith: row["comparedWith"],
      changes: ListChanges(changes: (json.arrayValue ?? []).compactMap(ListChanges.Change.init)))
  }

  private static func keep(
    _ recorded: RecordedEdition, edition: Int64, in database: Database
  ) throws {
    let changes = JSON.array(recorded.changes.changes.map(\.json))
    try database.execute(
      sql: "INSERT INTO answer VALUES (?, ?, ?, ?, ?)",
      arguments: [
        recorded.edition.job, edition, recorded.standing.rawValue, recorded.comparedWith,
        String(decoding: changes.line, as: UTF8.self),
      ])
  }

  private static func insert(
    _ edition: Edition, _ content: ListContent, in database: Database
  ) throws -> Int64 {
    try database.execute(
      sql: """
        INSERT INTO edition(series, job, name, date, arrived, confirmed, partial, numbers, rows)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
        """,
      arguments: [
        edition.series, edition.job, edition.name, edition.date, edition.arrived, edition.arrived,
        edition.isPartial, content.numbers.count, content.rowCount,
      ])
    let id = database.lastInsertedRowID
    var phrases = Phrases(database)
    let insert = try database.makeStatement(sql: "INSERT INTO entry VALUES (?, ?, ?, ?, ?, ?)")
    // In the order of the key, so that pages of the tree fill one after the other.
    for number in content.numbers.sorted() {
      for (place, entry) in (content.entries[number] ?? []).enumerated() {
        try insert.execute(arguments: [
          number, id, place, try phrases.id(of: entry.status), try phrases.id(of: entry.date),
          entry.dateISO,
        ])
      }
    }
    return id
  }

  // MARK: - Neighbours

  /// The newest whole edition of the same list that is not newer.
  private static func wholeEdition(before edition: Edition, in database: Database) throws -> Kept? {
    try neighbour(of: edition, later: false, onlyWhole: true, in: database)
  }

  private static func neighbour(
    of edition: Edition, later: Bool, onlyWhole: Bool = false, in database: Database
  ) throws -> Kept? {
    try Row.fetchOne(
      database,
      sql: """
        SELECT * FROM edition WHERE series = ?1 AND (\(onlyWhole ? "partial = 0 AND" : "")
          (date, arrived) \(later ? ">" : "<=") (?2, ?3))
        ORDER BY date \(later ? "" : "DESC"), arrived \(later ? "" : "DESC"),
          id \(later ? "" : "DESC") LIMIT 1
        """, arguments: [edition.series, edition.date, edition.arrived]
    ).map { Kept(id: $0["id"], edition: Edition($0)) }
  }

  private static func partialEditions(
    after before: Edition, before edition: Edition, in database: Database
  ) throws -> [Int64] {
    try Int64.fetchAll(
      database,
      sql: """
        SELECT id FROM edition WHERE series = ? AND partial = 1
          AND (date, arrived) > (?, ?) AND (date, arrived) <= (?, ?) AND job <> ?
        ORDER BY date, arrived
        """,
      arguments: [
        edition.series, before.date, before.arrived, edition.date, edition.arrived, edition.job,
      ])
  }

  static func entries(of edition: Int64, in database: Database) throws -> [String: [ListEntry]] {
    var entries: [String: [ListEntry]] = [:]
    let rows = try Row.fetchCursor(
      database,
      sql: """
        SELECT number, status.text, date.text, dateISO FROM entry
        JOIN phrase status ON status.id = entry.status JOIN phrase date ON date.id = entry.date
        WHERE edition = ? ORDER BY number, place
        """, arguments: [edition])
    while let row = try rows.next() {
      entries[row[0], default: []].append(
        ListEntry(status: row[1], date: row[2], dateISO: row[3]))
    }
    return entries
  }

  // MARK: - News

  private static func noteNews(
    of changes: ListChanges, _ edition: Edition, in database: Database
  ) throws {
    let followed = try Row.fetchAll(database, sql: "SELECT number, label FROM followed")
    let labels = Dictionary(
      followed.map { row in (row["number"] as String, row["label"] as String?) },
      uniquingKeysWith: { first, _ in first })
    guard !labels.isEmpty else { return }
    for change in changes.changes {
      guard let label = labels[change.number] else { continue }
      try database.execute(
        sql: "INSERT OR IGNORE INTO news VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
        arguments: [
          "\(edition.job)-\(change.number)", edition.job, edition.series, change.number, label,
          NewsKind(change).rawValue, edition.arrived, text(change.before), text(change.after),
        ])
    }
  }

  private static func text(_ entries: [ListEntry]) -> String {
    String(decoding: JSON.array(entries.map(\.json)).line, as: UTF8.self)
  }
}

/// The numbers of texts, looked up once each.
private struct Phrases {
  private let database: Database
  private var known: [String: Int64] = [:]

  init(_ database: Database) { self.database = database }

  mutating func id(of text: String) throws -> Int64 {
    if let id = known[text] { return id }
    let found =
      try Int64.fetchOne(database, sql: "SELECT id FROM phrase WHERE text = ?", arguments: [text])
    let id: Int64
    if let found {
      id = found
    } else {
      try database.execute(sql: "INSERT INTO phrase(text) VALUES (?)", arguments: [text])
      id = database.lastInsertedRowID
    }
    known[text] = id
    return id
  }
}

extension Edition {
  init(_ row: Row) {
    self.init(
      series: row["series"], job: row["job"], name: row["name"], date: row["date"],
      arrived: row["arrived"], isPartial: row["partial"], numbers: row["numbers"],
      rows: row["rows"])
    confirmed = row["confirmed"]
  }
}

extension ListChanges.Change {
  package var json: JSON {
    [
      "kind": .string(kind.rawValue), "number": .string(number),
      "before": .array(before.map(\.json)), "after": .array(after.map(\.json)),
    ]
  }

  init?(_ json: JSON) {
    guard let kind = json["kind"]?.stringValue.flatMap(Kind.init(rawValue:)),
      let number = json["number"]?.stringValue
    else { return nil }
    func entries(_ name: String) -> [ListEntry] {
      (json[name]?.arrayValue ?? []).compactMap(ListEntry.init)
    }
    self.init(kind: kind, number: number, before: entries("before"), after: entries("after"))
  }
}
