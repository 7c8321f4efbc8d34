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
        .plain("-v"), .read(prefix: "", "a"), .plain("--top"), .plain("5"), .read(prefix: "", "b"),
        .plain("-o"),
        .write(prefix: "", "c"),
      ])
    #expect(
      words(["-oc", "--output=d", "--top=5"]) == [
        .write(prefix: "-o", "c"), .write(prefix: "--output=", "d"), .plain("--top=5"),
      ])
  }

  @Test func `files that options name are read`() {
    #expect(
      words(["--from", "a", "--from=b", "--from", "-", "--from"], reads: .positions([])) == [
        .plain("--from"), .read(prefix: "", "a"), .read(prefix: "--from=", "b"), .plain("--from"),
        .plain("-"), .plain("--from"),
      ])
    #expect(words(["--from=-", "--from="]) == [.plain("--from=-"), .plain("--from=")])
  }

  @Test func `positions do not count options`() {
    #expect(
      words(["word", "-o", "x", "file", "more"], reads: .positions([1])) == [
        .plain("word"), .plain("-o"), .write(prefix: "", "x"), .read(prefix: "", "file"),
        .plain("more"),
      ])
  }

  @Test func `verbs say which of the words behind them are files`() {
    let reads = CommandManifest.Reads.behind([
      .init("load", positions: nil), .init("show", positions: [1]),
    ])
    #expect(
      words(["load", "-v", "a", "b"], reads: reads) == [
        .plain("load"), .plain("-v"), .read(prefix: "", "a"), .read(prefix: "", "b"),
      ])
    #expect(
      words(["show", "a", "b", "load"], reads: reads) == [
        .plain("show"), .plain("a"), .read(prefix: "", "b"), .plain("load"),
      ])
    #expect(words(["find", "a"], reads: reads) == [.plain("find"), .plain("a")])
    #expect(words(["load"], reads: reads) == [.plain("load")])
  }

  @Test func `a single dash is a stream, and two dashes end the options`() {
    #expect(
      words(["-", "-o", "-", "--", "-o", "x"]) == [
        .plain("-"), .plain("-o"), .plain("-"), .plain("--"), .read(prefix: "", "-o"),
        .read(prefix: "", "x"),
      ])
    #expect(words(["-o"]) == [.plain("-o")])
    #expect(words([]) == [])
  }
}
