import Finding
import Foundation
import SystemPackage
import TestSupport
import Testing

@Suite struct FindTests {
  private let place = TemporaryFolder()
  private func open() throws -> FindStore { try FindStore(path: place("find.sqlite")) }

  private func document(
    _ job: String, _ pages: [String], path: String = "a.pdf", pipeline: String? = "p",
    outcome: String = "done", at time: Int64 = 1, isPaged: Bool = true
  ) -> FindStore.Document {
    FindStore.Document(
      job: job, path: path, pipeline: pipeline, outcome: outcome, finished: time, pages: pages,
      isPaged: isPaged)
  }

  private func jobs(_ store: FindStore, _ words: String, typing: Bool = false) throws -> [String] {
    try store.reader.search(FindQuery(words, isTyping: typing)).hits.map(\.job).sorted()
  }

  @Test(
    arguments: [
      ("harbor", ["a"]), ("HARBOR", ["a"]), ("kaffee", []), ("café", ["b"]), ("CAFE", ["b"]),
      ("harb", []), ("harb*", ["a"]), ("\"old harbor\"", ["a"]), ("\"harbor old\"", []),
      ("harbor old", ["a"]), ("-harbor", []), ("page -harbor", ["b"]), ("page", ["a", "b"]),
      ("example", ["a"]), ("e-mail", ["b"]), ("“old harbor”", ["a"]), ("10.5", ["b"]), ("105", []),
      ("“”", []), ("* \" ' ( ) AND", []), ("page AND", []), ("NEAR(page harbor)", []), ("", []),
      ("letter.pdf", ["b"]),
      ("letter", ["b"]),
    ] as [(String, [String])])
  func `words are found as people mean them`(words: String, expected: [String]) throws {
    let store = try open()
    try store.put([
      document("a", ["The old harbor. This page has an exam-\nple."]),
      document("b", ["A page in the Cafe\u{301}, 10.5 km. E-mail us."], path: "post/letter.pdf"),
    ])
    #expect(try jobs(store, words) == expected, "\(words)")
  }

  @Test(
    arguments: [
      "-\n", "\u{AD}\n", "\u{2010}\n", "\u{2011}\r\n", "- \n  ", "\u{AC}\n", "\u{AD}", "\u{200B}",
      "\u{200C}",
    ])
  func `a divided word is found whole, whatever divides it`(between: String) throws {
    let store = try open()
    try store.put([document("a", ["Die Donauballett\(between)tänzerin und Politik."])])
    #expect(try jobs(store, "Donauballetttänzerin") == ["a"])
    #expect(try jobs(store, "Donauballett\u{AD}tänzerin") == ["a"])
    let hit = try store.reader.search(FindQuery("Politik")).hits[0]
    #expect(hit.snippet.map(\.text).joined() == "Die Donauballetttänzerin und Politik.")
  }

  @Test(arguments: [
    "OAM-04711/DP-2026", "OAM\u{2010}04711/DP\u{2010}2026", "OAM\u{AD}04711\u{2044}DP\u{AD}2026",
    "ＯＡＭ－０４７１１／ＤＰ－２０２６",
  ])
  func `a number is found however it is printed`(printed: String) throws {
    let store = try open()
    try store.put([document("a", ["Nr. \(printed) approved"]), document("b", ["Nr. 04711"])])
    for typed in ["OAM-04711/DP-2026", "OAM\u{2011}04711\u{2215}DP\u{2011}2026", "\"OAM-04711\""] {
      #expect(try jobs(store, typed) == ["a"], "\(typed)")
    }
  }

  @Test(
    arguments: [
      ("東京", ["a"]), ("京", ["a"]), ("京都", ["a"]), ("都京", []), ("東京都庁", ["a"]), ("都東", []),
      ("ร้าน", ["b"]),
      ("한국", []), ("한국어를", ["c"]), ("한국*", ["c"]),
    ] as [(String, [String])])
  func `scripts without spaces are found by any of their letters in a row`(
    words: String, expected: [String]
  ) throws {
    let store = try open()
    try store.put([
      document("a", ["会議は東京都庁で開かれる。"]), document("b", ["เปิดร้านอาหาร"]), document("c", ["한국어를 읽는다"]),
    ])
    #expect(try jobs(store, words) == expected)
    let hit = try store.reader.search(FindQuery("東京")).hits[0]
    #expect(hit.snippet.map(\.text).joined() == "会議は東京都庁で開かれる。")
    #expect(hit.snippet.filter(\.isLit).map(\.text) == ["東京"])
  }

