import PDFSyntax
import Testing

@testable import ImageOCR

/// Pictures in PDFs of which a part is missing or altered: their rows are counted, whatever filter they have.
@Suite struct DamagedScanTests {
  private static let width = 40
  private static let height = 30

  private static func samples(_ bytesPerRow: Int) -> [UInt8] {
    (0..<height * bytesPerRow).map { UInt8(truncatingIfNeeded: $0 * 37 + $0 / bytesPerRow * 11) }
  }

  /// A filter by its name, and what it makes of bytes in rows.
  private struct Form: Sendable {
    var name: String
    var entries: String
    var encode: @Sendable ([UInt8], _ row: Int) -> [UInt8]
    /// Whether other bytes in it are noticed.
    var noticesOthers = true
  }

  private static func deflate(_ bytes: [UInt8]) -> [UInt8] { Deflate.compressed(bytes) ?? [] }
  private static func runs(_ bytes: [UInt8]) -> [UInt8] {
    stride(from: 0, to: bytes.count, by: 2).flatMap { [1, bytes[$0], bytes[$0 + 1]] } + [128]
  }
  private static func hex(_ bytes: [UInt8]) -> [UInt8] {
    let digits = Array("0123456789abcdef".utf8)
    return bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] } + [0x3E]
  }

  private static let forms = [
    Form(name: "none", entries: "", encode: { bytes, _ in bytes }, noticesOthers: false),
    Form(name: "Flate", entries: "/Filter/FlateDecode", encode: { bytes, _ in deflate(bytes) }),
    Form(
      name: "predictor", entries: "/Filter/FlateDecode/DecodeParms<</Predictor 15 PARMS>>",
      encode: { bytes, row in
        deflate(
          stride(from: 0, to: bytes.count, by: row).flatMap { [0] + bytes[$0..<($0 + row)] })
      }),
    Form(
      name: "RunLength", entries: "/Filter/RunLengthDecode", encode: { bytes, _ in runs(bytes) }),
    Form(name: "hex", entries: "/Filter/ASCIIHexDecode", encode: { bytes, _ in hex(bytes) }),
    Form(
      name: "hex and Flate", entries: "/Filter[/ASCIIHexDecode/FlateDecode]",
      encode: { bytes, _ in hex(deflate(bytes)) }),
  ]

  private static let colors: [(space: String, bits: Int, components: Int)] = [
    ("/DeviceGray", 1, 1), ("/DeviceGray", 8, 1), ("/DeviceRGB", 8, 3), ("/DeviceCMYK", 8, 4),
    ("[/Indexed/DeviceRGB 255<\(String(repeating: "00ff80", count: 256))>]", 8, 1),
  ]

  private func isDamaged(_ entries: String, _ data: [UInt8], inMask: Bool = false) throws -> Bool {
    var page = ScannedPage(
      content: ScannedPage.fullPage,
      images: [("/Width \(Self.width)/Height \(Self.height)\(entries)", data)])
    if inMask {
      page.images.insert((ScannedPage.grey(2, 2) + "/SMask 11 0 R", [0, 9, 0, 9]), at: 0)
    }
    let file = try PDFFile(FileBytes(page.file))
    let tree = try PageTree(file)
    let first = try #require(tree.page(0))
    guard
      let picture = try ScanConversion.Picture.of(
        first, PageContent(of: first, in: file), in: file, limits: OCRLimits())
    else { return true }
    return picture.isDamaged
  }

  @Test func `what is cut off or altered is damage, whatever the filter and the color`() throws {
    for (space, bits, components) in Self.colors {
      let row = (Self.width * bits * components + 7) / 8
      for form in Self.forms {
        let parms = "/Colors \(components)/BitsPerComponent \(bits)/Columns \(Self.width)"
        let entries =
          "/BitsPerComponent \(bits)/ColorSpace\(space)"
          + form.entries.replacing("PARMS", with: parms)
        let data = form.encode(Self.samples(row), row)
        let name = "\(form.name) \(space) \(bits)"
        #expect(try !isDamaged(entries, data), "\(name)")
        #expect(try isDamaged(entries, Array(data.dropLast(data.count / 3))), "\(name), cut")
        guard form.noticesOthers else { continue }
        var other = data
        for place in data.count / 3..<data.count / 2 { other[place] = 0 }
        #expect(try isDamaged(entries, other), "\(name), zeroed")
        for place in data.count / 3..<data.count / 2 { other[place] = UInt8(place * 91 & 255) }
        #expect(try isDamaged(entries, other), "\(name), altered")
      }
    }
  }

  @Test func `data without its last mark is whole if all rows are there`() throws {
    let gray = "/BitsPerComponent 8/ColorSpace/DeviceGray"
    let samples = Self.samples(Self.width)
    #expect(
      try !isDamaged(gray + "/Filter/RunLengthDecode", Array(Self.runs(samples).dropLast())))
    #expect(try !isDamaged(gray + "/Filter/FlateDecode", Array(Self.deflate(samples).dropLast(4))))
    #expect(try !isDamaged(gray, samples + [10]))
  }

  @Test func `a mask that is cut off is damage too`() throws {
    let gray = "/BitsPerComponent 8/ColorSpace/DeviceGray/Filter/FlateDecode"
    let data = Self.deflate(Self.samples(Self.width))
    #expect(try !isDamaged(gray, data, inMask: true))
    #expect(try isDamaged(gray, Array(data.dropLast(data.count / 2)), inMask: true))
  }
}
