import PDFSyntax
import TestSupport
import Testing

@testable import PDFText

/// Text that runs downwards, in columns from right to left.
struct VerticalWritingTests {
  private static let map = "1 beginbfrange <3040> <9FFF> <3040> endbfrange"

  private func read(_ encoding: String, _ showing: String, _ descendant: String = "") throws
    -> TextPage
  {
    var page = FontPage.composite(
      encoding: encoding, font: "/ToUnicode 7 0 R",
      descendant: "/Subtype/CIDFontType0\(descendant)", showing: showing)
    page.addStream(Self.map)
    let extractor = try TextExtractor(PDFFile(FileBytes(page.file)))
    return try #require(extractor.page(0))
  }

  @Test(arguments: ["/Identity-V", "/UniJIS-UTF16-V", "/UniGB-UCS2-V"])
  func `a string is read downwards`(encoding: String) throws {
    let page = try read(encoding, "<65E5672C8A9E> Tj")
    #expect(page.text == "日本語\n")
    let word = try #require(page.words.first)
    #expect(word.angle == 90)
    // Three letters of 10 points one below the other, beside x = 100, from y = 92 down.
    #expect((word.box.height - 30).magnitude < 0.01 && (word.box.width - 10).magnitude < 0.5)
    #expect((word.box.middleX - 100).magnitude < 0.5)
  }

  @Test func `columns go from right to left whatever the order of drawing`() throws {
    var showing = ""
    for column in [3, 0, 5, 2, 4, 1] {
      let digits = String(0x3042 + column, radix: 16)
      showing += "1 0 0 1 \(400 - column * 20) 700 Tm <\(digits)65E5672C8A9E> Tj "
    }
    let expected = (0..<6).map { "\(Unicode.Scalar(UInt32(0x3042 + $0)) ?? "?")日本語\n" }
    #expect(try read("/Identity-V", showing).text == expected.joined())
  }

  @Test func `the default advance of a vertical font is DW2`() throws {
    let page = try read("/Identity-V", "<65E5672C> Tj", "/DW2[880 -500]")
    #expect((try #require(page.words.first).box.height - 10).magnitude < 0.01)
  }

  @Test(
    arguments: [
      "/W2[26085[-700 500 880]]", "/W2[26085 26085 -700 500 880]",
      "/W2[1[-1 1 1]26080 26090 -700 500 880]",
    ])
  func `W2 gives advances to single CIDs`(widths: String) throws {
    // 65E5 is 26085, which alone is shorter.
    let page = try read("/Identity-V", "<65E5672C> Tj", widths)
    #expect((try #require(page.words.first).box.height - 17).magnitude < 0.01)
  }

  @Test func `the origin of W2 moves glyphs, not the line`() throws {
    let page = try read("/Identity-V", "<65E5672C> Tj", "/W2[26085[-1000 600 880]]")
    #expect(page.text == "日本\n" && page.words.count == 1)
  }

  @Test func `numbers in an array move downwards`() throws {
    let near = try read("/Identity-V", "[<65E5> 100 <672C>] TJ")
    #expect(near.text == "日本\n")
    let far = try read("/Identity-V", "[<65E5> 3000 <672C>] TJ")
    let words = far.words
    #expect(words.count == 2)
    #expect(try #require(words.last).box.y0 - #require(words.first).box.y1 > 29)
  }

  @Test func `an embedded CMap may be vertical`() throws {
    var page = FontPage.composite(
      encoding: "8 0 R", font: "/ToUnicode 7 0 R", descendant: "/Subtype/CIDFontType0",
      showing: "<65E5672C> Tj")
    page.addStream(Self.map)
    page.addStream(
      "/WMode 1 def 1 begincodespacerange <0000> <FFFF> endcodespacerange "
        + "1 begincidrange <0000> <FFFF> 0 endcidrange")
    let extractor = try TextExtractor(PDFFile(FileBytes(page.file)))
    let read = try #require(extractor.page(0))
    #expect(read.text == "日本\n" && read.words.first?.angle == 90)
  }

  @Test func `letters drawn one below the other by a horizontal font are read downwards`() throws {
    var showing = ""
    for column in 0..<2 {
      for row in 0..<5 {
        let digits = String(0x3042 + column * 10 + row, radix: 16)
        showing += "1 0 0 1 \(300 - column * 20) \(700 - row * 11) Tm <\(digits)> Tj "
      }
    }
    let page = try read("/Identity-H", showing, "/DW 1000")
    #expect(page.text == "あぃいぅう\nがきぎくぐ\n")
    #expect(page.lines.count == 2 && page.words.first?.angle == 90)
  }

  @Test func `letters narrower than an em stand in the middle of the line too`() throws {
    let page = try read("/Identity-V", "<65E5672C> Tj", "/DW 500")
    #expect((try #require(page.words.first).box.middleX - 100).magnitude < 0.01)
  }
}
