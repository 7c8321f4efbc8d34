internal import Glibc
internal import PluginKit

/// The program: a command where the user typed one, else a step.
public enum GuideProgram {
  public static func main() -> Never {
    let now = Int64(time(nil))
    if PluginProgram.command != nil {
      exit(
        GuideCommand.run(
          PluginProgram.arguments, folder: PluginProgram.stateFolder, now: now))
    }
    PluginProgram.serve { (run, host) throws(PluginFailure) in
      guard run.step == "guide.load" else {
        throw PluginFailure(.internal, "step.unknown", "there is no step \"\(run.step)\" here")
      }
      return try GuideStep.run(run, host, now: now)
    }
  }
}
