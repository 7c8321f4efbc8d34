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

  package init(key: Key, number: Int) { (self.key, self.number) = (key, number) }
}

/// The jobs that are not done.
package struct Unfinished: Sendable, Equatable {
  package var states: [JobRow.State: Int] = [:]
  /// When the oldest of them arrived.
  package var oldest: Int64?
  package init() {}
}

extension LedgerReader {
  /// All that is done, counted. Reads the whole table: for once in a run.
  package func outcomes() throws(LedgerError) -> [OutcomeCount] {
    try read { database in
      try Row.fetchAll(
        database,
        sql: """
          SELECT coalesce(pipeline, '') AS pipeline, outcome, count(*) AS n FROM job
          WHERE state = 'done' GROUP BY 1, 2
          """
      ).compactMap { row in
        guard let outcome = (row["outcome"] as String?).flatMap(Report.Outcome.init) else {
          return nil
        }
        return OutcomeCount(
          key: .init(pipeline: row["pipeline"], outcome: outcome), number: row["n"])
      }
    }
  }

  /// Attempts that have ended, by how. Reads the whole table: for once in a run.
  package func attemptResults() throws(LedgerError) -> [String: Int] {
    try read { database in
      let rows = try Row.fetchAll(
        database,
        sql: "SELECT class, count(*) AS n FROM attempt WHERE class IS NOT NULL GROUP BY class")
      return Dictionary(
        rows.map { ($0["class"] as String, $0["n"] as Int) }, uniquingKeysWith: +)
    }
  }

  /// Cheap however long the history is: the states of unfinished jobs are looked up one by one.
  package func unfinishedStates() throws(LedgerError) -> Unfinished {
    try read { database in
      var unfinished = Unfinished()
      let rows = try Row.fetchAll(
        database,
        sql: """
          SELECT CASE errorCode WHEN ? THEN 'waiting' ELSE state END AS state, count(*) AS n, min(arrived) AS oldest
          FROM job WHERE job.state IN ('claimed', 'running', 'waiting', 'publishing') GROUP BY 1
          """, arguments: [JobRow.heldUp])
      for row in rows {
        guard let state = JobRow.State(rawValue: row["state"]) else { continue }
        unfinished.states[state] = row["n"]
        let oldest: Int64 = row["oldest"]
        unfinished.oldest = min(unfinished.oldest ?? oldest, oldest)
      }
      return unfinished
    }
  }
}
