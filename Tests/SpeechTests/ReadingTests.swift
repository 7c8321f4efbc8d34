import PDFSyntax
import PDFText
import PluginKit
import TestSupport
import Testing

@testable import procd_speech

/// What of a document is read, and in which pieces.
@Suite struct ReadingTests {
  /// The texts of the passages of all pages.
  private func passages(_ bytes: [UInt8], isMarkdown: Bool = false) throws -> [Passage] {
    let document = try DocumentOpening.open(
      FileBytes(bytes), mostPages: 100, isMarkdown: isMarkdown)
    var joiner = PassageJoiner(), passages: [Passage] = []
    for page in 1...document.pageCount {
      for passage in document.passages(page) { passages += joiner.add(passage) }
    }
    return passages + joiner.finish()
  }

  private func texts(_ text: String, isMarkdown: Bool = false) throws -> [String] {
    try passages(Array(text.utf8), isMarkdown: isMarkdown).map(\.text)
  }

  /// Text at places of a page, in points from its lower left.
  private func content(_ pieces: [(x: Int, y: Int, text: String)]) -> String {
    pieces.map { "BT /F1 12 Tf \($0.x) \($0.y) Td (\($0.text)) Tj ET" }.joined(separator: "\n")
  }

  @Test func `running titles and page numbers are left out, other lines at the head stay`() throws {
    let bodies = ["The ship left.", "It came back.", "Nobody had seen it.", "The end was near."]
    let pages = bodies.enumerated().map { index, body in
      content([
        (72, 760, index % 2 == 0 ? "A history of ships" : "Chapter of storms"),
        (72, 700, body), (72, 600, "Page \(index + 1) was not counted here."),
        (300, 30, "- \(index + 5) -"),
      ])
    }
    let read = try passages(PDFBuilder.pages(pages)).map(\.text)
    #expect(
      read == bodies.enumerated().flatMap { [$1, "Page \($0 + 1) was not counted here."] })
  }

  @Test func `rows of figures at the head of pages are no running lines`() throws {
    let rows = [["41 977", "3 12"], ["38 20", "5 61"], ["12 8", "77 1"]]
    let pages = rows.map { row in
      content([(72, 740, row[0]), (72, 720, row[1]), (72, 500, "Something else is said.")])
    }
    let read = try passages(PDFBuilder.pages(pages)).map(\.text).joined(separator: " ")
    for row in rows.joined() { #expect(read.contains(row), "\(row) is missing from \(read)") }
  }

  @Test(arguments: ["-", "\u{AD}", "\u{2010}", "\u{2011}"])
  func `words of a text that the end of a line divides are one`(hyphen: String) throws {
    let text = "Die Wirt\u{AD}schaft und Poli\(hyphen)\ntikwissen\u{AD}schaft ist wichtig.\n"
    #expect(try texts(text) == ["Die Wirtschaft und Politikwissenschaft ist wichtig."])
    let pages = "Die Wirtschaft und Poli\(hyphen)\u{C}tikwissenschaft ist wichtig.\n"
    #expect(try texts(pages) == ["Die Wirtschaft und Politikwissenschaft ist wichtig."])
  }

  @Test(arguments: [
    ("Then they saw old Mr. Smith", false), ("Das gilt nach Art. 3", false),
    ("Zahlen Sie bis zum 15. Januar", false), ("hier König Ludwig II. von", false),
    ("Das gilt z. B. nach", false), ("spoke to Prof. Dr. Müller", false),
    ("It was in the U.S. Army", false), ("He came home. Then", true),
    ("It was 2027. Then", true), ("He said: \"Go.\" Then", true), ("Was it so? yes", true),
  ])
  func `a sentence does not end behind an abbreviation`(text: String, ends: Bool) {
    let words = text.split(separator: " ").flatMap {
      WordCutting.words(String($0), at: .init(page: 1))
    }
    #expect(words[words.count - 2].endsSentence(before: words[words.count - 1]) == ends)
    #expect(words[words.count - 2].endsSentence(before: nil))
  }

  @Test func `words divided by the end of a line, and of a page, are one`() throws {
    let pages = [
      PDFBuilder.lines([
        "They had an argu-", "ment about a well-known matter and went on with the con-",
      ]),
      PDFBuilder.lines(["versation in the morning."]),
    ]
    let read = try passages(PDFBuilder.pages(pages))
    #expect(read.count == 1)
    let passage = try #require(read.first)
    #expect(
      passage.text
        == "They had an argument about a well-known matter and went on with the conversation in the morning."
    )
    let divided = try #require(passage.words.first { $0.text == "argument" })
    #expect(divided.place.box != nil && divided.rest?.box != nil)
    #expect(divided.rest?.box?.y0 ?? 0 > divided.place.box?.y0 ?? .infinity)
    let across = try #require(passage.words.first { $0.text == "conversation" })
    #expect(across.place.page == 1 && across.rest?.page == 2)
  }

  @Test func `a table of a PDF is read by rows`() throws {
    var pieces: [(x: Int, y: Int, text: String)] = [(72, 700, "Ships by month are these.")]
    for (row, cells) in [["Month", "Ships"], ["January", "41"], ["March", "52"]].enumerated() {
      pieces.append((72, 600 - 18 * row, cells[0]))
      pieces.append((300, 600 - 18 * row, cells[1]))
    }
    let read = try passages(PDFBuilder.pages([content(pieces)]))
    #expect(read.map(\.kind) == [.paragraph, .row, .row, .row])
    #expect(read.last?.text == "March 52")
    #expect(read.last?.words.first?.endsCell == true)
  }

  @Test func `a text ends paragraphs at blank lines and joins the lines between`() throws {
    #expect(
      try texts("One\ntwo argu-\nment.\r\n\r\nThree\rfour.\n\n\n") == [
        "One two argument.", "Three four.",
      ])
    #expect(try texts("- one\n- two\n1. three\n") == ["one", "two", "1. three"])
    #expect(try texts("a\tb\nc\td\n") == ["a b", "c d"])
  }

  @Test func `pages of a text are told by form feeds and lose their running lines`() throws {
    let text = (1...4).map { "The title\n\nBody of sort \($0 * 17).\n\n\($0)" }.joined(
      separator: "\u{C}")
    let read = try passages(Array(text.utf8))
    #expect(read.map(\.text) == (1...4).map { "Body of sort \($0 * 17)." })
    #expect(read.map(\.page) == [1, 2, 3, 4])
  }

  @Test func `Markdown has headings, tables, code and emphasis`() throws {
    let text =
      "# A *big* title\n\n**Bold** and `code`.\n\n| a | b |\n| --- | :-: |\n| c | d |\n\n```swift\nlet x = 1\n```\n"
    let read = try passages(Array(text.utf8), isMarkdown: true)
    #expect(read.map(\.kind) == [.heading(1), .paragraph, .row, .row, .code])
    #expect(read.map(\.text) == ["A big title", "Bold and code.", "a b", "c d", "let x = 1"])
    #expect(try texts("# no heading\n") == ["# no heading"])
  }

  @Test func `texts in other encodings are read`() throws {
    let latin = Array("Stra".utf8) + [0xDF, 0x65, 0x20, 0x80, 0x2E]
    #expect(try passages(latin).map(\.text) == ["Straße €."])
    let wide: [UInt8] =
      [0xFF, 0xFE]
      + "Öl.".utf16.flatMap { unit -> [UInt8] in [UInt8(unit & 255), UInt8(unit >> 8)] }
    #expect(try passages(wide).map(\.text) == ["Öl."])
    #expect(try passages([0xEF, 0xBB, 0xBF] + Array("Öl.".utf8)).map(\.text) == ["Öl."])
  }

  @Test func `characters of scripts without blanks are words of their own`() {
    let words = WordCutting.words("東京へ", at: .init(page: 1))
    #expect(words.map(\.text) == ["東", "京", "へ"])
    #expect(words.map(\.isGlued) == [false, true, true])
    let long = WordCutting.words(String(repeating: "x", count: 200), at: .init(page: 1))
    #expect(long.map(\.text.count) == [80, 80, 40])
    #expect(
      WordCutting.words("a\u{0}\u{1}b\u{202E}\u{FEFF}", at: .init(page: 1)).map(\.text) == ["ab"])
  }

  @Test(arguments: [("12", 12), ("-12-", 12), ("xiv", 14), ("[7]", 7), ("iiii", 4)])
  func `page numbers are numbers`(word: String, number: Int) {
    #expect(RunningLines.number(word) == number)
  }

  @Test(arguments: ["", "word", "1234567", "--", "12a"])
  func `other words are no page numbers`(word: String) {
    #expect(RunningLines.number(word) == nil)
  }
}
