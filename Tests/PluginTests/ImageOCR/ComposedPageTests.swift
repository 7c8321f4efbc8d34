import Foundation
import PDFSyntax
import PluginKit
import TestSupport
import Testing

@testable import ImageOCR

/// Pages composed of their images as a viewer shows them.
struct ComposedPageTests {
  private static let width = DrawnPage.letter.width
  private static let height = DrawnPage.letter.height

  /// Composes a page and holds it against what poppler shows, where that is installed.
  private func composed(_ page: ScannedPage, within limit: Double = 2) throws -> RenderedPage {
    let pdf = page.file
    let made = try #require(try RenderedPage.composed(pdf))
    if let shown = try RenderedPage.shown(pdf, width: made.width, height: made.height) {
      let difference = try #require(made.difference(from: shown))
      #expect(difference < limit, "differs by \(difference)")
    }
    return made
  }

  private func expectLetter(_ page: RenderedPage, within limit: Double = 0.5) throws {
    let letter = RenderedPage(
      width: Self.width, height: Self.height, grey: DrawnPage.letter.grey)
    let difference = try #require(page.difference(from: letter))
    #expect(difference < limit, "differs by \(difference)")
  }

  @Test func `strips and tiles become one page`() throws {
    var page = ScannedPage(content: "", images: [])
    let (columns, rows) = (310, 90)
    for y in stride(from: 0, to: Self.height, by: rows) {
      for x in stride(from: 0, to: Self.width, by: columns) {
        let place =
          "\(Double(columns) * 0.48) 0 0 \(Double(rows) * 0.48) \(Double(x) * 0.48)"
          + " \(432 - Double(y + rows) * 0.48)"
        page.content += "q \(place) cm /Im\(page.images.count) Do Q\n"
        page.images.append(
          (
            ScannedPage.grey(columns, rows),
            ScannedPage.part(x: x, y: y, width: columns, height: rows)
          ))
      }
    }
    try expectLetter(composed(page), within: 0.001)
  }

  @Test(arguments: [
    "595.2 0 0 432 0 0 cm", "1 0 0 -1 0 432 cm 595.2 0 0 -432 0 432 cm",
    "0.48 0 0 0.48 0 0 cm 1240 0 0 900 0 0 cm",
  ])
  func `a picture is where its matrices say`(matrix: String) throws {
    try expectLetter(
      composed(ScannedPage(content: "q \(matrix) /Im0 Do Q", images: [ScannedPage.letter])),
      within: 0.001)
  }

  @Test func `pictures that lie on their side or are mirrored are turned`() throws {
    let turned = DrawnPage.letter.turned(1)
    let page = ScannedPage(
      content: "q 0 432 -595.2 0 595.2 0 cm /Im0 Do Q",
      images: [(ScannedPage.grey(turned.width, turned.height), turned.grey)])
    try expectLetter(composed(page), within: 0.001)
    var mirrored = DrawnPage(width: Self.width, height: Self.height)
    for y in 0..<Self.height {
      for x in 0..<Self.width {
        mirrored.grey[y * Self.width + x] =
          DrawnPage.letter.grey[y * Self.width + Self.width - 1 - x]
      }
    }
    let flipped = ScannedPage(
      content: "q -595.2 0 0 432 595.2 0 cm /Im0 Do Q",
      images: [(ScannedPage.letter.entries, mirrored.grey)])
    try expectLetter(composed(flipped), within: 0.001)
  }

  /// The drawn letter in one bit a pixel, 0 for black.
  private static let bits: [UInt8] = {
    var bits = [UInt8](repeating: 0, count: width / 8 * height)
    for (index, value) in DrawnPage.letter.grey.enumerated() where value > 127 {
      bits[index / 8] |= 0x80 >> UInt8(index % 8)
    }
    return bits
  }()
  private static let stencil = "/Width \(width)/Height \(height)/ImageMask true"

  @Test func `a stencil paints with the colour that is set`() throws {
    let page = ScannedPage(
      content: "0.8 g 0 0 595.2 432 re f 0 0 1 rg q 595.2 0 0 432 0 0 cm /Im0 Do Q",
      images: [(Self.stencil, Self.bits)])
    let made = try composed(page)
    #expect(Set(made.grey) == [28, 204])
    #expect(made.grey.count { $0 == 28 } == DrawnPage.letter.grey.count { $0 == 0 })
  }

