import Confinement
import Glibc

extension Confinement {
  /// Gives up every right that reading open files does not need: no file can be opened any more, no
  /// program started, no socket made. Put in force when all sources and destinations are open and
  /// before the first byte of a source is looked at.
  ///
  /// Memory is limited as for a step. Processor time is limited for each source by whoever hands it out
  /// (`ConfinedChild.allow`).
  ///
  /// - Parameter sources: mapped as a whole while they are read, which is no use of memory.
  static func ofReaders(_ sources: [Source]) -> Confinement {
    var confinement = Confinement(profile: .sealed)
    confinement.limits.memory =
      ResourceLimits.usualMemory &+ UInt64(clamping: sources.map(\.size).max() ?? 0)
    // The sources are open already, however many; the kernel needs one number more for its rules.
    confinement.limits.openFiles = nil
    // For tests: behave as on a kernel with an older Landlock.
    confinement.landlockCeiling = unsafe getenv("PROCD_LANDLOCK").flatMap {
      unsafe Int(String(cString: $0))
    }
    return confinement
  }
}
