public import ArgumentParser
internal import Glibc
public import PluginKit

/// A command that a plugin adds to procd (`procd NAME …`), or one verb of it. Its properties declare what may be
/// typed, as swift-argument-parser has it, which reads the words, writes the help and complains of mistakes.
public protocol PluginCommand: ParsableCommand {
  /// Does what was asked for, and tells it by ``CommandOutput``.
  ///
  /// - Throws: why there is no result. It is told on standard error; ``ExitStatus`` says what the command ends with.
  mutating func execute() throws(PluginFailure)
}

extension PluginCommand {
  /// Calls ``PluginCommand/execute()``, for swift-argument-parser.
  public mutating func run() throws { try execute() }
}

extension PluginFailure {
  /// A mistake in what was typed that shows only while the command runs.
  public static func typed(_ message: String) -> PluginFailure {
    PluginFailure(.options, "command.usage", message)
  }
}

/// What a command ends with; procd hands it on (docs/commands.md).
public enum ExitStatus {
  /// What was typed is no call of the command.
  public static let usage: Int32 = 64
  /// A result could not be written.
  public static let output: Int32 = 74

  /// The status of a failure: by its class, as of a step without protocol, but for those that say how to mend the call
  /// or that the disk has no place for the result.
  public static func of(_ failure: PluginFailure) -> Int32 {
    switch failure.code {
    case "command.usage": return usage
    case "disk.full", "disk.failed", "step.write": return output
    default: break
    }
    return switch failure.class {
    case .input: 65
    case .transient: 75
    case .options: 78
    case .internal, .cancelled: 70
    }
  }
}

extension PluginProgram {
  /// The main function of a plugin with steps and a command: does what the program was started for, and ends it.
  ///
  /// - Parameters:
  ///   - command: its `commandName` is what people type, `procd NAME`.
  ///   - steps: by the names that `plugin.json` declares.
  public static func main(_ command: any ParsableCommand.Type, steps: [String: Step]) -> Never {
    if self.command != nil { exit(run(command, arguments)) }
    serve(steps)
  }

  /// Runs a command to its end.
  ///
  /// - Parameter words: what was typed behind its name.
  /// - Returns: the exit status.
  public static func run(_ command: any ParsableCommand.Type, _ words: [String]) -> Int32 {
    do {
      var parsed = try command.parseAsRoot(words)
      try parsed.run()
      return 0
    } catch let failure as PluginFailure {
      let hint = failure.hint.map { " (\($0))" } ?? ""
      CommandOutput.warn("\(failure.message)\(hint) [\(failure.code)]")
      return ExitStatus.of(failure)
    } catch {
      // Help is asked for by an error, too.
      let status = command.exitCode(for: error).rawValue
      CommandOutput.say(command.fullMessage(for: error), to: status == 0 ? 1 : 2)
      return status
    }
  }
}

/// The flag of commands whose results take the place of no other file. procd reads it and puts the results into their
/// places; here it is for the help.
public struct OverwriteFlag: ParsableArguments {
  @Flag(help: "Replace files that are there already, with other content.")
  var overwrite = false

  /// The flag as yet unset, for swift-argument-parser.
  public init() {}
}

/// The option of commands that open PDFs.
public struct PasswordOption: ParsableArguments {
  /// The path of a file with one password a line; `PDFInput.passwords(inFile:)` reads it. Nil where
  /// none was named.
  public var file: String? { passwords ?? passwordFile }

  @Option(
    help: ArgumentHelp(
      "A file of passwords of locked PDFs, one a line, tried in turn.", valueName: "file"))
  var passwords: String?

  /// As the option was called once.
  @Option(help: .hidden)
  var passwordFile: String?

  /// The option as yet unset, for swift-argument-parser.
  public init() {}
}
