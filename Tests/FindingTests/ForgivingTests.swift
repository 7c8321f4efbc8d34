import Finding
import SystemPackage
import TestSupport
import Testing

/// Words with a typo, and filters in what is typed.
@Suite struct ForgivingTests {
  private let place = TemporaryFolder()

  private func store(_ documents: [FindStore.Document]) throws -> FindStore {
    let store = try FindStore(path: place("find.sqlite"))
    try store.put(documents)
    return store
  }

  private func document(
    _ job: String, _ text: String, path: String = "a.pdf", pipeline: String? = "p",
    sender: String? = nil, at time: Int64 = 1
  ) -> FindStore.Document {
    FindStore.Document(
      job: job, path: path, pipeline: pipeline, outcome: "done", sender: sender, finished: time,
      pages: [text], isPaged: true)
  }

  @Test(
    arguments: [
      ("moorng", "mooring"), ("mooringg", "mooring"), ("moornig", "mooring"),
      ("mooting", "mooring"), ("xooring", "mooring"), ("omoring", "mooring"), ("ooring", "mooring"),
      ("MOORNG", "mooring"), ("old moorng", "old mooring"), ("moorng*", "mooring"),
      ("hrabor moorng", "harbor mooring"), ("Müler", "Müller"), ("muler", "Müller"),
      ("strase", "straße"), ("договр", "договор"), ("e-mial", "e-mail"),
      ("“old” moorng", "“old” mooring"),
      ("moorng in:p", "mooring in:p"), ("in:p -storm moorng", "in:p -storm mooring"),
      ("tends", "tend"),
    ])
  func `a word with a typo is replaced by the word of the index`(typed: String, meant: String)
    throws
  {
    let store = try store([
      document("a", "The old mooring by the harbor."),
      document("b", "Müller, Lange Straße. Договор. E-mail us. They tend."),
    ])
    let exact = try store.reader.search(FindQuery(typed))
    #expect(exact.total == 0 && exact.instead == nil)
    let answer = try store.reader.search(FindQuery(typed), forgives: true)
    #expect(answer.instead?.typed == meant)
    #expect(answer.total == 1 && answer.suggestion == nil)
    #expect(answer.hits.first?.snippet.contains { $0.isLit } == true)
  }

  @Test(arguments: [
    "24300117", "A4711", "moxrinx", "mring", "\"moorng\"", "ten", "moorng -mooring", "moorng 2022",
    "moorng absent", "moorng in:q", "中京",
  ])
  func `numbers, phrases, short words and two typos stay as they are`(typed: String) throws {
    let store = try store([
      document("a", "The old mooring, number 24300177, A4712, tent in 2021, 東京都")
    ])
    let answer = try store.reader.search(FindQuery(typed), forgives: true)
    #expect(answer.total == 0 && answer.instead == nil, "\(answer)")
  }

  @Test func `of several words the one that most documents have is meant`() throws {
    let store = try store(
      [document("a", "rating"), document("b", "racing")]
        + (0..<3).map { document("c\($0)", "raging") }
    )
    let answer = try store.reader.search(FindQuery("raxing"), forgives: true)
    #expect(answer.instead?.typed == "raging" && answer.total == 3)
  }

  @Test func `a rare word that may be mistyped is found, and the usual one suggested`() throws {
    let store = try store(
      [document("a", "moorng")] + (0..<6).map { document("b\($0)", "mooring rent") })
    let rare = try store.reader.search(FindQuery("moorng"), forgives: true)
    #expect(rare.hits.map(\.job) == ["a"] && rare.instead == nil)
    #expect(rare.suggestion?.typed == "mooring")
    // The words are there, each in another document.
    let together = try store.reader.search(FindQuery("moorng rent"), forgives: true)
    #expect(together.total == 6 && together.instead?.typed == "mooring rent")
    let usual = try store.reader.search(FindQuery("mooring"), forgives: true)
    #expect(usual.total == 6 && usual.instead == nil && usual.suggestion == nil)
  }

  @Test func `a word is suggested only if it is in many more documents`() throws {
    let store = try store(
      [document("a", "moorng")] + (0..<4).map { document("b\($0)", "mooring") })
    #expect(try store.reader.search(FindQuery("moorng"), forgives: true).suggestion == nil)
  }

