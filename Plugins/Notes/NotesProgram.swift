internal import PluginCommands
internal import PluginKit

/// The program: a command where the user typed one, else a step.
public enum NotesProgram {
  /// Does what procd started the program for, and ends it.
  public static func main() -> Never {
    PluginProgram.main(NotesCommand.self, steps: ["pdf.notes": NotesStep.run])
  }
}
