internal import FoundationEssentials
internal import GRDB
internal import Pipelines

extension LedgerReader {
  /// Jobs of a rule whose originals were archived before a time and not let go, the oldest first, some at a time.
  ///
  /// - Parameters:
  ///   - rule: one that ``outcomes()`` names; empty for files that no rule took.
  ///   - time: milliseconds since 1970, exclusive.
  ///   - position: nil for the first ones; afterwards what the last call gave.
  package func archived(
    ofRule rule: String, before time: Int64, after position: Position?, limit: Int = 200
  ) throws(LedgerError) -> (rows: [JobRow], next: Position?) {
    let rows = try read { database in
      try Row.fetchAll(
        database, sql: LedgerStatements.archivedAfter,
        arguments: [rule, position?.finished ?? .min, position?.id ?? "", time, limit]
      ).map(JobRow.init)
    }
    let next = rows.last.flatMap { row in
      row.finished.map { Position(finished: $0, id: row.id) }
    }
    return (rows, next)
  }
}

extension Ledger {
  /// The originals of these jobs are gone, deleted, or no longer ours.
  package func letGo(jobs: [String], at time: Int64) async throws(LedgerError) {
    try await setLetGo(time, of: jobs)
  }

  /// The originals of these jobs, which were deleted, lie where they lay.
  package func takenBack(jobs: [String]) async throws(LedgerError) {
    try await setLetGo(nil, of: jobs)
  }

  private func setLetGo(_ time: Int64?, of jobs: [String]) async throws(LedgerError) {
    try await write { database in
      for job in jobs {
        try database.execute(
          sql: "UPDATE job SET letGo = ? WHERE id = ?", arguments: [time, job])
      }
    }
  }
}
