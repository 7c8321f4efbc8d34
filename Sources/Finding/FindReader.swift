internal import GRDB

/// Questions to the index.
package struct FindReader: Sendable {
  let database: any DatabaseReader

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
    /// The query that was used instead of the one that finds nothing, with words of the index for mistyped ones.
    package var instead: FindQuery?
    /// A query that finds many more, where this one finds few.
    package var suggestion: FindQuery?
  }

  /// Pages that are ranked; with more of them the newest are taken.
  private static let mostRanked = 3000

  /// - Parameter forgives: whether a word that is hardly found may be another one of the index.
  package func search(
    _ query: FindQuery, _ filter: Filter = Filter(), offset: Int = 0, limit: Int = 20,
    forgives: Bool = false
  ) throws(FindError) -> Answer {
    guard !query.isEmpty else { return Answer() }
    do {
      return try database.read { database in
        func answer(_ query: FindQuery) throws -> Answer {
          try Self.answer(query, filter, offset: offset, limit: limit, database)
        }
        var found = try answer(query)
        guard forgives, found.total <= Self.mostOfRare, !found.isMore,
          let other = try Self.forgiven(query, filter, finding: found.total, database)
        else { return found }
        guard found.total == 0 else {
          found.suggestion = other
          return found
        }
        // Unwanted words were not counted.
        let replaced = try answer(other)
        if replaced.total > 0 {
          found = replaced
          found.instead = try Self.spelled(other, as: found.hits, database)
        }
        return found
      }
    } catch { throw FindError(error) }
  }

  private static func answer(
    _ query: FindQuery, _ filter: Filter, offset: Int, limit: Int, _ database: Database
  ) throws -> Answer {
    let narrowing = FindNarrowing(filter, query)
    var (pages, isMore) =
      query.wanted.isEmpty
      ? try newest(narrowing, database) : try self.pages(query.expression, narrowing, database)
    var shown = query.expression
    if query.wanted.count > 1, !isMore {
      // Behind them those that have the words on several pages, or some in their name.
      pages += try spread(query, narrowing, database)
      shown = query.anyExpression
    }
    let unwanted = try documents(with: query.unwanted, narrowing, database)
    if !unwanted.isEmpty { pages.removeAll { unwanted.contains($0 >> FindStore.pageBits) } }
    var seen: Set<Int64> = [], first: [Int64] = []
    for page in pages where seen.insert(page >> FindStore.pageBits).inserted {
      first.append(page)
    }
    var answer = Answer(total: first.count, isMore: isMore)
    answer.hits = try hits(
      Array(first.dropFirst(max(0, offset)).prefix(max(0, limit))), shown, database)
    return answer
  }

  /// How many documents a query finds, counted up to a thousand pages. Unwanted words are not looked at.
  static func count(_ query: FindQuery, _ filter: Filter, _ database: Database) throws -> Int {
    let narrowing = FindNarrowing(filter, query)
    let pages = try Int64.fetchAll(
      database, sql: narrowing.statement(order: nil),
      arguments: narrowing.arguments(query.expression, limit: 1000))
    let found = Set(pages.map { $0 >> FindStore.pageBits }).count
    return found > 0 || query.wanted.count < 2
      ? found : try spread(query, narrowing, database).count
  }

  /// The documents that only filters choose, the newest first.
  private static func newest(
    _ narrowing: FindNarrowing, _ database: Database
  ) throws -> (pages: [Int64], isMore: Bool) {
    let found = try Int64.fetchAll(
      database, sql: narrowing.statementWithoutWords,
      arguments: narrowing.arguments(nil, limit: mostRanked + 1))
    return (found.prefix(mostRanked).map { $0 << FindStore.pageBits }, found.count > mostRanked)
  }

  /// Pages that have all words: the best first, or the newest where they are many.
  private static func pages(
    _ expression: String, _ narrowing: FindNarrowing, _ database: Database
  ) throws -> (pages: [Int64], isMore: Bool) {
    let newest = try Int64.fetchAll(
      database, sql: narrowing.statement(order: "words.rowid DESC"),
      arguments: narrowing.arguments(expression, limit: mostRanked + 1))
    if newest.count > mostRanked { return (Array(newest.dropLast()), true) }
    guard newest.count > 1 else { return (newest, false) }
    return (
      try Int64.fetchAll(
        database, sql: narrowing.statement(order: "rank"),
        arguments: narrowing.arguments(expression, limit: mostRanked)), false
    )
  }

  /// The first pages of documents that have all words, each on some page of its.
  private static func spread(
    _ query: FindQuery, _ narrowing: FindNarrowing, _ database: Database
  ) throws -> [Int64] {
    var common: [Int64: Int64]?
    for term in query.wanted {
      var found: [Int64: Int64] = [:]
      let rows = try Int64.fetchCursor(
        database, sql: narrowing.statement(order: "words.rowid"),
        arguments: narrowing.arguments(FindQuery.expression(term), limit: 1_000_000))
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
    with terms: [FindQuery.Term], _ narrowing: FindNarrowing, _ database: Database
  ) throws -> Set<Int64> {
    var found: Set<Int64> = []
    for term in terms {
      let rows = try Int64.fetchCursor(
        database, sql: narrowing.statement(order: "words.rowid"),
        arguments: narrowing.arguments(FindQuery.expression(term), limit: 1_000_000))
      while let row = try rows.next() { found.insert(row >> FindStore.pageBits) }
    }
    return found
  }

  /// The hits on some pages, in the order of the pages.
  private static func hits(
    _ pages: [Int64], _ expression: String, _ database: Database
  ) throws -> [Hit] {
    guard let first = pages.min(), let last = pages.max() else { return [] }
    guard !expression.isEmpty else { return try documents(pages, database) }
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
        let page: Int64 = row["page"]
        return (page, hit(row, page: Int(page & (1 << FindStore.pageBits - 1))))
      }, uniquingKeysWith: { first, _ in first })
    return pages.compactMap { hits[$0] }
  }

  private static func hit(_ row: Row, page: Int?) -> Hit {
    let pages: Int = row["pages"]
    return Hit(
      job: row["job"], path: row["path"], pipeline: row["pipeline"], outcome: row["outcome"],
      finished: row["finished"], page: page.flatMap { $0 > 0 && pages == 0 ? nil : $0 },
      pages: pages, snippet: (row["snippet"] as String?).map(pieces) ?? [])
  }

  /// Hits without words, on no page.
  private static func documents(_ pages: [Int64], _ database: Database) throws -> [Hit] {
    let rows = try Row.fetchAll(
      database,
      sql: """
        SELECT *, NULL AS snippet FROM document
        WHERE id IN (\(pages.map { "\($0 >> FindStore.pageBits)" }.joined(separator: ",")))
        ORDER BY id DESC
        """)
    return rows.map { hit($0, page: nil) }
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
