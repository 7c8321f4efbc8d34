import Foundation
import PDFWriter
import PluginKit
import SystemPackage
import TestSupport
import Testing

@testable import ImageOCR

/// Pages of one document that are read by runs of their own and joined by another.
struct PagePartTests {
  private final class Host: StepHost {
    func progress(_ done: Int, of total: Int, unit: String) {}
    func note(_ code: String, _ message: String, page: Int?) {}
  }

  private static let reading = PageReader.Reading(
    page: RecognizedPage(
      lines: [
        RecognizedPage.Line(
          words: [
            RecognizedPage.Word(
              text: "Zwölf \"Boxkämpfer\"\n漢字",
              box: PixelBox(left: 0.1, top: 1 / 3, right: 9e9, bottom: -0.0), confidence: 96.123_456
            )
          ], box: PixelBox(left: 1, top: 2, right: 3, bottom: 4),
          baseline: .init(from: .init(x: 1.5, y: 2.25), to: .init(x: 1e-9, y: 4)), rowHeight: 31.7,
          startsParagraph: true,
          isLevel: false)
      ], sidewaysShare: 0.25), quarters: 3, angle: -0.012_345_678_9, width: 2480, height: 3508)

  @Test(arguments: [
    PageImage(
      width: 3, height: 2, bitsPerComponent: 8, colour: .indexed([1, 2, 10, 4, 5, 6]),
      coding: .png, bytes: [10, 0, 255]),
    PageImage(
      width: 3, height: 2, bitsPerComponent: 1, colour: .gray,
      coding: .group4(blackIs1: true), bytes: [0, 10, 10, 7]),
    PageImage(
      width: 3, height: 2, bitsPerComponent: 8, colour: .cmyk,
      coding: .jpeg(inverted: true), bytes: [255, 216]),
    PageImage(width: 3, height: 2, bitsPerComponent: 8, colour: .rgb, coding: .jpeg2000, bytes: []),
    PageImage(
      width: 3, height: 2, bitsPerComponent: 16, colour: .gray, coding: .samples, bytes: [1]),
  ])
  func `a part is read as it was written`(image: PageImage) throws {
    let part = PagePart(
      number: 17,
      recognized: PagePart.Recognized(
        reading: Self.reading, storedWidth: 2480, storedHeight: 3507,
        resolution: PageResolution(x: 299.999_4, y: 300, isGuessed: true), image: image,
        isDamaged: true))
    let bytes = try part.encoded()
    let read = try #require(PagePart(bytes))
    #expect(read.number == 17 && PagePart.number(of: bytes.span) == 17)
    let recognized = try #require(read.recognized)
    #expect(recognized.reading.page == Self.reading.page)
    #expect(recognized.reading.quarters == 3 && recognized.reading.angle == Self.reading.angle)
    #expect(recognized.reading.width == 2480 && recognized.reading.height == 3508)
    #expect(recognized.storedWidth == 2480 && recognized.storedHeight == 3507)
    #expect(recognized.resolution == part.recognized?.resolution)
    #expect(recognized.isDamaged)
    let own = try #require(recognized.image)
    #expect(own.stream == image.stream)
    // The same bytes again: nothing was lost on the way.
    #expect(try read.encoded() == bytes)
  }

  @Test func `a page that cannot be decoded is a part too`() throws {
    let bytes = try PagePart(number: 3).encoded()
    let read = try #require(PagePart(bytes))
    #expect(read.number == 3 && read.recognized == nil)
  }

  @Test func `what is no part is refused`() throws {
    var numbers = SeededNumbers(seed: 9)
    let part = try PagePart(
      number: 2,
      recognized: PagePart.Recognized(
        reading: Self.reading, storedWidth: 1, storedHeight: 1,
        resolution: PageResolution(x: 1, y: 1, isGuessed: false), image: nil, isDamaged: false)
    ).encoded()
    #expect(PagePart([]) == nil && PagePart(Array("x\n{}\n".utf8)) == nil)
    #expect(PagePart(Array("1\n{\"lines\":[]}\n".utf8)) == nil)
    for _ in 0..<500 {
      var bytes = Array(part.prefix(Int.random(in: 0...part.count, using: &numbers)))
      if !bytes.isEmpty {
        bytes[Int.random(in: bytes.indices, using: &numbers)] = UInt8.random(
          in: 0...255, using: &numbers)
      }
      _ = PagePart(bytes)
    }
  }

