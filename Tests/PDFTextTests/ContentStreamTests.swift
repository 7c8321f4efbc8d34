import PDFSyntax
import TestSupport
import Testing

@testable import PDFText

/// How the filters of content streams, their damages and their inline images bear on the text.
struct ContentStreamTests {
  private func file(_ content: [UInt8], _ entries: String) -> [UInt8] {
    var file = FileAssembler()
    file.page()
    file.stream(4, content, entries: entries)
    file.end(file.table(file.used(1...5), trailer: "/Size 6/Root 1 0 R"))
    return file.bytes
  }

  private func lines(_ count: Int) -> String {
    PDFBuilder.lines((0..<count).map { "line \($0) of the page" })
  }

  @Test func `a content stream may have any chain of filters`() throws {
    let flate = try #require(Deflate.compressed(Array(FileAssembler.line("inside").utf8)))
    let digits = Array("0123456789abcdef".utf8)
    var hexadecimal: [UInt8] = flate.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }
    hexadecimal.append(0x3E)
    #expect(
      try text(file(hexadecimal, "/Filter[/ASCIIHexDecode/FlateDecode]")) == "inside\n")
    #expect(try text(file(hexadecimal, "/Filter[/AHx/Fl]")) == "inside\n")
  }

  @Test func `a damaged content stream gives what it had, and says so`() throws {
    let flate = try #require(Deflate.compressed(Array(lines(40).utf8)))
    let cut = Array(flate.prefix(flate.count / 2))
    let opened = try PDFFile(FileBytes(file(cut, "/Filter/FlateDecode")))
    let page = try #require(try TextExtractor(opened).page(0))
    #expect(page.text.hasPrefix("line 0 of the page\nline 1 of the page\n"))
    #expect((2..<40).contains(page.lines.count))
    #expect(opened.diagnostics.isPartial)
  }

  @Test func `a checksum that does not fit loses nothing`() throws {
    var flate = try #require(Deflate.compressed(Array(lines(10).utf8)))
    flate[flate.count - 1] ^= 0x55
    let page = try text(file(flate, "/Filter/FlateDecode"))
    #expect(page.split(separator: "\n").count == 10)
  }

  @Test(arguments: ["Secret", "DCTDecode"])
  func `a content stream under a filter that is no text filter is told`(name: String) throws {
    let opened = try PDFFile(
      FileBytes(file(Array(FileAssembler.line("x").utf8), "/Filter/\(name)")))
    #expect(try TextExtractor(opened).page(0)?.text == "")
    #expect(opened.diagnostics.isPartial)
    #expect(opened.diagnostics.list.contains { $0.message.contains(name) })
  }

  @Test func `a form under a filter that is no text filter is told`() throws {
    var file = FileAssembler()
    file.page("/Contents 4 0 R/Resources<</XObject<</X 6 0 R>>/Font<</F1 5 0 R>>>>")
    file.stream(4, "/X Do " + FileAssembler.line("page"))
    file.stream(6, FileAssembler.line("form"), entries: "/Subtype/Form/Filter/Secret")
    file.end(file.table(file.used(1...6), trailer: "/Size 7/Root 1 0 R"))
    let opened = try PDFFile(FileBytes(file.bytes))
    #expect(try TextExtractor(opened).page(0)?.text == "page\n")
    #expect(opened.diagnostics.list.contains { $0.message.contains("Secret") })
  }

  @Test func `a damaged form gives what it had, and says so`() throws {
    let flate = try #require(Deflate.compressed(Array(lines(40).utf8)))
    var file = FileAssembler()
    file.page("/Contents 4 0 R/Resources<</XObject<</X 6 0 R>>/Font<</F1 5 0 R>>>>")
    file.stream(4, "/X Do")
    file.stream(
      6, Array(flate.prefix(flate.count / 2)), entries: "/Subtype/Form/Filter/FlateDecode")
    file.end(file.table(file.used(1...6), trailer: "/Size 7/Root 1 0 R"))
    let opened = try PDFFile(FileBytes(file.bytes))
    let page = try #require(try TextExtractor(opened).page(0))
    #expect(page.text.hasPrefix("line 0 of the page\n"))
    #expect(opened.diagnostics.isPartial)
  }

  private static let after = " EI\nBT /F1 12 Tf 72 700 Td (after) Tj ET"

  @Test(
    arguments: [
      "BI /W 8 /H 1 /BPC 1 /IM true /F /AHx ID 4F EI 4D>",
      "BI /Width 2 /Height 2 /ColorSpace /DeviceRGB /BitsPerComponent 8 ID (((((((((((",
      "BI /W 3 /H 1 /CS /CMYK /BPC 8 ID EI Q EI Q EI",
      "BI /W 4 /H 1 /F [/A85 /DCT] /DP [null <</K 1>>] ID 87cURD]i~>",
      "BI /W 1 /H 1 /CS /G /BPC 8 /D [0 1] ID x", "BI ID", "BI /W 1 /H ID x",
    ])
  func `inline images are skipped whatever they say`(image: String) throws {
    #expect(try shown(image + Self.after) == "after\n")
  }

  @Test func `an inline image of binary data ends at the EI that is followed by content`() throws {
    var content = Array("BI /W 9 /H 9 /F /Fl ID ".utf8)
    content += [0x78, 0x9C, 0x20, 0x45, 0x49, 0x20, 0x00, 0xFF, 0x80, 0x0A, 0x45, 0x49, 0x0A, 0x01]
    content += Array(Self.after.utf8)
    #expect(try text(file(content, "")) == "after\n")
  }

  @Test func `an inline image without an end takes the rest, and no more`() throws {
    #expect(try shown("BT /F1 9 Tf 72 700 Td (before) Tj ET BI /W 1 ID xyz") == "before\n")
    #expect(try shown("BT /F1 9 Tf 72 700 Td (before) Tj ET BI /W 1 /H") == "before\n")
  }
}
