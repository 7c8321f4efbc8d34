import Testing

@testable import ImageOCR

/// Lines that the layout analysis has cut between two letters.
@Suite struct CutLineTests {
  private func line(_ left: Double, _ right: Double, _ row: Int) -> RecognizedPage.Line {
    let top = 40 * Double(row)
    let box = PixelBox(left: left, top: top, right: right, bottom: top + 30)
    return RecognizedPage.Line(
      words: [.init(text: "word", box: box, confidence: 90)], box: box,
      baseline: .init(from: .init(x: left, y: top + 30), to: .init(x: right, y: top + 30)),
      rowHeight: 30, startsParagraph: false)
  }

  private func page(cutAt gap: Double, rows: Int) -> RecognizedPage {
    var page = RecognizedPage()
    page.lines = (0..<rows).map { line(100, 200, $0) }
    page.lines += (0..<rows).map { line(200 + gap, 400, $0) }
    return page
  }

  @Test func `lines that go on without a blank are cut apart`() {
    #expect(page(cutAt: 4, rows: 3).isCutApart)
  }

  @Test func `columns and two lines that touch are none`() {
    #expect(!page(cutAt: 12, rows: 8).isCutApart)
    #expect(!page(cutAt: 60, rows: 8).isCutApart)
    #expect(!page(cutAt: 4, rows: 2).isCutApart)
    #expect(!RecognizedPage().isCutApart)
  }
}
