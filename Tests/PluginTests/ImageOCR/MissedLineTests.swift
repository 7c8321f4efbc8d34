import CTesseract
import PluginKit
import Testing

@testable import ImageOCR

/// Lines that the layout analysis has passed over.
@Suite struct MissedLineTests {
  private func pixels(_ page: DrawnPage) throws -> Pixels {
    let pix = pixCreate(Int32(page.width), Int32(page.height), 8)
    for y in 0..<page.height {
      for x in 0..<page.width {
        pixSetPixel(pix, Int32(x), Int32(y), l_uint32(page.grey[y * page.width + x]))
      }
    }
    guard let pixels = Pixels(taking: pix) else { throw PluginFailure.damagedImage() }
    return pixels
  }

  private func find(
    beside lines: [RecognizedPage.Line], in picture: borrowing Pixels
  ) -> (lines: [PixelBox], figures: [PixelBox]) {
    guard let loose = LooseInk(beside: lines, in: picture) else { return ([], []) }
    return MissedLines.find(beside: lines, in: loose)
  }

  /// The lines of the drawn letter as they would be read; each letter is 30 pixels wide and 42 high.
  private static let lines: [RecognizedPage.Line] = [15, 20, 19, 21].enumerated().map {
    index, letters in
    let box = PixelBox(
      left: 100, top: Double(100 + 120 * index), right: Double(100 + 36 * letters),
      bottom: Double(142 + 120 * index))
    return RecognizedPage.Line(
      words: [.init(text: "LINE", box: box, confidence: 95)], box: box,
      baseline: box.foot, rowHeight: 42,
      startsParagraph: false)
  }

  @Test func `where all is read nothing is missed`() throws {
    let picture = try pixels(.letter)
    #expect(find(beside: Self.lines, in: picture).lines.isEmpty)
  }

  @Test(arguments: 0..<4)
  func `a line without words is found`(missing: Int) throws {
    var lines = Self.lines
    let box = lines.remove(at: missing).box
    let picture = try pixels(.letter)
    let found = find(beside: lines, in: picture).lines
    #expect(found.count == 1)
    let place = try #require(found.first)
    #expect(abs(place.left - box.left) < 6 && abs(place.right - box.right) < 12)
    #expect(abs(place.top - box.top) < 6 && abs(place.bottom - box.bottom) < 6)
  }

  @Test func `a figure at the height of a line and apart from it is found, specks are not`() throws
  {
    var lines = Self.lines
    // Two words, as a row of a table has them.
    lines[1].words.insert(lines[1].words[0], at: 0)
    var page = DrawnPage.letter
    page.write("O", x: 1000, y: 220, dot: 6)
    for y in 236..<244 { for x in 1100..<1108 { page.grey[y * page.width + x] = 0 } }
    // At the height of no line.
    page.write("O", x: 1000, y: 640, dot: 6)
    let picture = try pixels(page)
    let found = find(beside: lines, in: picture).figures
    #expect(found.count == 1)
    #expect(abs((found.first?.left ?? 0) - 1000) < 6)
  }

  @Test(.enabled(if: OCRRun.isPossible))
  func `digits that stand alone in the columns of a table are read`() throws {
    let made = try StepBench(
      TypesetPage.png([
        "Pos\tDescription\tCount\tPrice", "1\tRope of 12 millimeters\t2\t49.90",
        "2\tShackle, galvanized\t7\t3.25", "3\tPaint in white\t5\t38.00",
      ]))
    let rows = try (made.text("text") ?? "").split(whereSeparator: \.isWhitespace).map(String.init)
    for digit in ["2", "7", "5"] { #expect(rows.contains(digit), "\(digit)") }
  }

  @Test func `rules, drawings and specks are no lines`() throws {
    var page = DrawnPage.letter
    for x in 100..<1100 {
      // A rule below the text, and a black bar.
      for y in 700..<704 { page.grey[y * page.width + x] = 0 }
      for y in 760..<860 { page.grey[y * page.width + x] = 0 }
    }
    for y in stride(from: 10, to: 80, by: 9) { page.grey[y * page.width + 7 * y] = 0 }
    let picture = try pixels(page)
    #expect(find(beside: Self.lines, in: picture).lines.isEmpty)
  }

  @Test func `a page full of strokes is a picture and is left alone`() throws {
    var page = DrawnPage(width: 1240, height: 1600)
    for index in 0..<26 { page.write("HELL ON THE ROAD", x: 100, y: 20 + 60 * index, dot: 6) }
    let picture = try pixels(page)
    #expect(find(beside: [Self.lines[0]], in: picture).lines.isEmpty)
  }

  private func line(_ text: String, _ left: Double, _ top: Double, _ right: Double)
    -> RecognizedPage.Line
  {
    let box = PixelBox(left: left, top: top, right: right, bottom: top + 40)
    return RecognizedPage.Line(
      words: [.init(text: text, box: box, confidence: 90)], box: box,
      baseline: .init(from: .init(x: left, y: top + 40), to: .init(x: right, y: top + 40)),
      rowHeight: 40, startsParagraph: false)
  }

  private func texts(_ page: RecognizedPage) -> [String] {
    page.lines.map { $0.words.map(\.text).joined(separator: " ") }
  }

  @Test func `what was missed of a line becomes part of it, a line of its own comes in its place`()
  {
    var page = RecognizedPage(lines: [
      line("conditions", 300, 200, 600), line("signed", 100, 300, 300),
    ])
    page.add(missed: line("I have read", 80, 204, 260))
    page.add(missed: line("today", 340, 298, 460))
    page.add(missed: line("CHAPTER", 90, 60, 300))
    page.add(missed: line("7", 900, 60, 930))
    #expect(texts(page) == ["CHAPTER", "I have read conditions", "signed today", "7"])
    #expect(page.lines[1].box.left == 80 && page.lines[1].baseline.from.x == 80)
    #expect(page.lines[2].box.right == 460 && page.lines[2].baseline.to.x == 460)
  }
}
