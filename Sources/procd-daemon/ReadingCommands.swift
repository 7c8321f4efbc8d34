import ArgumentParser
import PlainText
import ReadingArguments

// These commands run in the program `procd`. They stand here so that help, completions and the
// manual know them.

struct ExtractCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "extract", abstract: ExtractArguments.abstract)
  @OptionGroup var arguments: ExtractArguments
  func run() throws { throw SmallProgram.replaceProcess() }
}

struct RowsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "rows", abstract: RowsArguments.abstract)
  @OptionGroup var arguments: RowsArguments
  func run() throws { throw SmallProgram.replaceProcess() }
}

struct TablesCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "tables", abstract: TablesArguments.abstract)
  @OptionGroup var arguments: TablesArguments
  func run() throws { throw SmallProgram.replaceProcess() }
}

/// The program that reads single files.
private enum SmallProgram {
  /// Becomes `procd`; returns only where there is none.
  static func replaceProcess() -> ExitCode {
    SiblingProgram.replaceProcess(byAnyOf: ["procd", "../../bin/procd"])
    Console.complain("procd: the program procd is missing; it should stand beside procd-daemon")
    return ExitCode(69)
  }
}
