import ArgumentParser
import Glibc
import ReadingArguments

// Starting up must cost nothing, so the version is answered before anything else is touched, and
// only the commands that read files are known here.
let words = TypedWords.all

/// Parses the words behind the command, or ends the process with help or a complaint.
func parsed<Arguments: ParsableArguments>(_ type: Arguments.Type) -> Arguments {
  if let refusal = DashedFile.refusal(words) {
    Console.complain("procd: \(refusal).")
    exit(ExitCode.usage)
  }
  do { return try Arguments.parse(Array(words.dropFirst())) } catch {
    guard Arguments.exitCode(for: error) == .validationFailure, let hint = DashedFile.hint(words)
    else { Arguments.exit(withError: error) }
    Console.complain("\(Arguments.fullMessage(for: error))\nprocd: \(hint).")
    exit(Arguments.exitCode(for: error).rawValue)
  }
}

switch words.first {
case "--version":
  print(ProgramVersion.line)
case "extract":
  let files = Array(words.dropFirst())
  let isPlain = !files.isEmpty && !files.contains { $0.hasPrefix("-") }
  exit(
    ExtractCommand.run(
      isPlain ? ExtractArguments(files: files) : parsed(ExtractProgram.self).arguments))
case "rows":
  exit(RowsCommand.run(parsed(RowsProgram.self).arguments))
case "tables":
  exit(TablesCommand.run(parsed(TablesProgram.self).arguments))
default:
  // Threads of the pool ask for a priority that only root may give; nobody is to read of that in a journal.
  unsafe setenv("LIBDISPATCH_LOG", "NO", 0)
  // All commands that do not only read files.
  SiblingProgram.replaceProcess(byAnyOf: Converting.places)
  Console.complain("the program procd-daemon is missing; it should stand beside procd.")
  exit(ExitCode.programMissing)
}
