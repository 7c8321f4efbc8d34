import PDFText
import Testing

@testable import Notes

/// The frames of a Square or Circle that is asked for by words.
@Suite struct FrameTests {
  private func line(_ x: ClosedRange<Double>, _ y: Double, height: Double = 12) -> TextPage.Box {
    TextPage.Box(x0: x.lowerBound, y0: y, x1: x.upperBound, y1: y + height)
  }

  @Test func `the lines of a paragraph are framed as one, also where they only wrap`() {
    let paragraph = [line(300...500, 100), line(72...500, 114), line(72...120, 128)]
    #expect(
      WordPlaces.frames(paragraph) == [TextPage.Box(x0: 72, y0: 100, x1: 500, y1: 140)])
    // From the end of one line to the beginning of the next; lines that touch.
    let wrapped = [line(400...500, 100, height: 14), line(72...100, 113, height: 14)]
    #expect(WordPlaces.frames(wrapped).count == 1)
    #expect(WordPlaces.frames([]).isEmpty)
  }

  @Test func `words that go on elsewhere get a frame of their own`() {
    // The foot of one column and the head of the next.
    let columns = [
      line(72...280, 700), line(72...280, 714), line(310...520, 100), line(310...400, 114),
    ]
    #expect(WordPlaces.frames(columns).count == 2)
    // Cells of one row.
    #expect(WordPlaces.frames([line(72...140, 100), line(300...360, 100)]).count == 2)
    // Paragraphs with space between them.
    #expect(WordPlaces.frames([line(72...280, 100), line(72...280, 160)]).count == 2)
  }

  @Test func `lines from top to bottom are framed too`() {
    let lines = [
      TextPage.Box(x0: 200, y0: 72, x1: 212, y1: 400),
      TextPage.Box(x0: 184, y0: 72, x1: 196, y1: 300),
    ]
    #expect(WordPlaces.frames(lines) == [TextPage.Box(x0: 184, y0: 72, x1: 212, y1: 400)])
  }
}
