internal import Files
package import GRDB
package import SystemPackage

/// A SQLite file of ours that keeps what it acknowledged: WAL mode, `synchronous = FULL`, both read
/// back, its names durable.
package enum SQLiteFile {
  /// Why a file is not used although SQLite would.
  package struct Unsafe: Error, CustomStringConvertible {
    package var description: String
  }

  /// Opens or makes a file, and brings an older one up to date.
  ///
  /// - Parameter make: makes the connection, for one thread or for a writer beside readers.
  package static func open<Writer: DatabaseWriter>(
    _ path: FilePath, label: String, _ migrations: DatabaseMigrator,
    as make: (String, GRDB.Configuration) throws -> Writer
  ) throws -> Writer {
    var configuration = GRDB.Configuration()
    configuration.label = label
    configuration.journalMode = .wal
    configuration.maximumReaderCount = 2
    configuration.busyMode = .timeout(10)
    // Opened first, so that it hears of every error from here on: SQLite keeps silent where the
    // names of its files could not be made durable.
    let folder = try Folder.open(path.removingLastComponent())
    let writer = try make(path.string, configuration)
    do {
      try writer.writeWithoutTransaction { database in
        // An error of the change to WAL comes with its end, where nobody looks for it.
        let mode = try String.fetchOne(database, sql: "PRAGMA journal_mode")
        guard mode == "wal" else {
          throw Unsafe(description: "its journal is in mode \(mode ?? "unknown"), not wal")
        }
        // NORMAL is set with WAL; power cuts then lose acknowledged commits.
        try database.execute(sql: "PRAGMA synchronous = FULL")
        let level = try Int.fetchOne(database, sql: "PRAGMA synchronous")
        guard level == 2 else {
          throw Unsafe(description: "synchronous is \(level ?? -1), not FULL")
        }
      }
      try migrations.migrate(writer)
      try folder.sync()
    } catch {
      keepOpen(writer)
      throw error
    }
    return writer
  }

  /// Opens a file for looking only, also while somebody writes to it. Nil where there is none.
  package static func reading(_ path: FilePath) throws -> DatabaseQueue? {
    guard let name = path.lastComponent,
      let folder = try Folder.standing(path.removingLastComponent()),
      try folder.exists(FilePath(root: nil, [name]))
    else { return nil }
    var configuration = GRDB.Configuration()
    configuration.readonly = true
    configuration.busyMode = .timeout(5)
    return try DatabaseQueue(path: path.string, configuration: configuration)
  }

  /// Leaves a file open for as long as the process lives. After an I/O error nobody knows what the
  /// disk holds of the journal, and closing would bring it into the file.
  package static func keepOpen(_ writer: some DatabaseWriter) {
    _ = unsafe Unmanaged.passRetained(writer)
  }

  /// Whether the disk of the file was full. SQLite has undone the change then.
  package static func wasFull(_ error: any Error) -> Bool {
    (error as? DatabaseError)?.resultCode == .SQLITE_FULL
  }
}
