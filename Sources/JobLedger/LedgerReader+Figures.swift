internal import GRDB
internal import Pipelines

/// What was done in one span of time.
package struct Figures: Sendable, Equatable {
  package var done = 0
  package var quarantined = 0
  package var duplicates = 0
  /// As its steps counted them.
  package var pages = 0
  /// What steps took, in milliseconds.
  package var stepTime = 0
  /// From arrival to end, in milliseconds.
  package var ways: [Int] = []
  package init() {}
}

extension LedgerReader {
  /// Finished jobs of a time, by spans of equal length. Reads all of that time.
  ///
  /// - Parameters:
  ///   - time: milliseconds since 1970.
  ///   - span: the length of one, in milliseconds.
  /// - Returns: by the number of the span, from 0.
  package func figures(
    from time: Int64, until end: Int64, span: Int64
  ) throws(LedgerError) -> [Int: Figures] {
    try read { database in
      var figures: [Int: Figures] = [:]
      let rows = try Row.fetchCursor(
        database,
        sql: """
          SELECT (finished - ?1) / ?3 AS span, outcome, finished - arrived AS way,
            max(coalesce(json_extract(report, '$.steps[0].facts.pages'), 0),
              coalesce(json_extract(report, '$.steps[1].facts.pages'), 0),
              coalesce(json_extract(report, '$.steps[2].facts.pages'), 0)) AS pages
          FROM job WHERE finished >= ?1 AND finished < ?2 AND +state = 'done'
          """, arguments: [time, end, span])
      while let row = try rows.next() {
        let place: Int = row["span"], outcome: String = row["outcome"] ?? ""
        var figure = figures[place] ?? Figures()
        switch Report.Outcome(rawValue: outcome) {
        case .done: figure.done += 1
        case .quarantined: figure.quarantined += 1
        case .duplicate: figure.duplicates += 1
        case nil: break
        }
        figure.pages += row["pages"] ?? 0
        figure.ways.append(max(0, row["way"] ?? 0))
        figures[place] = figure
      }
      let attempts = try Row.fetchCursor(
        database,
        sql: """
          SELECT (ended - ?1) / ?3 AS span, sum(ended - started) AS took FROM attempt
          WHERE ended >= ?1 AND ended < ?2 AND class = 'done' GROUP BY 1
          """, arguments: [time, end, span])
      while let row = try attempts.next() {
        let place: Int = row["span"]
        figures[place, default: Figures()].stepTime += row["took"] ?? 0
      }
      return figures
    }
  }

  /// How many files each code or pipeline had since a time.
  package func counts(
    by column: Column, since time: Int64
  ) throws(LedgerError) -> [(name: String, count: Int, last: Int64)] {
    try read { database in
      try Row.fetchAll(
        database,
        sql: """
          SELECT \(column.rawValue) AS name, count(*) AS n, max(finished) AS last FROM job
          WHERE finished >= ? AND +state = 'done' AND \(column.rawValue) IS NOT NULL
          GROUP BY 1 ORDER BY n DESC LIMIT 200
          """, arguments: [time]
      ).map { ($0["name"], $0["n"], $0["last"]) }
    }
  }

  package enum Column: String, Sendable { case errorCode, pipeline }
}
