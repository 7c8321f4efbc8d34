internal import GRDB

/// Questions to the index.
package struct FindReader: Sendable {
  private let database: any DatabaseReader

  init(_ database: any DatabaseReader) { self.database = database }

  /// What a search may be narrowed to.
  package struct Filter: Sendable, Equatable {
    package var pipeline: String?
    package var outcome: String?
    /// Milliseconds since 1970.
    package var since: Int64?
    package init(pipeline: String? = nil, outcome: String? = nil, since: Int64? = nil) {
      (self.pipeline, self.outcome, self.since) = (pipeline, outcome, since)
    }
  }

  /// A document with the words, and where they are in it.
  package struct Hit: Sendable, Equatable {
    package var job: String
    package var path: String
    package var pipeline: String?
    package var outcome: String
    package var finished: Int64
    /// From 1; 0 where its name has the words; nil where its text has no pages.
    package var page: Int?
    /// How many pages it has; 0 where its text has none.
    package var pages: Int
    package var snippet: [Piece]
  }

  package struct Piece: Sendable, Equatable {
    package var text: String
    /// Whether it is what was looked for.
    package var isLit: Bool
  }

  package struct Answer: Sendable {
    package var hits: [Hit] = []
    /// How many documents have the words; of many, so many as were counted.
    package var total = 0
    /// Whether there are more. The newest come first then, and else the best.
    package var isMore = false
  }

  /// Pages that are ranked; with more of them the newest are taken.
  private static let mostRanked = 3000

  package func search(
    _ query: FindQuery, _ filter: Filter = Filter(), offset: Int = 0, limit: Int = 20
  ) throws(FindError) -> Answer {
    guard !query.isEmpty else { return Answer() }
    do {
      return try database.read { database in
        var (pages, isMore) = try Self.pages(query.expression, filter, database)
        var shown = query.expression
        if query.wanted.count > 1, !isMore {
          // Behind them those that have the words on several pages, or some in their name.
          pages += try Self.spread(query, filter, database)
          shown = query.anyExpression
        }
        let unwanted = try Self.documents(with: query.unwanted, filter, database)
        if !unwanted.isEmpty { pages.removeAll { unwanted.contains($0 >> FindStore.pageBits) } }
        var seen: Set<Int64> = [], first: [Int64] = []
        for page in pages where seen.insert(page >> FindStore.pageBits).inserted {
          first.append(page)
        }
        var answer = Answer(total: first.count, isMore: isMore)
        answer.hits = try Self.hits(
          Array(first.dropFirst(max(0, offset)).prefix(max(0, limit))), shown, database)
        return answer
      }
    } catch { throw FindError(error) }
  }

  /// Pages that have all words: the best first, or the newest where they are many.
  private static func pages(
    _ expression: String, _ filter: Filter, _ database: Database
  ) throws -> (pages: [Int64], isMore: Bool) {
    let newest = try Int64.fetchAll(
      database, sql: statement(filter, order: "words.rowid DESC"),
      arguments: arguments(expression, filter, limit: mostRanked + 1))
    if newest.count > mostRanked { return (Array(newest.dropLast()), true) }
    guard newest.count > 1 else { return (newest, false) }
    return (
      try Int64.fetchAll(
        database, sql: statement(filter, order: "rank"),
        arguments: arguments(expression, filter, limit: mostRanked)), false
    )
  }

  /// The first pages of documents that have all words, each on some page of its.
  private static func spread(
    _ query: FindQuery, _ filter: Filter, _ database: Database
  ) throws -> [Int64] {
    var common: [Int64: Int64]?
    for term in query.wanted {
      var found: [Int64: Int64] = [:]
      let rows = try Int64.fetchCursor(
        database, sql: statement(filter, order: "words.rowid"),
        arguments: arguments(FindQuery.expression(term), filter, limit: 1_000_000))
      while let row = try rows.next() {
        let document = row >> FindStore.pageBits
        if let common, common[document] == nil { continue }
        found[document] = found[document] ?? common?[document] ?? row
      }
      common = found
      if found.isEmpty { return [] }
    }
    return (common ?? [:]).sorted { $0.key > $1.key }.prefix(mostRanked).map(\.value)
  }

  /// The documents that have any of the words.
  private static func documents(
    with terms: [FindQuery.Term], _ filter: Filter, _ database: Database
  ) throws -> Set<Int64> {
    var found: Set<Int64> = []
    for term in terms {
      let rows = try Int64.fetchCursor(
        database, sql: statement(filter, order: "words.rowid"),
        arguments: arguments(FindQuery.expression(term), filter, limit: 1_000_000))
      while let row = try rows.next() { found.insert(row >> FindStore.pageBits) }
    }
    return found
  }

  private static func statement(_ filter: Filter, order: String) -> String {
    filter == Filter()
      ? "SELECT rowid FROM words WHERE words MATCH ? ORDER BY \(order) LIMIT ?"
      : """
      SELECT words.rowid FROM words JOIN document ON document.id = words.rowid >> \(FindStore.pageBits)
      WHERE words MATCH ? AND (?2 IS NULL OR pipeline = ?2) AND (?3 IS NULL OR outcome = ?3)
        AND (?4 IS NULL OR finished >= ?4)
      ORDER BY \(order) LIMIT ?5
      """
  }

  private static func arguments(
    _ expression: String, _ filter: Filter, limit: Int
  ) -> StatementArguments {
    filter == Filter()
      ? [expression, limit]
      : [expression, filter.pipeline, filter.outcome, filter.since, limit]
  }

  /// The hits on some pages, in the order of the pages.
  private static func hits(
    _ pages: [Int64], _ expression: String, _ database: Database
  ) throws -> [Hit] {
    guard let first = pages.min(), let last = pages.max() else { return [] }
    // All at once, and without asking the index for each by its number: a beginning of a word is looked up anew for
    // each question.
    let rows = try Row.fetchAll(
      database,
      sql: """
        SELECT document.*, words.rowid AS page,
          snippet(words, 0, char(57344), char(57345), '…', 24) AS snippet
        FROM words JOIN document ON document.id = words.rowid >> \(FindStore.pageBits)
        WHERE words MATCH ? AND words.rowid BETWEEN ? AND ?
          AND +words.rowid IN (\(pages.map { "\($0)" }.joined(separator: ",")))
        """, arguments: [expression, first, last])
    let hits = Dictionary(
      rows.map { row in
        let page: Int64 = row["page"], pages: Int = row["pages"]
        let number = Int(page & (1 << FindStore.pageBits - 1))
        return (
          page,
          Hit(
            job: row["job"], path: row["path"], pipeline: row["pipeline"],
            outcome: row["outcome"], finished: row["finished"],
            page: number > 0 && pages == 0 ? nil : number, pages: pages,
            snippet: pieces(row["snippet"]))
        )
      }, uniquingKeysWith: { first, _ in first })
    return pages.compactMap { hits[$0] }
  }

  /// A snippet as its pieces, between marks of the private use area that the text itself may have too.
  private static func pieces(_ snippet: String) -> [Piece] {
    var pieces: [Piece] = [], text = String.UnicodeScalarView(), isLit = false
    func end() {
      if !text.isEmpty { pieces.append(Piece(text: FindText.shown(String(text)), isLit: isLit)) }
      text = .init()
    }
    for scalar in snippet.unicodeScalars {
      switch scalar.value {
      case 0xE000: end(); isLit = true
      case 0xE001: end(); isLit = false
      default: text.append(scalar)
      }
    }
    end()
    return pieces
  }

  /// Jobs of the index in their order, some at a time.
  package func jobs(after job: String?, limit: Int = 1000) throws(FindError) -> [String] {
    do {
      return try database.read { database in
        try String.fetchAll(
          database, sql: "SELECT job FROM document WHERE job > ? ORDER BY job LIMIT ?",
          arguments: [job ?? "", limit])
      }
    } catch { throw FindError(error) }
  }

  /// How many documents there are.
  package func count() throws(FindError) -> Int {
    do {
      return try database.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM document") ?? 0 }
    } catch { throw FindError(error) }
  }
}
