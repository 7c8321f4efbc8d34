/// Puts segments of one direction in order by the white between them alone: along gutters between columns of prose,
/// else line by line.
struct PageCuts {
  /// Whether a segment, and whether the page is written from right to left.
  private let isTurned: (Segment) -> Bool
  private let isRightToLeft: Bool
  private var result: [Segment] = []
  /// How many segments may still be looked at for a gutter; what is left then is read line by line.
  private var budget: Int

  private enum Bound {
    /// How many segments are looked at for a gutter, for each segment of the page and in any case.
    static let looksForEach = 24
    static let looksAtLeast = 1000
    /// A region of no more segments has no columns.
    static let segmentsWithoutColumns = 5
  }

  static func ordered(
    _ segments: [Segment], isRightToLeft: @escaping (Segment) -> Bool
  ) -> [Segment] {
    var cuts = PageCuts(segments, isRightToLeft)
    cuts.cut(segments.sorted { ($0.v, $0.start) < ($1.v, $1.start) })
    return cuts.result
  }

  private init(_ segments: [Segment], _ isTurned: @escaping (Segment) -> Bool) {
    self.isTurned = isTurned
    isRightToLeft = segments.count(where: isTurned) * 2 > segments.count
    result.reserveCapacity(segments.count)
    budget = Bound.looksForEach * segments.count + Bound.looksAtLeast
  }

  /// - Parameter segments: from the top down.
  private mutating func cut(_ segments: [Segment]) {
    budget -= segments.count
    guard segments.count > Bound.segmentsWithoutColumns, budget > 0,
      let gutter = Gutter.best(of: segments)
    else {
      return readWithoutGutter(segments)
    }
    let between = segments[gutter.lines]
    if let inset = gutter.inset {
      let isInset = { (segment: Segment) in (segment.end <= gutter.place) == (inset == .left) }
      cut(
        segments[..<gutter.lines.lowerBound] + between.filter { !isInset($0) }
          + segments[gutter.lines.upperBound...])
      return cut(between.filter(isInset))
    }
    cut(Array(segments[..<gutter.lines.lowerBound]))
    let left = between.filter { $0.end <= gutter.place }
    let right = between.filter { $0.end > gutter.place }
    cut(isRightToLeft ? right : left)
    cut(isRightToLeft ? left : right)
    cut(Array(segments[gutter.lines.upperBound...]))
  }

  /// What was drawn together stays together; where hardly two lines were, only lines count.
  private mutating func readWithoutGutter(_ segments: [Segment]) {
    if let blocks = DrawnRuns.blocks(
      segments.sorted { $0.order < $1.order }, isRightToLeft: isTurned)
    {
      result += blocks
    } else {
      byLines(segments)
    }
  }

  private mutating func byLines(_ segments: [Segment]) {
    var line: [Segment] = []
    func end(_ line: inout [Segment], _ result: inout [Segment]) {
      line.sort { isRightToLeft ? $0.start > $1.start : $0.start < $1.start }
      result += line
      line.removeAll(keepingCapacity: true)
    }
    for segment in segments {
      if let first = line.first, !segment.sharesBaseline(first) { end(&line, &result) }
      line.append(segment)
    }
    end(&line, &result)
  }
}

/// White between two columns of prose.
struct Gutter {
  /// The segments beside it, a range of those of the region from the top down.
  var lines: Range<Int>
  /// Where it is: on its left all of them end before.
  var place: Double
  /// How many lines stand on the side that has fewer.
  private var height: Int

  enum Side { case left, right }

  /// The side that text around it goes past: a line across the gutter goes on on the other side alone.
  var inset: Side?

  /// Fewer lines are no column; beside a column of prose two are the end of the next.
  private static let fewest = 3

