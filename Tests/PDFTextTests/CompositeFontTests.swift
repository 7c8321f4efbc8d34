import PDFSyntax
import TestSupport
import Testing

@testable import PDFText

/// Type 0 fonts: codes to CIDs, CIDs to widths, and to text through the embedded program.
struct CompositeFontTests {
  private func read(_ page: FontPage) throws -> TextPage {
    let extractor = try TextExtractor(PDFFile(FileBytes(page.file)))
    return try #require(extractor.page(0))
  }

  // MARK: Widths

  /// The width of a string of 10 points in thousandths of the em.
  private func width(_ string: String, _ descendant: String) throws -> Int {
    let page = try read(
      .composite(
        encoding: "/Identity-H", descendant: "/Subtype/CIDFontType2\(descendant)",
        showing: "<\(string)> Tj"))
    let first = try #require(page.words.first)
    let last = try #require(page.words.last)
    return Int(((last.box.x1 - first.box.x0) * 100).rounded())
  }

  @Test(
    arguments: [
      ("", "0001", 1000), ("/DW 500", "0001", 500), ("/DW 300/W[1[400 310]]", "00010002", 710),
      ("/DW 300/W[1[400 310]]", "0003", 300), ("/DW 300/W[5 9 700]", "00050009", 1400),
      ("/DW 300/W[5 9 700]", "0004000A", 600),
      ("/W[1[400]2 3 200 4[100 110]]", "0001000200030004", 900),
      ("/W 7 0 R", "0001", 1000), ("/W[1[(x)]2 null 3]", "0001000A", 1000),
      ("/W[9 5 700]", "0007", 1000), ("/W[1[400]1[600]]", "0001", 600),
    ])
  func `widths are lists, ranges or the default`(
    descendant: String, string: String, expected: Int
  ) throws {
    #expect(try width(string, descendant) == expected)
  }

  // MARK: Text

  @Test(arguments: ["CIDFontType0", "CIDFontType2"])
  func `text comes from ToUnicode whatever the descendant is`(subtype: String) throws {
    var page = FontPage.composite(
      encoding: "/Identity-H", font: "/ToUnicode 7 0 R", descendant: "/Subtype/\(subtype)",
      showing: "<000100020003> Tj")
    page.addStream("1 beginbfrange <0001> <0003> <0430> endbfrange")
    #expect(try read(page).text == "абв\n")
  }

  @Test func `the names of a CFF program tell the text`() throws {
    var page = FontPage.composite(
      encoding: "/Identity-H", descendant: "/Subtype/CIDFontType0/FontDescriptor 7 0 R",
      showing: "<000100020003> Tj")
    page.add("<</Type/FontDescriptor/Flags 4/FontFile3 8 0 R>>")
    page.addStream(
      FontPrograms.compact(["alpha", "uni0416", "f_i"]), entries: "/Subtype/CIDFontType0C")
    #expect(try read(page).text == "αЖfi\n")
  }

  @Test func `a CFF program that is keyed by CIDs has no names`() throws {
    var page = FontPage.composite(
      encoding: "/Identity-H", descendant: "/Subtype/CIDFontType0/FontDescriptor 7 0 R",
      showing: "<0001> Tj")
    page.add("<</Type/FontDescriptor/Flags 4/FontFile3 8 0 R>>")
    page.addStream(
      FontPrograms.compact(["alpha"], isCIDKeyed: true), entries: "/Subtype/CIDFontType0C")
    #expect(try read(page).unknownCharacters == 1)
  }

  private func trueType(_ descendant: String) -> FontPage {
    var page = FontPage.composite(
      encoding: "/Identity-H",
      descendant: "/Subtype/CIDFontType2/FontDescriptor 7 0 R\(descendant)",
      showing: "<000300040005> Tj")
    page.add("<</Type/FontDescriptor/Flags 4/FontFile2 8 0 R>>")
    let map = FontPrograms.format4([0x416: 3, 0x20AC: 4, 0x61: 5, 0x62: 900])
    page.addStream(
      FontPrograms.trueType(["cmap": FontPrograms.cmap([(3, 1, map)])]))
    return page
  }

