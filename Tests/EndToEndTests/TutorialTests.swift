import Foundation
import SystemPackage
import TestSupport
import Testing

/// docs/tutorial.md: what it says is printed, is printed.
@Suite(.serialized) struct TutorialTests {
  /// A command of the tutorial and what it shows of its output.
  private struct Shown {
    var command: String
    var output: [String]
  }

  private struct Tutorial {
    var commands: [Shown] = []
    /// Blocks without a command.
    var others: [[String]] = []
    var configuration = ""

    init() throws {
      let text = try String(
        contentsOfFile: Programs.repository.appending("docs/tutorial.md").string, encoding: .utf8)
      var inside = false, block: [String] = []
      for line in text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init) {
        if line.hasPrefix("```") {
          inside.toggle()
        } else if inside {
          configuration += line + "\n"
        } else if line.hasPrefix("    ") || (line.isEmpty && !block.isEmpty) {
          block.append(String(line.dropFirst(4)))
        } else {
          take(block)
          block = []
        }
      }
      take(block)
    }

    private mutating func take(_ block: [String]) {
      guard block.contains(where: { $0.hasPrefix("$ ") }) else {
        if !block.isEmpty { others.append(block) }
        return
      }
      for line in block {
        if line.hasPrefix("$ ") {
          commands.append(Shown(command: String(line.dropFirst(2)), output: []))
        } else {
          commands[commands.count - 1].output.append(line)
        }
      }
    }
  }

  private let place = TemporaryFolder()

  private func shell(_ command: String, in folder: String) throws -> Programs.Result {
    let path = "\(Programs.folder.string):/usr/bin:/bin"
    return try Programs.run(
      "/bin/sh", ["-c", command], in: place(folder), environment: ["PATH": path])
  }

  /// Without what differs from run to run: identifiers, times, the place of the folder, how lines are broken.
  private func words(_ lines: [String]) -> [String] {
    lines.joined(separator: "\n")
      .replacing(place.path.string, with: "…")
      .replacing(/[0-9A-HJKMNP-TV-Z]{26}/, with: "JOB")
      .replacing(/[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:.]+Z/, with: "TIME")
      .replacing(/[0-9]+ ms/, with: "N ms")
      .split(whereSeparator: \.isWhitespace).map(String.init)
  }

  @Test func `what the tutorial shows is what is printed`() throws {
    let tutorial = try Tutorial()
    #expect(tutorial.commands.count >= 8)
    try FileManager.default.copyItem(
      atPath: Programs.repository.appending("docs/samples").string, toPath: place("samples").string)
    try FileManager.default.createDirectory(
      atPath: place("docs").string, withIntermediateDirectories: true)
    try FileManager.default.moveItem(
      atPath: place("samples").string, toPath: place("docs/samples").string)
    try FileManager.default.copyItem(
      atPath: Programs.repository.appending("pipelines.json").string,
      toPath: place("pipelines.json").string)
    // As make run does, and step 4 then.
    let samples = "letter-photo.jpg report-mixed.pdf status-2012-06-01.pdf status-2012-06-15.pdf"
    let start = try shell(
      "mkdir inbox && cd docs/samples && cp \(samples) ../../inbox && cd ../.. && procd run --once",
      in: ".")
    #expect(start.status == 0, "\(start.errors)")
    var folder = "."
    for shown in tutorial.commands {
      if shown.command.hasPrefix("cat quarantine/") {
        _ = try shell("cp docs/samples/locked.pdf inbox/; procd run --once", in: ".")
      }
      if shown.command.hasPrefix("cd ") {
        folder = String(shown.command.dropFirst(3))
        try place.write(tutorial.configuration, to: "\(folder)/pipelines.json")
        try place.write("harbour\n", to: "\(folder)/passwords.txt")
        chmod(place("\(folder)/passwords.txt").string, 0o600)
        try checkMisspelling(tutorial, in: folder)
        continue
      }
      let result = try shell("\(shown.command) 2>&1", in: folder)
      let isList = shown.command.hasPrefix("ls ") || shown.command.hasPrefix("find ")
      var wanted = words(shown.output)
      var found = words(
        result.output.split(separator: "\n", omittingEmptySubsequences: false).map(String.init))
      if wanted.last == "…" {
        wanted.removeLast()
        found = Array(found.prefix(wanted.count))
      }
      if isList { (wanted, found) = (wanted.sorted(), found.sorted()) }
      #expect(found == wanted, "$ \(shown.command)\n\(result.output)")
    }
  }

  /// What is said of the misspelt key is what is said.
  private func checkMisspelling(_ tutorial: Tutorial, in folder: String) throws {
    let block = try #require(tutorial.others.first { $0[0].hasPrefix("pipelines.json:") })
    let path = "\(folder)/pipelines.json"
    let at = try #require(tutorial.configuration.range(of: "\"match\""))
    try place.write(tutorial.configuration.replacingCharacters(in: at, with: "\"macht\""), to: path)
    let result = try shell("procd check 2>&1", in: folder)
    #expect(words([result.output]) == words(block), "\(result.output)")
    try place.write(tutorial.configuration, to: path)
  }
}
