import Glibc
import PluginKit

/// A worker of which each step does what code could that a hostile file has taken over: it has the step's end of
/// the protocol, and writes there what it likes.
final class HostilePlugin: Plugin {
  static let manifest = PluginManifest(
    name: "hostile", version: "1.0.0", about: "Does what taken-over code could",
    steps: ["says", "good"].map { name in
      StepManifest(
        name: "hostile.\(name)", about: "Says what it is told to, and stays", accepts: ["*/*"],
        outputs: [],
        options: ObjectShape(
          "options of hostile",
          [
            Field("line", .text, "What it says"),
            Field("times", .integer(0...1000), "How often"),
            Field("closes", .boolean, "Whether it hangs up then"),
            Field("killed", .boolean, "Whether somebody ends it then"),
          ]), facts: [], dataFolders: [])
    })

  func run(_ run: StepRun, _ host: any StepHost) throws(PluginFailure) -> StepOutput {
    if run.step == "hostile.good" { return StepOutput() }
    // The step's end: see WorkerLoop.
    let answers: Int32 = 3
    let line = Array((run.options.string("line") ?? "").utf8) + [0x0A]
    for _ in 0..<(run.options.integer("times") ?? 1) {
      _ = unsafe line.withUnsafeBytes { unsafe write(answers, $0.baseAddress, $0.count) }
    }
    if run.options.flag("closes") { close(answers) }
    if run.options.flag("killed") { kill(getpid(), SIGKILL) }
    while true { sleep(1000) }
  }
}

let arguments = Array(CommandLine.arguments.dropFirst())
if arguments.first == "confine" { Launcher.run(Array(arguments.dropFirst())) }
WorkerLoop(hosting: [HostilePlugin.self]).serve()