  @Test(
    arguments: [
      ("grossmuller", ["a"]), ("Großmüller", ["a"]), ("strasse", ["a", "b"]),
      ("straße", ["a", "b"]),
      ("GROSS*", ["a"]), ("-strasse müller", []), ("Großmüller strasse", ["a"]),
    ] as [(String, [String])])
  func `sharp s is two letters, and two are it`(words: String, expected: [String]) throws {
    let store = try open()
    try store.put([
      document("a", ["Großmüller, Lange Straße 5"]), document("b", ["Kurze Strasse 7"]),
    ])
    #expect(try jobs(store, words) == expected, "\(words)")
  }

  @Test func `a hit tells the page and lights the words`() throws {
    let store = try open()
    try store.put([
      document("a", ["one", "", "the third page"]), document("b", ["x"], isPaged: false),
    ])
    let hit = try store.reader.search(FindQuery("third")).hits[0]
    #expect(hit.page == 3 && hit.pages == 3)
    #expect(hit.snippet.filter(\.isLit).map(\.text) == ["third"])
    #expect(try store.reader.search(FindQuery("x")).hits[0].page == nil)
  }

  @Test func `words that stand on different pages are found too, those on one page first`() throws {
    let store = try open()
    try store.put([
      document("a", ["apples", "and pears"]), document("b", ["apples", "plums"]),
    ])
    #expect(try jobs(store, "apples pears") == ["a"])
    #expect(try jobs(store, "apples pears -and") == [])
    try store.put([document("c", ["apples pears"])])
    #expect(try jobs(store, "apples pears") == ["a", "c"])
    #expect(try store.reader.search(FindQuery("apples pears")).hits.map(\.job) == ["c", "a"])
  }

  @Test func `a word in the name counts for the whole document, wanted or not`() throws {
    let store = try open()
    try store.put([
      document("a", ["invoice"], path: "acme.pdf"), document("b", ["invoice of acme"]),
      document("c", ["invoice"]),
    ])
    #expect(try jobs(store, "acme invoice") == ["a", "b"])
    #expect(try jobs(store, "invoice -acme") == ["c"])
  }

  @Test func `a search is narrowed by pipeline, end and time`() throws {
    let store = try open()
    try store.put([
      document("a", ["word"], pipeline: "p", at: 100),
      document("b", ["word"], pipeline: "q", at: 200),
      document("c", ["word"], pipeline: nil, outcome: "quarantined", at: 300),
    ])
    func found(_ filter: FindReader.Filter) throws -> [String] {
      try store.reader.search(FindQuery("word"), filter).hits.map(\.job).sorted()
    }
    #expect(try found(.init(pipeline: "q")) == ["b"])
    #expect(try found(.init(outcome: "quarantined")) == ["c"])
    #expect(try found(.init(since: 200)) == ["b", "c"])
    #expect(try found(.init(pipeline: "p", since: 200)) == [])
  }

  @Test func `what is put in again replaces what was there, and what is removed is gone`() throws {
    let store = try open()
    try store.put([document("a", ["first", "second"]), document("b", ["second"])])
    try store.put([document("a", ["third"])])
    #expect(try jobs(store, "first") == [] && jobs(store, "third") == ["a"])
    try store.remove(jobs: ["b", "unknown"])
    #expect(try jobs(store, "second") == [])
    #expect(try store.reader.count() == 1 && store.reader.jobs(after: nil) == ["a"])
  }

  @Test func `an index that is damaged is made anew`() throws {
    try place.write(Data(repeating: 0x55, count: 9000), to: "find.sqlite")
    let store = try open()
    try store.put([document("a", ["word"])])
    #expect(try jobs(store, "word") == ["a"])
  }

  @Test func `of very many hits the newest come first, and it is said that there are more`() throws
  {
    let store = try open()
    try store.put((0..<3100).map { document("j\(10_000 + $0)", ["common"], at: Int64($0)) })
    let answer = try store.reader.search(FindQuery("common"), offset: 1, limit: 2)
    #expect(answer.isMore && answer.total == 3000)
    #expect(answer.hits.map(\.job) == ["j13098", "j13097"])
  }

  @Test func `whatever is typed, the index answers`() throws {
    let store = try open()
    try store.put([document("a", ["a b c"])])
    var numbers = SeededNumbers(seed: 7)
    let letters = Array("abdefinors\"\"\u{308}*-() '^:{}+,.\\/%_\u{0}\u{202E}é東\n\t")
    for _ in 0..<3000 {
      let text = String(
        (0..<Int(numbers.next() % 24)).map { _ in
          letters[Int(numbers.next() % UInt64(letters.count))]
        })
      _ = try store.reader.search(
        FindQuery(text, isTyping: numbers.next() % 2 == 0), forgives: true)
    }
  }
}
