internal import FoundationEssentials
internal import GRDB
internal import Pipelines
package import SystemPackage

extension LedgerReader {
  /// Where a walk through the finished jobs stands.
  package struct Position: Sendable {
    var finished: Int64
    var id: String
  }

  /// Finished jobs, the newest first, some at a time.
  ///
  /// - Parameter position: nil for the first ones; afterwards what the last call gave.
  /// - Returns: the rows, and where to go on; nil at the end.
  package func finished(
    after position: Position?, limit: Int = 200
  ) throws(LedgerError) -> (rows: [JobRow], next: Position?) {
    let rows = try read { database in
      try Row.fetchAll(
        database, sql: LedgerStatements.finishedBefore,
        arguments: [position?.finished ?? .max, position?.id ?? "", limit]
      ).map(JobRow.init)
    }
    let next = rows.last.flatMap { row in
      row.finished.map { Position(finished: $0, id: row.id) }
    }
    return (rows, next)
  }

  /// A name that is kept for a job.
  package struct ReservedName: Sendable {
    package var place: String
    package var path: FilePath
    package var job: String
    /// Nil where the ledger no longer knows the job.
    package var state: JobRow.State?
  }

  /// Names that are kept for jobs that are done: after a clean end there are none.
  package func namesOfDoneJobs(limit: Int = 1000) throws(LedgerError) -> [ReservedName] {
    try read { database in
      try Row.fetchAll(
        database,
        sql: """
          SELECT name.place, name.path, name.job, job.state FROM name
          LEFT JOIN job ON job.id = name.job
          WHERE job.state IS NULL OR job.state = 'done' ORDER BY name.job, name.path LIMIT ?
          """, arguments: [limit]
      ).map { row in
        ReservedName(
          place: row["place"], path: FilePath(bytes: row["path"] as Data), job: row["job"],
          state: (row["state"] as String?).flatMap(JobRow.State.init))
      }
    }
  }

  /// Returns when the newest job arrived or ended, milliseconds since 1970, or nil if there is none.
  package func newestTime() throws(LedgerError) -> Int64? {
    try read { database in
      try [LedgerStatements.newestArrival, LedgerStatements.newestEnd]
        .compactMap { try Int64.fetchOne(database, sql: $0) }.max()
    }
  }

  /// What is wrong with the file, indexes left out, in plain words: SQLite's own tell of its pages and trees. Nil for
  /// nothing.
  package func damage() throws(LedgerError) -> String? {
    let found = try read { try String.fetchOne($0, sql: "PRAGMA quick_check(1)") ?? "" }
    return found == "ok" ? nil : "parts of it do not fit together"
  }
}
