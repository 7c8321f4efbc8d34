internal import GRDB
package import PluginKit

extension SeriesStore {
  /// Keeps an edition and compares it with the one before.
  ///
  /// The same job gives the same answer, however often it is recorded. News of followed numbers is
  /// noted in the same transaction; only the newest edition brings news.
  ///
  /// - Parameter check: what of the form of the list must be as in the edition before.
  /// - Throws: ``SeriesError/form(_:)`` where that is not so; then nothing is kept.
  package func record(
    _ edition: Edition, _ content: ListContent, _ check: ListForm.Check = .all
  ) throws(SeriesError) -> RecordedEdition {
    try write { database in
      if let known = try answer(to: edition.job, in: database) { return known }
      let before = try Self.wholeEdition(before: edition, in: database)
      let after = try Self.neighbour(of: edition, ">", in: database)
      for neighbour in [before, after] {
        guard let neighbour,
          Self.isSame(try Self.entries(of: neighbour.id, in: database), content.entries)
        else { continue }
        try database.execute(
          sql: "UPDATE edition SET confirmed = max(confirmed, ?) WHERE id = ?",
          arguments: [edition.arrived, neighbour.id])
        let recorded = RecordedEdition(
          edition: Self.counted(edition, content), standing: .known,
          comparedWith: neighbour.edition.date, changes: ListChanges())
        try Self.keep(recorded, edition: neighbour.id, in: database)
        return recorded
      }
      var baseline = try before.map { try Self.entries(of: $0.id, in: database) } ?? [:]
      let earlier = try before.flatMap {
        try Self.wholeEdition(before: $0.edition, isOlder: true, in: database)
      }
      let old = before.map { (entries: baseline, date: $0.edition.told) }
      let oldest = try earlier.map { try Self.entries(of: $0.id, in: database) }
      if let reason = ListForm.change(to: content, from: old, oldest, check) {
        throw SeriesError.form(reason)
      }
      let id = try Self.insert(edition, content, in: database)
      var partials: [String] = []
      // What partial editions since then have told already is no change again.
      for partial in try Self.partialEditions(
        after: before?.edition, before: edition, in: database)
      {
        baseline = ListChanges(
          from: baseline, to: try Self.entries(of: partial.id, in: database), isWhole: false
        ).applied(to: baseline)
        partials.append(partial.edition.date)
      }
      let isFirst = before == nil
      let standing: RecordedEdition.Standing =
        after != nil ? .late : isFirst ? .first : .newest
      let changes = ListChanges(
        from: baseline, to: content.entries, isWhole: !edition.isPartial)
      let recorded = RecordedEdition(
        edition: Self.counted(edition, content), standing: standing,
        comparedWith: before?.edition.date, partials: partials,
        // Everything is new in the first edition, which is no news.
        changes: isFirst ? ListChanges() : changes)
      try Self.keep(recorded, edition: id, in: database)
      if standing != .late { try Self.noteNews(of: changes, edition, in: database) }
      return recorded
    }
  }

  private static func counted(_ edition: Edition, _ content: ListContent) -> Edition {
    var edition = edition
    (edition.numbers, edition.rows) = (content.numbers.count, content.rowCount)
    return edition
  }

