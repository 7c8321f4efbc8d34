internal import Files
internal import Fleet
internal import Pipelines
internal import SystemPackage

/// Tries the broker of a fleet, and looks who is there.
package struct FleetChecks: Sendable {
  let active: ActiveConfiguration
  let installation: Installation
  let landlockCeiling: Int?

  package init(
    _ active: ActiveConfiguration, _ installation: Installation, landlockCeiling: Int?
  ) {
    (self.active, self.installation) = (active, installation)
    self.landlockCeiling = landlockCeiling
  }

  /// Nothing where no fleet is configured.
  package func checks() async -> [HealthCheck] {
    guard let fleet = active.configuration.fleet else { return [] }
    let key: FleetKey, look: FleetLook
    do throws(FleetFailure) { key = try FleetKey(file: active.absolute(fleet.key)) } catch {
      return [
        HealthCheck(.problem, "fleet.key", error.message, cure: nil)
      ]
    }
    let setup = FleetLink.Setup(
      programs: installation.programs.string,
      connection: active.connection(fleet, name: "check \(machineName)"),
      landlockCeiling: landlockCeiling)
    do throws(FileError) { look = try await FleetLook.look(setup, key) } catch {
      return [HealthCheck(.warning, "fleet", "the broker was not tried: \(error)", cure: nil)]
    }
    let servers = fleet.servers.joined(separator: ", ")
    if let failure = look.failure {
      return [
        HealthCheck(
          .warning, failure.code, "\(servers): \(failure.message)",
          cure: "until that is fixed, all work is done on this machine")
      ]
    }
    return [spaceCheck(look, fleet.bytes, servers), await helpersCheck(look)]
  }

  private func spaceCheck(_ look: FleetLook, _ bytes: Int, _ servers: String) -> HealthCheck {
    // Orders and answers have an eighth of it each.
    guard look.store < 0 || look.store >= bytes / 8 * 10 else {
      return HealthCheck(
        .warning, "fleet.limits",
        "\(servers) gives this account \(look.store >> 20) MiB, and \"bytes\" asks for \(bytes >> 20) MiB",
        cure: "raise its JetStream limits, or lower \"bytes\" of \"fleet\"")
    }
    return HealthCheck(
      .ok, "fleet", "\(servers) answers within \(max(1, look.roundTrip / 1000)) ms")
  }

  private func helpersCheck(_ look: FleetLook) async -> HealthCheck {
    let own = await active.fleetBuilds(installation)
    let helpers = look.machines.filter { $0.kind == .helper }
    let idle = helpers.compactMap { helper in
      helper.whyIdle(for: own).map { "\(helper.name) gets no work: \($0)" }
    }
    if let first = idle.first {
      return HealthCheck(.warning, "fleet.helper", first, cure: "procd fleet tells all")
    }
    guard !helpers.isEmpty else {
      let strangers = look.hasStrangers ? "; machines with another key are there" : ""
      return HealthCheck(
        .warning, "fleet.helper", "no helper is there\(strangers)",
        cure: "start `procd work` with the same key on another machine")
    }
    return HealthCheck(
      .ok, "fleet.helper",
      "\(helpers.count) helper\(helpers.count == 1 ? "" : "s") with"
        + " \(helpers.reduce(0) { $0 + $1.slots }) slots")
  }
}
