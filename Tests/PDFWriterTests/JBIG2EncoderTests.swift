import Foundation
import PDFSyntax
import PDFWriter
import SystemPackage
import TestSupport
import Testing

/// Read back by poppler, which decodes JBIG2 by itself.
@Suite struct JBIG2EncoderTests {
  /// Packed rows of a picture, 1 for black.
  struct Picture: Sendable, CustomTestStringConvertible {
    var name: String
    var width: Int
    var height: Int
    var isBlack: @Sendable (Int, Int) -> Bool
    var testDescription: String { "\(name), \(width) by \(height)" }

    var rows: [UInt8] {
      let stride = (width + 7) / 8
      var rows = [UInt8](repeating: 0, count: stride * height)
      for y in 0..<height {
        for x in 0..<width where isBlack(x, y) { rows[y * stride + x / 8] |= 0x80 >> (x % 8) }
      }
      return rows
    }
  }

  static let pictures = [
    Picture(name: "one pixel", width: 1, height: 1) { _, _ in true },
    Picture(name: "white", width: 300, height: 200) { _, _ in false },
    Picture(name: "black", width: 129, height: 70) { _, _ in true },
    Picture(name: "chequered", width: 67, height: 33) { x, y in (x + y) % 2 == 0 },
    Picture(name: "rules", width: 640, height: 480) { x, y in x % 64 == 0 || y % 50 < 2 },
    Picture(name: "noise", width: 257, height: 131) { x, y in
      (x &* 7919 &+ y &* 104_729 &+ x &* y) % 7 < 3
    },
    Picture(name: "blocks", width: 200, height: 128) { x, y in x / 9 % 3 == 1 && y / 11 % 2 == 1 },
  ]

  @Test(arguments: pictures) func `a picture is read back as it was`(picture: Picture) throws {
    let rows = picture.rows
    let stride = (picture.width + 7) / 8
    let made = JBIG2Encoder.encode(
      rows.span, width: picture.width, height: picture.height, stride: stride)
    let coded = try #require(made)
    let image = PageImage(
      width: picture.width, height: picture.height, bitsPerComponent: 1, colour: .gray,
      coding: .jbig2, bytes: coded)
    let page = ImagePage(
      image: image, width: 200, height: 100, placement: Matrix(200, 0, 0, 100, 0, 0),
      text: TextLayer())
    let folder = TemporaryFolder()
    try folder.write(Data(ImageDocumentTests.document([page])), to: "page.pdf")
    let result = try Programs.run("/usr/bin/pdfimages", ["page.pdf", "image"], in: folder.path)
    #expect(result.status == 0 && result.errors.isEmpty, "\(result.errors)")
    let map = try #require(folder.read("image-000.pbm"))
    // A portable bitmap has 1 for black too.
    let head = Data("P4\n\(picture.width) \(picture.height)\n".utf8)
    #expect(map == head + Data(rows))
  }

  @Test func `white paper costs nearly nothing`() throws {
    let rows = [UInt8](repeating: 0, count: 310 * 3508)
    let made = JBIG2Encoder.encode(rows.span, width: 2480, height: 3508, stride: 310)
    let coded = try #require(made)
    #expect(coded.count < 100)
  }

  @Test func `rows that are not there are refused`() {
    let rows = [UInt8](repeating: 0, count: 10)
    for (width, height) in [(9, 6), (17, 5), (0, 5), (9, 0)] {
      let made = JBIG2Encoder.encode(rows.span, width: width, height: height, stride: 2)
      #expect(made == nil, "\(width) by \(height)")
    }
  }
}
