import PDFSyntax
import TestSupport
import Testing

@testable import PDFText

/// What the operators of text and of the graphics state do to places and texts.
struct TextOperatorTests {
  private func page(_ content: String) throws -> TextPage {
    let file = try PDFFile(FileBytes(PDFBuilder.pages([content])))
    return try #require(try TextExtractor(file).page(0))
  }

  /// Where the first word begins and ends, and its baseline above the bottom of the page.
  private func place(_ content: String, word: Int = 0) throws -> [Int] {
    let page = try page(content)
    let box = try #require(page.words.indices.contains(word) ? page.words[word] : nil)
    let baseline = 792 - (box.box.y1 - 0.2 * box.size)
    return [box.box.x0, box.box.x1, baseline].map { Int(($0 * 10).rounded()) }
  }

  // "nn" in Helvetica is 1112 thousandths wide.

  @Test func `Td moves from the start of the line, TD sets the leading as well`() throws {
    let text = try page(
      "BT /F1 10 Tf 72 700 Td (one) Tj 0 -20 TD (two) Tj T* (three) Tj 200 0 Td (four) Tj ET")
    #expect(text.text == "one\ntwo\nthree four\n")
    #expect((text.words[3].box.x0 - 272).magnitude < 0.01)
    #expect((text.words[2].box.y0 - text.words[1].box.y0 - 20).magnitude < 0.01)
  }

  @Test func `the quotes go to the next line, the double one with spacing`() throws {
    let text = try page(
      "BT /F1 10 Tf 15 TL 72 700 Td (one) Tj (two) ' 30 0 (a b) \" (c d) ' ET")
    #expect(text.text == "one\ntwo\na b\nc d\n")
    // The word spacing of the double quote stays.
    #expect((text.words[3].box.x0 - text.words[2].box.x1 - 32.78).magnitude < 0.01)
    #expect((text.words[5].box.x0 - text.words[4].box.x1 - 32.78).magnitude < 0.01)
  }

  @Test func `Tc puts space behind each letter, Tw behind each blank`() throws {
    #expect(try place("BT /F1 10 Tf 1 Tc 72 700 Td (nn) Tj ET") == [720, 841, 7000])
    let words = "BT /F1 10 Tf 20 Tw 72 700 Td (n n) Tj ET"
    // 5.56 for n, 2.78 for the blank, 20 for the spacing.
    #expect(try place(words, word: 1) == [1003, 1059, 7000])
  }

  @Test func `Tw is for the code 32 of one byte alone`() throws {
    var page = FontPage.composite(
      encoding: "/Identity-H", font: "/ToUnicode 7 0 R",
      descendant: "/Subtype/CIDFontType2/DW 500", showing: "50 Tw <004100200042> Tj")
    page.addStream("1 beginbfrange <0020> <007F> <0020> endbfrange")
    let extractor = try TextExtractor(PDFFile(FileBytes(page.file)))
    let words = try #require(extractor.page(0)).words
    #expect((try #require(words.last).box.x0 - 110).magnitude < 0.01)
  }

  @Test func `Tz stretches letters and their spacing`() throws {
    #expect(try place("BT /F1 10 Tf 200 Tz 72 700 Td (nn) Tj ET") == [720, 942, 7000])
    let spaced = "BT /F1 10 Tf 50 Tz 10 Tc 72 700 Td (n) Tj (n) Tj ET"
    #expect(try place(spaced, word: 1) == [798, 826, 7000])
  }

  @Test func `Ts raises text, and it stays on its line`() throws {
    let text = try page("BT /F1 10 Tf 72 700 Td (E = mc) Tj 4 Ts /F1 6 Tf (2) Tj 0 Ts ET")
    #expect(text.text == "E = mc2\n")
    #expect(try place("BT /F1 10 Tf 7 Ts 72 700 Td (nn) Tj ET") == [720, 831, 7070])
  }

  @Test func `Tm sets the place, the size and the direction`() throws {
    #expect(try place("BT /F1 1 Tf 20 0 0 20 100 500 Tm (nn) Tj ET") == [1000, 1222, 5000])
    let turned = try page("BT /F1 10 Tf 0 1 -1 0 300 300 Tm (turned) Tj ET")
    #expect(turned.text == "turned\n" && turned.words.first?.angle == 270)
    let upside = try page("BT /F1 10 Tf -1 0 0 -1 300 300 Tm (upside down) Tj ET")
    #expect(upside.text == "upside down\n" && upside.words.first?.angle == 180)
  }

