import PDFText

/// Parts tables that stand side by side.
enum SideBySide {
  /// The words left and right of the gap between two tables; nil where lines are of one table.
  static func split(_ lines: [TextLine]) -> (left: [PlacedWord], right: [PlacedWord])? {
    let rows = lines.filter { $0.pieces.count >= 2 }
    let columns = ColumnFinder.columns(rows)
    guard columns.count >= 4, columns.count <= 60 else { return nil }
    // Two columns at least on each side.
    for gap in 1...(columns.count - 3) {
      let middle = (columns[gap].upperBound + columns[gap + 1].lowerBound) / 2
      guard isParted(lines, columns, after: gap, at: middle) else { continue }
      let words = lines.flatMap(\.words)
      return (
        words.filter { $0.box.middleX < middle }, words.filter { $0.box.middleX >= middle }
      )
    }
    return nil
  }

  private static func isParted(
    _ lines: [TextLine], _ columns: [ClosedRange<Double>], after gap: Int, at middle: Double
  ) -> Bool {
    guard !lines.contains(where: { $0.pieces.contains { $0.start < middle && $0.end > middle } })
    else { return false }
    // The same names stand over both.
    for line in lines.prefix(6) where line.pieces.count >= 4 {
      let left = line.pieces.filter { $0.end < middle }.map(\.text)
      let right = line.pieces.filter { $0.start > middle }.map(\.text)
      if left == right, left.count >= 2, left.contains(where: { text in !TableHead.isFigure(text) }) {
        return true
      }
    }
    // Or their lines stand on other heights.
    let left = lines.filter { $0.start < middle }
    let right = lines.filter { $0.end > middle }
    let both = lines.count { $0.start < middle && $0.end > middle }
    guard both * 3 < min(left.count, right.count) else { return false }
    return left.count { $0.pieces.count { $0.end < middle } >= 2 } >= 3
      && right.count { $0.pieces.count { $0.start > middle } >= 2 } >= 3
  }
}
