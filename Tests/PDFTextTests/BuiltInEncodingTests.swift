import PDFSyntax
import TestSupport
import Testing

@testable import PDFText

/// Codes of simple fonts that only the embedded program gives a meaning.
struct BuiltInEncodingTests {
  /// Shows codes in a font whose program stands in the descriptor under `key`.
  private func shown(
    _ program: [UInt8], _ key: String, _ string: String, subtype: String = "Type1",
    flags: Int = 4, font: String = "", entries: String = ""
  ) throws -> String {
    var page = FontPage(
      "<</Type/Font/Subtype/\(subtype)/BaseFont/ABCDEF+Any/FontDescriptor 6 0 R\(font)>>",
      showing: "<\(string)> Tj")
    page.add("<</Type/FontDescriptor/Flags \(flags)/\(key) 7 0 R>>")
    page.addStream(program, entries: entries)
    let text = try text(page.file)
    return text.last == "\n" ? String(text.dropLast()) : text
  }

  // MARK: Type 1

  @Test func `a Type 1 program has its own encoding`() throws {
    let program = FontPrograms.type1([1: "A", 2: "eacute", 0x41: "beta", 255: "uni0416"])
    #expect(try shown(program, "FontFile", "010241FF") == "AéβЖ")
  }

  @Test func `differences go on top of the program's encoding`() throws {
    let program = FontPrograms.type1([1: "A", 2: "B"])
    let font = "/Encoding<</Differences[2/gamma]>>"
    #expect(try shown(program, "FontFile", "0102", font: font) == "Aγ")
  }

  @Test func `an encoding named in the dictionary goes before the program's`() throws {
    let program = FontPrograms.type1([0x41: "beta"])
    #expect(try shown(program, "FontFile", "41", font: "/Encoding/WinAnsiEncoding") == "A")
  }

  @Test func `a Type 1 program may count on the standard encoding`() throws {
    let program = Array("%!PS-AdobeFont-1.0\n/Encoding StandardEncoding def\neexec".utf8)
    #expect(try shown(program, "FontFile", "41AE") == "Afi")
  }

  @Test func `codes in another base are read`() throws {
    let program = Array(
      "%!PS-AdobeFont-1.0\n/Encoding 256 array\ndup 8#101 /one put\ndup 16#42 /two put\n".utf8
        + Array("readonly def\neexec".utf8))
    #expect(try shown(program, "FontFile", "4142") == "12")
  }

  @Test func `a code that the program leaves out is unknown`() throws {
    let program = FontPrograms.type1([1: "A"])
    #expect(try shown(program, "FontFile", "0102") == "A\u{FFFD}")
  }

  // MARK: CFF

  @Test func `a CFF program has codes glyph by glyph`() throws {
    let program = FontPrograms.compact(["A", "eacute", "uni0416"], encoding: .codes([1, 2, 200]))
    #expect(try shown(program, "FontFile3", "0102C8", entries: "/Subtype/Type1C") == "AéЖ")
  }

  @Test func `a CFF program has ranges of codes`() throws {
    let program = FontPrograms.compact(
      ["alpha", "beta", "gamma"], encoding: .ranges([(10, 1), (40, 0)]))
    #expect(try shown(program, "FontFile3", "0A0B28", entries: "/Subtype/Type1C") == "αβγ")
  }

  @Test func `a CFF program may count on a predefined encoding`() throws {
    let standard = FontPrograms.compact(["A"], encoding: .standard)
    #expect(try shown(standard, "FontFile3", "41AE", entries: "/Subtype/Type1C") == "Afi")
    let expert = FontPrograms.compact(["fi"], encoding: .expert)
    #expect(try shown(expert, "FontFile3", "5758", entries: "/Subtype/Type1C") == "fifl")
  }

  @Test func `a CFF program is read inside an OpenType program`() throws {
    let compact = FontPrograms.compact(["alpha", "beta"], encoding: .codes([1, 2]))
    let program = FontPrograms.trueType(["CFF ": compact], tag: Array("OTTO".utf8))
    #expect(try shown(program, "FontFile3", "0102", entries: "/Subtype/OpenType") == "αβ")
  }

