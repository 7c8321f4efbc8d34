internal import FoundationEssentials
internal import GRDB
internal import Pipelines
internal import PluginKit
package import SystemPackage

/// Questions to the ledger that change nothing.
package struct LedgerReader: Sendable {
  private let database: any DatabaseReader

  init(_ database: any DatabaseReader) { self.database = database }

  func read<Value>(
    _ question: (Database) throws -> Value
  ) throws(LedgerError) -> Value {
    do { return try database.read(question) } catch { throw LedgerError(error) }
  }

  package func job(_ id: String) throws(LedgerError) -> JobRow? {
    try read { try Self.job(id, $0) }
  }

  static func job(_ id: String, _ database: Database) throws -> JobRow? {
    try Row.fetchOne(
      database.cachedStatement(sql: "SELECT * FROM job WHERE id = ?"), arguments: [id]
    ).map(JobRow.init)
  }

  /// Jobs that are not done, the oldest first.
  package func unfinished() throws(LedgerError) -> [JobRow] {
    try read { database in
      try Row.fetchAll(database, sql: LedgerStatements.jobsUnfinished).map(JobRow.init)
    }
  }

  /// Jobs whose original may not lie where it belongs yet.
  package func unreleased() throws(LedgerError) -> [JobRow] {
    try read { database in
      try Row.fetchAll(database, sql: LedgerStatements.jobsUnreleased).map(JobRow.init)
        .sorted { ($0.arrived, $0.id) < ($1.arrived, $1.id) }
    }
  }

  /// Returns the newest jobs first, by their end or, if they are not done, their arrival.
  package func recent(limit: Int) throws(LedgerError) -> [JobRow] {
    try read { database in
      let jobs =
        try Row.fetchAll(database, sql: LedgerStatements.newestUnfinished, arguments: [limit])
        + Row.fetchAll(
          database, sql: LedgerStatements.finishedBefore, arguments: [Int64.max, "", limit])
      return Array(
        jobs.map(JobRow.init).sorted {
          ($0.finished ?? $0.arrived, $0.id) > ($1.finished ?? $1.arrived, $1.id)
        }.prefix(limit))
    }
  }

  /// All jobs of one path below the inbox, the newest first.
  package func jobs(path: FilePath) throws(LedgerError) -> [JobRow] {
    try read { database in
      try Row.fetchAll(
        database, sql: LedgerStatements.jobsByPath, arguments: [path.data]
      ).map(JobRow.init)
    }
  }

  /// The latest jobs of one path and content, the newest first.
  package func attempts(
    path: FilePath, sha256: String, limit: Int
  ) throws(LedgerError) -> [JobRow] {
    try read { database in
      try Row.fetchAll(
        database, sql: LedgerStatements.attemptsOfFile, arguments: [path.data, sha256, limit]
      ).map(JobRow.init)
    }
  }

  /// The latest job of a path that arrived in a span of time, milliseconds since 1970.
  package func latest(
    path: FilePath, from: Int64, until: Int64, besides job: String
  ) throws(LedgerError) -> (id: String, arrived: Int64, sha256: String?)? {
    try read { database in
      try Row.fetchOne(
        database, sql: LedgerStatements.latestByPath, arguments: [path.data, from, until, job]
      ).map { ($0["id"], $0["arrived"], $0["sha256"]) }
    }
  }

  /// Returns the jobs whose path ends in this name, in whichever Unicode normal form it is typed, the newest first. Goes
  /// through all paths, in their index: for people who ask.
  package func jobs(named name: String, limit: Int = 20) throws(LedgerError) -> [JobRow] {
    try read { database in
      let bytes = Data(name.utf8), tail = Data(("/" + name).utf8)
      database.add(function: PathSpelling.ending)
      return try Row.fetchAll(
        database,
        sql: """
          SELECT * FROM job WHERE id IN (
            SELECT id FROM job WHERE path = ?1 OR substr(path, -length(?2)) = ?2
              \(name.isASCII ? "" : "OR \(PathSpelling.ends)(path, ?4)")
            ORDER BY arrived DESC, id DESC LIMIT ?3)
          ORDER BY arrived DESC, id DESC
          """, arguments: [bytes, tail, limit] + (name.isASCII ? [] : [name])
      ).map(JobRow.init)
    }
  }

  /// Jobs of files with a path that fits, the newest first: of those that have a character in it which is no ASCII one
  /// that can be seen. Goes through all paths: for people who ask.
  package func jobs(
    unusual fits: (FilePath) -> Bool, limit: Int = 20
  ) throws(LedgerError) -> [JobRow] {
    try read { database in
      var jobs: [JobRow] = []
      let rows = try Row.fetchCursor(
        database,
        sql:
          "SELECT id, path FROM job WHERE CAST(path AS TEXT) GLOB '*[^ -~]*' ORDER BY arrived DESC, id DESC"
      )
      while jobs.count < limit, let row = try rows.next() {
        let path: Data = row["path"]
        guard fits(FilePath(bytes: path)) else { continue }
        let id: String = row["id"]
        jobs += try Row.fetchAll(
          database, sql: "SELECT * FROM job WHERE id = ?", arguments: [id]
        ).map(JobRow.init)
      }
      return jobs
    }
  }

  /// Jobs that gave a result of this name, the newest first. Goes through all reports: for people who ask.
  ///
  /// - Parameter result: the name of a file, with or without the folders that it lies in below the outbox.
  package func jobs(result: String, limit: Int = 20) throws(LedgerError) -> [JobRow] {
    try read { database in
      database.add(function: PathSpelling.ending)
      return try Row.fetchAll(
        database,
        sql: """
          SELECT * FROM job WHERE report IS NOT NULL AND EXISTS (
            SELECT 1 FROM json_each(report, '$.artifacts')
            WHERE value ->> 'path' = ?1 OR substr(value ->> 'path', -length(?2)) = ?2
              \(result.isASCII ? "" : "OR \(PathSpelling.ends)(value ->> 'path', ?1)"))
          ORDER BY arrived DESC, id DESC LIMIT ?3
          """, arguments: [result, "/" + result, limit]
      ).map(JobRow.init)
    }
  }

  /// Quarantined jobs of the same content.
  package func quarantined(sha256: String) throws(LedgerError) -> [JobRow] {
    try read { database in
      try Row.fetchAll(
        database, sql: LedgerStatements.quarantinedByHash, arguments: [sha256]
      ).map(JobRow.init)
    }
  }

  /// Returns where the originals of all quarantined jobs were put, those of the newest first.
  package func quarantinedOriginals() throws(LedgerError) -> [(job: String, original: Original)] {
    try read { database in
      try Row.fetchAll(database, sql: LedgerStatements.quarantinedOriginals).compactMap { row in
        row.original.map { (row["id"], $0) }
      }
    }
  }

  /// The job whose original was last put at a path.
  package func job(original: Original) throws(LedgerError) -> JobRow? {
    try read { database in
      try Row.fetchOne(
        database, sql: LedgerStatements.jobByOriginal, arguments: original.arguments
      ).map(JobRow.init)
    }
  }

  /// Whether the original of a newer job was put where this one's lies.
  package func hasSuccessor(_ row: JobRow, at original: Original) throws(LedgerError) -> Bool {
    guard let finished = row.finished else { return false }
    return try read { database in
      try Bool.fetchOne(
        database, sql: LedgerStatements.hasSuccessor,
        arguments: original.arguments + ["job": row.id, "finished": finished]) ?? false
    }
  }

  package struct Totals: Sendable, Equatable {
    package var done = 0
    package var quarantined = 0
    package var duplicates = 0
    package var unfinished = 0
    package init() {}
  }

  package func totals() throws(LedgerError) -> Totals {
    try read { database in
      var totals = Totals()
      totals.unfinished = try Self.unfinishedCount(database)
      for counted in try Self.outcomes(database) {
        switch counted.key.outcome {
        case .done: totals.done += counted.number
        case .quarantined: totals.quarantined += counted.number
        case .duplicate: totals.duplicates += counted.number
        }
      }
      return totals
    }
  }

  /// Whether nothing was ever processed here.
  package func isEmpty() throws(LedgerError) -> Bool {
    try read { try Bool.fetchOne($0, sql: "SELECT NOT EXISTS (SELECT 1 FROM job)") ?? true }
  }

  /// What SQLite finds wrong with the file; `ok` for nothing.
  package func integrity() throws(LedgerError) -> String {
    try read { try String.fetchOne($0, sql: "PRAGMA integrity_check") ?? "" }
  }
}

extension Original {
  /// What ``LedgerStatements/originalLies`` asks with.
  fileprivate var arguments: StatementArguments {
    [
      "path": String(decoding: path.json.line, as: UTF8.self), "place": place.rawValue,
      "whole": whole.data,
    ]
  }
}
