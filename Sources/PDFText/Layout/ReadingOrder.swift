/// Puts segments into reading order.
///
/// Nearly all producers draw text in the order it is read, and know better than any geometry how
/// columns, boxes and notes follow one another. So the order of drawing is kept, unless it jumps up
/// in one and the same column, or back to the line above, again and again, or runs line by line across two columns of prose:
/// then the page is cut along its white gaps.
enum ReadingOrder {
  static func ordered(_ segments: [Segment]) -> [Segment] {
    guard segments.count > 3, !isPlausible(segments) || runsAcrossColumns(segments) else {
      return segments
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
    var result: [Segment] = []
    for group in groups { cut(group, into: &result, depth: 0) }
    return result
  }

  private static func isPlausible(_ segments: [Segment]) -> Bool {
    var steps = 0
    var jumps = 0
    for index in 1..<segments.count {
      let before = segments[index - 1]
      let next = segments[index]
      guard before.isParallel(next) else { continue }
      steps += 1
      let size = max(before.size, next.size)
      if next.sharesBaseline(before) {
        // Back on the same line: words drawn out of order.
        if next.end < before.start, next.start < before.start - 20 * size { continue }
        if next.end < before.start { jumps += 1 }
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

  /// Recursive cutting: along the widest horizontal gap between parts, or a vertical gap through all
  /// lines, whichever is clearer; else line by line.
  private static func cut(_ segments: [Segment], into result: inout [Segment], depth: Int) {
    guard segments.count > 1, depth < 60 else {
      result += byLines(segments)
      return
    }
    if let gutter = verticalGap(segments) {
      cut(segments.filter { $0.end <= gutter }, into: &result, depth: depth + 1)
      cut(segments.filter { $0.end > gutter }, into: &result, depth: depth + 1)
      return
    }
    if let gap = horizontalGap(segments) {
      cut(segments.filter { $0.v <= gap }, into: &result, depth: depth + 1)
      cut(segments.filter { $0.v > gap }, into: &result, depth: depth + 1)
      return
    }
    result += byLines(segments)
  }

  private static func verticalGap(_ segments: [Segment]) -> Double? {
    let sorted = segments.sorted { $0.start < $1.start }
    var reach = sorted[0].end
    var best: (gap: Double, at: Double)?
    let size = sorted.map(\.size).reduce(0, +) / Double(sorted.count)
    for segment in sorted.dropFirst() {
      let gap = segment.start - reach
      if gap > 0.9 * size, gap > best?.gap ?? 0 { best = (gap, reach) }
      reach = max(reach, segment.end)
    }
    guard let best else { return nil }
    // Both sides must be columns of text, not cells of a table: several lines, mostly long ones.
    let left = segments.filter { $0.end <= best.at }
    let right = segments.filter { $0.end > best.at }
    guard isProse(left, size), isProse(right, size) else { return nil }
    return best.at
  }

  private static func isProse(_ segments: [Segment], _ size: Double) -> Bool {
    guard segments.count >= 3 else { return false }
    let long = segments.filter { $0.end - $0.start > 9 * size }.count
    return long * 2 >= segments.count
  }

  private static func horizontalGap(_ segments: [Segment]) -> Double? {
    let sorted = segments.sorted { $0.v < $1.v }
    var best: (gap: Double, at: Double)?
    for index in 1..<sorted.count {
      let gap = sorted[index].v - sorted[index - 1].v
      let size = max(sorted[index].size, sorted[index - 1].size)
      if gap > 0.4 * size, gap > best?.gap ?? 0 { best = (gap, sorted[index - 1].v) }
    }
    guard let best else { return nil }
    // Only where a column might begin or end: below or above it a vertical gap shows.
    let above = segments.filter { $0.v <= best.at }
    let below = segments.filter { $0.v > best.at }
    guard above.count > 0, below.count > 0 else { return nil }
    return best.at
  }

  private static func byLines(_ segments: [Segment]) -> [Segment] {
    segments.sorted { left, right in
      left.v != right.v ? left.v < right.v : left.start < right.start
    }
    .reduce(into: [[Segment]]()) { lines, segment in
      if let last = lines.last?.first, segment.sharesBaseline(last) {
        lines[lines.count - 1].append(segment)
      } else {
        lines.append([segment])
      }
    }
    .flatMap { $0.sorted { $0.start < $1.start } }
  }
}
