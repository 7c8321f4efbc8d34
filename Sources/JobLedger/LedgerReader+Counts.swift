internal import GRDB
package import Pipelines

/// How many files of one pipeline had one outcome.
package struct OutcomeCount: Sendable, Equatable {
  package struct Key: Sendable, Hashable {
    /// Empty where no pipeline was found.
    package var pipeline: String
    package var outcome: Report.Outcome

    package init(pipeline: String, outcome: Report.Outcome) {
      (self.pipeline, self.outcome) = (pipeline, outcome)
    }
  }
  package var key: Key
  package var number: Int
  /// When the newest of them ended, milliseconds since 1970.
  package var last: Int64

  package init(key: Key, number: Int, last: Int64 = 0) {
    (self.key, self.number, self.last) = (key, number, last)
  }
}

/// The jobs that are not done.
package struct Unfinished: Sendable, Equatable {
  package var states: [JobRow.State: Int] = [:]
  /// When the oldest of them arrived.
  package var oldest: Int64?
  package init() {}
}

extension LedgerReader {
  /// Returns the numbers of finished jobs, which the ledger keeps.
  package func outcomes() throws(LedgerError) -> [OutcomeCount] {
    try read { try Self.outcomes($0) }
  }

  static func outcomes(_ database: Database) throws -> [OutcomeCount] {
    try Row.fetchAll(database, sql: LedgerStatements.outcomes).compactMap { row in
      Report.Outcome(rawValue: row["outcome"]).map {
        OutcomeCount(
          key: .init(pipeline: row["pipeline"], outcome: $0), number: row["number"],
          last: row["last"])
      }
    }
  }

  /// Returns the numbers of attempts by how they ended. Goes through all of them in an index, once in a run.
  package func attemptResults() throws(LedgerError) -> [String: Int] {
    try read { database in
      let rows = try Row.fetchAll(
        database,
        sql: "SELECT class, count(*) AS n FROM attempt WHERE class IS NOT NULL GROUP BY class")
      return Dictionary(
        rows.map { ($0["class"] as String, $0["n"] as Int) }, uniquingKeysWith: +)
    }
  }

  /// Returns how many jobs are not done.
  package func unfinishedCount() throws(LedgerError) -> Int {
    try read { try Self.unfinishedCount($0) }
  }

  static func unfinishedCount(_ database: Database) throws -> Int {
    try Int.fetchOne(database, sql: LedgerStatements.unfinishedCount) ?? 0
  }

  /// Returns the states of unfinished jobs. Cheap however long the history is.
  package func unfinishedStates() throws(LedgerError) -> Unfinished {
    try read { database in
      var unfinished = Unfinished()
      let rows = try Row.fetchCursor(
        database, sql: LedgerStatements.unfinishedStates, arguments: [JobRow.heldUp])
      while let row = try rows.next() {
        guard let state = JobRow.State(rawValue: row["state"]) else { continue }
        unfinished.states[state, default: 0] += 1
        let arrived: Int64 = row["arrived"]
        unfinished.oldest = min(unfinished.oldest ?? arrived, arrived)
      }
      return unfinished
    }
  }
}
