internal import GRDB
internal import SQLiteFiles
internal import Synchronization
internal import SystemPackage

/// Collects the changes that come while a commit runs and commits them together: one fsync for
/// many jobs, growing by itself under load.
actor GroupCommit {
  private struct Entry: Sendable {
    var run: @Sendable (Database) throws -> Void
    var finish: @Sendable (LedgerError?) -> Void
  }

  private let pool: DatabasePool
  private var waiting: [Entry] = []
  private var isDraining = false
  private var broken: LedgerError?
  private let relief: @Sendable () -> Void

  init(_ pool: DatabasePool, relief: @escaping @Sendable () -> Void) {
    self.pool = pool
    self.relief = relief
  }

  func write<Value: Sendable>(
    _ change: @escaping @Sendable (Database) throws -> Value
  ) async throws(LedgerError) -> Value {
    if let broken { throw broken }
    let box = ResultBox<Value>()
    let error: LedgerError? = await withCheckedContinuation { continuation in
      waiting.append(
        Entry(
          run: { database in box.value = try change(database) },
          finish: { continuation.resume(returning: $0) }))
      if !isDraining {
        isDraining = true
        Task { await drain() }
      }
    }
    if let error { throw error }
    guard let value = box.value else { throw LedgerError.failed("a change gave no result") }
    return value
  }

  /// Makes a change in its turn, before all that are asked for later, without anybody waiting for it. One
  /// that fails ends the use of the ledger: nobody else would hear of it.
  func add(_ change: @escaping @Sendable (Database) throws -> Void) {
    guard broken == nil else { return }
    waiting.append(
      Entry(run: change) { [self] failure in
        if let failure { Task { await self.fail(failure) } }
      })
    guard !isDraining else { return }
    isDraining = true
    Task { await drain() }
  }

  /// Ends the use of the ledger. It is not closed any more either.
  private func fail(_ failure: LedgerError) {
    guard broken == nil else { return }
    broken = failure
    SQLiteFile.keepOpen(pool)
  }

  private func drain() async {
    while !waiting.isEmpty {
      let batch = waiting
      waiting = []
      if let broken {
        for entry in batch { entry.finish(broken) }
        continue
      }
      do {
        let failures: [LedgerError?]
        do { failures = try await commit(batch) } catch {
          // On a full disk SQLite has undone the whole transaction, so it can be made again. It is in any case: what
          // could be made room with may have been given up for somebody else a moment ago.
          guard case .full = LedgerError(error) else { throw error }
          relief()
          failures = try await commit(batch)
        }
        for (entry, failure) in zip(batch, failures) { entry.finish(failure) }
      } catch {
        let broken = LedgerError(error, FilePath(pool.path))
        fail(broken)
        for entry in batch { entry.finish(broken) }
      }
    }
    isDraining = false
  }

  /// Commits changes together; gives for each why it could not be made.
  private func commit(_ batch: [Entry]) async throws -> [LedgerError?] {
    // One change that fails must not undo its neighbours: each has a savepoint.
    try await pool.write { database in
      try batch.map { entry -> LedgerError? in
        do {
          try database.inSavepoint {
            try entry.run(database)
            return .commit
          }
          return nil
        } catch let error as DatabaseError where error.resultCode == .SQLITE_CONSTRAINT {
          return LedgerError(error)
        } catch let error as LedgerError {
          // Nothing of SQLite's: the change itself found that it cannot be.
          return error
        }
      }
    }
  }
}

/// Carries a result out of the commit; written there, read after it.
private final class ResultBox<Value: Sendable>: Sendable {
  private let stored = Mutex<Value?>(nil)
  var value: Value? {
    get { stored.withLock { $0 } }
    set { stored.withLock { $0 = newValue } }
  }
}
