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
  /// Returns the figures of a time by spans of equal length. Reads all of that time, without the reports.
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
      for (place, begin) in stride(from: time, to: end, by: Int(span)).enumerated() {
        let part: StatementArguments = [begin, min(begin + span, end)]
        var figure = Figures()
        let ends = try Row.fetchCursor(
          database.cachedStatement(sql: LedgerStatements.endsBetween), arguments: part)
        while let row = try ends.next() {
          switch Report.Outcome(rawValue: row[0]) {
          case .done: figure.done += 1
          case .quarantined: figure.quarantined += 1
          case .duplicate: figure.duplicates += 1
          case nil: break
          }
          figure.ways.append(max(0, row[1]))
          figure.pages += row[2]
        }
        figure.stepTime =
          try Int.fetchOne(
            database.cachedStatement(sql: LedgerStatements.stepTimeBetween), arguments: part) ?? 0
        if figure != Figures() { figures[place] = figure }
      }
      return figures
    }
  }

  /// Returns how many files each code or pipeline had since a time, the most first. Sorts what ended since then.
  package func counts(
    by column: Column, since time: Int64
  ) throws(LedgerError) -> [(name: String, count: Int)] {
    try read { database in
      try Row.fetchAll(
        database,
        sql: """
          SELECT \(column.rawValue) AS name, count(*) AS n FROM jobEnd
          WHERE finished >= ? AND \(column.rawValue) <> '' GROUP BY 1 ORDER BY n DESC LIMIT 200
          """, arguments: [time]
      ).map { ($0["name"], $0["n"]) }
    }
  }

  package enum Column: String, Sendable { case errorCode, pipeline }
}
