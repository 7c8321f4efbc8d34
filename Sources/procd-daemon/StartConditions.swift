import Confinement
import Conveyor
import Fleet
import Pipelines
import PlainText

/// What is judged before anything starts: left to the steps, it would put one file after the other
/// into quarantine for a fault that is none of theirs.
enum StartConditions {
  /// What stands in the way of `"isolation": "required"`, with the cure; nil where nothing does.
  static func isolationComplaint(_ active: ActiveConfiguration) -> String? {
    guard active.configuration.isolationRequired,
      LandlockSupport.version(ceiling: landlockCeiling()) == 0
    else { return nil }
    return
      "isolation is required, but this kernel offers no Landlock, or a container forbids it; cure: a kernel from"
      + " 5.13 on with Landlock switched on, or \"isolation\": \"best-effort\" to run with less"
  }

  /// What steps could do for want of Landlock; nil where the kernel offers it.
  static var lackOfLandlock: String? {
    LandlockSupport.version(ceiling: landlockCeiling()) > 0
      ? nil
      : "this kernel has no Landlock, or the container or unit of procd forbids it: a step could read files of procd's"
        + " user; system calls are filtered all the same"
  }

  /// What stands in the way of what the configuration names, each with its cure.
  static func complaints(
    _ active: ActiveConfiguration, languages needed: Bool = true
  ) -> [String] {
    // Where languages are found out, a machine without any can still do all the rest.
    let languages =
      needed ? InstalledLanguages.missing(for: active).filter { $0.language != nil } : []
    var key: [String] = []
    if let fleet = active.configuration.fleet {
      do throws(FleetFailure) { _ = try FleetKey(file: active.absolute(fleet.key)) } catch {
        key = [error.message]
      }
    }
    // Without the probe no file has a type: each would go to the quarantine.
    let probe =
      active.catalog["probe.identify"] == nil
      ? ["procd's own program procd-worker does not answer; cure: install procd again"] : []
    let libraries = needed ? InstalledLibraries.missing(for: active) : []
    let secrets = Secrets(active).complaints().map { "\($0.pipeline): \($0.message)" }
    let isolation = isolationComplaint(active).map { [$0] } ?? []
    return key + probe + libraries + secrets + languages.map(\.message) + isolation
  }

  /// Refuses to go on where something stands in the way.
  ///
  /// - Parameter languages: whether text is going to be recognized.
  static func check(_ active: ActiveConfiguration, languages: Bool = true) throws {
    let complaints = complaints(active, languages: languages)
    guard !complaints.isEmpty else { return }
    for complaint in complaints { Console.complain("procd: \(complaint)") }
    throw Status.configuration
  }
}
