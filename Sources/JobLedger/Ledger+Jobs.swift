internal import FoundationEssentials
internal import GRDB
package import Pipelines
package import PluginKit
package import SystemPackage

extension Ledger {
  /// Writes a claimed file down; one that is known already stays as it is.
  package func record(
    job: String, _ arrival: Arrival, _ standing: Standing = .now
  ) async throws(LedgerError) {
    try await write(standing) { database in
      try database.perform(
        sql: """
          INSERT INTO job (id, path, size, arrived, completeness, state)
          VALUES (?, ?, ?, ?, ?, 'claimed') ON CONFLICT (id) DO NOTHING
          """,
        arguments: [
          job, arrival.path.data, arrival.size, arrival.arrived, arrival.completeness.rawValue,
        ])
    }
  }

  package func identify(
    job: String, sha256: String, _ standing: Standing = .now
  ) async throws(LedgerError) {
    try await write(standing) { database in
      try database.perform(
        sql: "UPDATE job SET sha256 = ? WHERE id = ?", arguments: [sha256, job])
    }
  }

  package func routed(
    job: String, mime: String, pipeline: String?, hash: String?, _ standing: Standing = .now
  ) async throws(LedgerError) {
    try await write(standing) { database in
      try database.perform(
        sql: """
          UPDATE job SET state = 'running', mime = ?, pipeline = ?, pipelineHash = ?,
            notBefore = NULL, errorCode = NULL, errorMessage = NULL WHERE id = ?
          """, arguments: [mime, pipeline, hash, job])
    }
  }

  /// Puts a job aside until a time.
  package func wait(
    job: String, until: Int64?, code: String?, message: String?
  ) async throws(LedgerError) {
    try await write { database in
      try database.perform(
        sql: """
          UPDATE job SET state = 'waiting', notBefore = ?, errorCode = ?, errorMessage = ?
          WHERE id = ?
          """, arguments: [until, code, message, job])
    }
  }

  /// Notes what holds a job up, whatever its state; forgotten when it goes on.
  package func note(job: String, _ message: String) async throws(LedgerError) {
    try await write { database in
      try database.perform(
        sql: "UPDATE job SET errorCode = ?, errorMessage = ? WHERE id = ? AND state <> 'done'",
        arguments: [JobRow.heldUp, message, job])
    }
  }

  /// Forgets a job whose file went back to the inbox.
  package func forget(job: String) async throws(LedgerError) {
    try await write { database in
      try database.perform(sql: "DELETE FROM job WHERE id = ?", arguments: [job])
      try database.perform(sql: LedgerStatements.computationsGivenUp, arguments: [job])
    }
  }

  /// Decides what is published under which names. From here on the job is only ever finished as
  /// written here.
  package func publishing(
    job: String, outcome: Report.Outcome, publication: JSON, report: JSON
  ) async throws(LedgerError) {
    let publication = String(decoding: publication.line, as: UTF8.self)
    let report = String(decoding: report.line, as: UTF8.self)
    try await write { database in
      try database.perform(
        sql: """
          UPDATE job SET state = 'publishing', outcome = ?, publication = ?, report = ?
          WHERE id = ?
          """, arguments: [outcome.rawValue, publication, report, job])
    }
  }

  /// The job is published. Its computation may be reused, its reserved names are given free: the
  /// files themselves hold them now.
  package func done(
    job: String, outcome: Report.Outcome, error: PluginFailure?, original: FilePath, at time: Int64
  ) async throws(LedgerError) {
    try await write { database in
      try database.perform(
        sql: """
          UPDATE job SET state = 'done', outcome = ?, finished = ?, errorCode = ?,
            errorMessage = ?, original = ? WHERE id = ?
          """,
        arguments: [
          outcome.rawValue, time, error?.code, error?.message, original.data, job,
        ])
      if outcome == .done {
        try database.perform(sql: LedgerStatements.computationsDone, arguments: [job])
      } else {
        try database.perform(sql: LedgerStatements.computationsGivenUp, arguments: [job])
      }
      try database.perform(
        sql: "DELETE FROM name WHERE job = ? AND place = 'outbox'", arguments: [job])
    }
  }

