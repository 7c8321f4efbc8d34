import Foundation
import PluginCommands
import PluginKit
import SystemPackage
import TestSupport
import Testing

@Suite struct PluginCommandTests {
  @Test func `the example of the documentation is compiled here`() throws {
    #expect(
      try WorkedExample.isShown(
        "Tests/PluginCommandsTests/LettersCommand.swift", on: "docs/plugins.md"))
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
