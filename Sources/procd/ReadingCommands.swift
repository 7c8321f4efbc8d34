import ArgumentParser
import ReadingArguments

// The commands as help and complaints name them; what they do is in the files of their names.

struct ExtractProgram: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "procd extract", abstract: ExtractArguments.abstract)
  @OptionGroup var arguments: ExtractArguments
}

struct RowsProgram: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "procd rows", abstract: RowsArguments.abstract)
  @OptionGroup var arguments: RowsArguments
}

struct TablesProgram: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "procd tables", abstract: TablesArguments.abstract)
  @OptionGroup var arguments: TablesArguments
}
