import PDFSyntax
import PDFWriter
import PluginKit
import TestSupport
import Testing

@testable import ImageHeaders
@testable import ImageOCR

@Suite struct OCRLimitTests {
  @Test func `an image that unpacks to too much is refused by its header`() throws {
    func header(width: Int, height: Int) -> ImageHeader {
      ImageHeader(format: .png, pages: [.init(width: width, height: height)])
    }
    let read = header(width: 30_000, height: 30_000)
    let failure = #expect(throws: PluginFailure.self) { try OCRLimits().check(read) }
    #expect(failure?.code == "limit.pixels")
    let absurd = header(width: .max, height: .max)
    #expect(throws: PluginFailure.self) { try OCRLimits().check(absurd) }
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

@Suite struct OpacityTests {
  @Test func `opacity is composed on white, rounded to the nearest value`() throws {
    // Four pixels of black, half black, an orange of a third, and nothing, in two rows.
    let digits =
      "89504e470d0a1a0a0000000d49484452000000040000000208060000007fa87d630000001a494441"
      + "54789c63606060f80fc40d27528c7c3939391918d005007291068bc55fb8ca0000000049454e44ae"
      + "426082"
    let bytes = stride(from: 0, to: digits.utf8.count, by: 2).compactMap { at in
      UInt8(digits.dropFirst(at).prefix(2), radix: 16)
    }
    let header = ImageHeader.read(bytes.span)
    let page = try #require(header?.pages.first)
    var image: PageImage?
    if let decoded = PixelDecoder.decode(bytes.span, format: .png, page: page) {
      image = ImageCoder.recoded(decoded.pixels)
    }
    let stream = try #require(image?.stream)
    let file = try PDFFile(FileBytes(PDFBuilder.pages([""])))
    let samples = file.decode(stream).bytes
    let row: [UInt8] = [0, 0, 0, 127, 127, 127, 238, 208, 193, 255, 255, 255]
    #expect(samples == row + row)
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
