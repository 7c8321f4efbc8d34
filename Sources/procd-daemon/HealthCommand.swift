import ArgumentParser
import Conveyor
import PlainText
import PluginKit

struct HealthCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "health",
    abstract: "Say whether procd is healthy; for monitoring.",
    discussion: """
      Asks the running procd, and exits with 0 if it is well. Exits with 1 and one sentence if \
      none runs, if it has not answered for 5 s (stopped or hanging), if its main loop has not \
      made a turn for 60 s, if it takes in no files because the disk refuses writes or a folder is \
      missing or may not be used, if a folder does not answer, if results wait for a disk, if a file \
      has stayed in the inbox for half a minute because procd may not read or move it, and while it \
      starts or stops.
      """)

  @Flag(help: "Print as JSON.")
  var json = false

  @OptionGroup var options: ConfigurationOption

  func run() throws {
    var answered: Health?
    let looked = try options.loadToLook { answer in
      answered = StatusAnswer.health(answer)
      return answered != nil
    }
    guard let active = looked else { return try answered.map(tell) ?? () }
    let isClosed = ConfigurationOption.isClosed(active.spool)
    var health = isClosed ? Health.unanswered(active) : Health.ask(active)
    // Also where the configuration names a spool by now that is not the running procd's, which is closed to who asks.
    if !health.isHeld, let told = StatusAnswer.health(active) { health = told }
    // Mostly that is why none runs.
    if !health.isHeld, !isClosed {
      let doctor = Doctor(
        active, .ofThisProgram(), landlockCeiling: landlockCeiling(), daemonRuns: false)
      for check in doctor.ledger() where check.level == .problem {
        health.sentence += "; \(check.message)\(check.cure.map { "; \($0)" } ?? "")"
      }
    }
    try tell(health)
  }

  private func tell(_ health: Health) throws {
    if json {
      Console.print(json: [
        "healthy": .bool(health.isWell), "message": .string(health.sentence),
        "daemon": health.pulse?.json,
      ])
    } else if health.isWell {
      Console.print("\(health.sentence)")
    } else {
      Console.complain("\(health.sentence)")
    }
    if !health.isWell { throw ExitCode(1) }
  }
}
