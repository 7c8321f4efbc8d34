/// Puts segments into reading order.
///
/// Nearly all producers draw text in the order it is read, and know better than any geometry how columns, boxes and
/// notes follow one another. So the order of drawing is the first word and the page the last: what was drawn late goes
/// where it stands (``DrawnRuns``), and where the drawing jumps about, or runs line by line across two columns of
/// prose, only the white between the lines counts (``PageCuts``).
enum ReadingOrder {
  /// What tells how text was drawn; lengths in units of the size of the text.
  private enum Bound {
    /// Text of no more segments is read as it was drawn.
    static let segmentsAsDrawn = 3
    /// More directions than this are a drawing.
    static let directions = 64
    /// What is drawn this much further left on a line goes on in the line's first column.
    static let carriageReturn = 20.0
    /// What is drawn this much higher goes back, and no higher than that goes back in a column.
    static let back = 0.6
    static let backInColumn = 3.0
    /// Lines longer than this are long.
    static let longLine = 9.0
    /// Text that goes back over this part of the narrower line's width jumps.
    static let overlap = 0.3
    /// The gap between two columns, and the step from one line of a paragraph to the next.
    static let columnGap = 1.2
    static let lineStep = 1.6
  }

  static func ordered(_ segments: [Segment], _ run: GlyphRun) -> [Segment] {
    guard segments.count > 1 else { return segments }
    func isRightToLeft(_ segment: Segment) -> Bool {
      Scripts.readsRightToLeft(segment, run)
    }
    let segments = withRowsInOrder(segments, isRightToLeft)
    if segments.count <= Bound.segmentsAsDrawn
      || isPlausible(segments, isRightToLeft) && !runsAcrossColumns(segments),
      let drawn = DrawnRuns.ordered(segments, isRightToLeft: isRightToLeft)
    {
      return drawn
    }
    // Each direction for itself, the most frequent first.
    var groups: [[Segment]] = []
    for segment in segments {
      if let place = groups.firstIndex(where: { $0[0].isParallel(segment) }) {
        groups[place].append(segment)
      } else {
        groups.append([segment])
      }
      if groups.count > Bound.directions { return segments }
    }
    groups.sort { $0.count > $1.count }
    return groups.flatMap { PageCuts.ordered($0, isRightToLeft: isRightToLeft) }
  }

  /// Puts the cells of rows in order: where one was drawn into a gap between others of the same line, as in a table
  /// whose last column was filled before the one in its middle, and where row after row was drawn from the right. A
  /// single pair that was drawn so may be a label beside a paragraph.
  private static func withRowsInOrder(
    _ segments: [Segment], _ isRightToLeft: (Segment) -> Bool
  ) -> [Segment] {
    var ordered = segments, first = 0
    // Figures beside such text run as its columns do.
    lazy var isFromTheRight = segments.contains(where: isRightToLeft)
    // The row before, where it is not in order.
    var before: (place: Int, row: [Segment])?
    while first < segments.count {
      var last = first + 1, fillsGap = false, isInOrder = true
      var (firstEnd, lastStart) = (segments[first].end, segments[first].start)
      while last < segments.count, segments[last].isParallel(segments[first]),
        segments[last].sharesBaseline(segments[last - 1])
      {
        let cell = segments[last]
        fillsGap = fillsGap || firstEnd <= cell.start && lastStart >= cell.end
        isInOrder = isInOrder && cell.start >= segments[last - 1].start
        (firstEnd, lastStart) = (min(firstEnd, cell.end), max(lastStart, cell.start))
        last += 1
      }
      if isInOrder {
        before = nil
      } else {
        let row = segments[first..<last].sorted { $0.start < $1.start }
        if zip(row, row.dropFirst()).allSatisfy({ $0.end <= $1.start }) {
          if isFromTheRight { return segments }
          if let before {
            ordered.replaceSubrange(
              before.place..<before.place + before.row.count, with: before.row)
          }
          if fillsGap || before != nil { ordered.replaceSubrange(first..<last, with: row) }
          before = (first, row)
        } else {
          before = nil
        }
      }
      first = last
    }
    return ordered
  }

  private static func isPlausible(
    _ segments: [Segment], _ isRightToLeft: (Segment) -> Bool
  ) -> Bool {
    var steps = 0
    var jumps = 0
    for index in 1..<segments.count {
      let before = segments[index - 1]
      let next = segments[index]
      guard before.isParallel(next) else { continue }
      steps += 1
      let size = max(before.size, next.size)
      if next.sharesBaseline(before) {
        // Back on the same line: words drawn out of order, unless they are read that way.
        if next.end < before.start, next.start < before.start - Bound.carriageReturn * size {
          continue
        }
        if next.end < before.start, !isRightToLeft(before), !isRightToLeft(next) { jumps += 1 }
      } else if next.v < before.v - Bound.back * size {
        let overlap = min(before.end, next.end) - max(before.start, next.start)
        // Lines of columns from the bottom up; the short labels of a figure stand in any order.
        let goesBack =
          next.end < before.start && next.v > before.v - Bound.backInColumn * size
          && min(next.end - next.start, before.end - before.start) > Bound.longLine * size
        if overlap > Bound.overlap * min(before.end - before.start, next.end - next.start)
          || goesBack
        {
          jumps += 1
        }
      }
    }
    return jumps <= max(2, steps / 6)
  }

  /// Whether text is drawn line by line across two columns of prose. What tells columns from the
  /// rows of a table: on both sides of the gap nearly all lines are long, and they follow one
  /// another as closely as lines of a paragraph do.
  private static func runsAcrossColumns(_ segments: [Segment]) -> Bool {
    var pairs = 0
    var close = 0
    var long = 0
    var previous: Double?
    for segment in segments where segment.end - segment.start > Bound.longLine * segment.size {
      long += 1
    }
    for (left, right) in zip(segments, segments.dropFirst()) {
      let size = max(left.size, right.size)
      guard left.isParallel(right), right.sharesBaseline(left),
        right.start - left.end > Bound.columnGap * size,
        left.end - left.start > Bound.longLine * size,
        right.end - right.start > Bound.longLine * size
      else { continue }
      pairs += 1
      if let previous, left.v - previous > 0, left.v - previous < Bound.lineStep * size {
        close += 1
      }
      previous = left.v
    }
    return pairs >= 5 && close * 5 >= pairs * 4 - 5 && pairs * 2 * 10 >= long * 7
  }
}
