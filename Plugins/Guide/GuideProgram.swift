internal import Glibc
internal import PluginCommands
internal import PluginKit

/// The program: a command where the user typed one, else a step.
public enum GuideProgram {
  /// Does what procd started the program for, and ends it.
  public static func main() -> Never {
    PluginProgram.main(
      GuideCommand.self,
      steps: [
        "guide.load": { run, host throws(PluginFailure) in
          try GuideStep.run(run, host, now: Int64(time(nil)))
        }
      ])
  }
}
