import PDFSyntax
import TestSupport
import Testing

@testable import PDFText

/// Fonts of symbols, whatever their producers say of their codes.
struct SymbolFontTests {
  private func simple(
    _ name: String, _ codes: String, font: String = "", map: String? = nil
  ) throws -> String {
    var page = FontPage(
      "<</Type/Font/Subtype/TrueType/BaseFont/\(name)\(font)\(map == nil ? "" : "/ToUnicode 6 0 R")>>",
      showing: "<\(codes)> Tj")
    if let map { page.addStream("9 beginbfchar \(map) endbfchar") }
    return try String(text(page.file).dropLast())
  }

  @Test(arguments: [
    ("ABCDEE+Symbol", "B7", "•"), ("SymbolMT", "61", "α"), ("ABCDEE+Wingdings-Regular", "FE", "☑"),
    ("Wingdings", "A8", "☐"), ("Wingdings,Bold", "FC", "✔"), ("Wingdings", "A7", "▪"),
    ("Wingdings", "D8", "➢"), ("Wingdings", "6C", "●"), ("Wingdings#202", "52", "☑"),
    ("Wingdings2", "A3", "☐"), ("Wingdings3", "7D", "▶"), ("Webdings", "61", "✔"),
    ("MonotypeSorts", "34", "✔"),
  ])
  func `codes stand for signs`(name: String, code: String, sign: String) throws {
    let scalar = "<\(code)> <F0\(code)>"
    #expect(try simple(name, code, map: scalar) == sign)
    #expect(try simple(name, code, map: "<\(code)> <00\(code)>") == sign)
    #expect(try simple(name, code, font: "/Encoding/WinAnsiEncoding") == sign)
    #expect(try simple(name, code) == sign)
  }

  @Test(arguments: ["☐", "☑", "☒"])
  func `a box begins an item and stays in it`(box: String) throws {
    let mark = try #require(ListMark.begins(Array("\(box) paid".utf8)[...]))
    guard case .letter = mark else {
      Issue.record("\(mark)")
      return
    }
    #expect(ListMark.begins(Array("\(box)".utf8)[...]) == nil)
  }

  @Test func `a program with a Macintosh map alone gives no letters`() throws {
    var page = FontPage(
      "<</Type/Font/Subtype/TrueType/BaseFont/Wingdings/FontDescriptor 6 0 R>>",
      showing: "<FEA8> Tj")
    page.add("<</Type/FontDescriptor/Flags 4/FontFile2 7 0 R>>")
    page.addStream(
      FontPrograms.trueType([
        "cmap": FontPrograms.cmap([(1, 0, FontPrograms.format0([0xFE: 1, 0xA8: 2]))])
      ]))
    #expect(try text(page.file) == "☑☐\n")
  }

  @Test func `the descriptor may be what names the font`() throws {
    for name in ["/FontName/ABCDEF+Wingdings-Regular", "/FontName/F3/FontFamily(Wingdings)"] {
      var page = FontPage(
        "<</Type/Font/Subtype/TrueType/BaseFont/F3/FontDescriptor 6 0 R>>", showing: "<FE> Tj")
      page.add("<</Type/FontDescriptor/Flags 4\(name)>>")
      #expect(try text(page.file) == "☑\n")
    }
  }

  @Test func `a map that gives the sign is believed`() throws {
    #expect(try simple("Wingdings", "FE", map: "<FE> <2713>") == "✓")
    #expect(try simple("Symbol", "B4B1", map: "<B4> <00D7> <B1> <00B1>") == "×±")
    #expect(try simple("Symbol", "32B7", map: "<32> <0032> <B7> <2022>") == "2•")
  }

  @Test(arguments: ["Symbola", "WingdingsLike", "Arial", "SymbolNeue"])
  func `other fonts keep their letters`(name: String) throws {
    #expect(try simple(name, "61FE", font: "/Encoding/WinAnsiEncoding") == "aþ")
  }

  @Test func `glyphs of a composite font have the signs of the program's codes`() throws {
    func shown(_ map: String) throws -> String {
      var page = FontPage(
        "<</Type/Font/Subtype/Type0/BaseFont/ABCDEF+Wingdings-Regular/Encoding/Identity-H"
          + "/DescendantFonts[6 0 R]\(map.isEmpty ? "" : "/ToUnicode 9 0 R")>>",
        showing: "<00010002> Tj")
      page.add(
        "<</Type/Font/Subtype/CIDFontType2/BaseFont/ABCDEF+Wingdings-Regular/FontDescriptor 7 0 R"
          + "/CIDSystemInfo<</Registry(Adobe)/Ordering(Identity)/Supplement 0>>>>")
      page.add("<</Type/FontDescriptor/Flags 4/FontFile2 8 0 R>>")
      page.addStream(
        FontPrograms.trueType([
          "cmap": FontPrograms.cmap([(3, 0, FontPrograms.format4([0xF0FE: 1, 0xF0A8: 2]))])
        ]))
      page.addStream("9 beginbfchar \(map) endbfchar")
      return try String(text(page.file).dropLast())
    }
    #expect(try shown("") == "☑☐")
    #expect(try shown("<0001> <F0FE> <0002> <FFFD>") == "☑☐")
    #expect(try shown("<0001> <00FE> <0002> <00A8>") == "☑☐")
    // The number of the glyph in the place of a text.
    #expect(try shown("<0001> <0001> <0002> <0002>") == "☑☐")
  }
}