  @Test func `a CFF program is read though it stands under the key of Type 1`() throws {
    let program = FontPrograms.compact(["alpha"], encoding: .codes([1]))
    #expect(try shown(program, "FontFile", "01") == "α")
  }

  // MARK: TrueType

  private static let unicode = FontPrograms.format4([0x416: 3, 0x20AC: 4, 0x61: 5])

  @Test func `Macintosh codes lead to glyphs and these to Unicode`() throws {
    let maps = [
      (platform: 1, encoding: 0, bytes: FontPrograms.format0([1: 3, 2: 4, 3: 5])),
      (platform: 3, encoding: 1, bytes: Self.unicode),
    ]
    let program = FontPrograms.trueType(["cmap": FontPrograms.cmap(maps)])
    #expect(try shown(program, "FontFile2", "010203", subtype: "TrueType") == "Ж€a")
  }

  @Test func `Macintosh codes that follow one another are read`() throws {
    let maps = [
      (platform: 1, encoding: 0, bytes: FontPrograms.format6(first: 0x41, [5, 0, 3])),
      (platform: 0, encoding: 3, bytes: Self.unicode),
    ]
    let program = FontPrograms.trueType(["cmap": FontPrograms.cmap(maps)])
    #expect(
      try shown(program, "FontFile2", "414243", subtype: "TrueType") == "a\u{FFFD}Ж")
  }

  @Test func `the codes of a symbol map count from F000`() throws {
    let maps = [
      (platform: 3, encoding: 0, bytes: FontPrograms.format4([0xF041: 3, 0xF042: 4])),
      (platform: 0, encoding: 3, bytes: Self.unicode),
    ]
    let program = FontPrograms.trueType(["cmap": FontPrograms.cmap(maps)])
    #expect(try shown(program, "FontFile2", "4142", subtype: "TrueType") == "Ж€")
  }

  @Test func `glyphs through an array of a map are found`() throws {
    let unicode = FontPrograms.format4([0x416: 3, 0x417: 9, 0x20AC: 4], byOffset: true)
    let maps = [
      (platform: 1, encoding: 0, bytes: FontPrograms.format0([1: 9, 2: 4, 3: 3])),
      (platform: 3, encoding: 1, bytes: unicode),
    ]
    let program = FontPrograms.trueType(["cmap": FontPrograms.cmap(maps)])
    #expect(try shown(program, "FontFile2", "010203", subtype: "TrueType") == "З€Ж")
  }

  @Test func `scalars beyond the first plane are in groups`() throws {
    let maps = [
      (platform: 1, encoding: 0, bytes: FontPrograms.format0([1: 7, 2: 9])),
      (
        platform: 3, encoding: 10,
        bytes: FontPrograms.format12([(0x1F600, 0x1F610, 7)])
      ),
    ]
    let program = FontPrograms.trueType(["cmap": FontPrograms.cmap(maps)])
    #expect(try shown(program, "FontFile2", "0102", subtype: "TrueType") == "😀😂")
  }

  @Test func `names of glyphs tell what no map tells`() throws {
    let program = FontPrograms.trueType([
      "cmap": FontPrograms.cmap([(1, 0, FontPrograms.format0([1: 1, 2: 2]))]),
      "post": FontPrograms.post([".notdef", "alpha", "uni0416"]),
    ])
    #expect(try shown(program, "FontFile2", "0102", subtype: "TrueType") == "αЖ")
  }

  @Test func `Macintosh codes alone are Mac Roman`() throws {
    let program = FontPrograms.trueType([
      "cmap": FontPrograms.cmap([(1, 0, FontPrograms.format0([0x41: 1, 0x8A: 2]))])
    ])
    #expect(try shown(program, "FontFile2", "418A", subtype: "TrueType") == "Aä")
  }

  @Test func `a font that is not symbolic and has no encoding may have a program`() throws {
    let maps = [
      (platform: 1, encoding: 0, bytes: FontPrograms.format0([1: 3, 0x61: 5])),
      (platform: 3, encoding: 1, bytes: Self.unicode),
    ]
    let program = FontPrograms.trueType(["cmap": FontPrograms.cmap(maps)])
    #expect(try shown(program, "FontFile2", "0161", subtype: "TrueType", flags: 32) == "Жa")
  }

  @Test func `programs cut anywhere are no trap`() throws {
    let maps = [
      (platform: 1, encoding: 0, bytes: FontPrograms.format6(first: 1, [3, 4])),
      (platform: 3, encoding: 1, bytes: Self.unicode),
      (platform: 3, encoding: 10, bytes: FontPrograms.format12([(0x1F600, 0x1F610, 7)])),
    ]
    let tables = [
      "cmap": FontPrograms.cmap(maps), "post": FontPrograms.post([".notdef", "alpha"]),
    ]
    let programs = [
      FontPrograms.trueType(tables), FontPrograms.compact(["A", "B"], encoding: .codes([1, 2])),
      FontPrograms.compact(["A", "B"], encoding: .ranges([(1, 1)])),
      FontPrograms.type1([1: "A"]),
    ]
    for (program, key) in zip(programs, ["FontFile2", "FontFile3", "FontFile3", "FontFile"]) {
      for length in 0..<program.count {
        _ = try shown(Array(program[..<length]), key, "0102")
      }
    }
  }

  // MARK: Codes that nothing names

  @Test func `an unnamed glyph that draws nothing is a blank, one without width nothing`() throws {
    // CFF glyphs of the builder are empty; names that say nothing leave the program's outlines.
    let program = FontPrograms.compact(
      ["A", "odd1", "odd2", "B"], encoding: .codes([1, 2, 3, 4]))
    let font = "/FirstChar 1/LastChar 4/Widths[500 300 0 500]"
    #expect(
      try shown(program, "FontFile3", "010204", font: font, entries: "/Subtype/Type1C") == "A B")
    #expect(
      try shown(program, "FontFile3", "010304", font: font, entries: "/Subtype/Type1C") == "AB")
  }

  @Test func `an unnamed glyph of a composite font that draws nothing is a blank`() throws {
    // Three glyphs; the second one has no outline, the first and the third have.
    let head = [UInt8](repeating: 0, count: 50) + [0, 0, 0, 0]
    let program = FontPrograms.trueType([
      "head": head, "loca": [0, 0, 0, 4, 0, 4, 0, 8], "glyf": [UInt8](repeating: 0, count: 16),
    ])
    var page = FontPage(
      "<</Type/Font/Subtype/Type0/BaseFont/Any/Encoding/Identity-H/DescendantFonts[6 0 R]>>",
      showing: "<000000010002> Tj")
    page.add(
      "<</Type/Font/Subtype/CIDFontType2/BaseFont/Any/DW 500/FontDescriptor 7 0 R/CIDSystemInfo"
        + "<</Registry(Adobe)/Ordering(Identity)/Supplement 0>>>>")
    page.add("<</Type/FontDescriptor/Flags 4/FontFile2 8 0 R>>")
    page.addStream(program)
    #expect(try text(page.file) == "\u{FFFD} \u{FFFD}\n")
  }

  @Test func `codes without names are Latin where their widths are, and it is told`() throws {
    func read(_ widths: [Int]) throws -> (text: String, guessed: Bool) {
      var page = FontPage(
        "<</Type/Font/Subtype/Type3/FontMatrix[.001 0 0 .001 0 0]/FontBBox[0 0 1000 1000]"
          + "/CharProcs<<>>/Encoding<</Differences[]>>/FirstChar 97/LastChar 109/Widths\(widths)>>",
        showing: "(fading) Tj")
      page.add("<<>>")
      let extractor = try TextExtractor(PDFFile(FileBytes(page.file)))
      let text = extractor.page(0)?.text ?? ""
      return (text, extractor.guessedLetters)
    }
    // Helvetica's, from a to m, a little off.
    let latin = [560, 550, 505, 556, 550, 280, 560, 556, 220, 225, 500, 222, 830]
    #expect(try read(latin) == ("fading\n", true))
    let other = try read([300, 800, 310, 500, 220, 900, 305, 600, 800, 700, 250, 650, 200])
    #expect(other.text.allSatisfy { $0 == "\u{FFFD}" || $0 == "\n" } && !other.guessed)
  }
}