  @Test func `the map of a TrueType program tells the text`() throws {
    #expect(try read(trueType("")).text == "Ж€a\n")
    #expect(try read(trueType("/CIDToGIDMap/Identity")).text == "Ж€a\n")
  }

  @Test func `a map of CIDs to glyphs goes before it`() throws {
    var page = trueType("/CIDToGIDMap 9 0 R")
    // CID 3 is glyph 5, 4 is 900, 5 lies behind the end of the map.
    page.addStream([0, 0, 0, 0, 0, 0, 0, 5, 3, 0x84])
    #expect(try read(page).text == "aba\n")
  }

  @Test func `of several scalars of a glyph the lowest counts`() throws {
    var page = FontPage.composite(
      encoding: "/Identity-H", descendant: "/Subtype/CIDFontType2/FontDescriptor 7 0 R",
      showing: "<0003> Tj")
    page.add("<</Type/FontDescriptor/Flags 4/FontFile2 8 0 R>>")
    let map = FontPrograms.format4([0xE003: 3, 0x2D: 3, 0x2010: 3])
    page.addStream(FontPrograms.trueType(["cmap": FontPrograms.cmap([(3, 1, map)])]))
    #expect(try read(page).text == "-\n")
  }

  @Test func `glyphs that nobody knows are U+FFFD, and counted`() throws {
    let page = try read(
      .composite(encoding: "/Identity-H", showing: "<0001> Tj 20 0 Td <00020003> Tj"))
    #expect(page.text == "\u{FFFD} \u{FFFD}\u{FFFD}\n")
    #expect(page.characters == 3 && page.unknownCharacters == 3)
  }

  // MARK: Embedded CMaps

  private func collected(_ map: String, _ string: String, entries: String = "") throws -> String {
    var page = FontPage.composite(
      encoding: "7 0 R", ordering: "Japan1", showing: "<\(string)> Tj")
    page.addStream(map, entries: entries)
    return try read(page).text
  }

  @Test func `an embedded CMap cuts strings into codes of different lengths`() throws {
    let map = """
      /WMode 0 def
      2 begincodespacerange <00> <7F> <8000> <FFFF> endcodespacerange
      2 begincidchar <41> 34 <8001> 843 endcidchar
      1 begincidrange <9000> <9002> 844 endcidrange
      """
    // Adobe-Japan1: 34 is A, 843 あ, 844 ぃ, 845 い.
    #expect(try collected(map, "41800141900041") == "AあAぃA\n")
  }

  @Test func `the ranges of a codespace hold for each byte`() throws {
    let map = """
      2 begincodespacerange <8140> <9FFC> <00> <80> endcodespacerange
      2 begincidchar <8141> 843 <41> 34 endcidchar
      """
    #expect(try collected(map, "814141") == "あA\n")
  }

  @Test(arguments: ["/90ms-RKSJ-H usecmap\n", ""])
  func `an embedded CMap may build on a predefined one`(line: String) throws {
    let map = line + "1 begincidchar <82A0> 34 endcidchar"
    let entries = line.isEmpty ? "/UseCMap/90ms-RKSJ-H" : ""
    // あ is changed to A, い is that of the base.
    #expect(try collected(map, "82A082A2", entries: entries) == "Aい\n")
  }

  @Test func `an embedded CMap without anything is the identity`() throws {
    #expect(try collected("", "034B0022") == "あA\n")
  }

  @Test func `a descendant that is missing is no trap`() throws {
    for descendants in ["", "/DescendantFonts[]", "/DescendantFonts[99 0 R]", "/DescendantFonts 3"]
    {
      var page = FontPage(
        "<</Type/Font/Subtype/Type0/BaseFont/Any/Encoding/Identity-H\(descendants)"
          + "/ToUnicode 6 0 R>>", showing: "<00010002> Tj")
      page.addStream("1 beginbfrange <0001> <0002> <0041> endbfrange")
      #expect(try read(page).text == "AB\n", "\(descendants)")
    }
  }
}
