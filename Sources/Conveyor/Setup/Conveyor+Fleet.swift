internal import Files
package import Fleet
internal import Glibc
package import Pipelines
internal import PluginKit
internal import SystemPackage
internal import Workers

extension ActiveConfiguration {
  /// How the broker is reached, with absolute paths.
  package func connection(_ fleet: Configuration.Fleet, name: String) -> FleetConnection {
    FleetConnection(
      servers: fleet.servers, credentials: fleet.credentials.map { absolute($0).string },
      authority: fleet.authority.map { absolute($0).string }, name: "procd \(name)")
  }

  /// What the steps that may travel are on this machine.
  package func fleetBuilds(_ installation: Installation) async -> [StepBuild] {
    let named = configuration.fleet?.steps.map(Set.init)
    return await StepBuild.all(of: catalog, programs: installation.programs) {
      named?.contains($0.name) ?? $0.travels
    }
  }
}

/// What this machine is called among others.
package var machineName: String {
  var name = utsname()
  unsafe uname(&name)
  return unsafe withUnsafeBytes(of: &name.nodename) {
    unsafe String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
  }
}

extension Conveyor {
  /// The slots on other machines that a configuration names; nil where it names none.
  static func fleetSlots(
    _ active: ActiveConfiguration, _ installation: Installation, _ mark: SpoolMark,
    _ landlockCeiling: Int?, version: String
  ) throws -> FleetSlots? {
    guard let fleet = active.configuration.fleet else { return nil }
    let setup = FleetLink.Setup(
      programs: installation.programs.string,
      connection: active.connection(fleet, name: "keeper \(machineName)"), mark: mark,
      landlockCeiling: landlockCeiling,
      isolationRequired: active.configuration.isolationRequired)
    return try FleetSlots(
      fleet, setup: setup, key: try FleetKey(file: active.absolute(fleet.key)), name: machineName,
      version: version)
  }

  /// Has other machines take part until the end.
  func serveFleet(_ fleet: FleetSlots) async {
    let active = active
    await fleet.serve(
      builds: { await active.fleetBuilds(.ofThisProgram()) },
      changed: { [permits] capacity in
        Task { await permits.setAway(capacity, keepsLocal: fleet.keepsLocal) }
      },
      troubled: { [weak self] trouble in
        guard let self else { return }
        let text = trouble.map { "the fleet: \($0); its work is done here meanwhile" }
        note(text, about: .fleet)
        emit(text.map { .trouble($0) } ?? .notice("the fleet: connected to the broker"))
      })
  }
}
