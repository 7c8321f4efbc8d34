import PDFSyntax
import TestSupport
import Testing

@testable import PDFText

/// Codes of simple fonts that their dictionary gives a meaning.
struct SimpleEncodingTests {
  private func shown(_ font: String, _ string: String, _ more: [String] = []) throws -> String {
    var page = FontPage("<</Type/Font\(font)>>", showing: "<\(string)> Tj")
    for object in more { page.add(object) }
    let text = try text(page.file)
    #expect(text.last == "\n")
    return String(text.dropLast())
  }

  private static let type1 = "/Subtype/Type1/BaseFont/Any"

  @Test(
    arguments: [
      ("StandardEncoding", "27 60 A4 AE E1 FA", "’‘⁄fiÆœ"),
      ("WinAnsiEncoding", "27 60 80 8A A4 E1 FA", "'`€Š¤áú"),
      ("MacRomanEncoding", "27 60 80 8A A4 AE E1", "'`Ää§Æ·"),
      ("MacExpertEncoding", "56 57 58 59", "fffiflffi"),
    ])
  func `each encoding has its own upper half`(
    name: String, codes: String, expected: String
  ) throws {
    let string = codes.filter { $0 != " " }
    #expect(try shown(Self.type1 + "/Encoding/\(name)", string) == expected)
    #expect(try shown(Self.type1 + "/Encoding<</BaseEncoding/\(name)>>", string) == expected)
  }

  @Test(
    arguments: [
      ("A", "A"), ("eacute", "é"), ("uni20AC", "€"), ("u20AC", "€"), ("u1F600", "😀"),
      ("uni00660069", "fi"), ("f_f_i", "ffi"), ("A.swash", "A"), ("T_h.liga", "Th"),
      ("uni0041.alt", "A"), ("fl", "fl"), ("Delta", "∆"), ("nbspace", ""),
    ])
  func `a difference names a glyph`(name: String, expected: String) throws {
    let font = Self.type1 + "/Encoding<</Differences[1/\(name)]>>"
    #expect(try shown(font, "7801") == "x" + expected)
  }

  @Test(
    arguments: [
      ("angbracketleft", "⟨"), ("bardbl", "‖"), ("lscript", "ℓ"), ("prime", "′"), ("mapsto", "↦"),
      ("circlecopyrt", "©"), ("parenleftBigg", "("), ("summationdisplay", "∑"), ("f_f", "ff"),
      ("epsilon1", "ϵ"), ("lessorequalslant", "⩽"), ("vextendsingle", "|"),
    ])
  func `names of the fonts of TeX are known`(name: String, expected: String) throws {
    let font = Self.type1 + "/Encoding<</Differences[1/\(name)]>>"
    #expect(try shown(font, "7801") == "x" + expected)
  }

  @Test func `a stroke over a relation makes its contrary`() throws {
    let font =
      Self.type1 + "/Encoding<</Differences[1/negationslash/element/equal/lessorequalslant]>>"
      + "/FirstChar 1/LastChar 4/Widths[0 667 778 778]"
    #expect(try shown(font, "0102") == "∉")
    #expect(try shown(font, "0103") == "≠")
    #expect(try shown(font, "0104") == "⩽\u{338}")
  }

  @Test func `ligatures and forms of letters are the letters they are made of, or stay`() throws {
    var page = FontPage(
      "<</Type/Font\(Self.type1)/Encoding<</Differences[1/fi/g2/g3]>>/ToUnicode 6 0 R>>",
      showing: "<010203> Tj")
    page.addStream("2 beginbfchar <02> <FB04> <03> <FB13> endbfchar")
    #expect(try text(page.file) == "fi" + "ffl" + "մն\n")
    let extractor = try TextExtractor(PDFFile(FileBytes(page.file)))
    extractor.keepsLigatures = true
    #expect(extractor.page(0)?.text == "ﬁﬄﬓ\n")
    #expect(GlyphList.letters(of: 0xFEFB) == [0x644, 0x627])
    #expect(GlyphList.letters(of: 0xFB1D) == [0x5D9, 0x5B4])
    #expect(GlyphList.letters(of: 0x66) == nil)
  }

