import Confinement
import Conveyor
import Pipelines

/// `"isolation": "required"`, judged before anything starts: left to the steps, it would put one
/// file after the other into quarantine for a fault that is none of theirs.
enum RequiredIsolation {
  /// What stands in the way, with the cure; nil where nothing does.
  static func complaint(_ active: ActiveConfiguration) -> String? {
    guard active.configuration.isolationRequired,
      LandlockSupport.version(ceiling: landlockCeiling()) == 0
    else { return nil }
    return "isolation is required, but this kernel offers no Landlock; cure: a kernel from 5.13 on"
      + " with Landlock switched on, or \"isolation\": \"best-effort\" to run with less"
  }

  /// Refuses to go on where something stands in the way.
  static func check(_ active: ActiveConfiguration) throws {
    guard let complaint = complaint(active) else { return }
    Console.complain("procd: \(complaint)")
    throw Status.configuration
  }
}
