import PDFSyntax
import TestSupport
import Testing

@testable import PDFText

/// Codes of which the ToUnicode map gives no text, and the font itself does.
struct FontKnowledgeTests {
  /// What maps give for a code that their producer could not map; the code is 0002.
  static let gaps = [
    "", "<0002> <0000>", "<0002> <FFFD>", "<0002> <0001>", "<0002> <E000>", "<0002> <>",
    "<0002> <DBC0DC00>", "<0002> <0020> <0009> <0020>",
  ]

  /// The text of glyphs 1, 2, 3 of a TrueType program in a Type 0 font; glyph 1 is mapped to `o`, 3 to `e`.
  private func composite(_ tables: [String: [UInt8]], gap: String) throws -> String {
    var page = FontPage.composite(
      encoding: "/Identity-H", font: "/ToUnicode 9 0 R",
      descendant: "/Subtype/CIDFontType2/FontDescriptor 7 0 R", showing: "<000100020003> Tj")
    page.add("<</Type/FontDescriptor/Flags 4/FontFile2 8 0 R>>")
    page.addStream(FontPrograms.trueType(tables))
    page.addStream("9 beginbfchar <0001> <006F> \(gap) <0003> <0065> endbfchar")
    return try text(page.file)
  }

  @Test(arguments: gaps)
  func `the map of a TrueType program fills a gap`(gap: String) throws {
    let map = FontPrograms.cmap([(3, 1, FontPrograms.format4([0x6F: 1, 0x416: 2, 0x65: 3]))])
    #expect(try composite(["cmap": map], gap: gap) == "oЖe\n")
  }

  @Test(arguments: gaps)
  func `the names of a TrueType program fill a gap`(gap: String) throws {
    let post = FontPrograms.post([".notdef", "x", "f_f_i", "z"])
    #expect(try composite(["post": post], gap: gap) == "offie\n")
  }

  @Test(arguments: [false, true])
  func `the ligatures of a TrueType program fill a gap`(byExtension: Bool) throws {
    let tables = [
      "cmap": FontPrograms.cmap([(3, 1, FontPrograms.format4([0x66: 5, 0x69: 6]))]),
      "GSUB": FontPrograms.ligature(2, of: [5, 5, 6], byExtension: byExtension),
    ]
    for gap in Self.gaps { #expect(try composite(tables, gap: gap) == "offie\n") }
  }

  @Test func `another form of a letter fills a gap`() throws {
    let tables = [
      "cmap": FontPrograms.cmap([(3, 1, FontPrograms.format4([0x61: 8]))]),
      "GSUB": FontPrograms.forms(of: 8...9, farther: -6),
    ]
    #expect(try composite(tables, gap: "<0002> <FFFD>") == "oae\n")
  }

  @Test func `a mark is not told twice where the map gives the letter both glyphs are`() throws {
    let map = FontPrograms.cmap([(3, 1, FontPrograms.format4([0xE04: 1, 0xE4D: 2, 0xE32: 3]))])
    var page = FontPage.composite(
      encoding: "/Identity-H", font: "/ToUnicode 9 0 R",
      descendant: "/Subtype/CIDFontType2/FontDescriptor 7 0 R", showing: "<000100020003> Tj")
    page.add("<</Type/FontDescriptor/Flags 4/FontFile2 8 0 R>>")
    page.addStream(FontPrograms.trueType(["cmap": map]))
    page.addStream("9 beginbfchar <0001> <0E04> <0003> <0E33> endbfchar")
    #expect(try text(page.file) == "ค\u{E33}\n")
  }

  @Test func `what a map gives goes before what the program says`() throws {
    let map = FontPrograms.cmap([(3, 1, FontPrograms.format4([0x416: 2]))])
    #expect(try composite(["cmap": map], gap: "<0002> <0066>") == "ofe\n")
    #expect(try composite(["cmap": map], gap: "<0002> <0020>") == "o e\n")
  }

  @Test func `a map that gives a run to its first glyph gives nothing to the others`() throws {
    let map = FontPrograms.cmap([(3, 1, FontPrograms.format4([0x416: 2]))])
    #expect(try composite(["cmap": map], gap: "<0002> <> <0009> <00610062006300640065>") == "o e\n")
  }

  @Test func `what nobody knows stays as the map has it`() throws {
    #expect(try composite([:], gap: "<0002> <E000>") == "o\u{E000}e\n")
    #expect(try composite([:], gap: "<0002> <FFFD>") == "o\u{FFFD}e\n")
    #expect(try composite([:], gap: "") == "o\u{FFFD}e\n")
  }

  @Test func `substitutions that go round in circles or lead nowhere do no harm`() throws {
    var table = FontPrograms.ligature(2, of: [2, 2])
    #expect(try composite(["GSUB": table], gap: "") == "o\u{FFFD}e\n")
    table = FontPrograms.ligature(2, of: [5, 6])
    for at in table.indices {
      var damaged = table
      damaged[at] = 0xFF
      _ = try composite(["GSUB": damaged], gap: "")
      _ = try composite(["GSUB": Array(table.prefix(at))], gap: "")
    }
  }

  // MARK: Simple fonts

  /// The text of codes 1, 2, 3 of a simple font; 1 is mapped to `o`, 3 to `e`.
  private func simple(
    _ font: String, gap: String, program: [UInt8]? = nil, key: String = "FontFile3"
  ) throws -> String {
    let gap = gap.replacing("<0002>", with: "<02>").replacing("<0009>", with: "<09>")
    var page = FontPage(
      "<</Type/Font/BaseFont/Any/ToUnicode 7 0 R/FontDescriptor 6 0 R\(font)>>",
      showing: "<010203> Tj")
    page.add("<</Type/FontDescriptor/Flags 4\(program == nil ? "" : "/\(key) 8 0 R")>>")
    page.addStream(
      "9 beginbfchar <01> <006F> \(gap) <03> <0065> <41> <0041> <42> <0042> endbfchar")
    if let program { page.addStream(program) }
    return try text(page.file)
  }

  @Test(arguments: gaps)
  func `the encoding of a simple font fills a gap`(gap: String) throws {
    let font = "/Subtype/Type1/Encoding<</Differences[1/x/f_f_i/z]>>"
    #expect(try simple(font, gap: gap) == "offie\n")
  }

  @Test(arguments: gaps)
  func `the program of a simple font fills a gap`(gap: String) throws {
    let compact = FontPrograms.compact(["x", "uni0416", "z"], encoding: .codes([1, 2, 3]))
    #expect(try simple("/Subtype/Type1", gap: gap, program: compact) == "oЖe\n")
    let type1 = FontPrograms.type1([1: "x", 2: "uni0416", 3: "z"])
    #expect(try simple("/Subtype/Type1", gap: gap, program: type1, key: "FontFile") == "oЖe\n")
    let trueType = FontPrograms.trueType([
      "cmap": FontPrograms.cmap([
        (1, 0, FontPrograms.format0([1: 4, 2: 5, 3: 6])),
        (3, 1, FontPrograms.format4([0x416: 5])),
      ])
    ])
    #expect(
      try simple("/Subtype/TrueType", gap: gap, program: trueType, key: "FontFile2") == "oЖe\n")
  }

