/// Puts segments into reading order.
///
/// Nearly all producers draw text in the order it is read, and know better than any geometry how columns, boxes and
/// notes follow one another. So the order of drawing is the first word and the page the last: what was drawn late goes
/// where it stands (``DrawnRuns``), and where the drawing jumps about, or runs line by line across two columns of
/// prose, only the white between the lines counts (``PageCuts``).
enum ReadingOrder {
  static func ordered(_ segments: [Segment], _ run: GlyphRun) -> [Segment] {
    guard segments.count > 1 else { return segments }
    func isRightToLeft(_ segment: Segment) -> Bool {
      Scripts.readsRightToLeft(segment, run)
    }
    if segments.count <= 3 || isPlausible(segments, isRightToLeft) && !runsAcrossColumns(segments),
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
      if groups.count > 64 { return segments }
    }
    groups.sort { $0.count > $1.count }
    return groups.flatMap { PageCuts.ordered($0, isRightToLeft: isRightToLeft) }
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
        if next.end < before.start, next.start < before.start - 20 * size { continue }
        if next.end < before.start, !isRightToLeft(before), !isRightToLeft(next) { jumps += 1 }
      } else if next.v < before.v - 0.6 * size {
        let overlap = min(before.end, next.end) - max(before.start, next.start)
        // Lines of columns from the bottom up; the short labels of a figure stand in any order.
        let goesBack =
          next.end < before.start && next.v > before.v - 3 * size
          && min(next.end - next.start, before.end - before.start) > 9 * size
        if overlap > 0.3 * min(before.end - before.start, next.end - next.start) || goesBack {
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
    for segment in segments where segment.end - segment.start > 9 * segment.size { long += 1 }
    for (left, right) in zip(segments, segments.dropFirst()) {
      let size = max(left.size, right.size)
      guard left.isParallel(right), right.sharesBaseline(left),
        right.start - left.end > 1.2 * size, left.end - left.start > 9 * size,
        right.end - right.start > 9 * size
      else { continue }
      pairs += 1
      if let previous, left.v - previous > 0, left.v - previous < 1.6 * size { close += 1 }
      previous = left.v
    }
    return pairs >= 5 && close * 5 >= pairs * 4 - 5 && pairs * 2 * 10 >= long * 7
  }
}
