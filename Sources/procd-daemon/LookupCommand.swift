import ArgumentParser
import Conveyor
import Glibc
import Pipelines
import PluginKit
import Series
import SystemPackage

struct LookupCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "lookup",
    abstract: "Tell what the lists say of a number.",
    discussion: """
      Shows every row of the number in the newest edition, what holds and since when, what it was \
      before, and when the list was last checked. --in looks in one list instead, a file or an \
      address, without any configuration; where an address cannot be reached, it tells what the \
      list there said last. Exit codes: 0 found, 1 not in the list, 64 no valid number, 75 no list \
      could be had.
      """)

  @Argument(help: "Numbers.")
  var numbers: [String]

  @Option(help: ArgumentHelp("Only the list of this name.", valueName: "series"))
  var series: String?

  @Option(
    name: .customLong("in"),
    help: ArgumentHelp("A list as a PDF: a file, or its address.", valueName: "file|url"))
  var list: String?

  @Flag(help: "Every row that the number ever had.")
  var history = false

  @Flag(help: "Print a line of JSON for each number and list.")
  var json = false

  @OptionGroup var options: ConfigurationOption

  func validate() throws {
    guard !numbers.isEmpty else { throw ValidationError("Name a number.") }
    for number in numbers where ListNumber(number) == nil {
      throw ValidationError("\(number) is no number of a list: \(ListNumber.rule).")
    }
  }

  func run() async throws {
    let answers: [LookupAnswer]
    if let list { answers = try await look(in: list) } else { answers = try kept() }
    let wanted = numbers.compactMap { ListNumber($0)?.text }
    var missing = 0
    for number in wanted {
      let found = answers.filter { $0.number == number }
      // Of several lists those count that have the number, or ever had it.
      let telling = found.filter { !$0.story.isEmpty }
      for answer in telling.isEmpty ? found : telling {
        if json {
          Console.print(String(decoding: answer.json.line, as: UTF8.self))
        } else {
          for line in answer.lines(withHistory: history, now: wallTime()) {
            Console.print(Console.plain(line))
          }
        }
      }
      if !found.contains(where: { $0.isFound }) { missing += 1 }
    }
    if missing > 0 { throw ExitCode(1) }
  }

  /// What the kept lists say.
  private func kept() throws -> [LookupAnswer] {
    let active = try options.load()
    guard let reader = try Lists(spool: active.spool).reader() else { throw nothingKept }
    let names = try reader.series().filter { series == nil || series == $0 }
    guard !names.isEmpty else { throw nothingKept }
    var answers: [LookupAnswer] = []
    for number in numbers.compactMap({ ListNumber($0)?.text }) {
      for name in names {
        if let answer = try LookupAnswer(number, in: name, reader) { answers.append(answer) }
      }
    }
    try checkLengths(answers.map { ($0.number, $0.newest) }, reader)
    return answers
  }

  private var nothingKept: ValidationError {
    ValidationError(
      series.map { "No edition of the list \($0) has been kept yet." }
        ?? "No list has been kept yet. Give a pipeline a \"series\", or look in a file with --in.")
  }

  /// A number of another length than all of the list cannot be one of its numbers.
  private func checkLengths(
    _ looked: [(number: String, edition: Edition)], _ reader: SeriesReader
  ) throws {
    for (number, edition) in looked {
      let lengths = try reader.lengths(of: edition)
      guard !lengths.isEmpty, !lengths.contains(number.count) else { continue }
      let expected = lengths.sorted().map(String.init).joined(separator: " or ")
      throw ValidationError(
        "\(number) has \(number.count) characters, the numbers of the list have \(expected).")
    }
  }

  /// What one list says.
  private func look(in list: String) async throws -> [LookupAnswer] {
    let file = Self.isAddress(list) ? try await download(list) : ListFile(absolutePath(list))
    let (content, edition) = try await file.read(options: options)
    return numbers.compactMap { ListNumber($0)?.text }.map {
      LookupAnswer($0, in: content, of: edition)
    }
  }

  private static func isAddress(_ list: String) -> Bool {
    let start = list.lowercased()
    return start.hasPrefix("http://") || start.hasPrefix("https://")
  }

  /// The list at an address, or what was kept of it.
  private func download(_ url: String) async throws -> ListFile {
    guard let cache = ListDownload.userCache() else {
      throw ValidationError("HOME is not set, so there is no place for the list.")
    }
    signal(SIGPIPE, SIG_IGN)
    let meter = DownloadMeter(url)
    let net = NetProgram(.ofThisProgram(), landlockCeiling: landlockCeiling())
    let result: Result<ListDownload.Copy, NetAnswer.Failure>
    do throws(NetAnswer.Failure) {
      let copy = try await ListDownload(url, cache: cache).fetch(net) { meter.show($0, of: $1) }
      result = .success(copy)
    } catch { result = .failure(error) }
    meter.clear()
    switch result {
    case .success(let copy):
      if let failure = copy.failure {
        Console.complain(
          "procd: \(Console.plain(failure.message)) [\(failure.code)]; this is what the list said"
            + " \(LookupAnswer.age(wallTime() - copy.checked)) ago")
      }
      return ListFile(copy.path, name: copy.name, checked: copy.checked)
    case .failure(let failure):
      Console.complain("procd: \(Console.plain(failure.message)) [\(failure.code)]")
      throw Status.deferred
    }
  }
}

/// A number as people write it: digits, perhaps in groups, or a mark of letters and digits as it stands.
struct ListNumber {
  let text: String

  static let rule = "it takes 4 to 32 digits, or letters and digits"

  init?(_ written: String) {
    let joined = written.filter { !$0.isWhitespace && $0 != "-" && $0 != "." && $0 != "/" }
    let isNumber = joined.utf8.allSatisfy { (0x30...0x39).contains($0) }
    let text = isNumber ? joined : written.filter { !$0.isWhitespace }
    guard (4...32).contains(text.count), text.contains(where: \.isNumber),
      text.allSatisfy({ $0.isLetter || $0.isNumber || "-./".contains($0) })
    else { return nil }
    self.text = text
  }
}
