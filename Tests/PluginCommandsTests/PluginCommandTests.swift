import ArgumentParser
import Foundation
import PluginCommands
import PluginKit
import SystemPackage
import TestSupport
import Testing

// The worked example of docs/plugins.md, word for word; a test holds the two against each other.
struct LettersCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "procd letters", abstract: "Letters of text files.", subcommands: [Count.self])

  struct Count: PluginCommand {
    static let configuration = CommandConfiguration(abstract: "Count them.")

    @Argument(help: "Text files.")
    var files: [String]

    @Option(
      name: [.customShort("o", allowingJoined: true), .long],
      help: "Where the counts go; standard output when left out.")
    var output: String?

    func execute() throws(PluginFailure) {
      var lines = ""
      for file in files {
        guard let text = try? String(contentsOfFile: file, encoding: .utf8) else {
          throw PluginFailure(
            .input, "letters.text", "\(file) is no UTF-8 text", hint: "convert it")
        }
        if text.isEmpty { CommandOutput.warn("\(file) is empty") }
        lines += "\(file),\(text.count(where: \.isLetter))\n"
      }
      try CommandOutput.write(Array(lines.utf8), to: output)
    }
  }
}

@Suite struct PluginCommandTests {
  @Test func `the example of the documentation is this one`() throws {
    func text(_ path: String) throws -> Substring {
      let data = FileManager.default.contents(atPath: Programs.repository.appending(path).string)
      return String(decoding: try #require(data), as: UTF8.self)[...]
    }
    let own = try text("Tests/PluginCommandsTests/PluginCommandTests.swift")
    let begin = try #require(own.range(of: "struct LettersCommand")?.lowerBound)
    let end = try #require(own.range(of: "\n@Suite")?.lowerBound)
    #expect(try text("docs/plugins.md").contains(own[begin..<end]))
  }

  @Test func `a result is written whole, and what is no call ends with 64`() throws {
    let folder = TemporaryFolder()
    try folder.write("two words", to: "a.txt")
    try folder.write(Data([0xFF]), to: "b.txt")
    try folder.write("before", to: "out.csv")
    func run(_ words: String...) -> Int32 { PluginProgram.run(LettersCommand.self, words) }
    let (good, bad, out) = (
      folder("a.txt").string, folder("b.txt").string, folder("out.csv").string
    )
    #expect(run("count", bad, "-o", out) == 65)
    #expect(folder.read("out.csv") == Data("before".utf8))
    #expect(run("count", good, "-o\(out)") == 0)
    #expect(folder.read("out.csv") == Data("\(good),8\n".utf8))
    #expect(folder.files() == ["a.txt", "b.txt", "out.csv"])
    #expect(run("count") == 64 && run("measure", good) == 64 && run("count", "--no", good) == 64)
    #expect(run("count", good, "-o", folder("none/out.csv").string) == 74)
    #expect(run("--help") == 0 && run("help", "count") == 0 && run() == 0)
  }

  @Test(
    arguments: [
      (PluginFailure.Class.input, 65), (.transient, 75), (.options, 78), (.internal, 70),
      (.cancelled, 70),
    ] as [(PluginFailure.Class, Int32)])
  func `each class of failure has its status`(failure: PluginFailure.Class, status: Int32) {
    #expect(ExitStatus.of(PluginFailure(failure, "a.code", "")) == status)
  }

  @Test func `mistakes in the call and results without a place have theirs`() {
    #expect(ExitStatus.of(.typed("no day")) == ExitStatus.usage)
    for code in [ENOSPC, EIO, EACCES] {
      #expect(ExitStatus.of(.writing("a file", errno: code)) == ExitStatus.output)
    }
  }
}
