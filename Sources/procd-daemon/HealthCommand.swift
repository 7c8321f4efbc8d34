import ArgumentParser
import Conveyor
import PlainText
import PluginKit

struct HealthCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "health",
    abstract: "Say whether procd is healthy; for monitoring.",
    discussion: """
      Asks the running procd and ends with 0 where it is well. With 1, and one sentence, where none \
      runs, where it has not answered for 5 s (stopped or hanging), where its main loop has not gone \
      round for 60 s, where it takes no files in because the disk refuses writes, where a file that it \
      took waits for the disk, and while it starts or ends.
      """)

  @Flag(help: "Print as JSON.")
  var json = false

  @OptionGroup var options: ConfigurationOption

  func run() throws {
    let health = Health.ask(try options.loadToLook())
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
