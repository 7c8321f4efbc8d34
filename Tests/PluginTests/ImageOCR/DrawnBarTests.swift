import CTesseract
import PluginKit
import Testing

@testable import ImageOCR

/// Lines between columns that were read as strokes.
@Suite struct DrawnBarTests {
  /// A row of 40 pixels with a stroke at 300, and the same as it was read.
  private func remaining(strokeFrom top: Int, to bottom: Int) throws -> [String] {
    guard let pixels = Pixels(taking: pixCreate(600, 400, 1)) else {
      throw PluginFailure.damagedImage()
    }
    for y in top..<bottom { pixSetPixel(pixels.pix, 300, Int32(y), 1) }
    func word(_ text: String, _ left: Double, _ right: Double) -> RecognizedPage.Word {
      .init(
        text: text, box: PixelBox(left: left, top: 200, right: right, bottom: 240), confidence: 90)
    }
    let box = PixelBox(left: 60, top: 200, right: 500, bottom: 240)
    var page = RecognizedPage(lines: [
      .init(
        words: [word("20120000000", 60, 260), word("|", 299, 302), word("Refused|", 340, 500)],
        box: box, baseline: box.foot, rowHeight: 40, startsParagraph: false)
    ])
    DrawnBars.remove(from: &page, in: pixels)
    return page.lines.flatMap(\.words).map(\.text)
  }

  @Test func `a line that is drawn through rows is no text`() throws {
    #expect(try remaining(strokeFrom: 100, to: 350) == ["20120000000", "Refused|"])
  }

  @Test
  func
    `a line read as a bracket at the end of a figure is taken off, one between two cells parts them`()
    throws
  {
    guard let pixels = Pixels(taking: pixCreate(600, 400, 1)) else {
      throw PluginFailure.damagedImage()
    }
    for y in 100..<350 {
      for x in [200, 201, 498, 499] as [Int32] { pixSetPixel(pixels.pix, x, Int32(y), 1) }
    }
    let box = PixelBox(left: 60, top: 200, right: 500, bottom: 240)
    func texts(_ words: [(String, Double, Double)]) -> [String] {
      var page = RecognizedPage(lines: [
        .init(
          words: words.map {
            .init(
              text: $0.0, box: PixelBox(left: $0.1, top: 200, right: $0.2, bottom: 240),
              confidence: 90)
          }, box: box, baseline: box.foot, rowHeight: 40, startsParagraph: false)
      ])
      DrawnBars.remove(from: &page, in: pixels)
      return page.lines.flatMap(\.words).map(\.text)
    }
    #expect(texts([("24|Shore", 100, 320), ("52,09]", 360, 500)]) == ["24", "Shore", "52,09"])
    // Where no line is, brackets are what they seem.
    #expect(texts([("a|b", 60, 190), ("(52,09)", 300, 480)]) == ["a|b", "(52,09)"])
  }

  @Test func `the lines of the first row and of the last are none either`() throws {
    #expect(try remaining(strokeFrom: 190, to: 350) == ["20120000000", "Refused|"])
    #expect(try remaining(strokeFrom: 100, to: 250) == ["20120000000", "Refused|"])
  }

  @Test func `a stroke of one row stays`() throws {
    #expect(try remaining(strokeFrom: 195, to: 245) == ["20120000000", "|", "Refused|"])
  }
}
