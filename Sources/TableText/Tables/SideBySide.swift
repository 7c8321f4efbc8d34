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
      return cut(lines, at: middle)
    }
    return nil
  }

  /// The words left and right of the gutter between columns of running text, of which one may be a
  /// table; nil where there is none.
  ///
  /// - Parameter page: the lines of the page, from top to bottom; a few lines are running text where those around them are.
  static func columnsOfText(
    _ lines: [TextLine], of page: [TextLine]
  ) -> (left: [PlacedWord], right: [PlacedWord])? {
    if let found = columnsOfText(lines) { return found }
    guard let first = lines.first, let last = lines.last else { return nil }
    let around = page.filter {
      $0.middle > first.middle - Measures.aroundLines * first.size
        && $0.middle < last.middle + Measures.aroundLines * last.size
    }
    guard around.count <= Self.mostLines, let start = around.map(\.start).min(),
      let end = around.map(\.end).max()
    else { return nil }
    for gutter in ColumnFinder.gutters(around) {
      let middle = (gutter.lowerBound + gutter.upperBound) / 2
      let left = start...max(start, gutter.lowerBound)
      let right = gutter.upperBound...max(gutter.upperBound, end)
      func sides(_ lines: [TextLine]) -> [Side] {
        [Side(lines, left) { $0.middle < middle }, Side(lines, right) { $0.middle >= middle }]
      }
      let own = sides(lines)
      guard sides(around).allSatisfy(\.isProse),
        (own[0].full + own[1].full) * 5 >= (own[0].lines + own[1].lines) * 3
      else { continue }
      return cut(lines, at: middle)
    }
    return nil
  }

  private static func columnsOfText(
    _ lines: [TextLine]
  ) -> (left: [PlacedWord], right: [PlacedWord])? {
    guard lines.count >= 6, let start = lines.map(\.start).min(), let end = lines.map(\.end).max()
    else { return nil }
    for gutter in ColumnFinder.gutters(lines) {
      let middle = (gutter.lowerBound + gutter.upperBound) / 2
      let left = Side(lines, start...max(start, gutter.lowerBound)) { $0.middle < middle }
      let right = Side(lines, gutter.upperBound...max(gutter.upperBound, end)) {
        $0.middle >= middle
      }
      guard min(left.lines, right.lines) >= 4 else { continue }
      // The rows of a table stand on one height, on both sides.
      let areApart = min(left.isAlone, right.isAlone) * 5 >= min(left.lines, right.lines) * 2
      let areRead = left.isRead(before: right) || right.isRead(before: left)
      guard
        left.isRunning && right.isRunning
          || (left.isRunning || right.isRunning)
            && (areApart || areRead && (left.isProse || right.isProse))
          || areApart && areRead && (left.isMostlyProse || right.isMostlyProse)
      else { continue }
      return cut(lines, at: middle)
    }
    return nil
  }

  /// No page has more lines within such a distance.
  private static let mostLines = 400

  private static func cut(
    _ lines: [TextLine], at middle: Double
  ) -> (left: [PlacedWord], right: [PlacedWord]) {
    let words = lines.flatMap(\.words)
    return (words.filter { $0.box.middleX < middle }, words.filter { $0.box.middleX >= middle })
  }

  /// Whether lines are those of a paragraph, the blanks of which may be stretched.
  static func isParagraph(_ lines: [TextLine]) -> Bool {
    guard let start = lines.map(\.start).min(), let end = lines.map(\.end).max() else {
      return false
    }
    return Side(lines, start...max(start, end)) { _ in true }.isRunning
  }

  /// What stands on one side of a gutter.
  private struct Side {
    var lines = 0
    /// Lines with nothing on the other side.
    var isAlone = 0
    /// Lines that cover most of its width.
    private(set) var full = 0
    private(set) var isRunning = false
    /// Where its words stand in the reading order of the page.
    private var orders: ClosedRange<Int>?
    var isProse: Bool { isRunning && isMostlyProse }
    /// Prose in short paragraphs, between headings.
    private(set) var isMostlyProse = false

    /// Whether all of it is read before the other side begins: the lines of a table are not read so.
    func isRead(before other: Side) -> Bool {
      guard let orders, let others = other.orders else { return false }
      return orders.upperBound < others.lowerBound
    }

    init(
      _ all: [TextLine], _ extent: ClosedRange<Double>, _ isOwn: (TextLine.Piece) -> Bool
    ) {
      let width = extent.upperBound - extent.lowerBound
      var words = 0
      for line in all {
        let own = line.pieces.filter(isOwn)
        guard !own.isEmpty else { continue }
        lines += 1
        if own.count == line.pieces.count { isAlone += 1 }
        words += own.reduce(0) { $0 + $1.words.count }
        for word in own.lazy.flatMap(\.words) {
          let known = orders ?? word.order...word.order
          orders = min(known.lowerBound, word.order)...max(known.upperBound, word.order)
        }
        let covered =
          isJustified(own)
          ? own[own.count - 1].end - own[0].start : own.reduce(0) { $0 + $1.end - $1.start }
        if covered > Measures.fullLine * width { full += 1 }
      }
      isRunning = lines >= 3 && full * 5 >= lines * 3 && words * 2 >= lines * 5
      // Headings and the ends of paragraphs stand between the full lines of prose.
      isMostlyProse = lines >= 5 && full * 2 >= lines && words >= lines * 5
    }
  }

  /// Whether the blanks of a line are alike, and hardly wider than an em: those between columns are wider.
  private static func isJustified(_ pieces: [TextLine.Piece]) -> Bool {
    let words = pieces.flatMap(\.words)
    guard pieces.count >= 2, words.count >= 4 else { return false }
    let blanks = zip(words, words.dropFirst()).map { $1.box.x0 - $0.box.x1 }
    guard let least = blanks.min(), let most = blanks.max() else { return false }
    return least > 0 && most <= Measures.blockBlanks * least
      && most <= Measures.widestBlank * words[0].size
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
      if left == right, left.count >= 2, left.contains(where: { text in !TableHead.isFigure(text) })
      {
        return true
      }
    }
    let left = lines.compactMap { line in TextLine(line.words.filter { $0.box.middleX < middle }) }
    let right = lines.compactMap { line in TextLine(line.words.filter { $0.box.middleX > middle }) }
    let rows = (
      left.count { $0.pieces.count { $0.end < middle } >= 2 },
      right.count { $0.pieces.count { $0.start > middle } >= 2 }
    )
    guard rows.0 >= 3, rows.1 >= 3 else { return false }
    // Or their lines stand on other heights.
    let both = lines.count { $0.start < middle && $0.end > middle }
    if both * 3 < min(left.count, right.count) { return true }
    let gaps = zip(columns, columns.dropFirst()).map { $1.lowerBound - $0.upperBound }
    let others = gaps.enumerated().filter { $0.offset != gap }.map(\.element)
    guard gaps[gap] > Measures.widerGap * (others.max() ?? 0) else { return false }
    // Or both have steps of their own.
    if let one = pitch(left), let other = pitch(right),
      (one - other).magnitude > Measures.otherPitch * max(one, other)
    {
      return true
    }
    // Or one ends before the other, both being full up to their ends.
    let width = (gap + 1, columns.count - gap - 1)
    let full = (
      left.count { $0.pieces.count { $0.end < middle } == width.0 },
      right.count { $0.pieces.count { $0.start > middle } == width.1 }
    )
    let (short, long) = left.count < right.count ? (left, right) : (right, left)
    return gaps[gap] > Measures.muchWiderGap * (others.max() ?? 0) && full.0 * 10 >= left.count * 9
      && full.1 * 10 >= right.count * 9 && short.count < long.count
      && zip(short, long).allSatisfy {
        ($0.middle - $1.middle).magnitude < Measures.oneLine * $0.size
      }
  }

  /// The step from line to line where most are alike.
  private static func pitch(_ lines: [TextLine]) -> Double? {
    let steps = zip(lines.dropFirst(), lines).map { $0.middle - $1.middle }.sorted()
    guard steps.count >= 3 else { return nil }
    let median = steps[steps.count / 2]
    let alike = steps.count { ($0 - median).magnitude < Measures.samePitch * median }
    return alike * 10 >= steps.count * 7 ? median : nil
  }
}
