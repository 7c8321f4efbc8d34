import PDFSyntax
import PluginKit
import Testing

@testable import ImageHeaders
@testable import ImageOCR

/// TIFF files of which a part is missing or altered: the rest is read, and the picture counts as damaged.
@Suite struct DamagedTIFFTests {
  private typealias File = TIFFTests.File

  /// Each row has a value of its own.
  private static func file(samples: Int, bits: Int = 8) -> File {
    File(bits: bits, samples: samples, photometric: samples == 3 ? 2 : 1, rowsPerStrip: 6) { _, y in
      Array(repeating: bits == 1 ? y % 2 : 40 + y * 7, count: samples)
    }
  }

  private func decoded(_ file: File) -> (grey: [UInt8], isDamaged: Bool)? { decoded(file.bytes) }

  private func decoded(_ bytes: [UInt8]) -> (grey: [UInt8], isDamaged: Bool)? {
    guard let page = ImageHeader.read(bytes.span)?.pages.first,
      let decoded = PixelDecoder.decode(bytes.span, format: .tiff, page: page)
    else { return nil }
    return (decoded.pixels.grey8()?.samples() ?? [], decoded.isDamaged)
  }

  private static func deflate(_ bytes: [UInt8]) -> [UInt8] { Deflate.compressed(bytes) ?? [] }

  /// Two bytes at a time as they are, which is no good compression.
  private static func packBits(_ bytes: [UInt8]) -> [UInt8] {
    stride(from: 0, to: bytes.count, by: 2).flatMap { [1, bytes[$0], bytes[$0 + 1]] }
  }

  /// LZW whose table is begun anew before each byte, so that codes stay 9 bits long.
  private static func lzw(_ bytes: [UInt8]) -> [UInt8] {
    var bits: [Int] = []
    for code in bytes.flatMap({ [256, Int($0)] }) + [257] {
      bits += (0..<9).map { code >> (8 - $0) & 1 }
    }
    return stride(from: 0, to: bits.count, by: 8).map { at in
      (0..<8).reduce(UInt8(0)) { $0 << 1 | UInt8(at + $1 < bits.count ? bits[at + $1] : 0) }
    }
  }

  static let codecs: [(tag: Int, encode: @Sendable ([UInt8]) -> [UInt8])] = [
    (1, { $0 }), (5, lzw), (8, deflate), (32773, packBits), (32946, deflate),
  ]

  @Test(arguments: codecs.indices, [1, 2, 3])
  func `the rows of a strip that is cut off, altered or not there are missed`(
    codec: Int, samples: Int
  ) throws {
    var file = Self.file(samples: samples)
    if samples == 2 { file.extra = 0 }
    (file.compression, file.encode) = Self.codecs[codec]
    let whole = try #require(decoded(file))
    #expect(!whole.isDamaged)
    let harms: [(name: String, harm: (inout [[UInt8]]) -> Void)] = [
      ("cut", { $0[1].removeLast($0[1].count / 2) }), ("missing", { $0[1] = [] }),
      ("zeroed", { $0[1] = Array(repeating: 0, count: $0[1].count) }),
    ]
    for (name, harm) in harms where name == "missing" || file.compression != 1 {
      file.harm = harm
      let made = try #require(decoded(file), "\(name)")
      #expect(made.isDamaged, "\(name)")
      // The strips around it are as they were, and so are the rows before the fault.
      #expect(made.grey.prefix(6 * 20) == whole.grey.prefix(6 * 20), "\(name)")
      #expect(made.grey.suffix(6 * 20) == whole.grey.suffix(6 * 20), "\(name)")
      if name == "missing" { #expect(made.grey[120..<240].allSatisfy { $0 == 255 }) }
      if name == "cut" { #expect(made.grey[120..<160] == whole.grey[120..<160]) }
    }
  }

  @Test(arguments: [1, 3]) func `a file that ends early gives the rows that it has`(
    samples: Int
  ) throws {
    for tile in [Int?.none] {
      var file = Self.file(samples: samples)
      (file.rowsPerStrip, file.tile) = (nil, tile)
      let whole = try #require(decoded(file))
      let made = try #require(decoded(Array(file.bytes.dropLast(4 * 20 * samples))))
      #expect(made.isDamaged && !whole.isDamaged)
      if tile == nil {
        #expect(made.grey.prefix(14 * 20) == whole.grey.prefix(14 * 20))
        #expect(made.grey.suffix(4 * 20).allSatisfy { $0 == 255 })
      }
    }
  }

  @Test func `bytes that do not have their checksum are altered ones`() throws {
    var file = Self.file(samples: 1)
    file.compression = 8
    // Stored without compression, so that other bytes can be decoded (RFC 1951, 3.2.4).
    file.encode = { bytes in
      let count = UInt8(bytes.count), sum = Self.deflate(bytes).suffix(4)
      return [0x78, 0x01, 1, count, 0, ~count, 0xFF] + bytes + sum
    }
    #expect(try !#require(decoded(file)).isDamaged)
    file.harm = { $0[1][40] ^= 255 }
    #expect(try #require(decoded(file)).isDamaged)
  }

  @Test func `codes of LZW and PackBits that stand for too much are altered ones`() throws {
    var file = Self.file(samples: 1)
    (file.compression, file.encode) = (32773, Self.packBits)
    // A run of 100 in the place of one of a single byte.
    file.harm = { $0[1].replaceSubrange(3..<6, with: [157, 9]) }
    #expect(try #require(decoded(file)).isDamaged)
  }

  @Test func `broken fax codes are damage`() throws {
    // Rows of white alone in Group 4 are a single bit each.
    var file = Self.file(samples: 1, bits: 1)
    (file.photometric, file.compression, file.rowsPerStrip) = (0, 4, nil)
    file.encode = { _ in [0xFF, 0xFF, 0xC0, 0x01, 0x00, 0x10] }
    #expect(try #require(decoded(file)).isDamaged == false)
    file.encode = { _ in [0xFF, 0x00, 0x00, 0x01, 0x00, 0x10] }
    #expect(decoded(file)?.isDamaged != false)
  }

  // MARK: Compressions that cannot be decoded

  @Test(arguments: [
    (34712, "JPEG 2000"), (33005, "JPEG 2000"), (50002, "JPEG XL"), (52546, "JPEG XL"),
    (34934, "JPEG XR"), (34933, "PNG"), (65535, "compression 65535"),
  ])
  func `a compression that the library lacks is named`(tag: Int, name: String) {
    for samples in [1, 3] {
      var file = Self.file(samples: samples)
      file.compression = tag
      #expect(decoded(file) == nil)
      guard let header = ImageHeader.read(file.bytes.span) else {
        Issue.record("no header")
        continue
      }
      let failure = PluginFailure.undecodable(header, page: 1)
      #expect(failure.code == "image.unknown")
      #expect(failure.message == "this is a TIFF with \(name), which cannot be read")
      #expect(header.pages[0].sentenceOfLoss(page: 2).contains(name))
    }
  }

  @Test func `a BigTIFF is named`() {
    for mark: [UInt8] in [[0x49, 0x49, 43, 0, 8, 0, 0, 0], [0x4D, 0x4D, 0, 43, 0, 8, 0, 0]] {
      let failure = PluginFailure.unknownImage(mark.span)
      #expect(failure.code == "image.unknown" && failure.message.contains("BigTIFF"))
    }
  }
}
