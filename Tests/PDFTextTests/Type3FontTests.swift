import PDFSyntax
import TestSupport
import Testing

@testable import PDFText

/// Type 3 fonts, whose units are their own.
struct Type3FontTests {
  private func page(_ entries: String, showing: String) throws -> TextPage {
    var page = FontPage("<</Type/Font/Subtype/Type3\(entries)/CharProcs<<>>>>", showing: showing)
    page.add("null")
    let extractor = try TextExtractor(PDFFile(FileBytes(page.file)))
    return try #require(extractor.page(0))
  }

  private static let names = "/Encoding<</Differences[1/alpha/f_i/space/Euro]>>/FirstChar 1"

  @Test func `text comes from the names of the differences`() throws {
    let page = try page(
      Self.names + "/FontMatrix[.01 0 0 .01 0 0]/FontBBox[0 0 100 100]/Widths[50 50 50 50]",
      showing: "<01020304> Tj")
    #expect(page.text == "αfi €\n")
  }

  @Test(
    arguments: [
      ("[.001 0 0 .001 0 0]", 500), ("[.01 0 0 .01 0 0]", 50), ("[1 0 0 1 0 0]", 0.5),
      ("[.01 0 0 -.01 0 0]", 50), ("[0.041667 0 0 0.041667 0 0]", 12),
    ] as [(String, Double)])
  func `widths are in the units of the font's matrix`(matrix: String, width: Double) throws {
    let box = "/FontBBox[0 0 \(2 * width) \(2 * width)]"
    let widths = "/Widths[\(width) \(width) \(width) \(width)]"
    let page = try page(
      Self.names + "/FontMatrix\(matrix)\(box)\(widths)",
      showing: "<010101> Tj 15 0 Td <0101> Tj")
    // Each letter is half an em of 10 points wide, so the second piece goes on where the first ends.
    #expect(page.text == "ααααα\n")
    let word = try #require(page.words.first)
    #expect((word.box.x0 - 100).magnitude < 0.01 && (word.box.x1 - 125).magnitude < 0.02)
    #expect((word.size - 10).magnitude < 0.1)
  }

  @Test(arguments: ["[0 0 0 0]", "[0 0 1 1]", "[0 -9000 9000 9000]"])
  func `a box that says nothing or too much does not spoil the size`(box: String) throws {
    let page = try page(
      Self.names + "/FontMatrix[.001 0 0 .001 0 0]/FontBBox\(box)/Widths[500 500 500 500]",
      showing: "<0101> Tj 20 0 Td <0101> Tj")
    #expect(page.text == "αα αα\n")
    let size = try #require(page.words.first).size
    #expect(size > 3 && size < 20)
  }

  @Test func `codes without a useful name count on ASCII`() throws {
    let page = try page(
      "/Encoding<</Differences[65/g65/g66 200/g200]>>/FontMatrix[.01 0 0 .01 0 0]"
        + "/FontBBox[0 0 100 100]/FirstChar 65/Widths[50 50]", showing: "<4142> Tj")
    #expect(page.text == "AB\n")
  }

  /// The names say no more than the codes; the other codes of the font tell which of TeX's encodings it has.
  @Test(
    arguments: [
      // T1, by a letter beyond ASCII: ü, ß, fi, an en dash and an apostrophe.
      ([252, 255, 28, 21, 39], "<FCFF1C1527>", "üßfi–’\n"),
      // OT1, by its ligatures: fi, ß, a dash and a quotation mark.
      (Array(97...110) + [44, 12, 25, 123, 92], "<0C197B5C2C>", "fiß–“,\n"),
      // Fonts of mathematics: letters, no punctuation.
      (Array(97...110) + [12], "<0C61>", "\u{FFFD}a\n"),
      // Nothing tells which.
      (Array(97...110) + [44, 18], "<126162>", "\u{FFFD}ab\n"),
    ] as [([Int], String, String)])
  func `bitmap fonts by TeX are read by the encoding that they have`(
    codes: [Int], shown: String, text: String
  ) throws {
    let names = codes.sorted().map { "\($0)/a\($0)" }.joined(separator: " ")
    let widths = [String](repeating: "50", count: 256).joined(separator: " ")
    let page = try page(
      "/Encoding<</Differences[\(names)]>>/FontMatrix[.01 0 0 .01 0 0]/FontBBox[0 0 100 100]"
        + "/FirstChar 0/Widths[\(widths)]", showing: "\(shown) Tj")
    #expect(page.text == text)
  }

  @Test func `many unknown characters are told, single marks are not`() {
    #expect(TextPage.sentence(ofUnknown: 0, among: 0) == nil)
    #expect(TextPage.sentence(ofUnknown: 1, among: 200) == nil)
    #expect(
      TextPage.sentence(ofUnknown: 2, among: 200)
        == "2 of 200 characters are not named by the file's fonts and are given as U+FFFD")
  }

  @Test func `ToUnicode goes before the names`() throws {
    var page = FontPage(
      "<</Type/Font/Subtype/Type3\(Self.names)/FontMatrix[.01 0 0 .01 0 0]/CharProcs<<>>"
        + "/FontBBox[0 0 100 100]/Widths[50 50 50 50]/ToUnicode 6 0 R>>", showing: "<0102> Tj")
    page.addStream("1 beginbfchar <01> <0416> endbfchar")
    #expect(try text(page.file) == "Жfi\n")
  }

  @Test func `a font without widths or matrix is no trap`() throws {
    _ = try page("", showing: "(abc) Tj")
    _ = try page(Self.names + "/FontMatrix[0 0 0 0 0 0]/Widths[1 2]", showing: "<0101> Tj")
    _ = try page(
      Self.names + "/FontMatrix[1e30 0 0 1e30 0 0]/Widths[1e30 -1e30]", showing: "<0102> Tj")
  }
}
