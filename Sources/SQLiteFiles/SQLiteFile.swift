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
    try closeToOthers(path, in: folder)
    let first = try changedToWAL(path, configuration)
    let writer: Writer
    do { writer = try make(path.string, configuration) } catch {
      keepOpen(first)
      throw error
    }
    do {
      try writer.writeWithoutTransaction { database in
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
      keepOpen(first)
      keepOpen(writer)
      throw error
    }
    // Closed while the other is open: the last one that closes copies the journal into the file.
    return withExtendedLifetime(first) { writer }
  }

  /// Makes the file where it is missing, and closes it and what belongs to it to all but its owner: it holds
  /// names and texts of everybody's files, and whoever may read it may lock it.
  private static func closeToOthers(_ path: FilePath, in folder: Folder) throws(FileError) {
    guard let name = path.lastComponent?.string else { return }
    if try !folder.exists(FilePath(name)) {
      // SQLite gives its other files the rights of the first.
      _ = try folder.creating(FilePath(name), mode: 0o600)
    }
    for file in ["", "-wal", "-shm"].map({ FilePath(name + $0) }) {
      guard let status = try folder.status(file), status.kind == .regular,
        status.mode & 0o077 != 0
      else { continue }
      do { try folder.reading(file).setMode(status.mode & 0o700) } catch
      // A file system that keeps no modes.
        where error.errno == .notPermitted || error.errno == .notSupported
      {}
    }
  }

  /// Who keeps others from a file, where that is why something failed; nil where it is not.
  package static func lockHolder(_ error: any Error, of path: FilePath) -> String? {
    guard (error as? DatabaseError)?.resultCode == .SQLITE_BUSY,
      let name = path.lastComponent?.string,
      let folder = try? Folder.open(path.removingLastComponent())
    else { return nil }
    let holder = ["", "-shm", "-wal"].lazy.compactMap { folder.lockHolder(of: FilePath(name + $0)) }
      .first
    guard let holder else { return "a process that cannot be seen from here" }
    return "process \(holder)" + (processName(holder).map { " (\($0))" } ?? "")
  }

  /// Opens or makes a file and changes it to WAL. An error of that change comes with its end; who takes
  /// only the answer, as the library does by itself, writes on after it.
  private static func changedToWAL(
    _ path: FilePath, _ configuration: GRDB.Configuration
  ) throws -> DatabaseQueue {
    var plain = configuration
    plain.journalMode = .default
    let queue = try DatabaseQueue(path: path.string, configuration: plain)
    do {
      try queue.writeWithoutTransaction { try $0.execute(sql: "PRAGMA journal_mode = WAL") }
    } catch {
      keepOpen(queue)
      throw error
    }
    return queue
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

  /// Whether what stands in the file is no database, or none that holds together.
  package static func isDamaged(_ error: any Error) -> Bool {
    let code = (error as? DatabaseError)?.resultCode
    return code == .SQLITE_CORRUPT || code == .SQLITE_NOTADB
  }

  /// What SQLite says of an error, without the statement that met it.
  package static func words(_ error: any Error) -> String {
    guard let error = error as? DatabaseError else { return "\(error)" }
    return error.message ?? "SQLite error \(error.resultCode.rawValue)"
  }

  /// Whether the disk of the file was full. SQLite has undone the change then.
  package static func wasFull(_ error: any Error) -> Bool {
    (error as? DatabaseError)?.resultCode == .SQLITE_FULL
  }
}
