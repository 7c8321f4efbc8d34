internal import CSQLite
internal import PluginKit

/// Why the guide could not be read or written.
enum StoreFailure {
  /// What an error of SQLite means for a step.
  static func of(_ code: Int32, _ message: String) -> PluginFailure {
    switch code & 0xFF {
    case SQLITE_FULL:
      PluginFailure(.transient, "disk.full", "the disk is full, the guide could not be kept")
    case SQLITE_IOERR, SQLITE_READONLY:
      PluginFailure(
        .transient, "disk.failed", "the disk failed, the guide could not be kept: \(message)")
    case SQLITE_BUSY, SQLITE_LOCKED:
      PluginFailure(.transient, "guide.busy", "another file is being put into the guide")
    case SQLITE_CORRUPT, SQLITE_NOTADB:
      PluginFailure(
        .internal, "guide.damaged", "the guide on the disk is damaged: \(message)",
        hint: "remove the folder state/guide of the spool and load the last files again")
    default:
      PluginFailure(.internal, "guide.store", "the guide could not be kept: \(message)")
    }
  }
}

/// A connection to an SQLite file, for one thread.
@safe final class Database {
  private let handle: OpaquePointer

  init(path: String, readOnly: Bool = false) throws(PluginFailure) {
    var opened: OpaquePointer?
    let flags =
      (readOnly ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE)
      | SQLITE_OPEN_NOMUTEX
    let code = unsafe sqlite3_open_v2(path, &opened, flags, nil)
    guard code == SQLITE_OK, let opened = unsafe opened else {
      let message = unsafe opened.map { unsafe String(cString: sqlite3_errmsg($0)) }
      unsafe sqlite3_close_v2(opened)
      throw StoreFailure.of(code, message ?? "it cannot be opened")
    }
    unsafe handle = opened
    unsafe sqlite3_busy_timeout(handle, 60_000)
  }

  deinit { unsafe sqlite3_close_v2(handle) }

  /// Runs statements that give nothing.
  func execute(_ sql: String) throws(PluginFailure) {
    let code = unsafe sqlite3_exec(handle, sql, nil, nil, nil)
    if code != SQLITE_OK { throw failure(code) }
  }

  func prepare(_ sql: String) throws(PluginFailure) -> Statement {
    var made: OpaquePointer?
    let code = unsafe sqlite3_prepare_v3(
      handle, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &made, nil)
    guard code == SQLITE_OK, let made = unsafe made else { throw failure(code) }
    return unsafe Statement(made, self)
  }

  /// Runs a change; all of it stands, or nothing.
  func transaction(_ change: () throws(PluginFailure) -> Void) throws(PluginFailure) {
    try execute("BEGIN IMMEDIATE")
    do throws(PluginFailure) {
      try change()
      try execute("COMMIT")
    } catch {
      // Where SQLite has undone it already there is nothing to undo.
      try? execute("ROLLBACK")
      throw error
    }
  }

  func failure(_ code: Int32) -> PluginFailure {
    StoreFailure.of(code, unsafe String(cString: sqlite3_errmsg(handle)))
  }
}

/// A prepared statement. Parameters and columns are counted from 1 and from 0, as SQLite counts them.
@safe final class Statement {
  private let handle: OpaquePointer
  private let database: Database

  init(_ handle: OpaquePointer, _ database: Database) {
    unsafe self.handle = unsafe handle
    self.database = database
  }

  deinit { unsafe sqlite3_finalize(handle) }

  func bind(_ index: Int32, _ value: Int64) { unsafe sqlite3_bind_int64(handle, index, value) }

  func bind(_ index: Int32, _ text: [UInt8]) {
    unsafe text.withUnsafeBytes { bytes in
      let characters = unsafe bytes.assumingMemoryBound(to: CChar.self).baseAddress
      _ = unsafe sqlite3_bind_text(handle, index, characters, Int32(bytes.count), Self.copied)
    }
    // An empty text has no address and would be null.
    if text.isEmpty { unsafe sqlite3_bind_text(handle, index, "", 0, nil) }
  }

  func bind(_ index: Int32, _ text: String) { bind(index, Array(text.utf8)) }

  /// - Returns: whether there is a row.
  func step() throws(PluginFailure) -> Bool {
    let code = unsafe sqlite3_step(handle)
    if code == SQLITE_ROW { return true }
    guard code == SQLITE_DONE else {
      let failure = database.failure(code)
      unsafe sqlite3_reset(handle)
      throw failure
    }
    return false
  }

  /// Runs it to its end and makes it ready for other parameters.
  func run() throws(PluginFailure) {
    while try step() {}
    reset()
  }

  /// Runs it with texts that lie in one piece of memory, which are not copied.
  ///
  /// - Parameters:
  ///   - first: the parameter that gets the first of them.
  func run(
    with bytes: [UInt8], at ranges: some Sequence<Range<Int>>, from first: Int32
  ) throws(PluginFailure) {
    let code = unsafe bytes.withUnsafeBytes { bytes in
      for (index, range) in ranges.enumerated() {
        let parameter = first + Int32(index)
        if range.isEmpty {
          // It may have no address and would be null.
          unsafe sqlite3_bind_text(handle, parameter, "", 0, nil)
        } else {
          let text = unsafe UnsafeRawBufferPointer(rebasing: bytes[range]).assumingMemoryBound(
            to: CChar.self)
          unsafe sqlite3_bind_text(handle, parameter, text.baseAddress, Int32(text.count), nil)
        }
      }
      var code = unsafe sqlite3_step(handle)
      while code == SQLITE_ROW { unsafe code = sqlite3_step(handle) }
      return code
    }
    defer {
      unsafe sqlite3_reset(handle)
      // The memory may be gone when it is run again.
      unsafe sqlite3_clear_bindings(handle)
    }
    guard code == SQLITE_DONE else { throw database.failure(code) }
  }

  func reset() { unsafe sqlite3_reset(handle) }

  func integer(_ column: Int32) -> Int64 { unsafe sqlite3_column_int64(handle, column) }

  func bytes(_ column: Int32) -> [UInt8] {
    guard let start = unsafe sqlite3_column_blob(handle, column) else { return [] }
    let count = Int(unsafe sqlite3_column_bytes(handle, column))
    return unsafe Array(UnsafeRawBufferPointer(start: start, count: count))
  }

  func text(_ column: Int32) -> String { String(decoding: bytes(column), as: UTF8.self) }

  /// Tells SQLite to take a copy.
  private static var copied: sqlite3_destructor_type? {
    unsafe unsafeBitCast(-1, to: sqlite3_destructor_type?.self)
  }
}
