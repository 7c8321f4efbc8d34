import Testing

@testable import PDFText

struct FontTests {
  @Test(
    arguments: [
      ("A", [0x41]), ("eacute", [0xE9]), ("uni20AC", [0x20AC]), ("u1F600", [0x1F600]),
      ("f_f_i", [0x66, 0x66, 0x69]), ("one.oldstyle", [0x31]), ("fi", [0xFB01]),
    ] as [(String, [UInt32])])
  func `glyph names have their scalars`(name: String, scalars: [UInt32]) {
    #expect(GlyphList.scalars(name) == scalars)
  }

  @Test func `names that say nothing are nil`() {
    #expect(GlyphList.scalars("g123") == nil)
    #expect(GlyphList.scalars(".notdef") == nil)
    #expect(GlyphList.scalars("uniD800") == nil)
  }

  @Test func `dingbats have their own names`() {
    #expect(GlyphList.scalars("a20", dingbats: true) == [0x2714])
  }

  @Test func `standard widths are those of the metrics`() {
    #expect(StandardFonts.width("A", in: .helvetica) == 667)
    #expect(StandardFonts.width("zero", in: .timesRoman) == 500)
    #expect(StandardFonts.width("nosuch", in: .helvetica) == nil)
  }

  @Test func `a map to Unicode is read tolerantly`() {
    let text = """
      1 begincodespacerange <00> <FF> endcodespacerange
      3 beginbfchar <01> <0041> <02> <00660066> <03> <D83DDE00> endbfchar
      9 beginbfrange <10> <12> <0061> <20> <21> [<0078> <0079>] endbfrange
      """
    let map = CharacterMapParser.parse(Array(text.utf8).span, unicode: true)
    #expect(map.scalars(1) == [0x41])
    #expect(map.scalars(2) == [0x66, 0x66])
    #expect(map.scalars(3) == [0x1F600])
    #expect(map.scalars(0x12) == [0x63])
    #expect(map.scalars(0x21) == [0x79])
    #expect(map.scalars(0x30) == nil)
  }

  @Test func `legacy codes lead to Unicode`() {
    let shiftJIS = PredefinedCMap(name: "90ms-RKSJ-H")
    #expect(shiftJIS.length(0x82) == 2 && shiftJIS.length(0x41) == 1)
    let cid = shiftJIS.cid(0x82A0)
    #expect(cid.flatMap { CIDCollections.unicode($0, ordering: "Japan1") } == 0x3042)
    let gbk = PredefinedCMap(name: "GBK-EUC-H")
    #expect(gbk.cid(0xC7B3).flatMap { CIDCollections.unicode($0, ordering: "GB1") } == 0x6D45)
  }
}
