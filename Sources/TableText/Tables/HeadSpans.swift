import PDFText

/// Finds over which columns each piece of a line in a head stands.
enum HeadSpans {
  static func spans(
    _ line: TextLine, _ columns: [ClosedRange<Double>], _ rules: [TextPage.Rule]
  ) -> [ClosedRange<Int>] {
    let own = line.pieces.map { ColumnFinder.span($0, columns) }
    // A line as full as the table names single columns.
    guard line.pieces.count * 5 < columns.count * 4 || own.contains(where: { $0.count > 1 }) else {
      return own
    }
    return line.pieces.indices.map { place in
      let piece = line.pieces[place]
      let low = place > 0 ? own[place - 1].upperBound + 1 : 0
      let high = place + 1 < own.count ? own[place + 1].lowerBound - 1 : columns.count - 1
      guard low <= own[place].lowerBound, own[place].upperBound <= high else { return own[place] }
      if let ruled = ruled(piece, line, columns, rules, within: low...high) { return ruled }
      return centered(piece, own[place], columns, within: low...high)
    }
  }

  /// The columns above which a line is drawn right below a piece.
  private static func ruled(
    _ piece: TextLine.Piece, _ line: TextLine, _ columns: [ClosedRange<Double>],
    _ rules: [TextPage.Rule], within: ClosedRange<Int>
  ) -> ClosedRange<Int>? {
    let rule = rules.first { rule in
      rule.place > line.middle && rule.place < line.middle + Measures.ruleBelowHead * line.size
        && rule.extent.lowerBound <= piece.start + 2 && rule.extent.upperBound >= piece.end - 2
    }
    guard let rule else { return nil }
    let below = within.filter { place in
      let column = columns[place]
      let middle = (column.lowerBound + column.upperBound) / 2
      return rule.extent.contains(middle)
    }
    guard let first = below.first, let last = below.last, below.count < columns.count else {
      return nil
    }
    return first...last
  }

  /// The columns that a piece stands in the middle of.
  private static func centered(
    _ piece: TextLine.Piece, _ own: ClosedRange<Int>, _ columns: [ClosedRange<Double>],
    within: ClosedRange<Int>
  ) -> ClosedRange<Int> {
    func distance(_ span: ClosedRange<Int>) -> Double {
      let middle = (columns[span.lowerBound].lowerBound + columns[span.upperBound].upperBound) / 2
      return (middle - piece.middle).magnitude
    }
    let edge = columns[own.lowerBound]
    // At the edge of a single column it is that column's.
    let isOwn =
      own.count == 1
      && ((piece.start - edge.lowerBound).magnitude < Measures.atEdge
        || (piece.end - edge.upperBound).magnitude < Measures.atEdge || distance(own) < 2)
    if isOwn { return own }
    var best = own
    for first in within.lowerBound...own.lowerBound {
      for last in own.upperBound...within.upperBound
      where distance(first...last) < distance(best) - 1 {
        best = first...last
      }
    }
    return best
  }
}
