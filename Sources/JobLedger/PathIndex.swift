internal import GRDB
package import SystemPackage

/// A set of paths that may be too many for memory: a nameless database that goes away by itself.
package final class PathIndex: Sendable {
  private let queue: DatabaseQueue

  package init() throws(LedgerError) {
    do {
      // SQLite keeps a database without a name in a temporary file of its own.
      queue = try DatabaseQueue(path: "")
      try queue.write { database in
        try database.execute(
          sql: "CREATE TABLE path (path BLOB PRIMARY KEY NOT NULL) STRICT, WITHOUT ROWID")
      }
    } catch { throw LedgerError(error) }
  }

  /// Adds a path.
  ///
  /// - Returns: false where it was there.
  package func add(_ path: FilePath) throws(LedgerError) -> Bool {
    do {
      return try queue.write { database in
        try database.execute(
          sql: "INSERT OR IGNORE INTO path VALUES (?)", arguments: [path.data])
        return database.changesCount > 0
      }
    } catch { throw LedgerError(error) }
  }

  package func contains(_ path: FilePath) throws(LedgerError) -> Bool {
    do {
      return try queue.read { database in
        try Bool.fetchOne(
          database, sql: "SELECT EXISTS (SELECT 1 FROM path WHERE path = ?)",
          arguments: [path.data]) ?? false
      }
    } catch { throw LedgerError(error) }
  }
}