  /// What tells a gutter; lengths in units of the size of the text unless said otherwise.
  private enum Bound {
    /// The highest candidates are looked at.
    static let candidates = 16
    /// The page is cut across into stretches this wide, at most so many; fewer than the least show no gutter.
    static let stretch = 0.3
    static let mostStretches = 400.0
    static let fewestStretches = 20
    /// Pages wider than this, in points, are none.
    static let widestPage = 1e7
    /// Gutters are at least this wide.
    static let width = 0.55
    /// Segments on one side that stand closer than this belong to one column.
    static let gapInColumn = 1.5
    /// A line this far beyond the start and the end of most others belongs to another column.
    static let shift = 2.0
    /// At either end of a column no more lines than this are left out.
    static let mostLeftOut = 8
    /// A line goes on with a column whose nearest line fills this part of its width, whose size differs by less than
    /// this part, and that is no further away than this many of its steps.
    static let fullLine = 0.75
    static let sizeDifference = 0.05
    static let nextLine = 1.2
    /// A line that ends this far before the column's end ends a paragraph.
    static let paragraphEnd = 6.0
    /// The distance that a line of its own has from the edge of the page.
    static let edge = 1.5
    /// White this many times as high as what is beside it divides the columns from other text.
    static let divide = 1.3
    /// Lines of a column are this wide, half of them this part of the widest, and most no further apart than this.
    static let columnWidth = 6.5
    static let longLine = 0.6
    static let lineStep = 2.0
    /// Between paragraphs there is this many times the leading, and this much more.
    static let paragraphLeading = 1.25
    static let paragraphGap = 0.1
    /// Gaps on both sides whose places differ by less than this are those of rows.
    static let rowDifference = 0.3
  }

  /// The highest gutter of a region.
  ///
  /// - Parameter segments: from the top down.
  static func best(of segments: [Segment]) -> Gutter? {
    let size = typicalSize(segments)
    guard size > 0 else { return nil }
    var best: Gutter?
    for candidate in candidates(segments, size).prefix(Bound.candidates) {
      guard candidate.lines.count > 2 * (best?.height ?? 0) || best == nil,
        let gutter = checked(candidate, segments, size)
      else { continue }
      if gutter.height > best?.height ?? 0 { best = gutter }
    }
    return best
  }

  private static func typicalSize(_ segments: [Segment]) -> Double {
    let sizes = segments.map(\.size).sorted()
    return sizes[sizes.count / 2]
  }

  private struct Candidate {
    var lines: Range<Int>
    var bins: ClosedRange<Int>
    var place: Double
  }

  /// Stretches without ink between two lines of the page that cross them, the highest first.
  private static func candidates(_ segments: [Segment], _ size: Double) -> [Candidate] {
    var left = Double.infinity, right = -Double.infinity
    for segment in segments {
      left = min(left, segment.start)
      right = max(right, segment.end)
    }
    let count = Int(min(Bound.mostStretches, (right - left) / (Bound.stretch * size)))
    guard count > Bound.fewestStretches, right - left < Bound.widestPage else { return [] }
    let step = (right - left) / Double(count)
    // For each stretch across: where the latest line that covers it stands.
    var covered = [Int](repeating: -1, count: count)
    var found: [Candidate] = []
    func note(_ bin: Int, _ from: Int, _ to: Int) {
      guard to - from >= 2 * fewest else { return }
      if let last = found.last, last.lines == from..<to, last.bins.upperBound == bin - 1 {
        found[found.count - 1].bins = last.bins.lowerBound...bin
      } else {
        found.append(Candidate(lines: from..<to, bins: bin...bin, place: 0))
      }
    }
    for (index, segment) in segments.enumerated() {
      let first = max(0, Int(((segment.start - left) / step).rounded(.down)))
      let last = min(count - 1, Int(((segment.end - left) / step).rounded(.up)) - 1)
      guard first <= last else { continue }
      for bin in first...last {
        note(bin, covered[bin] + 1, index)
        covered[bin] = index
      }
    }
    for bin in covered.indices { note(bin, covered[bin] + 1, segments.count) }
    found.removeAll { Double($0.bins.count) * step < Bound.width * size }
    for index in found.indices {
      let bins = found[index].bins
      found[index].place = left + step * Double(bins.lowerBound + bins.upperBound + 1) / 2
    }
    return found.sorted { ($0.lines.count, $0.bins.count) > ($1.lines.count, $1.bins.count) }
  }

