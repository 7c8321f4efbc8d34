import Foundation
import PluginKit
import SystemPackage
import TestSupport
import Testing

/// The worked example of the library's documentation.
@Suite struct LettersStepTests {
  private final class Notes: StepHost {
    var codes: [String] = []
    func progress(_ done: Int, of total: Int, unit: String) {}
    func note(_ code: String, _ message: String, page: Int?) { codes.append(code) }
  }

  private let folder = TemporaryFolder()

  private func run(_ text: Data, _ options: JSON = [:]) throws -> (StepOutput, notes: [String]) {
    try folder.write(text, to: "a.txt")
    try FileManager.default.createDirectory(
      atPath: folder("work/out").string, withIntermediateDirectories: true)
    let source = StepInput(path: folder("a.txt"), mime: "text/plain", bytes: text.count)
    let notes = Notes()
    let output = try LettersStep.run(
      StepRun(
        id: "1", step: "letters.count", job: "1", attempt: 1, inputs: ["source": [source]],
        sourceName: "a.txt", options: Options(checked: options),
        workFolder: folder("work").string), notes)
    return (output, notes.codes)
  }

  @Test func `the example of the documentation is compiled here`() throws {
    #expect(
      try WorkedExample.isShown(
        "Tests/PluginKitTests/LettersStep.swift",
        on: "Sources/PluginKit/PluginKit.docc/PluginKit.md"
      ))
  }

  @Test func `it writes its artifact and gives its fact`() throws {
    let (output, notes) = try run(Data("Aab 1".utf8), ["ignoreCase": true])
    #expect(output.artifacts == [Artifact(role: "csv", path: "out/letters.csv", mime: "text/csv")])
    #expect(output.facts == ["letters": 3] && notes.isEmpty)
    #expect(folder.read("work/out/letters.csv") == Data("a,2\nb,1\n".utf8))
  }

  @Test func `it notes what is odd and fails where the file is at fault`() throws {
    #expect(try run(Data("12".utf8)).notes == ["text.letters"])
    let failure = #expect(throws: PluginFailure.self) { try run(Data([0xFF])) }
    #expect(failure?.class == .input && failure?.code == "text.encoding")
  }
}
