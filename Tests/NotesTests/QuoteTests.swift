import TestSupport
import Testing

@testable import Notes

@Suite struct QuoteTests {
  private func quotes(_ content: String, _ quads: [String]) throws -> [String?] {
    try NotesPage.notes(
      quads.map { "/Subtype/Highlight/Rect[0 0 9 9]/QuadPoints[\($0)]" }, content: content
    ).map(\.quote)
  }

  private func quad(_ x0: Int, _ y0: Int, _ x1: Int, _ y1: Int) -> String {
    "\(x0) \(y1) \(x1) \(y1) \(x0) \(y0) \(x1) \(y0)"
  }

  /// Two columns of nine lines, drawn row by row.
  private let columns: String = (0..<9).map { row in
    [(72, "left"), (330, "right")].map { x, side in
      "BT /F1 12 Tf \(x) \(720 - 16 * row) Td (and the \(side) line of row \(row) of them) Tj ET"
    }.joined(separator: " ")
  }.joined(separator: "\n")

  @Test func `words come in reading order, from columns too`() throws {
    let both = quad(60, 666, 560, 700)
    #expect(
      try quotes(columns, [both]) == [
        "and the left line of row 2 of them and the left line of row 3 of them"
          + " and the right line of row 2 of them and the right line of row 3 of them"
      ])
  }

  @Test func `a word counts where most of it is marked`() throws {
    let content = PDFBuilder.lines(["Some words here"])
    // 72 to 106 is "Some", 109 to 144 "words", roughly.
    #expect(try quotes(content, [quad(72, 716, 130, 732)]) == ["Some words"])
    #expect(try quotes(content, [quad(72, 716, 118, 732)]) == ["Some"])
    #expect(try quotes(content, [quad(72, 500, 300, 516)]) == [nil])
  }

  @Test func `thin and tall marks mark their own line alone`() throws {
    let content = PDFBuilder.lines(["First line", "Second line", "Third line"])
    #expect(try quotes(content, [quad(70, 702, 200, 706)]) == ["Second line"])
    #expect(try quotes(content, [quad(70, 698, 200, 720)]) == ["Second line"])
  }

  @Test func `words that a line's end divides are joined`() throws {
    let content = PDFBuilder.lines(["An exam-", "ple of it"])
    #expect(try quotes(content, [quad(70, 698, 200, 732)]) == ["An example of it"])
  }

  @Test func `what the note covers is no word of the page`() throws {
    let notes = try NotesPage.notes(
      [
        "/Subtype/FreeText/Rect[72 710 300 740]/Contents(covering text)/DA(/F1 12 Tf)",
        "/Subtype/Highlight/Rect[0 0 9 9]/QuadPoints[\(quad(60, 700, 300, 740))]",
      ], content: PDFBuilder.lines(["Only this"]))
    #expect(notes[1].quote == "Only this")
  }

  @Test func `contents that repeat the words are not said twice`() throws {
    let document = try NotesPage.read(
      NotesPage.file(
        PDFBuilder.lines(["Only this"]),
        annotations: [
          "/Subtype/Highlight/Rect[0 0 9 9]/Contents(Only  this.)"
            + "/QuadPoints[\(quad(60, 710, 300, 740))]"
        ]))
    let markdown = String(
      decoding: NotesMarkdown(document: document, name: "x").bytes, as: UTF8.self)
    #expect(markdown.contains("> Only this"))
    #expect(!markdown.contains("Only this.") && !markdown.contains("Only  this"))
  }

  @Test func `a note stands under its heading, by page and position`() throws {
    // An outline's entries are objects: written as annotations that are none.
    let file = NotesPage.file(
      PDFBuilder.lines(["One", "text of one", "Two", "text of two"]),
      annotations: [
        "/Subtype/Square/Rect[72 700 90 715]", "/Subtype/Square/Rect[72 668 90 684]",
        "/Title(One)/Dest[$page 0 R/XYZ 0 735 null]/Next $4 0 R",
        "/Title(Two)/Dest[$page 0 R/XYZ 0 703 null]",
      ], catalog: "/Outlines<</First $3 0 R>>")
    #expect(try NotesPage.read(file).notes.map(\.heading) == ["One", "Two"])
  }
}