  @Test func `the ligatures of a simple font's program fill a gap`() throws {
    let program = FontPrograms.trueType([
      "cmap": FontPrograms.cmap([
        (1, 0, FontPrograms.format0([1: 4, 2: 5, 3: 6])),
        (3, 1, FontPrograms.format4([0x66: 7, 0x69: 8])),
      ]), "GSUB": FontPrograms.ligature(5, of: [7, 7, 8]),
    ])
    #expect(
      try simple("/Subtype/TrueType", gap: "", program: program, key: "FontFile2") == "offie\n")
  }

  @Test func `a name that says nothing leads to a glyph of the program`() throws {
    let program = FontPrograms.trueType([
      "cmap": FontPrograms.cmap([(3, 1, FontPrograms.format4([0x416: 2]))]),
      "post": FontPrograms.post([".notdef", "g1", "g2", "g3"]),
    ])
    let font = "/Subtype/TrueType/Encoding<</BaseEncoding/WinAnsiEncoding/Differences[1/g1/g2/g3]>>"
    #expect(
      try simple(font, gap: "<02> <FFFD>", program: program, key: "FontFile2") == "oЖe\n")
  }

  @Test func `a code 32 without a glyph is a blank if it has a width`() throws {
    func shown(_ width: Int) throws -> String {
      let page = FontPage(
        "<</Type/Font/Subtype/Type1/BaseFont/Times-Roman/FirstChar 32/Widths[\(width)]"
          + "/Encoding<</Differences[32/.notdef 65/A/B]>>>>", showing: "(A) Tj 20 0 Td (A ) Tj")
      return try text(page.file)
    }
    #expect(try shown(250) == "A A\n")
    #expect(try shown(0) == "A A\u{FFFD}\n")
  }

  @Test(arguments: [
    FontPrograms.compact(["A", "alpha"], encoding: .codesAndMore([65, 97], more: [(174, 1)])),
    FontPrograms.compact(
      ["A", "alpha"], encoding: .rangesAndMore([(65, 0), (97, 0)], more: [(174, 1)])),
  ])
  func `further codes of a CFF encoding are read`(program: [UInt8]) throws {
    var page = FontPage(
      "<</Type/Font/Subtype/Type1/BaseFont/Any/FontDescriptor 6 0 R>>", showing: "<4161AE> Tj")
    page.add("<</Type/FontDescriptor/Flags 4/FontFile3 7 0 R>>")
    page.addStream(program, entries: "/Subtype/Type1C")
    #expect(try text(page.file) == "Aαα\n")
  }

  @Test(arguments: [
    ("Asmall", "a"), ("Aacutesmall", "á"), ("sevenoldstyle", "7"), ("copyrightserif", "©"),
    ("parenlefttp", "⎛"), ("centoldstyle", "¢"),
  ])
  func `names of private values have the letter that is meant`(name: String, letter: String) {
    #expect(GlyphList.scalars(name) == letter.unicodeScalars.map(\.value))
  }
}