  @Test func `differences count on from each number`() throws {
    let font =
      Self.type1 + "/Encoding<</BaseEncoding/WinAnsiEncoding"
      + "/Differences[65/one/two 97/alpha 200 66/B 300/x -5/y]>>"
    #expect(try shown(font, "4142436180") == "1BCα€")
  }

  @Test func `differences may be references`() throws {
    let font = Self.type1 + "/Encoding 6 0 R"
    let more = [
      "<</BaseEncoding 7 0 R/Differences 8 0 R>>", "/MacRomanEncoding", "[1 9 0 R]", "/beta",
    ]
    #expect(try shown(font, "0180", more) == "βÄ")
  }

  @Test func `names that say nothing are unknown`() throws {
    let font = Self.type1 + "/Encoding<</Differences[1/g1/foo/.notdef/uniD800/u110000]>>"
    var page = FontPage("<</Type/Font\(font)>>", showing: "<0102030405> Tj")
    page.add("null")
    let extractor = try TextExtractor(PDFFile(FileBytes(page.file)))
    let read = try #require(extractor.page(0))
    #expect(read.text == "\u{FFFD}\u{FFFD}\u{FFFD}\u{FFFD}\u{FFFD}\n")
    #expect(read.unknownCharacters == 5 && read.characters == 5)
  }

  @Test func `a name that says nothing is told by ToUnicode`() throws {
    var page = FontPage(
      "<</Type/Font\(Self.type1)/Encoding<</Differences[1/g1/g2]>>/ToUnicode 6 0 R>>",
      showing: "<0102> Tj")
    page.addStream("2 beginbfchar <01> <0416> <02> <0436> endbfchar")
    #expect(try text(page.file) == "Жж\n")
  }

  @Test func `ToUnicode wins over the name, and the name stands where it is silent`() throws {
    var page = FontPage(
      "<</Type/Font\(Self.type1)/Encoding/WinAnsiEncoding/ToUnicode 6 0 R>>",
      showing: "(abc) Tj")
    page.addStream("1 beginbfchar <62> <0042> endbfchar")
    #expect(try text(page.file) == "aBc\n")
  }

  @Test func `Symbol has its own encoding`() throws {
    #expect(try shown("/Subtype/Type1/BaseFont/Symbol", "616257A4AE") == "αβΩ⁄→")
    // A difference changes only its own code.
    let changed = "/Subtype/Type1/BaseFont/Symbol/Encoding<</Differences[97/beta]>>"
    #expect(try shown(changed, "6162") == "ββ")
  }

  @Test func `ZapfDingbats has its own encoding and names`() throws {
    #expect(try shown("/Subtype/Type1/BaseFont/ZapfDingbats", "3421") == "✔✁")
    let changed = "/Subtype/Type1/BaseFont/ZapfDingbats/Encoding<</Differences[65/a20]>>"
    #expect(try shown(changed, "41") == "✔")
  }

  @Test func `multiple master fonts are read as Type 1`() throws {
    let font = "/Subtype/MMType1/BaseFont/MinionMM_366_465_11_/Encoding<</Differences[1/fi]>>"
    #expect(try shown(font, "4101") == "Afi")
  }

  @Test func `a TrueType font that is not symbolic counts on WinAnsi`() throws {
    #expect(try shown("/Subtype/TrueType/BaseFont/Any", "8041E4") == "€Aä")
  }

  @Test func `a Type 1 font without encoding counts on the standard one`() throws {
    #expect(try shown(Self.type1, "41AE27") == "Afi’")
  }

  @Test func `an encoding that does not exist is passed over`() throws {
    #expect(try shown(Self.type1 + "/Encoding/FancyEncoding", "4142") == "AB")
    #expect(try shown(Self.type1 + "/Encoding 99 0 R", "4142") == "AB")
    #expect(try shown(Self.type1 + "/Encoding<</BaseEncoding/None>>", "4142") == "AB")
  }

  @Test func `a font that is missing is read as Helvetica`() throws {
    let bytes = PDFBuilder.pages(["BT /F9 12 Tf 72 700 Td (no such font) Tj ET"])
    #expect(try text(bytes) == "no such font\n")
    var page = FontPage("null", showing: "(null font) Tj")
    page.add("null")
    #expect(try text(page.file) == "null font\n")
  }
}