  /// A candidate with columns of prose on both of its sides.
  private static func checked(
    _ candidate: Candidate, _ segments: [Segment], _ size: Double
  ) -> Gutter? {
    let place = candidate.place
    var rows = trimmed(rows(segments, candidate.lines), segments, size)
    let lefts = rows.map { Piece(segments, $0, endingBefore: place, gap: Bound.gapInColumn * size) }
    let rights = rows.map {
      Piece(segments, $0, beginningBehind: place, gap: Bound.gapInColumn * size)
    }
    let own = withoutShifted(lefts, size).clamped(to: withoutShifted(rights, size))
    rows = Array(rows[own])
    guard let first = rows.first, let last = rows.last else { return nil }
    let left = lefts[own].compactMap(\.self), right = rights[own].compactMap(\.self)
    guard isColumn(left, size, beside: right), isColumn(right, size, beside: left),
      !isGrid(rows, left, right, size)
    else { return nil }
    let lines = first.lowerBound..<last.upperBound
    return Gutter(
      lines: lines, place: place, height: min(left.count, right.count),
      inset: inset(left, right, beside: lines, place, segments))
  }

  /// The lines of a column without those at either end that begin within it and go on beyond it: they belong to other
  /// columns.
  private static func withoutShifted(_ lines: [Piece?], _ size: Double) -> Range<Int> {
    let starts = lines.compactMap(\.?.start).sorted(), ends = lines.compactMap(\.?.end).sorted()
    guard starts.count > 2 else { return lines.indices }
    let start = starts[starts.count / 4] + Bound.shift * size,
      end = ends[ends.count * 3 / 4] + Bound.shift * size
    func isShifted(_ line: Int) -> Bool {
      lines[line].map { $0.start > start && $0.end > end } ?? false
    }
    let most = min(Bound.mostLeftOut, lines.count / 3)
    let first = lines.indices.prefix(most).last(where: isShifted).map { $0 + 1 } ?? 0
    let last = lines.indices.suffix(most).first(where: isShifted) ?? lines.count
    return first..<max(first, last)
  }

  /// The side that the text next to the gutter, above or below it, does not go on at.
  private static func inset(
    _ left: [Piece], _ right: [Piece], beside lines: Range<Int>, _ place: Double,
    _ segments: [Segment]
  ) -> Side? {
    for (index, isAbove) in [(lines.lowerBound - 1, true), (lines.upperBound, false)]
    where segments.indices.contains(index) {
      let line = segments[index]
      func goesOn(_ column: [Piece]) -> Bool {
        let near = isAbove ? column[0] : column[column.count - 1]
        let width = column.reduce(0) { max($0, $1.width) }
        guard near.width > Bound.fullLine * width,
          (near.size - line.size).magnitude < Bound.sizeDifference * line.size
        else {
          return false
        }
        let next = (near.v - line.v).magnitude
        let steps = zip(column, column.dropFirst()).map { $1.v - $0.v }.sorted()
        return next < Bound.nextLine * steps[steps.count / 2]
      }
      // A line that ends a paragraph goes on nowhere.
      let isFull = line.end > (right.map(\.end).max() ?? 0) - Bound.paragraphEnd * line.size
      guard line.start < place, line.end > place, isFull, goesOn(left) != goesOn(right) else {
        continue
      }
      return goesOn(left) ? .right : .left
    }
    return nil
  }

  /// Without lines at either end that belong to what crosses the gutter there rather than to the columns: more white
  /// across the page divides them from the columns than anywhere between them and it.
  private static func trimmed(
    _ rows: [Range<Int>], _ segments: [Segment], _ size: Double
  ) -> [Range<Int>] {
    func v(_ row: Int) -> Double { segments[rows[row].lowerBound].v }
    var first = 0, last = rows.count - 1
    let most = min(Bound.mostLeftOut, rows.count / 2)
    // At the edge of the page a line of its own is a running head or a page number.
    var step =
      rows[0].lowerBound > 0 ? v(0) - segments[rows[0].lowerBound - 1].v : Bound.edge * size
    for row in 0..<most {
      let gap = v(row + 1) - v(row)
      if gap > Bound.divide * max(step, size) { first = row + 1 }
      step = max(step, gap)
      if rows[0].lowerBound == 0 { break }
    }
    let end = rows[last].upperBound
    step = end < segments.count ? segments[end].v - v(last) : Bound.edge * size
    for row in stride(from: last, to: last - most, by: -1) {
      let gap = v(row) - v(row - 1)
      if gap > Bound.divide * max(step, size) { last = row - 1 }
      step = max(step, gap)
      if end == segments.count { break }
    }
    return first <= last ? Array(rows[first...last]) : rows
  }

