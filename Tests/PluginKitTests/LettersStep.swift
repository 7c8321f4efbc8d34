import Foundation
import PluginKit
import SystemPackage

/// The step `letters.count`: how often each letter stands in a text.
enum LettersStep {
  static func run(_ run: StepRun, _ host: any StepHost) throws(PluginFailure) -> StepOutput {
    let source = try run.source()
    guard let bytes = FileManager.default.contents(atPath: source.path.string) else {
      throw PluginFailure(.internal, "step.read", "the file could not be read")
    }
    guard let text = String(data: bytes, encoding: .utf8) else {
      throw PluginFailure(
        .input, "text.encoding", "the file is no UTF-8 text", hint: "save it as UTF-8")
    }
    var counts: [Character: Int] = [:]
    for letter in run.options.flag("ignoreCase") ? text.lowercased() : text where letter.isLetter {
      counts[letter, default: 0] += 1
    }
    if counts.isEmpty { host.note("text.letters", "there are no letters in the file", page: nil) }
    let rows = counts.sorted { $0.key < $1.key }.map { "\($0.key),\($0.value)\n" }
    let csv = try run.write(
      role: "csv", name: "letters.csv", mime: "text/csv", bytes: Array(rows.joined().utf8))
    return StepOutput(
      artifacts: [csv], facts: ["letters": .integer(counts.values.reduce(0, +))])
  }
}

/// What procd starts for each run, the only thing that the program's `main.swift` calls.
enum LettersProgram {
  static func main() -> Never { PluginProgram.serve(["letters.count": LettersStep.run]) }
}
