import CTesseract
import Foundation
import PDFSyntax
import TestSupport
import Testing

@testable import ImageHeaders
@testable import ImageOCR

/// Fax and JBIG2 data.
struct BilevelCodingTests {
  /// A picture with runs of all lengths, some of them longer than any single code.
  private static let picture: BilevelBitmap = {
    var bitmap = BilevelBitmap(width: 3001, height: 120)
    var numbers = SeededNumbers(seed: 4)
    for row in 1..<119 where row % 7 != 0 {
      var x = 0
      var isBlack = row % 2 == 0
      while x < 3001 {
        let run = row % 5 == 0 ? 2900 : Int(numbers.next() % UInt64(row * 3 + 1))
        if isBlack { for at in x..<min(3001, x + run) { bitmap.pixels[row * 3001 + at] = 1 } }
        isBlack.toggle()
        x += run + (run == 0 ? 1 : 0)
      }
    }
    return bitmap
  }()

  /// The picture as Leptonica and libtiff code it.
  private static func strip(_ format: Int32) throws -> [UInt8] {
    guard
      let pixels = Pixels.bilevel(
        width: picture.width, height: picture.height, picture.pixels, black: 1)
    else { throw Missing() }
    var data: UnsafeMutablePointer<UInt8>?
    var size = 0
    #expect(pixWriteMemTiff(&data, &size, pixels.pix, format) == 0)
    let bytes = Array(UnsafeBufferPointer(start: data, count: size))
    lept_free(data)
    guard let found = TIFFHeader.onlyStrip(bytes.span) else { throw Missing() }
    return Array(bytes[found.range])
  }

  private struct Missing: Error {}

  @Test func `Group 4 is read as it was written`() throws {
    let data = try Self.strip(Int32(IFF_TIFF_G4))
    var decoder = FaxDecoder(
      data, in: 0..<data.count, FaxDecoder.Parameters(k: -1, columns: 3001))
    let result = decoder.decode(rows: 120)
    #expect(!result.isDamaged && result.bitmap.pixels == Self.picture.pixels)
    #expect(decoder.positionBehindEnd >= data.count - 1)
  }

  @Test func `Group 3 is read as it was written`() throws {
    let data = try Self.strip(Int32(IFF_TIFF_G3))
    for ends in [true, false] {
      var decoder = FaxDecoder(
        data, in: 0..<data.count,
        FaxDecoder.Parameters(k: 0, columns: 3001, hasEndsOfLine: ends))
      let result = decoder.decode(rows: 120)
      #expect(!result.isDamaged && result.bitmap.pixels == Self.picture.pixels)
    }
  }

  @Test func `data that is cut off gives the rows that are there`() throws {
    let data = try Self.strip(Int32(IFF_TIFF_G4))
    var decoder = FaxDecoder(
      data, in: 0..<(data.count / 2), FaxDecoder.Parameters(k: -1, columns: 3001))
    let result = decoder.decode(rows: 120)
    #expect(result.isDamaged && (10..<120).contains(result.rows))
    let whole = (result.rows - 1) * 3001
    #expect(result.bitmap.pixels[..<whole].elementsEqual(Self.picture.pixels[..<whole]))
  }

  @Test func `damage to a row of Group 3 costs that row`() throws {
    var data = try Self.strip(Int32(IFF_TIFF_G3))
    for index in 400..<404 { data[index] = 0xFF }
    var decoder = FaxDecoder(data, in: 0..<data.count, FaxDecoder.Parameters(columns: 3001))
    let result = decoder.decode(rows: 120)
    #expect(result.isDamaged && result.rows >= 110)
  }

  @Test func `rows that begin on whole bytes are read without ends of line`() {
    // White 2400 (extended 2368 and 32) with 4 bits to fill, three times.
    let row: [UInt8] = [0b0000_0001, 0b1100_0001, 0b1011_0000]
    let data = row + row + row
    var decoder = FaxDecoder(
      data, in: 0..<data.count,
      FaxDecoder.Parameters(k: 0, columns: 2400, isByteAligned: true))
    let result = decoder.decode(rows: 3)
    #expect(result.rows == 3 && !result.isDamaged)
    #expect(result.bitmap.pixels.allSatisfy { $0 == 0 })
  }

  // MARK: JBIG2

  private static func number(_ value: Int) -> [UInt8] {
    [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
  }

  private static func segment(_ number: Int, _ kind: UInt8, _ data: [UInt8]) -> [UInt8] {
    Self.number(number) + [kind, 0, 1] + Self.number(data.count) + data
  }

  @Test func `a file of some kilobytes cannot keep the decoder busy`() {
    // Each region is 16 million pixels in a dozen bytes of data.
    let region =
      Self.number(4000) + Self.number(4000) + Self.number(0) + Self.number(0) + [0]
      + [0, 3, 0xFF, 0xFD, 0xFF, 2, 0xFE, 0xFE, 0xFE] + [UInt8](repeating: 0, count: 12)
    let data = (0..<500).flatMap { Self.segment($0, 38, region) }
    var decoder = JBIG2Decoder(width: 64, height: 64)
    _ = decoder.decode(data, globals: nil)
    #expect(decoder.damage == .tooMuchWork)
  }

  // A symbol dictionary, a text region, a halftone, a generic region and a table that claim far more
  // than they hold.
  private static let claims: [(kind: UInt8, data: [UInt8])] = [
    (0, [0, 0, 3, 0xFF, 0xFD, 0xFF, 2, 0xFE, 0xFE, 0xFE] + number(1 << 30) + number(1 << 30)),
    (6, number(64) + number(64) + number(0) + number(0) + [0, 0, 0] + number(1 << 30)),
    (22, number(1 << 19) + number(1 << 19) + number(0) + number(0) + [0, 0]),
    (38, number(1 << 31) + number(4) + number(0) + number(0) + [0, 0]),
    (53, [0x70, 0x80, 0, 0, 0, 0x7F, 0xFF, 0xFF, 0xFF, 0, 0]),
  ]

  @Test(arguments: claims)
  func `claims without data are damage`(kind: UInt8, data: [UInt8]) {
    var decoder = JBIG2Decoder(width: 64, height: 64)
    #expect(decoder.decode(Self.segment(1, kind, data), globals: nil) == nil)
    #expect(decoder.damage != nil)
  }

  @Test func `every coding of one picture gives the same pixels`() throws {
    guard let folder = ProcessInfo.processInfo.environment["PROCD_CORPUS"] else { return }
    let names = try FileManager.default.contentsOfDirectory(atPath: folder + "/pdf")
      .filter { $0.hasPrefix("pdfjs__bitmap-") && !$0.contains("halftone") }.sorted()
    var pages: [(name: String, page: RenderedPage)] = []
    for name in names {
      let pdf = Array(try #require(FileManager.default.contents(atPath: "\(folder)/pdf/\(name)")))
      let page = try #require(try RenderedPage.composed(pdf), "\(name)")
      #expect(!page.isDamaged, "\(name)")
      pages.append((name, page))
    }
    let first = try #require(pages.first).page
    #expect(pages.count > 30)
    for (name, page) in pages {
      // Lossy codings of symbols differ in some dots.
      let difference = try #require(page.difference(from: first))
      #expect(difference < 0.2, "\(name) differs by \(difference)")
    }
  }
}
