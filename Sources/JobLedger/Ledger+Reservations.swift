internal import FoundationEssentials
internal import GRDB
package import Pipelines
package import SystemPackage

/// What the ledger says to a job that wants to compute something.
package enum ComputationReservation: Sendable, Equatable {
  /// The job computes it.
  case granted
  /// Another job is at it.
  case inFlight(job: String)
  /// Another job has done it.
  case done(job: String)
}

extension Ledger {
  /// Asks to compute (content, pipeline); one job at a time is granted it.
  package func reserve(
    sha256: String, pipelineHash: String, for job: String
  ) async throws(LedgerError) -> ComputationReservation {
    try await write { database in
      let row = try Row.fetchOne(
        database.cachedStatement(
          sql: "SELECT job, done FROM computation WHERE sha256 = ? AND pipelineHash = ?"),
        arguments: [sha256, pipelineHash])
      if let row {
        let holder: String = row["job"], done: Bool = row["done"]
        if holder == job { return .granted }
        return done ? .done(job: holder) : .inFlight(job: holder)
      }
      try database.perform(
        sql: "INSERT INTO computation (sha256, pipelineHash, job) VALUES (?, ?, ?)",
        arguments: [sha256, pipelineHash, job])
      return .granted
    }
  }

  /// Takes a computation over whose results are gone.
  package func takeOver(
    sha256: String, pipelineHash: String, for job: String
  ) async throws(LedgerError) {
    try await write { database in
      try database.perform(
        sql: "UPDATE computation SET job = ?, done = 0 WHERE sha256 = ? AND pipelineHash = ?",
        arguments: [job, sha256, pipelineHash])
    }
  }

  /// Gives up what a job had reserved to compute.
  package func giveUpComputations(of job: String) async throws(LedgerError) {
    try await write { database in
      try database.perform(sql: LedgerStatements.computationsGivenUp, arguments: [job])
    }
  }

  /// After a start: reservations of jobs that are no more are void.
  package func dropStaleComputations() async throws(LedgerError) {
    try await write { database in
      try database.perform(sql: LedgerStatements.computationsStale)
    }
  }

  /// Reserves names for all files of a job together or none: of each bundle the plain ones, or those with the next
  /// number, where another job holds them or something stands on the disk.
  ///
  /// - Parameter isFree: whether nothing stands at that path.
  /// - Returns: the paths of each bundle.
  /// - Throws: `noName`, `nameHeld`, `nameTaken`: matters of this job; the ledger goes on.
  package func reserveNames(
    _ bundles: [NameBundle], for job: String,
    isFree: @escaping @Sendable (Place, FilePath) -> Bool
  ) async throws(LedgerError) -> [[FilePath]] {
    try await write { database in
      try database.perform(sql: "DELETE FROM name WHERE job = ?", arguments: [job])
      return try bundles.map { bundle in
        let names = NumberedNames(bundle: bundle, job: job, database: database, isFree: isFree)
        let paths = bundle.paths(try names.number())
        for path in paths {
          try database.perform(
            sql: "INSERT INTO name (place, path, job) VALUES (?, ?, ?)",
            arguments: [bundle.place.rawValue, path.data, job])
        }
        return paths
      }
    }
  }

  /// Gives up the names of a job, unless it is being published under them or was.
  package func releaseNames(of job: String) async throws(LedgerError) {
    try await write { database in
      try database.perform(sql: LedgerStatements.namesGivenUp, arguments: [job])
    }
  }

  /// The same of all jobs, after a start: none is at it.
  package func dropStaleNames() async throws(LedgerError) {
    try await write { database in
      try database.perform(sql: LedgerStatements.namesStale)
    }
  }

  // MARK: - Requests

  package enum Request: Sendable, Equatable {
    /// Take a quarantined file up again, by its path below the quarantine folder.
    case retry(FilePath)
  }

  /// - Returns: false where the same was asked for already, and is still to be done.
  @discardableResult
  package func add(_ request: Request, at time: Int64) async throws(LedgerError) -> Bool {
    try await write { database in
      switch request {
      case .retry(let path):
        try database.perform(
          sql: """
            INSERT INTO request (kind, argument, made) SELECT 'retry', ?1, ?2
            WHERE NOT EXISTS (SELECT 1 FROM request WHERE kind = 'retry' AND argument = ?1)
            """,
          arguments: [path.data, time])
        return database.changesCount > 0
      }
    }
  }

  /// Takes all requests; each is given once.
  package func takeRequests() async throws(LedgerError) -> [Request] {
    try await write { database in
      let rows = try Row.fetchAll(
        database.cachedStatement(sql: "SELECT kind, argument FROM request ORDER BY id"))
      if !rows.isEmpty { try database.perform(sql: "DELETE FROM request") }
      return rows.compactMap { row in
        let kind: String = row["kind"], argument: Data = row["argument"]
        return kind == "retry" ? .retry(FilePath(bytes: argument)) : nil
      }
    }
  }
}