  /// Pages as pictures of a TIFF file, 8-bit grey without compression.
  private func tiff(_ pages: [DrawnPage]) -> [UInt8] {
    var bytes: [UInt8] = Array("II*\0".utf8)
    func short(_ value: Int) -> [UInt8] { [UInt8(value & 255), UInt8(value >> 8 & 255)] }
    func long(_ value: Int) -> [UInt8] { short(value & 0xFFFF) + short(value >> 16) }
    var next = 8
    bytes += long(next)
    for (index, page) in pages.enumerated() {
      let entries = [
        (256, page.width), (257, page.height), (258, 8), (259, 1), (262, 1),
        (273, next + 2 + 9 * 12 + 4), (277, 1), (278, page.height), (279, page.grey.count),
      ]
      bytes += short(entries.count)
      for (tag, value) in entries { bytes += short(tag) + short(4) + long(1) + long(value) }
      next += 2 + 9 * 12 + 4 + page.grey.count
      bytes += long(index + 1 < pages.count ? next : 0) + page.grey
    }
    return bytes
  }

  private func run(
    _ folder: TemporaryFolder, _ name: String, _ part: StepRun.Part?, parts: [String] = []
  ) throws -> StepOutput {
    try folder.write("", to: "\(name)/out/.keep")
    func input(_ path: String) -> StepInput {
      StepInput(path: folder(path), mime: "image/tiff", bytes: 0)
    }
    return try ImageOCRPlugin().run(
      StepRun(
        id: name, step: "ocr.tesseract", job: "1", attempt: 1,
        inputs: ["source": [input("source")], "parts": parts.map(input)], sourceName: "a.tif",
        options: Options(checked: [:]), workFolder: folder(name).string, part: part), Host())
  }

  @Test(
    .enabled(if: LanguageData.folder().map { LanguageData.isInstalled("eng", in: $0) } ?? false))
  func `joined pages are the document that one run makes`() throws {
    let folder = TemporaryFolder()
    let pages = [DrawnPage.letter, DrawnPage(width: 300, height: 200), DrawnPage.letter.turned(1)]
    try folder.write(Data(tiff(pages)), to: "source")
    let whole = try run(folder, "whole", nil)
    var parts: [String] = []
    for some in [1...1, 2...3] {
      let name = "from\(some.lowerBound)"
      let output = try run(folder, name, StepRun.Part(pages: some, of: pages.count))
      #expect(output.artifacts.map(\.role) == some.map { _ in "part" })
      parts += output.artifacts.map { "\(name)/\($0.path)" }
    }
    // Parts are known by their own number, whatever their order.
    let joined = try run(
      folder, "join", StepRun.Part(joining: pages.count), parts: parts.reversed())
    #expect(joined.facts == whole.facts)
    #expect(joined.facts["pages"] == 3 && joined.facts["pagesTurned"] == 1)
    let perPage = joined.facts["perPage"]?.arrayValue ?? []
    #expect(perPage.map { $0["origin"]?.stringValue } == ["ocr", "blank", "ocr"])
    #expect(perPage.map { $0["turn"]?.integerValue } == [0, 0, 270])
    #expect(perPage.first?["dpiFrom"] == "guess")
    for name in ["out/document.pdf", "out/document.txt"] {
      let made = try #require(folder.read("join/\(name)"))
      #expect(made == folder.read("whole/\(name)"))
    }
    // A page whose part is missing is told as lost.
    let short = try run(
      folder, "short", StepRun.Part(joining: pages.count),
      parts: Array(parts.dropFirst()))
    #expect(short.partial && short.facts["pages"] == 2)
    #expect(short.facts["perPage"]?.arrayValue?.first?["origin"] == "lost")
  }
}
