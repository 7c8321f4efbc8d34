internal import Files
internal import GRDB
internal import PluginKit
internal import SystemPackage

/// Why the guide could not be read or written.
enum StoreFailure {
  /// Does something with the guide's file, with failures as steps tell them.
  static func told<Result>(_ work: () throws -> Result) throws(PluginFailure) -> Result {
    do { return try work() } catch { throw of(error) }
  }

  private static func of(_ error: any Error) -> PluginFailure {
    if let failure = error as? PluginFailure { return failure }
    guard let error = error as? DatabaseError else {
      guard let error = error as? FileError else { return unknown("\(error)") }
      return error.errno == .noSpace ? full : failed("\(error)")
    }
    let message = error.message ?? "\(error.resultCode)"
    switch error.resultCode {
    case .SQLITE_FULL: return full
    case .SQLITE_IOERR, .SQLITE_READONLY: return failed(message)
    case .SQLITE_BUSY, .SQLITE_LOCKED:
      return PluginFailure(.transient, "guide.busy", "another file is being put into the guide")
    case .SQLITE_CORRUPT, .SQLITE_NOTADB:
      return PluginFailure(
        .internal, "guide.damaged", "the guide on the disk is damaged: \(message)",
        hint: "remove the folder state/guide of the spool and load the last files again")
    default: return unknown(message)
    }
  }

  private static var full: PluginFailure {
    PluginFailure(.transient, "disk.full", "the disk is full, the guide could not be kept")
  }

  private static func failed(_ message: String) -> PluginFailure {
    PluginFailure(
      .transient, "disk.failed", "the disk failed, the guide could not be kept: \(message)")
  }

  static func unknown(_ message: String) -> PluginFailure {
    PluginFailure(.internal, "guide.store", "the guide could not be kept: \(message)")
  }
}
