import Conveyor
import Files

/// Whether a procd holds the folders.
enum DaemonLock {
  static func isHeld(_ active: ActiveConfiguration) -> Bool {
    guard let spool = try? Folder.open(active.spool) else { return false }
    // Given back when the folder is closed.
    return !spool.lock()
  }
}
