import PluginKit
import Testing

@testable import Conveyor

@Suite struct CommandWordsTests {
  private func words(
    _ arguments: [String], reads: CommandManifest.Reads = .all
  ) -> [CommandWords.Word] {
    let manifest = CommandManifest(
      name: "n", about: "", reads: reads, opens: ["--from"], writes: ["-o", "--output"],
      values: ["--top"])
    return CommandWords(arguments, manifest).words
  }

  @Test func `files, options and their values are told apart`() {
    #expect(
      words(["-v", "a", "--top", "5", "b", "-o", "c"]) == [
        .plain("-v"), .read("a"), .plain("--top"), .plain("5"), .read("b"),
        .plain("-o"),
        .write(prefix: "", "c"),
      ])
    #expect(
      words(["-oc", "--output=d", "--top=5"]) == [
        .write(prefix: "-o", "c"), .write(prefix: "--output=", "d"), .plain("--top=5"),
      ])
  }

  @Test func `asking for files to be replaced is for procd alone`() {
    let manifest = CommandManifest(
      name: "n", about: "", writes: ["-o"], replaces: [.init(.inputs, verb: "add")])
    let asked = CommandWords(["add", "--overwrite", "-o", "c"], manifest)
    #expect(asked.overwrites && asked.replaces == .inputs)
    #expect(asked.words == [.plain("add"), .plain("-o"), .write(prefix: "", "c")])
    let others = CommandWords(["list", "--", "--overwrite"], manifest)
    #expect(!others.overwrites && others.replaces == nil)
    #expect(others.words == [.plain("list"), .plain("--"), .plain("--overwrite")])
    // A command that writes nothing may have such an option of its own.
    let own = CommandWords(["--overwrite"], CommandManifest(name: "n", about: ""))
    #expect(!own.overwrites && own.words == [.plain("--overwrite")])
  }

  @Test func `files that options name are read`() {
    #expect(
      words(["--from", "a", "--from=b", "--from", "-", "--from"], reads: .positions([])) == [
        .plain("--from"), .open(prefix: "", "a"), .open(prefix: "--from=", "b"), .plain("--from"),
        .plain("-"), .plain("--from"),
      ])
    #expect(words(["--from=-", "--from="]) == [.plain("--from=-"), .plain("--from=")])
  }

  @Test func `the file that an option names is found`() {
    let manifest = CommandManifest(name: "n", about: "", reads: .all, opens: ["--from", "--old"])
    func file(_ arguments: String...) -> String? {
      CommandWords(arguments, manifest).file(of: ["--from", "--old"])
    }
    #expect(file("a", "--from", "b") == "b" && file("--old=c", "a") == "c")
    #expect(file("a", "b") == nil && file("--from", "-") == nil)
  }

  @Test func `positions do not count options`() {
    #expect(
      words(["word", "-o", "x", "file", "more"], reads: .positions([1])) == [
        .plain("word"), .plain("-o"), .write(prefix: "", "x"), .read("file"),
        .plain("more"),
      ])
  }

  @Test func `verbs say which of the words behind them are files`() {
    let reads = CommandManifest.Reads.behind([
      .init("load", positions: nil), .init("show", positions: [1]),
    ])
    #expect(
      words(["load", "-v", "a", "b"], reads: reads) == [
        .plain("load"), .plain("-v"), .read("a"), .read("b"),
      ])
    #expect(
      words(["show", "a", "b", "load"], reads: reads) == [
        .plain("show"), .plain("a"), .read("b"), .plain("load"),
      ])
    #expect(words(["find", "a"], reads: reads) == [.plain("find"), .plain("a")])
    #expect(words(["load"], reads: reads) == [.plain("load")])
  }

  @Test func `a single dash is a stream, and two dashes end the options`() {
    #expect(
      words(["-", "-o", "-", "--", "-o", "x"]) == [
        .plain("-"), .plain("-o"), .plain("-"), .plain("--"), .read("-o"),
        .read("x"),
      ])
    #expect(words(["-o"]) == [.plain("-o")])
    #expect(words([]) == [])
  }
}
