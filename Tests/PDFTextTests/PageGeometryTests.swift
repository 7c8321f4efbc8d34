import PDFSyntax
import TestSupport
import Testing

@testable import PDFText

/// How the page as a whole is turned, cut and measured.
struct PageGeometryTests {
  private func page(_ content: String, _ entries: String) throws -> TextPage {
    let file = try PDFFile(FileBytes(PDFBuilder.pages([content], page: entries)))
    return try #require(try TextExtractor(file).page(0))
  }

  /// Text that is upright when a page of 600 by 800 is shown with a rotation, 50 from its left edge
  /// and with its baseline 100 below its top edge.
  private static let upright = [
    (0, "1 0 0 1 50 700"), (90, "0 1 -1 0 100 50"), (180, "-1 0 0 -1 550 100"),
    (270, "0 -1 1 0 500 750"),
  ]

  @Test(arguments: upright)
  func `a turned page is read as it is shown`(rotation: Int, matrix: String) throws {
    let content = "BT /F1 10 Tf \(matrix) Tm (first line) Tj 0 -12 Td (second) Tj ET"
    let page = try page(content, "/MediaBox[0 0 600 800]/Rotate \(rotation)")
    #expect(page.text == "first line\nsecond\n")
    #expect(page.words.allSatisfy { $0.angle == 0 })
    let box = try #require(page.words.first).box
    #expect((box.x0 - 50).magnitude < 0.01 && (box.y1 - 102).magnitude < 0.01)
    #expect((page.words[2].box.y1 - 114).magnitude < 0.01)
    #expect(page.rotation == rotation)
    #expect(page.width == (rotation % 180 == 0 ? 600 : 800))
  }

  @Test func `boxes count from the corner of the crop box`() throws {
    let content = "BT /F1 10 Tf 150 700 Td (text) Tj ET"
    let page = try page(content, "/MediaBox[-100 -100 700 900]/CropBox[100 600 400 750]")
    let box = try #require(page.words.first).box
    #expect((box.x0 - 50).magnitude < 0.01 && (box.y1 - 52).magnitude < 0.01)
    #expect(page.width == 300 && page.height == 150)
  }

  @Test(arguments: upright)
  func `text outside of a turned crop box is left out`(rotation: Int, matrix: String) throws {
    let content =
      "BT /F1 10 Tf 1 0 0 1 50 50 Tm (low) Tj 1 0 0 1 250 750 Tm (high) Tj "
      + "1 0 0 1 250 350 Tm (inside) Tj 1 0 0 1 -30 350 Tm (left) Tj ET"
    let entries = "/MediaBox[0 0 600 800]/CropBox[100 200 500 600]/Rotate \(rotation)"
    #expect(try page(content, entries).text == "inside\n")
  }

  @Test func `a line that runs over the edge keeps what is on the page`() throws {
    let page = try page("BT /F1 10 Tf 180 50 Td (abcdefgh) Tj ET", "/MediaBox[0 0 200 100]")
    #expect(page.text == "abcd\n")
  }

  @Test func `text at an odd angle stays in words and lines`() throws {
    let content =
      "BT /F1 12 Tf 0.9397 0.3420 -0.3420 0.9397 100 300 Tm (CONFIDENTIAL draft) Tj "
      + "0 -14 Td (second line) Tj ET"
    let page = try page(content, "")
    #expect(page.text == "CONFIDENTIAL draft\nsecond line\n")
    // Twenty degrees upwards.
    #expect(page.words.allSatisfy { (335...345).contains($0.angle) })
  }

  @Test func `a watermark across the page does not tear its lines`() throws {
    let content =
      PDFBuilder.lines((0..<8).map { "line \($0) of the text below" })
      + " BT /F1 40 Tf 0.7071 0.7071 -0.7071 0.7071 72 600 Tm (DRAFT) Tj ET"
    let lines = try page(content, "").text.split(separator: "\n")
    #expect(lines.count == 9 && lines.last == "DRAFT")
    #expect(lines.prefix(8).enumerated().allSatisfy { $1 == "line \($0) of the text below" })
  }

  @Test func `text that leans is no other direction`() throws {
    let page = try page("BT /F1 12 Tf 1 0 0.3 1 72 700 Tm (leaning text) Tj ET", "")
    #expect(page.text == "leaning text\n" && page.words.first?.angle == 0)
  }

  @Test func `a unit of the page's own changes no text`() throws {
    let page = try page(PDFBuilder.lines(["one two"]), "/UserUnit 10")
    #expect(page.text == "one two\n" && page.words.count == 2)
  }
}
