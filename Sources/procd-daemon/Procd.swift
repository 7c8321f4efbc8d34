import ArgumentParser
import Confinement
import Glibc
import JobLedger
import PlainText
import ReadingArguments

/// All commands. `extract`, `rows` and `tables` run in the small program `procd`; they stand here
/// for help, completions and the manual.
struct Procd: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "procd",
    abstract: "Watches a folder and processes the files dropped into it, without losing any.",
    discussion: """
      Files dropped into the inbox are processed by the pipelines of pipelines.json. Results and a report appear in \
      the outbox; originals move to the archive; files that cannot be processed move to the quarantine, with the \
      reason.

      Exit codes: 0 success, 1 doctor, health or verify found a problem, or lookup, find, unfollow or reload found \
      nothing, 64 wrong usage, 65 some input could not be processed, 69 a program of procd is missing, 70 the ledger \
      is damaged, 71 a process that reads files could not be confined, 73 an output exists already or cannot be \
      created, 74 a result could not be written, 75 some input waits or another procd holds the folders, 77 the spool \
      belongs to another user, 78 the configuration is wrong, 130 ended by Ctrl-C (run and work: by the second one).
      """,
    version: ProgramVersion.line,
    groupedSubcommands: [
      CommandGroup(
        name: "Watching",
        subcommands: [
          RunCommand.self, AddCommand.self, FetchCommand.self, StatusCommand.self,
          HealthCommand.self, NotifyCommand.self,
          ReloadCommand.self, FindCommand.self, WebCommand.self, JobsCommand.self,
          RetryCommand.self, DeleteCommand.self,
          VerifyCommand.self, CleanCommand.self,
        ]),
      CommandGroup(name: "Many machines", subcommands: [WorkCommand.self, FleetCommand.self]),
      CommandGroup(
        name: "Status lists",
        subcommands: [LookupCommand.self, FollowCommand.self, UnfollowCommand.self]),
      CommandGroup(
        name: "Configuring",
        subcommands: [
          InitCommand.self, CheckCommand.self, DoctorCommand.self, ExplainCommand.self,
          PluginsCommand.self,
          SchemaCommand.self,
        ]),
      CommandGroup(
        name: "Single files",
        subcommands: [
          ConvertCommand.self, ExtractCommand.self, RowsCommand.self,
          TablesCommand.self,
        ]),
    ])
}

@main
enum Program {
  static func main() async {
    hideMemory()
    let words = Array(CommandLine.arguments.dropFirst())
    if let status = ForeignCommands.run(words) { exit(status) }
    if ForeignCommands.help(words) { return }
    // A reader that wants no more, such as head(1), is no failure, and nothing to end by a signal for.
    signal(SIGPIPE, SIG_IGN)
    let typed = FindCommand.separated(TypedWords.all)
    if let refusal = DashedFile.refusal(typed) {
      Console.complain("procd: \(refusal)")
      exit(64)
    }
    do {
      var command = try Procd.parseAsRoot(typed)
      if var command = command as? any AsyncParsableCommand {
        try await command.run()
      } else {
        try command.run()
      }
      Console.endIfOutputFailed()
    } catch let error as LedgerError {
      Console.complain("procd: \(error)")
      if error.isDamage { exit(Status.ledgerDamaged.rawValue) }
      exit(Status.deferred.rawValue)
    } catch let error as ValidationError {
      // Found by the command itself, which says what is wrong: how it is called is not.
      Console.complain("procd: \(error.message)")
      exit(64)
    } catch {
      if error is ExitCode { Console.endIfOutputFailed() }
      let code = Procd.exitCode(for: error)
      guard code == .validationFailure, let hint = DashedFile.hint(words) else {
        Procd.exit(withError: error)
      }
      Console.complain("\(Procd.fullMessage(for: error))\nprocd: \(hint)")
      exit(code.rawValue)
    }
  }
}

/// What the exit status says; the table is in docs/commands.md.
enum Status {
  static let inputQuarantined = ExitCode(65)
  static let ledgerDamaged = ExitCode(70)
  static let outputFailed = ExitCode(74)
  static let deferred = ExitCode(75)
  static let notPermitted = ExitCode(77)
  static let configuration = ExitCode(78)
}