  @Test func `a scan of a background and a foreground with a mask is put together`() throws {
    // A light background of few pixels, and black where the mask lets it through.
    let background = [UInt8](repeating: 230, count: 31 * 22)
    let page = ScannedPage(
      content: "q 595.2 0 0 432 0 0 cm /Im0 Do /Im1 Do Q",
      images: [
        (ScannedPage.grey(31, 22), background),
        (ScannedPage.grey(1, 1) + "/SMask 12 0 R", [20]),
        (
          "/Width \(Self.width)/Height \(Self.height)/BitsPerComponent 1/ColorSpace/DeviceGray"
            + "/Decode[1 0]", Self.bits
        ),
      ])
    let made = try composed(page)
    #expect(made.width == Self.width)
    #expect(Set(made.grey) == [20, 230])
  }

  @Test func `a stencil mask and a colour key hide parts`() throws {
    let background = (ScannedPage.grey(1, 1), [UInt8(100)])
    let masked = ScannedPage(
      content: "q 595.2 0 0 432 0 0 cm /Im0 Do /Im1 Do Q",
      images: [
        background, (ScannedPage.letter.entries + "/Mask 12 0 R", ScannedPage.letter.data),
        (Self.stencil, Self.bits),
      ])
    #expect(Set(try composed(masked).grey) == [0, 100])
    let keyed = ScannedPage(
      content: "q 595.2 0 0 432 0 0 cm /Im0 Do /Im1 Do Q",
      images: [
        background, (ScannedPage.letter.entries + "/Mask[250 255]", ScannedPage.letter.data),
      ])
    #expect(Set(try composed(keyed).grey) == [0, 100])
  }

