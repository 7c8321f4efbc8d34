import ArgumentParser
import Conveyor
import Files
import Glibc
import Pipelines
import PlainText
import PluginKit
import Series
import SystemPackage

struct LookupCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "lookup",
    abstract: "Show what the lists say about a number.",
    discussion: """
      Shows every row of the number in the newest edition, its current status and since when, its \
      previous status, and when the list was last checked. --in looks in a single list instead, a \
      file or an address, without any configuration; if the address cannot be reached, it shows \
      what the list there last said. Exit codes: 0 found, 1 not in the list, 64 no valid number, \
      65 the list cannot be read, 75 no list could be obtained.
      """)

  @Argument(help: "Numbers.")
  var numbers: [String]

  @Option(help: ArgumentHelp("Only the list of this name.", valueName: "series"))
  var series: String?

  @Option(
    name: .customLong("in"),
    help: ArgumentHelp("A list as a PDF: a file, or its address.", valueName: "file|url"))
  var list: String?

  @OptionGroup(title: "How the list is read") var reading: ListReading

  @Flag(help: "Every row that the number ever had.")
  var history = false

  @Flag(help: "Print a line of JSON for each number and list.")
  var json = false

  @OptionGroup var options: ConfigurationOption

  func validate() throws {
    guard !numbers.isEmpty else { throw ValidationError("Name a number.") }
    if list == nil, reading.isGiven {
      throw ValidationError(
        "How a kept list is read stands in pipelines.json, at the step's \"with\"; here it goes with"
          + " --in.")
    }
    if let list, list.contains("://"), !Self.isAddress(list) {
      throw ValidationError("Only addresses of http and https are asked, or name a file.")
    }
  }

  func run() async throws {
    for number in numbers { try ListNumber.require(number) }
    let (answers, lengths) = if let list { try await look(in: list) } else { try kept() }
    let wanted = numbers.compactMap { ListNumber($0)?.text }
    var missing = 0, impossible = 0
    for number in wanted {
      let found = answers.filter { $0.number == number }
      // Of several lists those count that have the number, or ever had it.
      let telling = found.filter { !$0.story.isEmpty }
      if telling.isEmpty, let complaint = lengths.complaint(about: number) {
        Console.complain("procd: \(complaint)")
        impossible += 1
        continue
      }
      for answer in telling.isEmpty ? found : telling {
        if json {
          Console.print(line: answer.json)
        } else {
          for line in answer.lines(withHistory: history, now: wallTime()) {
            Console.print("\(line)")
          }
        }
      }
      if !found.contains(where: { $0.isFound }) { missing += 1 }
    }
    if impossible > 0 { throw ExitCode(64) }
    if missing > 0 { throw ExitCode(1) }
  }

  /// What the kept lists say.
  private func kept() throws -> ([LookupAnswer], NumberLengths) {
    let active = try options.loadWithSpool()
    guard let reader = try Lists(spool: active.spool).reader() else {
      throw try nothingKept(active)
    }
    let names = try reader.series().filter { series == nil || series == $0 }
    guard !names.isEmpty else { throw try nothingKept(active) }
    var answers: [LookupAnswer] = []
    for number in numbers.compactMap({ ListNumber($0)?.text }) {
      for name in names {
        if let answer = try LookupAnswer(number, in: name, reader) { answers.append(answer) }
      }
    }
    return (answers, try NumberLengths(of: names, reader))
  }

  private func nothingKept(_ active: ActiveConfiguration) throws -> ExitCode {
    let known = active.configuration.pipelines.compactMap(\.series)
    let wanted = series ?? known.first
    if let wanted, known.contains(wanted) {
      if let refused = try Lists(spool: active.spool).reader()?.refused(of: wanted).first {
        Console.complain("procd: a file came: \(refused.sentence)")
      }
      Console.complain(
        "procd: no edition of the list \(wanted) has come yet; procd run takes in what"
          + " is due")
    } else if let wanted {
      Console.complain(
        "procd: no edition of the list \(wanted) has been kept, and no pipeline has"
          + " this \"series\"")
    } else {
      Console.complain(
        "procd: no list is kept here: give a pipeline a \"series\", or look in a file with --in")
      return Status.configuration
    }
    return Status.deferred
  }

  /// What one list says.
  private func look(in list: String) async throws -> ([LookupAnswer], NumberLengths) {
    let (content, edition, checked) =
      Self.isAddress(list) ? try await download(list) : try await read(list)
    let answers = numbers.compactMap { ListNumber($0)?.text }.map {
      LookupAnswer($0, in: content, of: edition, checked: checked)
    }
    return (answers, NumberLengths(of: content))
  }

  private func read(_ file: String) async throws -> (ListContent, Edition, Int64?) {
    let path = absolutePath(file)
    if !path.allows(F_OK), file.contains(/^[\w-]+(\.[\w-]+)+(:\d+)?\/./) {
      Console.complain(
        "procd: there is no file \(file); if it is an address, write it with http://"
          + " or https://")
      throw Status.inputQuarantined
    }
    let (content, edition) = try await ListFile(path).read(reading, options: options)
    return (content, edition, nil)
  }
}
