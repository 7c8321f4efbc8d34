internal import GRDB

/// Questions to the kept editions that change nothing.
package struct SeriesReader: Sendable {
  private let database: any DatabaseReader

  init(_ database: any DatabaseReader) { self.database = database }

  func read<Value>(_ question: (Database) throws -> Value) throws(SeriesError) -> Value {
    do { return try database.read(question) } catch { throw SeriesError(error) }
  }

  /// The names of all lists that have editions.
  package func series() throws(SeriesError) -> [String] {
    try read {
      try String.fetchAll($0, sql: "SELECT DISTINCT series FROM edition ORDER BY series")
    }
  }

  /// The editions of a list, the newest first.
  package func editions(of series: String) throws(SeriesError) -> [Edition] {
    try read { database in
      try Row.fetchAll(
        database,
        sql: "SELECT * FROM edition WHERE series = ? ORDER BY date DESC, arrived DESC, id DESC",
        arguments: [series]
      ).map(Edition.init)
    }.numbered
  }

  /// The newest edition that has all its rows; a partial one where there is no other.
  package func newest(of series: String) throws(SeriesError) -> Edition? {
    try editions(of: series).best
  }

  /// What the editions of a list say of a number, the newest first; those that do not have it are left
  /// out.
  package func story(
    of number: String, in series: String
  ) throws(SeriesError) -> [StoryPart] {
    let found = try read { database in
      try Row.fetchAll(
        database,
        sql: """
          SELECT edition.*, status.text AS statusText, printed.text AS dateText, entry.dateISO,
            entry.doubtCode, doubt.text AS doubtText
          FROM entry JOIN edition ON edition.id = entry.edition
          JOIN phrase status ON status.id = entry.status
          JOIN phrase printed ON printed.id = entry.date
          LEFT JOIN phrase doubt ON doubt.id = entry.doubt
          WHERE entry.number = ? AND edition.series = ?
          ORDER BY edition.date DESC, edition.arrived DESC, edition.id DESC, entry.place
          """, arguments: [number, series]
      ).map { row in
        (
          Edition(row),
          ListEntry(
            status: row["statusText"], date: row["dateText"], dateISO: row["dateISO"],
            doubt: ListEntry.Doubt(code: row["doubtCode"], reason: row["doubtText"]))
        )
      }
    }
    var story: [StoryPart] = []
    for (edition, entry) in found {
      if story.last?.edition.job == edition.job {
        story[story.count - 1].entries.append(entry)
      } else {
        story.append(StoryPart(edition: edition, entries: [entry]))
      }
    }
    story.mark(among: try editions(of: series))
    return story
  }

  /// Numbers of an edition that a slip of the hand turns into this one: two digits swapped, or one
  /// digit wrong.
  package func similar(
    to number: String, in edition: Edition
  ) throws(SeriesError) -> [(number: String, slip: NumberSlip)] {
    let candidates = NumberSlip.candidates(for: number)
    return try read { database in
      var found: [(number: String, slip: NumberSlip)] = []
      let query = try database.makeStatement(
        sql: """
          SELECT 1 FROM entry JOIN edition ON edition.id = entry.edition
          WHERE entry.number = ? AND edition.job = ? LIMIT 1
          """)
      for (candidate, slip) in candidates {
        if try Int.fetchOne(query, arguments: [candidate, edition.job]) != nil {
          found.append((candidate, slip))
        }
      }
      return found
    }
  }

  /// How many digits the numbers of an edition have.
  package func lengths(of edition: Edition) throws(SeriesError) -> Set<Int> {
    try read { database in
      Set(
        try Int.fetchAll(
          database,
          sql: """
            SELECT DISTINCT length(number) FROM entry JOIN edition ON edition.id = entry.edition
            WHERE edition.job = ?
            """, arguments: [edition.job]))
    }
  }

  /// The numbers that are followed, in their order.
  package func followed() throws(SeriesError) -> [FollowedNumber] {
    try read { database in
      try Row.fetchAll(database, sql: "SELECT * FROM followed ORDER BY number").map { row in
        FollowedNumber(number: row["number"], label: row["label"], since: row["since"])
      }
    }
  }

  /// The news that the edition of a job brought.
  package func news(of job: String) throws(SeriesError) -> [News] {
    try read { database in
      try Row.fetchAll(
        database, sql: "SELECT * FROM news WHERE job = ? ORDER BY number", arguments: [job]
      ).compactMap(News.init)
    }
  }

  /// All news of a number, the newest first.
  package func news(ofNumber number: String, limit: Int) throws(SeriesError) -> [News] {
    try read { database in
      try Row.fetchAll(
        database, sql: "SELECT * FROM news WHERE number = ? ORDER BY time DESC, id LIMIT ?",
        arguments: [number, limit]
      ).compactMap(News.init)
    }
  }
}
