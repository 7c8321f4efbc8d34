import Testing

@testable import ImageOCR

private func header(_ bytes: [UInt8]) -> ImageHeader? { ImageHeader.read(bytes.span) }

@Suite struct ImageHeaderTests {
  /// The header of a PNG file of one bit a pixel, without data.
  static func png(width: UInt32, height: UInt32) -> [UInt8] {
    func long(_ value: UInt32) -> [UInt8] {
      (0..<4).map { UInt8(truncatingIfNeeded: value >> (24 - 8 * UInt32($0))) }
    }
    return [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] + long(13) + Array("IHDR".utf8)
      + long(width) + long(height) + [1, 0, 0, 0, 0] + long(0)
      + long(9) + Array("pHYs".utf8) + long(11811) + long(11811) + [1] + long(0)
  }

  static let gif: [UInt8] = Array("GIF89a".utf8) + [0x40, 0x01, 0xF0, 0x00, 0, 0, 0]
  static let jpeg: [UInt8] =
    [0xFF, 0xD8, 0xFF, 0xE0, 0, 16] + Array("JFIF\0".utf8) + [1, 2, 1, 0, 200, 0, 200, 0, 0]
    + [0xFF, 0xC0, 0, 11, 8, 0x04, 0xB0, 0x06, 0x40, 1, 1, 0x11, 0]
    + [0xFF, 0xDA, 0, 8, 1, 1, 0, 0, 63, 0, 1, 2, 3]
  static let tiff: [UInt8] =
    Array("II*\0".utf8) + [8, 0, 0, 0, 3, 0] + [0, 1, 3, 0, 1, 0, 0, 0, 100, 0, 0, 0]
    + [1, 1, 3, 0, 1, 0, 0, 0, 50, 0, 0, 0] + [18, 1, 3, 0, 1, 0, 0, 0, 6, 0, 0, 0]
    + [0, 0, 0, 0]

  @Test func `size and resolution are read without decoding`() throws {
    let png = try #require(header(Self.png(width: 300, height: 200))?.pages.first)
    #expect(png.width == 300 && png.height == 200)
    #expect(abs((png.resolution?.x ?? 0) - 300) < 0.01)
    let gif = try #require(header(Self.gif)?.pages.first)
    #expect(gif.width == 320 && gif.height == 240)
    let jpeg = try #require(header(Self.jpeg))
    #expect(jpeg.pages[0].width == 1600 && jpeg.pages[0].height == 1200)
    #expect(jpeg.pages[0].resolution?.x == 200)
    #expect(jpeg.isTruncated, "there is no end-of-image marker")
    let tiff = try #require(header(Self.tiff)?.pages.first)
    #expect(tiff.width == 100 && tiff.height == 50 && tiff.orientation == 6)
    let pnm = try #require(header(Array("P5 # size\n12 34\n255\n".utf8)))
    #expect(pnm.pages[0].width == 12 && pnm.pages[0].height == 34)
  }

  @Test func `a text file is no image whatever its name`() {
    #expect(header(Array("/etc/passwd\nletter.png\n".utf8)) == nil)
    #expect(header([UInt8]()) == nil)
  }

  @Test func `an image that unpacks to too much is refused by its header`() throws {
    let read = try #require(header(Self.png(width: 30_000, height: 30_000)))
    let failure = #expect(throws: OCRFailure.self) { try OCRLimits().check(read) }
    #expect(failure?.code == "limit.pixels")
    let absurd = try #require(
      header(Self.png(width: .max, height: .max)))
    #expect(throws: OCRFailure.self) { try OCRLimits().check(absurd) }
  }

  @Test func `a chain of TIFF directories that loops ends`() throws {
    var looping = Self.tiff
    looping[looping.count - 4] = 8
    let read = try #require(header(looping))
    #expect(read.pages.count == 1 && read.isTruncated)
  }

  @Test(arguments: [png(width: 9, height: 9), gif, jpeg, tiff])
  func `no cut and no flipped byte of a header stops the reader`(bytes: [UInt8]) {
    for end in bytes.indices { _ = header(Array(bytes[..<end])) }
    for index in bytes.indices {
      for value: UInt8 in [0, 1, 0x7F, 0x80, 0xFF] {
        var changed = bytes
        changed[index] = value
        _ = header(changed)
      }
    }
  }
}

