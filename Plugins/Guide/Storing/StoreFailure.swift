internal import GRDB
internal import PluginKit

/// Why the guide could not be read or written.
enum StoreFailure {
  /// Does something with the guide's file, with failures as steps tell them.
  static func told<Result>(_ work: () throws -> Result) throws(PluginFailure) -> Result {
    do { return try work() } catch { throw of(error) }
  }

  private static func of(_ error: any Error) -> PluginFailure {
    if let failure = error as? PluginFailure { return failure }
    guard let error = error as? DatabaseError else { return unknown("\(error)") }
    let message = error.message ?? "\(error.resultCode)"
    switch error.resultCode {
    case .SQLITE_FULL:
      return PluginFailure(
        .transient, "disk.full", "the disk is full, the guide could not be kept")
    case .SQLITE_IOERR, .SQLITE_READONLY:
      return PluginFailure(
        .transient, "disk.failed", "the disk failed, the guide could not be kept: \(message)")
    case .SQLITE_BUSY, .SQLITE_LOCKED:
      return PluginFailure(.transient, "guide.busy", "another file is being put into the guide")
    case .SQLITE_CORRUPT, .SQLITE_NOTADB:
      return PluginFailure(
        .internal, "guide.damaged", "the guide on the disk is damaged: \(message)",
        hint: "remove the folder state/guide of the spool and load the last files again")
    default: return unknown(message)
    }
  }

  static func unknown(_ message: String) -> PluginFailure {
    PluginFailure(.internal, "guide.store", "the guide could not be kept: \(message)")
  }
}
