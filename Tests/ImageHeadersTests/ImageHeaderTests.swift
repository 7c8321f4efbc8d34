import Testing

@testable import ImageHeaders

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

  @Test func `an Exif segment that says to be shorter than its name is no trap`() throws {
    let segment = [0xFF, 0xE1, 0, 3] + Array("Exif\0\0".utf8)
    let bytes = Self.jpeg[..<2] + segment + Self.jpeg[2...]
    // What follows the stated end is no marker.
    #expect(header(Array(bytes)) == nil)
  }

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

  @Test func `pictures that are not read are counted, and kinds that cannot be are named`() throws {
    let frame: [UInt8] = [0x2C, 0, 0, 0, 0, 4, 0, 4, 0, 0, 2, 1, 0x44, 0]
    #expect(header(Self.gif + frame + frame + frame + [0x3B])?.leftOut == 2)
    #expect(header(Self.gif + frame + [0x3B])?.leftOut == 0)
    let one = Array("P5 2 2 255\n".utf8) + [1, 2, 3, 4]
    #expect(header(one)?.leftOut == 0 && header(one + one)?.leftOut == 1)
    // What stands behind may be anything; a picture begins with its own mark.
    #expect(header(one + [0x0A, 0x50])?.leftOut == 0)
    #expect(header(Self.bitmap)?.unreadableKind == nil)
    for (offset, value, kind) in [
      (30, 1, "a compressed BMP"), (28, 32, "a BMP of 32 bits a pixel"),
    ] as [(Int, UInt8, String)] {
      var bitmap = Self.bitmap + [UInt8](repeating: 0, count: max(0, 60 - Self.bitmap.count))
      bitmap[offset] = value
      #expect(header(bitmap)?.unreadableKind == kind)
    }
    let webP = Self.webP + Array("ANMF".utf8) + [0, 0, 0, 0]
    #expect(header(webP)?.unreadableKind == "an animated WebP")
  }

  @Test func `pictures larger than the screen of a GIF count`() throws {
    let frame: [UInt8] = [0x2C, 0, 0, 0, 0, 0x60, 0xEA, 0x40, 0x9C, 0, 2, 3, 1, 2, 3, 1, 9, 0]
    let extensionBlock: [UInt8] = [0x21, 0xFE, 2, 0x2C, 0x2C, 0]
    let page = try #require(
      header(Self.gif + extensionBlock + frame + frame + frame + [0x3B])?.pages.first)
    #expect(page.width == 60_000 && page.height == 40_000)
    #expect(page.furtherPixels == 2 * 60_000 * 40_000)
    #expect(header(Self.gif + frame.prefix(7))?.pages.first?.width == 320)
  }

  @Test func `a codestream larger than the header of its file counts`() throws {
    func long(_ value: Int) -> [UInt8] { [24, 16, 8, 0].map { UInt8(value >> $0 & 255) } }
    let start = long(12) + Array("jP  ".utf8) + [0x0D, 0x0A, 0x87, 0x0A]
    let head =
      long(30) + Array("jp2h".utf8) + long(22) + Array("ihdr".utf8) + long(10) + long(20)
      + [0, 3, 7, 7, 0, 0]
    let size =
      [0xFF, 0x4F, 0xFF, 0x51, 0, 47, 0, 0] + long(50_000) + long(40_000) + long(0) + long(0)
      + long(9) + long(9) + long(0) + long(0) + [0, 3]
    for box in [long(8) + Array("jp2c".utf8), long(1) + Array("jp2c".utf8) + long(0) + long(80)] {
      let page = try #require(header(start + head + box + size)?.pages.first)
      #expect(page.width == 50_000 && page.height == 40_000 && page.components == 3)
    }
  }

  @Test func `of a TIFF tag that stands twice the first counts`() throws {
    var twice = Self.tiff
    twice[8] = 4
    twice.insert(contentsOf: [0, 1, 3, 0, 1, 0, 0, 0, 1, 0, 0, 0], at: 22)
    #expect(header(twice)?.pages.first?.width == 100)
  }

  @Test func `what no decoder here reads of TIFF is told as such`() {
    func kind(_ tag: UInt8, _ value: UInt8) -> String? {
      var other = Self.tiff
      other[8] = 4
      other.insert(contentsOf: [tag, 1, 3, 0, 1, 0, 0, 0, value, 0, 0, 0], at: 46)
      return header(other)?.unreadableKind
    }
    #expect(kind(0x02, 32) == "a TIFF of 32 bits a sample")
    #expect(kind(0x02, 16) == nil && kind(0x44, 8) == nil)
  }

  @Test func `a text file is no image whatever its name`() {
    #expect(header(Array("/etc/passwd\nletter.png\n".utf8)) == nil)
    #expect(header([UInt8]()) == nil)
  }

  @Test func `a chain of TIFF directories that loops ends`() throws {
    var looping = Self.tiff
    looping[looping.count - 4] = 8
    let read = try #require(header(looping))
    #expect(read.pages.count == 1 && read.isTruncated)
  }

  @Test func `the pixels of all pictures are added, and a sum too great is the greatest number`() {
    let page = ImageHeader.Page(width: 100, height: 50)
    #expect(ImageHeader(format: .tiff, pages: [page, page]).pixels == 10_000)
    let absurd = ImageHeader.Page(width: .max, height: 2)
    #expect(ImageHeader(format: .png, pages: [absurd]).pixels == .max)
    let large = ImageHeader.Page(width: .max, height: 1)
    #expect(ImageHeader(format: .png, pages: [large, page]).pixels == .max)
    #expect(header(Self.png(width: .max, height: .max))?.pixels == .max)
  }

  static let bitmap: [UInt8] =
    Array("BM".utf8) + [UInt8](repeating: 0, count: 12) + [40, 0, 0, 0, 7, 0, 0, 0]
    + [0xFB, 0xFF, 0xFF, 0xFF, 1, 0, 24, 0] + [UInt8](repeating: 0, count: 24)
  static let webP: [UInt8] =
    Array("RIFF".utf8) + [30, 0, 0, 0] + Array("WEBPVP8X".utf8) + [10, 0, 0, 0, 0, 0, 0, 0]
    + [11, 0, 0, 12, 0, 0]
  static let jpeg2000: [UInt8] =
    [0, 0, 0, 12] + Array("jP  ".utf8) + [0x0D, 0x0A, 0x87, 0x0A]
    + [0, 0, 0, 30] + Array("jp2h".utf8) + [0, 0, 0, 22] + Array("ihdr".utf8)
    + [0, 0, 0, 8, 0, 0, 0, 9, 0, 3, 7, 7, 0, 0]
  static let pixmap = Array("P6\n# made by hand\n15 16\n255\n".utf8)

  @Test func `sizes of the other formats are read`() throws {
    func size(_ bytes: [UInt8]) -> [Int]? {
      header(bytes)?.pages.first.map { [$0.width, $0.height] }
    }
    #expect(size(Self.bitmap) == [7, 5])
    #expect(size(Self.webP) == [12, 13])
    #expect(size(Self.jpeg2000) == [9, 8])
    #expect(size(Self.pixmap) == [15, 16])
  }

  @Test(
    arguments: [png(width: 9, height: 9), gif, jpeg, tiff, bitmap, webP, jpeg2000, pixmap])
  func `no cut and no flipped byte of a header stops the reader`(bytes: [UInt8]) {
    for end in bytes.indices { _ = header(Array(bytes[..<end]))?.pixels }
    for index in bytes.indices {
      for value: UInt8 in [0, 1, 0x7F, 0x80, 0xFF] {
        var changed = bytes
        changed[index] = value
        _ = header(changed)?.pixels
      }
    }
  }
}
