import Foundation
import PDFWriter
import PluginKit
import SystemPackage
import TestSupport
import Testing

@testable import ImageHeaders
@testable import ImageOCR

/// HEIC and AVIF, as phones take them; made by heif-enc of libheif's examples.
@Suite struct HEIFTests {
  /// A page of text in another coding.
  static func coded(_ arguments: [String]) throws -> [UInt8] {
    let folder = TemporaryFolder()
    let lines = ["The land opened wide before us", "and all the doors were shut again"]
    try folder.write(Data(TypesetPage.png(lines)), to: "page.png")
    let target = folder("page.out").string
    let result = try Programs.run(
      "/usr/bin/heif-enc", arguments + ["-q", "90", folder("page.png").string, "-o", target])
    #expect(result.status == 0, "\(result.errors)")
    return Array(try Data(contentsOf: URL(fileURLWithPath: target)))
  }

  /// The first picture as a PDF has it.
  private func stored(_ bytes: [UInt8]) -> PageImage? {
    guard let header = header(bytes),
      let picture = FilePicture(1, of: bytes.span, header: header, inColor: true)
    else { return nil }
    return picture.image
  }

  private func header(_ bytes: [UInt8]) -> ImageHeader? { ImageHeader.read(bytes.span) }

  /// Width and height of the decoded picture.
  private func decodedSize(_ bytes: [UInt8]) -> [Int]? {
    guard
      let decoded = PixelDecoder.decode(
        bytes.span, format: .heif, page: ImageHeader.Page(width: 1, height: 1))
    else { return nil }
    return [decoded.pixels.width, decoded.pixels.height]
  }

  @Test(arguments: [[], ["-A"]]) func `a picture is measured before it is decoded, and read`(
    _ arguments: [String]
  ) throws {
    let png = try TypesetPage.png([
      "The land opened wide before us", "and all the doors were shut again",
    ])
    let wanted = try #require(header(png)?.pages.first)
    let bytes = try Self.coded(arguments)
    let found = try #require(header(bytes))
    #expect(found.format == .heif && !found.isTruncated)
    let page = try #require(found.pages.first)
    #expect((page.width, page.height) == (wanted.width, wanted.height))
    #expect(decodedSize(bytes) == [page.width, page.height])
    guard OCRRun.isPossible else { return }
    let run = try OCRRun(bytes)
    #expect(OCRRun.words(run.text).prefix(4) == ["The", "land", "opened", "wide"])
  }

  @Test func `its PDF has a picture of about its size`() throws {
    // A photo, as photos are larger without loss.
    let place = TemporaryFolder()
    let photo = Programs.repository.appending("docs/samples/letter-photo.jpg").string
    for quality in ["40", "80"] {
      let made = try Programs.run(
        "/usr/bin/heif-enc", ["-q", quality, photo, "-o", place("photo.heic").string])
      #expect(made.status == 0, "\(made.errors)")
      let bytes = Array(try #require(place.read("photo.heic")))
      let image = try #require(stored(bytes))
      // With little left in the file, the picture is as small as it may be without losing letters.
      let most = quality == "80" ? bytes.count * 13 / 10 : 400_000
      #expect(image.bytes.count <= most, "\(image.bytes.count) of \(bytes.count)")
    }
  }

  @Test func `a JPEG file that is cut off is stored as one`() throws {
    let whole = try Data(
      contentsOf: URL(
        fileURLWithPath: Programs.repository.appending("docs/samples/letter-photo.jpg").string))
    let bytes = Array(whole.prefix(whole.count * 2 / 3))
    let image = try #require(stored(bytes))
    guard case .jpeg = image.coding else {
      Issue.record("\(image.coding)")
      return
    }
    #expect(image.bytes.count <= bytes.count * 13 / 10)
  }

  @Test func `one that is cut off, damaged or larger than it says is refused, not waited for`()
    throws
  {
    let bytes = try Self.coded([])
    for count in [12, 64, bytes.count / 2, bytes.count - 1] {
      let part = Array(bytes[..<count])
      #expect(header(part)?.isTruncated != false)
    }
    for seed in 1...200 {
      var damaged = bytes
      var number = UInt64(seed) &* 0x9E37_79B9_7F4A_7C15
      for _ in 0..<8 {
        number = number &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        damaged[Int(number >> 33) % min(damaged.count, 400)] = UInt8(
          truncatingIfNeeded: number >> 20)
      }
      _ = header(damaged)
    }
    #expect(decodedSize(Array(bytes[..<(bytes.count / 2)])) == nil)
    // The size of the primary item, written anew.
    let place = try #require(bytes.indices.first { bytes[$0...].starts(with: "ispe".utf8) })
    var large = bytes
    large.replaceSubrange((place + 8)..<(place + 16), with: [0, 1, 0, 0, 0, 1, 0, 0])
    do {
      _ = try OCRRun(large)
      Issue.record("4 gigapixels were read")
    } catch let failure as PluginFailure {
      #expect(failure.code == "limit.pixels", "\(failure)")
    }
  }

  @Test func `a turn that the file asks for is made once`() throws {
    // A property of the same size in the place of one that readers can do without.
    var bytes = try Self.coded([])
    let upright = try #require(header(bytes)?.pages.first)
    let place = try #require(bytes.indices.first { bytes[$0...].starts(with: "pixi".utf8) })
    bytes.replaceSubrange(place..<(place + 4), with: "irot".utf8)
    bytes[place + 4] = 1
    let page = try #require(header(bytes)?.pages.first)
    #expect(page.width == upright.height && page.height == upright.width)
    #expect(page.orientation == 1)
    #expect(decodedSize(bytes) == [page.width, page.height])
  }

  @Test func `turns of the picture are known, and made by the decoder alone`() throws {
    // Properties of item 1: a size of 30 × 20, and a quarter of a circle.
    func box(_ kind: String, _ content: [UInt8]) -> [UInt8] {
      let size = UInt32(content.count + 8).bigEndian
      return withUnsafeBytes(of: size) { Array($0) } + Array(kind.utf8) + content
    }
    let full: [UInt8] = [0, 0, 0, 0]
    let size = box("ispe", full + [0, 0, 0, 30, 0, 0, 0, 20])
    let thumbnail = box("ispe", full + [0, 0, 0, 40, 0, 0, 0, 50])
    let properties = box("ipco", size + thumbnail + box("irot", [1]))
    let associations = box("ipma", full + [0, 0, 0, 1, 0, 1, 2, 1, 3])
    let bytes =
      box("ftyp", Array("mif1".utf8))
      + box("meta", full + box("pitm", full + [0, 1]) + box("iprp", properties + associations))
    let page = try #require(header(bytes)?.pages.first)
    #expect((page.width, page.height, page.orientation) == (20, 30, 1))
    #expect(page.furtherPixels == 2000 - 600)
  }
}
