import ArgumentParser
import Conveyor
import Files
import Glibc
import PlainText
import SystemPackage

struct ReloadCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "reload", abstract: "Make the running procd use the rules as they are now.",
    discussion: """
      The same as `systemctl reload procd`. New rules, sources, notices, limits and times are used from now on; \
      folders, workers, metrics and status need a restart. A configuration with mistakes is rejected: the old one \
      stays in force.
      """)

  @OptionGroup var options: ConfigurationOption

  func run() throws {
    let active = try options.load()
    switch RunningRules.reload(active) {
    case .told(let process):
      Console.print("the running procd (process \(process)) reloads \(options.path().printable)")
    case .notRunning:
      Console.complain("procd: no procd is running for this configuration")
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
    return
      "the running procd still uses the configuration as it was before; procd reload makes it use this one"
  }

  enum Reload {
    case told(Int)
    case notRunning
    case refused(Int, Errno)
  }

  /// Has the running procd read its configuration again.
  static func reload(_ active: ActiveConfiguration) -> Reload {
    guard let process = Health.ask(active).pulse?.process, process > 0 else { return .notRunning }
    return kill(Int32(process), SIGHUP) == 0
      ? .told(process) : .refused(process, Errno(rawValue: errno))
  }

  /// Says so.
  static func tell(_ active: ActiveConfiguration) {
    if let note = note(active, Health.ask(active).pulse) { Console.complain("procd: \(note)") }
  }
}