@Suite struct PageResolutionTests {
  @Test func `a credible resolution is taken`() {
    let stated = PageResolution(
      stated: .init(x: 300, y: 300), width: 2480, height: 3508)
    #expect(stated.x == 300 && !stated.isGuessed)
  }

  @Test func `72 dpi on a scan of a page is not believed`() {
    let silly = PageResolution(stated: .init(x: 72, y: 72), width: 2480, height: 3508)
    #expect(silly.isGuessed && abs(silly.x - 300) < 1)
  }

  @Test func `without a resolution the page is taken for A4 or letter`() {
    #expect(abs(PageResolution(stated: nil, width: 1654, height: 2339).x - 200) < 1)
    #expect(abs(PageResolution(stated: nil, width: 2550, height: 3300).x - 300) < 1)
  }

  @Test func `pages stay within what PDF allows`() {
    var tiny = PageResolution(stated: .init(x: 300, y: 300), width: 1, height: 1)
    tiny.fit(width: 1, height: 1)
    #expect(72 / tiny.x >= 3)
    var large = PageResolution(stated: .init(x: 30, y: 30), width: 30_000, height: 100)
    large.fit(width: 30_000, height: 100)
    #expect(30_000 * 72 / large.x <= 14_401)
  }
}

@Suite struct ArithmeticDecoderTests {
  @Test func `the test sequence of the standard decodes`() {
    // ITU-T T.88, annex H.2.
    let coded: [UInt8] = [
      0x84, 0xC7, 0x3B, 0xFC, 0xE1, 0xA1, 0x43, 0x04, 0x02, 0x20, 0x00, 0x00, 0x41, 0x0D, 0xBB,
      0x86, 0xF4, 0x31, 0x7F, 0xFF, 0x88, 0xFF, 0x37, 0x47, 0x1A, 0xDB, 0x6A, 0xDF, 0xFF, 0xAC,
    ]
    let plain: [UInt8] = [
      0x00, 0x02, 0x00, 0x51, 0x00, 0x00, 0x00, 0xC0, 0x03, 0x52, 0x87, 0x2A, 0xAA, 0xAA, 0xAA,
      0xAA, 0x82, 0xC0, 0x20, 0x00, 0xFC, 0xD7, 0x9E, 0xF6, 0xBF, 0x7F, 0xED, 0x90, 0x4F, 0x46,
      0xA3, 0xBF,
    ]
    var decoder = ArithmeticDecoder(coded, in: 0..<coded.count)
    var contexts = ArithmeticDecoder.Contexts(count: 1)
    let decoded = plain.map { _ in
      (0..<8).reduce(UInt8(0)) { byte, _ in byte << 1 | UInt8(decoder.bit(&contexts, 0)) }
    }
    #expect(decoded == plain)
  }

  @Test func `arbitrary data gives a picture or nothing`() {
    var state: UInt64 = 7
    for length in 0..<300 {
      var bytes: [UInt8] = [0, 0, 0, 0, 38, 0, 1, 0, 0, 0, UInt8(length % 256)]
      for _ in 0..<length {
        state = state &* 6_364_136_223_846_793_005 &+ 1
        bytes.append(UInt8(truncatingIfNeeded: state >> 59))
      }
      for kind: UInt8 in [0, 6, 38] {
        bytes[4] = kind
        var decoder = JBIG2Decoder(width: 40, height: 40)
        _ = decoder.decode(bytes, globals: nil)
      }
    }
  }
}
