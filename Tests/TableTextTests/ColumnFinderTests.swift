import PDFText
import TestSupport
import Testing

@testable import TableText

@Suite struct ColumnFinderTests {
  /// Each word was once added to a copy of all before it: this took minutes.
  @Test(.timeLimit(.minutes(1))) func `a line of very many words is put together once`() {
    let words = (0..<200_000).map { place in
      let x = Double(place) / 1000
      return PlacedWord(
        text: "ab", box: .init(x0: x, y0: 700, x1: x + 0.001, y1: 701), size: 1)
    }
    let lines = TextLine.lines(words)
    #expect(lines.map { $0.pieces.map(\.words.count) } == [[200_000]])
  }

  /// The columns of a piece are looked up, not gone through: as if each had been asked.
  @Test func `a piece stands in the columns that it overlaps, else in the nearest`() {
    var random = SeededNumbers(seed: 11)
    for _ in 0..<2000 {
      var columns: [ClosedRange<Double>] = []
      var x = Double.random(in: -20...20, using: &random)
      for _ in 0..<Int.random(in: 1...12, using: &random) {
        let end = x + Double.random(in: 0...30, using: &random)
        columns.append(x...end)
        x = end + Double.random(in: 1.5...25, using: &random)
      }
      let start = Double.random(in: -60...x + 30, using: &random)
      let piece = TextLine.Piece(
        words: [], start: start, end: start + Double.random(in: 0...80, using: &random))
      let touched = columns.indices.filter { piece.overlap(columns[$0]) > 1 }
      let nearest = columns.indices.max { piece.overlap(columns[$0]) < piece.overlap(columns[$1]) }
      let span = ColumnFinder.span(piece, columns)
      #expect(span.lowerBound == touched.first ?? nearest)
      #expect(span.upperBound == touched.last ?? nearest)
      for points in [1.0, 2] {
        let several = columns.count { piece.overlap($0) > points } > 1
        #expect((ColumnFinder.touched(piece, columns, by: points).count > 1) == several)
      }
    }
  }

  @Test func `tables have a size`() {
    #expect(TableSize.holds(rows: 200, columns: 2000) && TableSize.holds(rows: 100_000, columns: 4))
    #expect(!TableSize.holds(rows: 2, columns: 2001) && !TableSize.holds(rows: 200_001, columns: 2))
  }
}
