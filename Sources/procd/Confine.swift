import Confinement
import Glibc

extension Confinement {
  /// Gives up every right that reading open files does not need: no file can be opened any more, no
  /// program started, no socket made. Put in force when all sources and destinations are open and
  /// before the first byte of a source is looked at.
  static var ofReaders: Confinement {
    var confinement = Confinement(profile: .sealed)
    // The sources are open already, however many; the kernel needs one number more for its rules.
    confinement.limits.openFiles = nil
    // For tests: behave as on a kernel with an older Landlock.
    confinement.landlockCeiling = unsafe getenv("PROCD_LANDLOCK").flatMap {
      unsafe Int(String(cString: $0))
    }
    return confinement
  }
}

/// Confines this process; false, with a complaint, where that failed.
func confine() -> Bool {
  do throws(ConfinementError) {
    _ = try Confinement.ofReaders.enforce()
    return true
  } catch {
    Console.complain("this process could not confine itself: \(error.message).")
    return false
  }
}