  private static func isSame(
    _ one: [String: [ListEntry]], _ other: [String: [ListEntry]]
  ) -> Bool {
    one.count == other.count
      && one.allSatisfy { number, entries in other[number].map(entries.says) ?? false }
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
          SELECT answer.standing, answer.comparedWith, answer.partials, answer.changes, answer.path,
            edition.*
          FROM answer JOIN edition ON edition.id = answer.edition WHERE answer.job = ?
          """, arguments: [job])
    else { return nil }
    let json = try JSONReader.read(row["changes"] as String).value
    let standing = RecordedEdition.Standing(rawValue: row["standing"]) ?? .known
    var edition = Edition(row)
    (edition.job, edition.path) = (job, row["path"])
    let partials = try (row["partials"] as String?).map { try JSONReader.read($0).value }
    return RecordedEdition(
      edition: edition, standing: standing, comparedWith: row["comparedWith"],
      partials: partials?.arrayValue?.compactMap(\.stringValue) ?? [],
      changes: ListChanges(changes: (json.arrayValue ?? []).compactMap(ListChanges.Change.init)))
  }

  private static func keep(
    _ recorded: RecordedEdition, edition: Int64, in database: Database
  ) throws {
    let changes = JSON.array(recorded.changes.changes.map(\.json))
    try database.execute(
      sql: """
        INSERT INTO answer(job, edition, standing, comparedWith, partials, changes, path)
        VALUES (?, ?, ?, ?, ?, ?, ?)
        """,
      arguments: [
        recorded.edition.job, edition, recorded.standing.rawValue, recorded.comparedWith,
        recorded.partials.isEmpty
          ? nil
          : String(
            decoding: JSON.array(recorded.partials.map { .string($0) }).line, as: UTF8.self),
        String(decoding: changes.line, as: UTF8.self), recorded.edition.path,
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
    let insert = try database.makeStatement(
      sql: """
        INSERT INTO entry(number, edition, place, status, date, dateISO, doubtCode, doubt)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?)
        """)
    // In the order of the key, so that pages of the tree fill one after the other.
    for number in content.numbers.sorted() {
      for (place, entry) in (content.entries[number] ?? []).enumerated() {
        let doubt = try entry.doubt.map { try phrases.id(of: $0.reason) }
        try insert.execute(arguments: [
          number, id, place, try phrases.id(of: entry.status), try phrases.id(of: entry.date),
          entry.dateISO, entry.doubt?.code, doubt,
        ])
      }
    }
    return id
  }

  // MARK: - Neighbours

  /// The newest whole edition of the same list that is not newer, or that is older.
  private static func wholeEdition(
    before edition: Edition, isOlder: Bool = false, in database: Database
  ) throws -> Kept? {
    try neighbour(of: edition, isOlder ? "<" : "<=", onlyWhole: true, in: database)
  }

  private static func neighbour(
    of edition: Edition, _ place: String, onlyWhole: Bool = false, in database: Database
  ) throws -> Kept? {
    let later = place == ">"
    return try Row.fetchOne(
      database,
      sql: """
        SELECT * FROM edition WHERE series = ?1 AND (\(onlyWhole ? "partial = 0 AND" : "")
          (date, arrived) \(place) (?2, ?3))
        ORDER BY date \(later ? "" : "DESC"), arrived \(later ? "" : "DESC"),
          id \(later ? "" : "DESC") LIMIT 1
        """, arguments: [edition.series, edition.date, edition.arrived]
    ).map { Kept(id: $0["id"], edition: Edition($0)) }
  }

  private static func partialEditions(
    after before: Edition?, before edition: Edition, in database: Database
  ) throws -> [Kept] {
    try Row.fetchAll(
      database,
      sql: """
        SELECT * FROM edition WHERE series = ? AND partial = 1
          AND (date, arrived) > (?, ?) AND (date, arrived) <= (?, ?) AND job <> ?
        ORDER BY date, arrived
        """,
      arguments: [
        edition.series, before?.date ?? "", before?.arrived ?? 0, edition.date, edition.arrived,
        edition.job,
      ]
    ).map { Kept(id: $0["id"], edition: Edition($0)) }
  }

  static func entries(of edition: Int64, in database: Database) throws -> [String: [ListEntry]] {
    var entries: [String: [ListEntry]] = [:]
    let rows = try Row.fetchCursor(
      database,
      sql: """
        SELECT number, status.text, date.text, dateISO, doubtCode, doubt.text FROM entry
        JOIN phrase status ON status.id = entry.status JOIN phrase date ON date.id = entry.date
        LEFT JOIN phrase doubt ON doubt.id = entry.doubt
        WHERE edition = ? ORDER BY number, place
        """, arguments: [edition])
    while let row = try rows.next() {
      entries[row[0], default: []].append(
        ListEntry(
          status: row[1], date: row[2], dateISO: row[3],
          doubt: ListEntry.Doubt(code: row[4], reason: row[5])))
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

extension ListEntry.Doubt {
  /// Nil where the row has none.
  init?(code: String?, reason: String?) {
    guard let code, let reason else { return nil }
    self.init(code: code, reason: reason)
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
