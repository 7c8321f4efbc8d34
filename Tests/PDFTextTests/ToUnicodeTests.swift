import PDFSyntax
import TestSupport
import Testing

@testable import PDFText

/// Maps to Unicode, right and wrong ones.
struct ToUnicodeTests {
  /// The text of codes in a font of one byte a code that names nothing itself.
  private func simple(_ map: String, _ string: String) throws -> String {
    var page = FontPage(
      "<</Type/Font/Subtype/Type1/BaseFont/Any/ToUnicode 6 0 R"
        + "/Encoding<</Differences[1/g1/g2/g3/g4]>>>>", showing: "<\(string)> Tj")
    page.addStream(map)
    return try text(page.file)
  }

  /// The text of codes of two bytes.
  private func composite(_ map: String, _ string: String) throws -> String {
    var page = FontPage.composite(
      encoding: "/Identity-H", font: "/ToUnicode 7 0 R", showing: "<\(string)> Tj")
    page.addStream(map)
    return try text(page.file)
  }

  @Test func `ranges count on`() throws {
    let map = "2 beginbfrange <0001> <0003> <0061> <0010> <0011> <0041> endbfrange"
    #expect(try composite(map, "00010002000300100011") == "abcAB\n")
  }

  @Test func `ranges may list their values`() throws {
    let map = "1 beginbfrange <0001> <0003> [<0416> <00660069> <D83DDE00>] endbfrange"
    #expect(try composite(map, "000100020003") == "Жfi😀\n")
  }

  @Test func `a list longer or shorter than its range is no matter`() throws {
    let map = """
      2 beginbfrange <0001> <0002> [<0061> <0062> <0063>] <0008> <000F> [<0078>] endbfrange
      1 beginbfchar <0004> <0064> endbfchar
      """
    #expect(try composite(map, "0001000200040008") == "abdx\n")
    #expect(try composite(map, "0009") == "\u{FFFD}\n")
  }

  @Test func `the last of several scalars counts on`() throws {
    let map = "1 beginbfrange <0001> <0003> <00660061> endbfrange"
    #expect(try composite(map, "000100020003") == "fafbfc\n")
  }

  @Test func `scalars beyond the first plane count on`() throws {
    let map = "1 beginbfrange <0001> <0003> <D83DDE00> endbfrange"
    #expect(try composite(map, "00010003") == "😀😂\n")
  }

  @Test func `a code may stand for several scalars`() throws {
    #expect(try simple("1 beginbfchar <01> <006600660069> endbfchar", "01") == "ffi\n")
  }

  @Test func `codes are numbers, however many bytes they are written in`() throws {
    let narrow = """
      1 begincodespacerange <00> <FF> endcodespacerange
      1 beginbfchar <01> <0041> endbfchar
      """
    #expect(try composite(narrow, "0001") == "A\n")
    let wide = """
      1 begincodespacerange <0000> <FFFF> endcodespacerange
      1 beginbfchar <0001> <0041> endbfchar
      """
    #expect(try simple(wide, "01") == "A\n")
  }

  @Test(arguments: [0, 1, 99, -5])
  func `counts are not believed`(count: Int) throws {
    let map = "\(count) beginbfchar <0001> <0041> <0002> <0042> endbfchar"
    #expect(try composite(map, "00010002") == "AB\n")
  }

  @Test func `a missing end of a list is no matter`() throws {
    let map = "1 beginbfchar <0001> <0041> 1 beginbfrange <0002> <0003> <0042>"
    #expect(try composite(map, "000100020003").hasPrefix("A"))
    let cut = "2 beginbfchar <0001> <0041> <0002"
    #expect(try composite(cut, "0001") == "A\n")
  }

  @Test func `hexadecimal strings of odd length are padded`() throws {
    // <004> is 00 40, <1> is 10.
    #expect(try composite("1 beginbfchar <0001> <004> endbfchar", "0001") == "@\n")
    #expect(try simple("1 beginbfchar <1> <0041> endbfchar", "10") == "A\n")
  }

  @Test func `one byte stands for itself`() throws {
    #expect(try composite("1 beginbfchar <0001> <41> endbfchar", "0001") == "A\n")
  }

  @Test func `a byte too many is left out`() throws {
    #expect(try composite("1 beginbfchar <0001> <004100> endbfchar", "0001") == "A\n")
  }

  @Test func `half a surrogate pair is left out`() throws {
    #expect(try composite("1 beginbfchar <0001> <D83D0041> endbfchar", "0001") == "A\n")
    #expect(try composite("1 beginbfchar <0001> <DE00> endbfchar", "0001") == "\u{FFFD}\n")
  }

  @Test func `a map to nothing tells nothing`() throws {
    #expect(try composite("1 beginbfchar <0001> <0000> endbfchar", "0001") == "\u{FFFD}\n")
    #expect(try composite("1 beginbfchar <0001> <> endbfchar", "0001") == "\u{FFFD}\n")
  }

  @Test func `names of glyphs stand for their text`() throws {
    #expect(try composite("1 beginbfchar <0001> /alpha endbfchar", "0001") == "α\n")
  }

  @Test func `comments and blanks in strings are passed over`() throws {
    let map = "% a comment > <\n1 beginbfchar\n<00 01>\r\n< 00\n41 > % more\nendbfchar"
    #expect(try composite(map, "0001") == "A\n")
  }

  @Test func `of two entries the later counts`() throws {
    let map = "2 beginbfchar <0001> <0041> <0001> <0042> endbfchar"
    #expect(try composite(map, "0001") == "B\n")
  }

  @Test func `a name in the place of the map means the identity`() throws {
    let page = FontPage.composite(
      encoding: "/Identity-H", font: "/ToUnicode/Identity-H", showing: "<00410416> Tj")
    #expect(try text(page.file) == "AЖ\n")
  }

  @Test func `a map that is no map is passed over`() throws {
    for map in ["", "\u{0}\u{1}\u{2}", "beginbfchar", "[[[[", "<</Length 5>>"] {
      #expect(try simple(map, "41") == "A\n")
    }
  }

  @Test func `a map that is missing is passed over`() throws {
    let page = FontPage(
      "<</Type/Font/Subtype/Type1/BaseFont/Any/ToUnicode 99 0 R>>", showing: "(A) Tj")
    #expect(try text(page.file) == "A\n")
  }

  @Test func `controls stand for blanks`() throws {
    let map = "3 beginbfchar <0001> <0041> <0002> <0009> <0003> <000A> endbfchar"
    #expect(try composite(map, "0001000200010003000100030001") == "A A A A\n")
  }

  @Test func `texts that are all UTF-8 are read as such`() throws {
    let map = """
      6 beginbfchar <0001> <D096> <0002> <C3A9> <0003> <E282AC> <0004> <41>
      <0005> <F09F9880> <0006> <D0AF> endbfchar 1 beginbfrange <0010> <0012> <D0B0> endbfrange
      """
    #expect(try composite(map, "000100020003000400050006001000110012") == "Жé€A😀Яабв\n")
    // A few Korean letters look so by chance.
    let korean = "2 beginbfchar <0001> <C3A9> <0002> <D096> endbfchar"
    #expect(try composite(korean, "00010002") == "쎩킖\n")
  }
}
