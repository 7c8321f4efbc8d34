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
}
