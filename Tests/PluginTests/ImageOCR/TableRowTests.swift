import Testing

@testable import ImageOCR

@Suite struct TableRowTests {
  private func line(_ top: Double, _ words: [(left: Double, right: Double)]) -> RecognizedPage.Line
  {
    RecognizedPage.Line(
      words: words.map {
        let box = PixelBox(left: $0.left, top: top, right: $0.right, bottom: top + 20)
        return RecognizedPage.Word(text: "word", box: box, confidence: 90)
      },
      box: PixelBox(left: words[0].left, top: top, right: 600, bottom: top + 20),
      baseline: .init(from: .init(x: 0, y: top + 20), to: .init(x: 600, y: top + 20)),
      rowHeight: 20, startsParagraph: false)
  }

  @Test func `rows with cells differ in height from row to row, by little`() {
    let cells = [(left: 0.0, right: 100.0), (left: 500.0, right: 600.0)]
    let lines = (0..<5).map { line(Double($0) * 28, cells) }
    let heights = TableRows.apart(lines, heights: [20, 20, 20, 20, 20])
    for (upper, lower) in zip(heights, heights.dropFirst()) {
      #expect(max(upper, lower) / min(upper, lower) > 1.053)
    }
    #expect(heights.allSatisfy { (19...21).contains($0) })
  }

  @Test func `lines of a paragraph keep their height`() {
    let words = [(left: 0.0, right: 100.0), (left: 108.0, right: 300.0)]
    let lines = (0..<5).map { line(Double($0) * 28, words) }
    #expect(TableRows.apart(lines, heights: [20, 20, 20, 20, 20]) == [20, 20, 20, 20, 20])
  }
}
