internal import Glibc
internal import PluginKit

/// The program: a command where the user typed one, else a step.
public enum NotesProgram {
  public static func main() -> Never {
    if PluginProgram.command != nil {
      exit(NotesCommand.run(PluginProgram.arguments))
    }
    PluginProgram.serve { (run, host) throws(PluginFailure) in
      guard run.step == "pdf.notes" else {
        throw PluginFailure(.internal, "step.unknown", "there is no step \"\(run.step)\" here")
      }
      return try NotesStep.run(run, host)
    }
  }
}
