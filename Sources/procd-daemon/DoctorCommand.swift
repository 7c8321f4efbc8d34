import ArgumentParser
import Conveyor
import Files
import Pipelines
import PlainText
import PluginKit
import SystemPackage

struct DoctorCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "doctor",
    abstract: "Test what procd needs of this machine, and say how to fix what is missing.",
    discussion: """
      Folders, mounts and renames, leases, watching, confinement (tested in processes that are \
      really confined), a step in a worker, languages, secrets, limits, space, the ledger, the \
      clock, what an earlier run left behind, and what sources and notices need. Each check prints \
      one line: ok, warning, or problem with what to do. No lasting change is made, and a running \
      procd is not disturbed.

      Exits with 0 if there is no problem, 1 if there is one.
      """)

  @Flag(help: "Print as JSON.")
  var json = false

  @OptionGroup var options: ConfigurationOption

  func run() async throws {
    let checks = try await checks()
    if json {
      Console.print(json: [
        "ok": .bool(!checks.contains { $0.level == .problem }),
        "checks": .array(checks.map(\.json)),
      ])
    } else {
      let width = checks.map(\.name.count).max() ?? 0
      for check in checks {
        let cure = check.cure.map { "; \($0)" } ?? ""
        Console.print(
          "\(ShownText.padded(check.level.rawValue, to: 7))  \(ShownText.padded(check.name, to: width)) "
            + " \(check.message.plain)\(check.level == .ok ? "" : cure)")
      }
    }
    if checks.contains(where: { $0.level == .problem }) { throw ExitCode(1) }
  }

  func checks() async throws -> [HealthCheck] {
    let loaded = try options.read()
    let plugins = loaded.pluginProblems.map {
      HealthCheck(
        .problem, "plugin", "\($0.place): \($0.message)", cure: "procd plugins tells more")
    }
    guard let active = loaded.active else {
      return plugins + [
        HealthCheck(
          .problem, "configuration",
          "\(loaded.path.printable): \(ConfigurationOption.summary(loaded.file.complaints))",
          cure: "procd check tells where")
      ]
    }
    let configuration = HealthCheck(
      .ok, "configuration",
      "\(loaded.path.printable), \(active.configuration.pipelines.count) pipelines")
    let daemonRuns = DaemonLock.isHeld(active)
    // A procd that runs there is that user's.
    let refusal = daemonRuns ? nil : ConfigurationOption.refusalAsRoot(active.spool)
    let owner = refusal.map {
      HealthCheck(
        .problem, "owner.spool", "\($0.message), so procd run does not start as root", cure: $0.cure
      )
    }
    // What root may do says nothing of that user.
    try ConfigurationOption.open(active)
    let environment = EnvironmentCheck(active: active)
    let missing = (environment.languages() + environment.libraries() + environment.secrets()).map {
      HealthCheck(.problem, $0.code, $0.message)
    }
    let doctor = Doctor(
      active, .ofThisProgram(), landlockCeiling: landlockCeiling(),
      daemonRuns: daemonRuns)
    // As a service it may be confined differently from whoever asks.
    let health = Health.ask(active)
    let troubles =
      (health.other != nil ? [HealthCheck(.warning, "running", health.sentence)] : [])
      + (health.pulse?.troubles ?? []).map {
        HealthCheck(.warning, "running", "the procd that runs says: \($0)")
      }
    var checks: [HealthCheck] = plugins + [configuration]
    if let owner { checks.append(owner) }
    checks += troubles
    checks += await doctor.checks()
    return checks + missing + orientation(active)
  }

  /// Data that turning pages needs besides languages.
  private func orientation(_ active: ActiveConfiguration) -> [HealthCheck] {
    let reads = active.configuration.pipelines.contains {
      $0.steps.contains { $0.use.hasPrefix("ocr.") }
    }
    guard reads else { return [] }
    let installed = InstalledLanguages.all
    let languages = installed.subtracting(["osd", "equ"]).sorted().joined(separator: ", ")
    if installed.contains("osd") {
      return [HealthCheck(.ok, "languages", "\(languages); scripts are told apart by osd")]
    }
    return [
      HealthCheck(
        .warning, "languages",
        "\(languages); without osd the script of a page is not found: name the languages of pages in other scripts",
        cure: "on Debian: apt install tesseract-ocr-osd")
    ]
  }
}
