import ArgumentParser
import Conveyor
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
      before, and when the list was last checked. --in looks in one file instead, without any \
      configuration. Exit codes: 0 found, 1 not in the list, 64 no valid number.
      """)

  @Argument(help: "Numbers.")
  var numbers: [String]

  @Option(help: ArgumentHelp("Only the list of this name.", valueName: "series"))
  var series: String?

  @Option(name: .customLong("in"), help: ArgumentHelp("A list as a PDF file.", valueName: "file"))
  var file: String?

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
    if let file { answers = try await inFile(file) } else { answers = try kept() }
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

  /// What one file says.
  private func inFile(_ file: String) async throws -> [LookupAnswer] {
    let path = absolutePath(file)
    let (content, edition) = try await ListFile(path).read(options: options)
    return numbers.compactMap { ListNumber($0)?.text }.map {
      LookupAnswer($0, in: content, of: edition)
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
