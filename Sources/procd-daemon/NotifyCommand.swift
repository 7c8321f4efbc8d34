import ArgumentParser
import Conveyor
import Glibc
import Notices
import Pipelines
import PlainText

struct NotifyCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "notify",
    abstract: "Send a test message to everyone whom \"notify\" names.",
    discussion: """
      Each entry of "notify" gets one message now, whatever it is told of otherwise. It is sent by \
      this process: run it as procd's user, and remember that a unit may allow less. Exits with 75 \
      if a message was not accepted.
      """)

  @Argument(
    help: ArgumentHelp(
      "Entries of \"notify\", counted from 1; all if none is given.", valueName: "entry"))
  var entries: [Int] = []

  @OptionGroup var options: ConfigurationOption

  func run() async throws {
    signal(SIGPIPE, SIG_IGN)
    let active = try options.load()
    try ConfigurationOption.becomeOwner(of: active.spool)
    let targets = active.configuration.notify
    if let stray = entries.first(where: { !targets.indices.contains($0 &- 1) }) {
      throw ValidationError(
        targets.isEmpty
          ? "the configuration has no \"notify\""
          : "there is no entry \(stray): \"notify\" has \(targets.count)")
    }
    if targets.isEmpty { Console.print("the configuration has no \"notify\"") }
    let trial = NoticeTrial(active, .ofThisProgram(active))
    var failed = false
    for (index, target) in targets.enumerated()
    where entries.isEmpty || entries.contains(index + 1) {
      let name = target.shown.plain
      switch await trial.send(to: target, log: { Console.print("\(name): \($0.plain)") }) {
      case .delivered: Console.print("\(name): accepted")
      case .later(let reason, _), .refused(let reason, _):
        Console.complain("\(name): \(reason.plain)")
        failed = true
      }
    }
    if failed { throw Status.deferred }
  }
}