  /// What was decided cannot be carried out: the job is as it was when it was claimed.
  package func beginAnew(job: String) async throws(LedgerError) {
    try await write { database in
      try database.perform(
        sql: """
          UPDATE job SET state = 'claimed', outcome = NULL, publication = NULL, report = NULL
          WHERE id = ? AND state = 'publishing'
          """, arguments: [job])
      try database.perform(sql: "DELETE FROM name WHERE job = ?", arguments: [job])
    }
  }

  /// The original got another name than was written down when the job was done.
  package func originalLies(
    at path: FilePath, publication: JSON, job: String
  ) async throws(LedgerError) {
    let publication = String(decoding: publication.line, as: UTF8.self)
    try await write { database in
      try database.perform(
        sql: "UPDATE job SET original = ?, publication = ? WHERE id = ?",
        arguments: [path.data, publication, job])
    }
  }

  /// The original lies where it belongs; nothing of the job is left to do.
  package func released(job: String) async throws(LedgerError) {
    try await write { database in
      try database.perform(sql: "DELETE FROM name WHERE job = ?", arguments: [job])
    }
  }

  // MARK: - Attempts

  /// - Returns: the attempt, and how many were charged before it.
  package func startAttempt(
    job: String, step: String, pipeline: String, alone: Bool, at time: Int64
  ) async throws(LedgerError) -> (attempt: Int64, charged: Int) {
    try await write { database in
      let charged =
        try Int.fetchOne(
          database.cachedStatement(
            sql: """
              SELECT count(*) FROM attempt
              WHERE job = ? AND pipeline = ? AND step = ? AND charged = 1
              """),
          arguments: [job, pipeline, step]) ?? 0
      try database.perform(
        sql: "INSERT INTO attempt (job, step, pipeline, alone, started) VALUES (?, ?, ?, ?, ?)",
        arguments: [job, step, pipeline, alone, time])
      return (database.lastInsertedRowID, charged)
    }
  }

  package func endAttempt(
    _ attempt: Int64, class name: String, code: String?, charged: Bool, at time: Int64,
    _ standing: Standing = .now
  ) async throws(LedgerError) {
    try await write(standing) { database in
      try database.perform(
        sql: "UPDATE attempt SET ended = ?, class = ?, code = ?, charged = ? WHERE id = ?",
        arguments: [time, name, code, charged, attempt])
    }
  }

  /// A job whose process vanished runs after all others, alone.
  package func suspect(job: String) async throws(LedgerError) {
    try await write { database in
      try database.perform(sql: "UPDATE job SET suspect = 1 WHERE id = ?", arguments: [job])
    }
  }

  /// After a start: attempts that never ended belong to a daemon that died; their jobs are suspects
  /// and nothing is charged.
  package func endVanishedAttempts(at time: Int64) async throws(LedgerError) {
    try await write { database in
      try database.perform(sql: LedgerStatements.suspects)
      try database.perform(sql: LedgerStatements.attemptsVanished, arguments: [time])
    }
  }

  /// How often the job's process, or the daemon, vanished while the job ran alone.
  package func vanishedAlone(job: String) async throws(LedgerError) -> Vanishings {
    try await write { database in
      try Row.fetchOne(
        database.cachedStatement(
          sql: """
            SELECT count(*) AS count, max(ended) AS last FROM attempt
            WHERE job = ? AND alone = 1 AND class = 'vanished'
            """),
        arguments: [job]
      ).map { Vanishings(count: $0["count"], last: $0["last"] ?? 0) } ?? Vanishings()
    }
  }

  /// Notes that what a pipeline expects did not hold for the job's file.
  package func passOver(job: String, _ passedOver: PassedOver) async throws(LedgerError) {
    try await write { database in
      try database.perform(
        sql: """
          INSERT INTO passedOver (job, pipeline, reason) VALUES (?, ?, ?) ON CONFLICT DO NOTHING
          """, arguments: [job, passedOver.pipeline, passedOver.reason])
    }
  }

  /// In the order of their names.
  package func passedOver(job: String) async throws(LedgerError) -> [PassedOver] {
    try await write { database in
      try Row.fetchAll(
        database.cachedStatement(
          sql: "SELECT pipeline, reason FROM passedOver WHERE job = ? ORDER BY pipeline"),
        arguments: [job]
      ).map { PassedOver(pipeline: $0["pipeline"], reason: $0["reason"]) }
    }
  }
}