  @Test(arguments: [9_223_372_036_854_775_807, 4_000_000_000, 40_000])
  func `a size beyond all limits is refused before anything is made of it`(side: Int) throws {
    let file = try PDFFile(FileBytes(ScannedPage(content: "", images: []).file))
    let decoder = ScanDecoder(file: file, limits: OCRLimits())
    let stream = PDFStream(
      [
        "Width": .integer(side), "Height": .integer(side), "BitsPerComponent": .integer(8),
        "ColorSpace": .name("DeviceGray"), "Mask": .numbers(0, 9),
      ], bytes: [1, 2, 3])
    #expect(throws: PluginFailure.self) {
      var isDamaged = false
      _ = try decoder.opacity(of: stream, resources: [:], page: 1, isDamaged: &isDamaged)
    }
    #expect(SampleReader(stream.dictionary, resources: [:], file: file) == nil || side == 40_000)
  }

  @Test func `clips cut pictures and areas cover them`() throws {
    let page = ScannedPage(
      content: "q 0 200 300 232 re W n 595.2 0 0 432 0 0 cm /Im0 Do Q 0 g 0 0 595.2 100 re f "
        + "q 400 100 m 590 100 l 590 400 l h W n 0.5 g 300 0 295 432 re f Q",
      images: [(ScannedPage.grey(40, 40), [UInt8](repeating: 60, count: 1600))])
    let made = try composed(page)
    #expect(Set(made.grey) == [0, 60, 128, 255])
  }

  @Test func `an inline image ends where its size says`() throws {
    // The data looks like the end of the image and what may follow it.
    let page = ScannedPage(
      content: "q 595.2 0 0 432 0 0 cm BI /W 3 /H 3 /BPC 8 /CS /G ID ab EI Qab EI Q "
        + "q 100 0 0 100 0 0 cm /Im0 Do Q /Fm0 Do", images: [ScannedPage.letter])
    let file = try PDFFile(FileBytes(page.file))
    let content = PageContent(of: try #require(try PageTree(file).page(0)), in: file)
    #expect(content.pictures.count == 2)
    #expect(content.openSaves == 0 && content.missingSaves == 0)
    #expect(content.text.count == 1 && content.text.unseen == 1)
  }

  @Test(arguments: [
    ("/ColorSpace[/Indexed/DeviceRGB 1<000000FFFFFF>]/BitsPerComponent 1", 1),
    ("/ColorSpace[/Indexed/DeviceGray 1<FF00>]/BitsPerComponent 1/Decode[1 0]", 1),
    ("/ColorSpace/DeviceGray/BitsPerComponent 8", 8),
    (
      "/ColorSpace[/Separation/Black/DeviceGray<</FunctionType 2/Domain[0 1]/C0[1]/C1[0]/N 1>>]"
        + "/BitsPerComponent 8/Decode[1 0]", 8
    ),
    ("/ColorSpace[/Separation/Black/DeviceCMYK 10 0 R]/BitsPerComponent 8/Decode[1 0]", 8),
    ("/ColorSpace[/CalGray<</WhitePoint[1 1 1]>>]/BitsPerComponent 8", 8),
    ("/ColorSpace[/Indexed[/Lab<</WhitePoint[1 1 1]>>]1<0080 80FF8080>]/BitsPerComponent 1", 1),
    ("/ColorSpace/DeviceRGB/BitsPerComponent 8", 24),
    ("/ColorSpace/DeviceCMYK/BitsPerComponent 8/Decode[1 0 1 0 1 0 1 0]", 32),
    ("/ColorSpace/DeviceGray/BitsPerComponent 16", 16),
    ("/ColorSpace[/DeviceN[/A/B]/DeviceGray 11 0 R]/BitsPerComponent 8", -16),
  ])
  func `black and white are the same in every colour space`(entries: String, bits: Int) throws {
    let data: [UInt8] =
      bits == 1
      ? Self.bits
      : DrawnPage.letter.grey.flatMap {
        [UInt8](repeating: bits < 0 ? 255 - $0 : $0, count: abs(bits) / 8)
      }
    let program = "{0 0 0 4 -1 roll dup 0.5 ge {1 mul} {1 sub 1 add} ifelse}"
    let page = ScannedPage(
      content: ScannedPage.fullPage,
      images: [("/Width \(Self.width)/Height \(Self.height)\(entries)", data)],
      objects: [
        "<</FunctionType 4/Domain[0 1]/Range[0 1 0 1 0 1 0 1]/Length \(program.utf8.count)>>\nstream\n\(program)\nendstream",
        "<</FunctionType 4/Domain[0 1 0 1]/Range[0 1]/Length 21>>\nstream\n"
          + "{add 2 div neg 1 add}\nendstream",
      ])
    try expectLetter(try #require(try RenderedPage.composed(page.file)), within: 0.01)
  }

  @Test func `what lies below an area cannot be read`() throws {
    let page = ScannedPage(
      content: ScannedPage.fullPage + " 0 g 100 350 200 60 re f", images: [ScannedPage.letter])
    let made = try composed(page)
    for y in stride(from: 60, to: 160, by: 20) {
      let row = y * made.height / 900
      #expect(made.grey[row * made.width + made.width / 3] == 0)
    }
  }

  @Test func `a page painted over and over ends`() throws {
    let once = "q 10 10 m 590 20 l 300 430 l h W n 0 g 0 0 595 432 re f Q\n"
    let page = ScannedPage(
      content: ScannedPage.fullPage + " " + String(repeating: once, count: 20_000),
      images: [ScannedPage.letter])
    let made = try #require(try RenderedPage.composed(page.file))
    #expect(made.isDamaged)
  }

  @Test func `JPEG 2000 with boxes that the library does not know is read`() throws {
    guard let folder = ProcessInfo.processInfo.environment["PROCD_CORPUS"] else { return }
    let path = "\(folder)/pdf/ocrmypdf__lichtenstein.pdf"
    let pdf = Array(try #require(FileManager.default.contents(atPath: path)))
    let made = try #require(try RenderedPage.composed(pdf))
    #expect(made.width == 512 && made.height == 512)
    // A light tower in the top left corner, dark ground in the middle of the right edge.
    #expect(made.grey[40 * 512 + 40] > 150 && made.grey[200 * 512 + 500] < 60)
  }

  @Test func `pages of a corpus look as poppler shows them`() throws {
    guard let folder = ProcessInfo.processInfo.environment["PROCD_CORPUS"] else { return }
    for name in [
      "ocrmypdf__masks.pdf", "pdfjs__issue4246.pdf", "pdfjs__issue6621.pdf",
      "pdfjs__cmykjpeg.pdf", "pdfjs__issue14200.pdf",
      "pypdf__cmyk-image.pdf",
    ] {
      let pdf = Array(try #require(FileManager.default.contents(atPath: "\(folder)/pdf/\(name)")))
      let made = try #require(try RenderedPage.composed(pdf))
      guard let shown = try RenderedPage.shown(pdf, width: made.width, height: made.height) else {
        return
      }
      let difference = try #require(made.difference(from: shown))
      #expect(difference < 2.5, "\(name) differs by \(difference)")
    }
  }
}
