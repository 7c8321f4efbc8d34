import ArgumentParser
import Conveyor
import Files
import Glibc
import Pipelines
import PlainText
import SystemPackage

struct ReloadCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "reload", abstract: "Make the running procd reload its configuration.",
    discussion: """
      The same as `systemctl reload procd`. New rules, sources, notices, limits and times take \
      effect at once; changes of workers, metrics, status, web and fleet take effect at the next \
      start, and folders need a restart. A configuration with mistakes is rejected, and the old \
      one stays in force.
      """)

  @OptionGroup var options: ConfigurationOption

  func run() throws {
    let active = try options.load(), running = options.loader.running(options.path())
    if let running, !active.hasFolders(of: running) {
      Console.complain(
        "procd: the folders were changed, which takes a restart; until then the running procd uses the configuration"
          + " as it was before")
      throw Status.configuration
    }
    try ConfigurationOption.open(active)
    switch RunningRules.reload(active) {
    case .told(let process):
      if let why = RunningRules.rejection(active) {
        Console.complain("procd: \(why)")
        throw Status.configuration
      }
      Console.print(
        "the running procd (process \(process)) uses \(options.path().printable) as it is now"
          + (running.flatMap { active.laterParts(than: $0) }.map { "; \($0)" } ?? ""))
    case .notRunning(let why):
      Console.complain("procd: \(why)")
      throw ExitCode(1)
    case .refused(let process, let reason):
      Console.complain("procd: process \(process) cannot be told: \(reason)")
      throw Status.notPermitted
    }
  }
}

/// The rules that the running procd uses, and those that stand in the file now.
enum RunningRules {
  /// What people should know; nil where none runs, or where the two are the same.
  static func note(_ active: ActiveConfiguration, _ pulse: Pulse?) -> String? {
    guard let rules = pulse?.rules, rules != active.mark else { return nil }
    let isRestart = pulse?.folders.map { $0 != active.foldersMark } ?? false
    let cure =
      isRestart
      ? "its folders changed, so procd has to be restarted for that"
      : "procd reload makes it use this one"
    return "the running procd still uses the configuration as it was before; \(cure)"
  }

  enum Reload {
    case told(Int)
    case notRunning(String)
    case refused(Int, Errno)
  }

  /// Has the running procd read its configuration again.
  static func reload(_ active: ActiveConfiguration) -> Reload {
    let health = Health.ask(active)
    guard let process = health.pulse?.process, process > 0 else {
      return .notRunning(health.sentence)
    }
    return kill(Int32(process), SIGHUP) == 0
      ? .told(process) : .refused(process, Errno(rawValue: errno))
  }

  /// Waits until the running procd has read its configuration again.
  ///
  /// - Returns: why it uses the one before; nil where it uses this one.
  static func rejection(_ active: ActiveConfiguration) -> String? {
    for turn in 0..<100 {
      usleep(100_000)
      guard let pulse = Health.ask(active).pulse else { continue }
      if pulse.rules == active.mark { return nil }
      // What an earlier one was rejected for stands until then.
      if turn >= 15, let why = pulse.troubles.first(where: { $0.hasPrefix(refused) }) { return why }
    }
    return "the running procd has not read its configuration within 10 s; `procd status` tells more"
  }

  /// How what is said of a configuration begins that is not taken up.
  static let refused = "the new configuration was rejected; the old one stays in force"

  /// Says so.
  static func tell(_ active: ActiveConfiguration) {
    if let note = note(active, Health.ask(active).pulse) { Console.complain("procd: \(note)") }
  }
}

extension ActiveConfiguration {
  /// What of this configuration takes effect only at the next start, where another one is in force until then; nil
  /// where all of it counts at once.
  func laterParts(than old: ActiveConfiguration) -> String? {
    let parts = [
      ("fleet", configuration.fleet != old.configuration.fleet),
      ("web", configuration.web != old.configuration.web),
      ("workers", configuration.workers != old.configuration.workers),
      ("timeZone", configuration.timeZone != old.configuration.timeZone),
      ("metrics", metricsFile != old.metricsFile || metricsSocket != old.metricsSocket),
      (
        "status",
        statusSocket != old.statusSocket
          || configuration.statusGroup != old.configuration.statusGroup
      ),
    ].filter(\.1).map(\.0)
    guard !parts.isEmpty else { return nil }
    let isOne = parts.count == 1
    return
      "the change\(isOne ? "" : "s") of \(parts.joined(separator: ", ")) take\(isOne ? "s" : "") effect at the next start"
  }
}