  @Test func `cm moves what is drawn after it`() throws {
    #expect(
      try place("2 0 0 2 10 20 cm BT /F1 10 Tf 5 100 Td (nn) Tj ET") == [200, 422, 2200])
    #expect(
      try place("1 0 0 1 10 0 cm 2 0 0 2 0 0 cm BT /F1 10 Tf 5 100 Td (n) Tj ET")[0] == 200)
  }

  @Test func `q and Q keep and give back font, size, spacing and matrix`() throws {
    let content =
      "BT /F1 10 Tf 1 Tc ET q 1 0 0 1 100 0 cm /F1 30 Tf 9 Tc 200 Tz Q BT 72 700 Td (nn) Tj ET"
    #expect(try place(content) == [720, 841, 7000])
  }

  @Test(arguments: ["Q Q Q ", "Q q Q Q ", "q q q ", "ET ET Q "])
  func `states that are not paired are no matter`(before: String) throws {
    #expect(try place(before + "BT /F1 10 Tf 72 700 Td (nn) Tj ET") == [720, 831, 7000])
  }

  @Test func `BT begins at the origin again, the font stays`() throws {
    let text = try page(
      "BT /F1 10 Tf 72 700 Td (one) Tj ET BT 72 680 Td (two) Tj ET BT 72 660 Td (three) Tj ET")
    #expect(text.text == "one\ntwo\nthree\n")
  }

  @Test func `a line drawn in several text objects is one line`() throws {
    let text = try page(
      "BT /F1 10 Tf 72 700 Td (one) Tj ET BT /F1 10 Tf 100 700 Td (two) Tj ET "
        + "BT /F1 10 Tf 72 680 Td (next) Tj ET")
    #expect(text.text == "one two\nnext\n")
  }

  @Test func `text outside of a text object is shown`() throws {
    #expect(try page("/F1 10 Tf 72 700 Td (no object) Tj").text == "no object\n")
  }

  @Test func `a font may be set by a graphics state`() throws {
    var builder = PDFBuilder()
    builder.add("<</Type/Catalog/Pages 2 0 R>>")
    builder.add("<</Type/Pages/Kids[3 0 R]/Count 1/MediaBox[0 0 300 300]>>")
    builder.add(
      "<</Type/Page/Parent 2 0 R/Contents 4 0 R"
        + "/Resources<</ExtGState<</G<</Font[5 0 R 10]>>>>>>>>")
    builder.addStream(Array("/G gs BT 72 200 Td <80> Tj ET".utf8))
    builder.add("<</Type/Font/Subtype/TrueType/BaseFont/Any>>")
    #expect(try text(builder.file(root: 1)) == "€\n")
  }

  @Test func `operands that are missing or too many are no matter`() throws {
    #expect(try shown("BT Tf Td Tj TJ ' \" Tm cm /F1 10 Tf 72 700 Td (n) Tj ET") == "n\n")
    #expect(try shown("BT 1 2 3 4 5 6 7 8 9 /F1 10 Tf 1 2 3 72 700 Td (n) Tj ET") == "n\n")
  }

  @Test func `a bracket that is missing costs nothing`() throws {
    #expect(try shown("BT /F1 10 Tf 72 700 Td [(one) TJ 0 -20 Td (two) Tj ET") == "one\ntwo\n")
  }

  @Test func `strings that never end take the rest`() throws {
    #expect(try shown("BT /F1 10 Tf 72 700 Td (one) Tj (two Tj ET") == "one\n")
  }

  @Test func `a negative size turns letters round in place`() throws {
    let text = try page("BT /F1 -10 Tf -1 0 0 -1 72 700 Tm (word one) Tj ET")
    #expect(text.text == "word one\n")
  }

  @Test func `a size of zero is no trap`() throws {
    _ = try shown("BT /F1 0 Tf 72 700 Td (nothing) Tj ET")
    _ = try shown("BT /F1 10 Tf 0 Tz 72 700 Td (nothing) Tj ET")
    _ = try shown("BT /F1 10 Tf 0 0 0 0 72 700 Tm (nothing) Tj ET")
  }
}
