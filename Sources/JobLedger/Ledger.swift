internal import GRDB
package import Pipelines
internal import SQLiteFiles
package import SystemPackage

/// The only store of decisions: jobs, attempts, reserved names, what was computed, requests.
///
/// SQLite in WAL mode with `synchronous = FULL`: a committed decision survives a power cut. Writes
/// of many jobs at once share one commit.
package final class Ledger: Sendable {
  let pool: DatabasePool
  let commits: GroupCommit

  /// Opens or makes the ledger, and brings an older one up to date.
  ///
  /// - Parameter relief: makes room when the disk is full, where it can. What could
  ///   not be written is then written once more.
  package init(
    path: FilePath, relief: @escaping @Sendable () -> Void = {}
  ) throws(LedgerError) {
    do {
      pool = try SQLiteFile.open(
        path, label: "procd ledger", LedgerMigrations.all,
        as: DatabasePool.init(path:configuration:))
    } catch { throw LedgerError(error, path) }
    commits = GroupCommit(pool, relief: relief)
  }

  /// Opens the ledger for looking only, also while a daemon runs. Nil where there is none yet.
  package static func reading(path: FilePath) throws(LedgerError) -> LedgerReader? {
    do {
      guard let file = try SQLiteFile.reading(path) else { return nil }
      // A file without tables was just made, or emptied.
      guard try file.read({ try $0.tableExists("job") }) else { return nil }
      // One of an earlier version is brought up to date, also beside a daemon of that version: it only gets more.
      if try !file.read({ try LedgerMigrations.all.hasCompletedMigrations($0) }) {
        _ = try Ledger(path: path)
      }
      return LedgerReader(file)
    } catch { throw LedgerError(error) }
  }

  package var reader: LedgerReader { LedgerReader(pool) }

  /// Brings all that stands in the journal into the file itself.
  package func checkpoint() throws(LedgerError) {
    do { _ = try pool.writeWithoutTransaction { try $0.checkpoint(.full) } } catch {
      throw LedgerError(error)
    }
  }

  /// The `synchronous` level of the connection that writes (2 is FULL).
  package func synchronousLevel() async throws(LedgerError) -> Int {
    do {
      return try await pool.writeWithoutTransaction {
        try Int.fetchOne($0, sql: "PRAGMA synchronous") ?? -1
      }
    } catch { throw LedgerError(error) }
  }

  /// Runs one change; returns after its commit is durable.
  func write<Value: Sendable>(
    _ change: @escaping @Sendable (Database) throws -> Value
  ) async throws(LedgerError) -> Value {
    try await commits.write(change)
  }

  /// Runs one change; where it may stand `withNext`, returns at once.
  func write(
    _ standing: Standing, _ change: @escaping @Sendable (Database) throws -> Void
  ) async throws(LedgerError) {
    switch standing {
    case .now: try await commits.write(change)
    case .withNext: await commits.add(change)
    }
  }

  /// When a change must be durable.
  package enum Standing: Sendable {
    /// Before anything else is done.
    case now
    /// Together with the next change of the same job at the latest: all are made in their order. A
    /// crash before that undoes nothing that was acted upon.
    case withNext
  }
}

/// Why the ledger cannot be used. After the first one nothing more is written by this process:
/// after an I/O error SQLite may show rows that are not on the disk.
package enum LedgerError: Error, Sendable, CustomStringConvertible {
  /// The disk is full.
  case full(String)
  case failed(String)
  /// No name is free for a result.
  case noName(String)
  /// A file that came earlier is about to be published under a name that is to be replaced.
  case nameHeld(by: String)
  /// Something stands under a name that is not to be evaded.
  case nameTaken(Place, FilePath)
  /// What was decided about a job cannot be read.
  case noDecision(job: String)
  /// The ledger would not keep its promise.
  case unsafe(String)
  /// Its file or folder was taken away.
  case gone(String)
  /// What stands in the file is no ledger any more; somebody has to move it away.
  case damaged(String)

  /// Whether the file itself is at fault.
  package var isDamage: Bool { if case .damaged = self { true } else { false } }

  /// Whether it is a matter of one job, and the ledger goes on.
  package var isOfOneJob: Bool {
    switch self {
    case .noName, .nameHeld, .nameTaken, .noDecision: true
    case .full, .failed, .unsafe, .gone, .damaged: false
    }
  }

  init(_ error: any Error, _ path: FilePath? = nil) {
    if let error = error as? LedgerError {
      self = error
    } else if let holder = path.flatMap({ SQLiteFile.lockHolder(error, of: $0) }) {
      self = .failed("\(holder) holds its lock; end that one, then start procd again")
    } else if SQLiteFile.wasFull(error) {
      self = .full("the disk of the ledger is full")
    } else if let error = error as? SQLiteFile.Unsafe {
      self = .unsafe(error.description)
    } else if SQLiteFile.isDamaged(error) {
      self = .damaged(SQLiteFile.words(error))
    } else {
      self = .failed(SQLiteFile.words(error))
    }
  }

  package var description: String {
    switch self {
    case .full(let text): text
    case .noName(let text): text
    case .nameHeld(let job): "job \(job) is about to be published under the same name"
    case .nameTaken(let place, let path): "the \(place.rawValue) has \(path.repaired.text) already"
    case .noDecision(let job): "what was decided about job \(job) is damaged in the ledger"
    case .failed(let text): "the ledger failed: \(text)"
    case .gone(let text): text
    case .unsafe(let text): "the ledger is not safe to use: \(text)"
    case .damaged(let text):
      "the ledger is damaged (\(text)); \(Self.damageCure)"
    }
  }

  package static let damageCure =
    "stop procd, move ledger.sqlite, ledger.sqlite-wal and ledger.sqlite-shm out of its spool, or put those of a backup"
    + " in their place, and start again: no file is lost, but procd forgets what it did before"
}