  @Test func `words of documents that are gone are no longer meant`() throws {
    let store = try store([document("a", "mooring")])
    try store.remove(jobs: ["a"])
    #expect(try store.reader.search(FindQuery("moorng"), forgives: true).instead == nil)
  }

  private static let day: Int64 = 86_400_000

  /// a: 2026-03-31, b: 2026-05-01, c: 2025-12-31
  private func filtered() throws -> FindStore {
    try store([
      document(
        "a", "word", path: "post/Old Letters/a.pdf", pipeline: "letters",
        sender: "Anna Müller\nanna@harbor.example", at: 20_543 * Self.day),
      document(
        "b", "word", path: "post/b.pdf", pipeline: "mail", sender: "bo@x.example",
        at: 20_574 * Self.day),
      document("c", "word letters", path: "c.pdf", pipeline: nil, at: 20_453 * Self.day),
    ])
  }

  @Test(
    arguments: [
      ("word in:letters", "a"), ("in:letters", "a"), ("in:LETTERS word", "a"), ("in:letter", ""),
      ("in:post", "ab"),
      ("in:\"old letters\"", "a"), ("in:post/old", ""), ("in:\"post/Old Letters\"", "a"),
      ("in:/post/", "ab"),
      ("-in:post", "c"), ("-in:post word", "c"), ("in:post in:mail", "b"),
      ("in:post -in:mail", "a"), ("in:b.pdf", ""),
      ("from:anna", "a"), ("from:ANNA word", "a"), ("from:muller", "a"),
      ("from:harbor.example", "a"),
      ("from:\"anna müller\"", "a"), ("from:mull", ""), ("from:mull*", "a"), ("from:word", ""),
      ("-from:anna", "bc"),
      ("since:2026-05-01", "b"), ("since:2026-05-02", ""), ("before:2026-05-01", "ac"),
      ("before:2026-05", "ac"),
      ("before:2026", "c"), ("since:2026", "ab"), ("since:2026 before:2026-05 word", "a"),
      ("-since:2026", "c"),
      ("BEFORE:2026", "c"), ("before:lunch", ""), ("letters from: ", ""), ("about:word", ""),
      ("in:", ""),
      ("before:2026-13", ""), ("word -letters in:\"\"", ""),
    ])
  func `filters in what is typed leave documents out`(typed: String, expected: String) throws {
    let found = try filtered().reader.search(FindQuery(typed))
    #expect(found.hits.map(\.job).sorted().joined() == expected, "\(typed)")
    #expect(found.total == expected.count)
  }

  @Test func `what only filters choose comes with the newest first, without a page`() throws {
    let store = try filtered()
    let found = try store.reader.search(FindQuery("before:2027"), offset: 1, limit: 1)
    #expect(found.total == 3 && found.hits.map(\.job) == ["b"])
    #expect(found.hits[0].page == nil && found.hits[0].snippet.isEmpty)
  }

  @Test(
    arguments: [
      ("word in:let", "a"), ("word in:pos", "ab"), ("word from:an", "a"), ("word before:", "abc"),
      ("word before:20", "abc"), ("word since:2026-0", "abc"), ("word since:2026-05", "b"),
      ("word in:", "abc"),
      ("word from:", "abc"),
    ])
  func `a filter may go on while it is typed`(typed: String, expected: String) throws {
    let found = try filtered().reader.search(FindQuery(typed, isTyping: true))
    #expect(found.hits.map(\.job).sorted().joined() == expected, "\(typed)")
  }

  @Test func `words that look like filters are words`() throws {
    let store = try store([document("a", "Nr. about:blank, before:lunch and from: here")])
    for typed in ["about:blank", "before:lunch", "from: here", "\"before:lunch\""] {
      #expect(try store.reader.search(FindQuery(typed)).total == 1, "\(typed)")
    }
  }

  @Test(
    arguments: [
      ("harbor", 2..<3), ("Harbór", 2..<3), ("example", 4..<6), ("old harbor", 1..<3), ("京", 6..<7),
      ("absent", nil),
      ("har", nil), ("", nil), ("-", nil), ("e", nil),
    ] as [(String, Range<Int>?)])
  func `what a hit lights has a place among the words of its page`(lit: String, place: Range<Int>?)
    throws
  {
    let words = ["The", "OLD", "(harbor),", "—", "exam-", "ple", "東京都"]
    #expect(try store([]).reader.place(of: lit, among: words) == place)
  }
}