  /// The segments of a range, line by line.
  private static func rows(_ segments: [Segment], _ range: Range<Int>) -> [Range<Int>] {
    var rows: [Range<Int>] = []
    var first = range.lowerBound
    for index in range.dropFirst() where !segments[index].sharesBaseline(segments[first]) {
      rows.append(first..<index)
      first = index
    }
    rows.append(first..<range.upperBound)
    return rows
  }

  /// What stands next to a gutter on one line.
  private struct Piece {
    var start: Double
    var end: Double
    var v: Double
    var size: Double
    var width: Double { end - start }

    init?(_ segments: [Segment], _ row: Range<Int>, endingBefore place: Double, gap: Double) {
      let beside = segments[row].filter { $0.end <= place }
      guard var found = Piece(beside.max { $0.end < $1.end }) else { return nil }
      if beside.count > 1 {
        for segment in beside.sorted(by: { $0.end > $1.end }) {
          if found.start - segment.end > gap { break }
          found.start = min(found.start, segment.start)
        }
      }
      self = found
    }

    init?(_ segments: [Segment], _ row: Range<Int>, beginningBehind place: Double, gap: Double) {
      let beside = segments[row].filter { $0.end > place }
      guard var found = Piece(beside.min { $0.start < $1.start }) else { return nil }
      if beside.count > 1 {
        for segment in beside.sorted(by: { $0.start < $1.start }) {
          if segment.start - found.end > gap { break }
          found.end = max(found.end, segment.end)
        }
      }
      self = found
    }

    private init?(_ segment: Segment?) {
      guard let segment else { return nil }
      (start, end, v, size) = (segment.start, segment.end, segment.v, segment.size)
    }
  }

  /// Whether lines fill a column: mostly long, about as long as one another, and close together.
  private static func isColumn(_ lines: [Piece], _ size: Double, beside other: [Piece]) -> Bool {
    guard lines.count >= (other.count > 2 * fewest ? 2 : fewest) else { return false }
    let widths = lines.map(\.width).sorted()
    let widest = widths[widths.count * 9 / 10]
    let full = widths.count { $0 > Bound.longLine * widest }
    let close = zip(lines, lines.dropFirst()).count { $1.v - $0.v < Bound.lineStep * size }
    return widths[widths.count / 2] > Bound.columnWidth * size && full * 2 >= lines.count
      && close * 10 >= (lines.count - 1) * 6
  }

  /// Whether the gaps between paragraphs stand at the same heights on both sides, as those between the rows of a table
  /// do.
  private static func isGrid(
    _ rows: [Range<Int>], _ left: [Piece], _ right: [Piece], _ size: Double
  ) -> Bool {
    func gaps(_ lines: [Piece]) -> [ClosedRange<Double>] {
      let steps = zip(lines, lines.dropFirst()).map { $1.v - $0.v }.sorted()
      guard let leading = steps.isEmpty ? nil : steps[steps.count / 4] else { return [] }
      return zip(lines, lines.dropFirst()).compactMap { above, below in
        below.v - above.v > Bound.paragraphLeading * leading + Bound.paragraphGap * size
          ? above.v...below.v : nil
      }
    }
    let (first, second) = (gaps(left), gaps(right))
    let common = first.count { gap in
      second.contains { (gap.upperBound - $0.upperBound).magnitude < Bound.rowDifference * size }
    }
    return common >= 2 && common * 10 >= max(first.count, second.count) * 7
  }
}
