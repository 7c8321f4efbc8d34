/// The white strips between columns of prose on a page.
///
/// Each gap of a row is grown up and down as long as the rows leave it free. A strip is a gutter if both of its sides
/// are prose: lines of nearly one width, some of which begin in lower case.
struct ProseGutters {
  /// A line of text, in a frame in which it is read from left to right.
  struct Line {
    var start, end: Double
    /// The baseline.
    var v: Double
    var size: Double
    /// Whether it begins as a line within a sentence does, or nil if its script has no lower case.
    var isWithin: Bool?
    /// Whether it has digits and no letters.
    var isFigure: Bool
    /// Its place in the order of drawing.
    var drawn: Int
    var width: Double { end - start }
    var top: Double { v - 0.75 * size }
    var bottom: Double { v + 0.2 * size }
  }

  enum Side { case left, right }

  struct Gutter {
    /// The rows beside it.
    var rows: ClosedRange<Int>
    var start, end: Double
    /// The side that text around it goes past: a box, which is read last.
    var inset: Side?
    var middle: Double { (start + end) / 2 }
  }

  /// Lengths are in units of the size of the text.
  private enum Bound {
    /// Gutters are at least this wide.
    static let width = 0.55
    /// Fewer lines are no column; beside a longer column two are the end of the next.
    static let fewest = 3, end = 2
    /// Lines of a column are this wide, and half of them this part of the widest.
    static let columnWidth = 6.5, fullLine = 0.6
    /// Pieces that are closer belong to one column.
    static let gapInColumn = 1.5
    /// Where both are drawn line by line, columns are this wide.
    static let longLine = 9.0
    /// Larger letters are those of a heading.
    static let heading = 1.1
    /// A strip with more cuts is not cut: they are between the rows of a table.
    static let mostStories = 50
    /// White across both columns that divides stories, in any case, and above a heading as part of the white between
    /// paragraphs.
    static let divides = 1.5, dividesHeadings = 1.3
    /// How often lines are looked at, for each line of the page and in any case; what is left then has no gutters.
    static let looksForEach = 512, looksAtLeast = 20_000
  }

  /// From top to bottom, the lines of each from left to right.
  private let rows: [[Line]]
  private let whites: [[ClosedRange<Double>]]
  private let size: Double
  private var looks: Int
  private(set) var gutters: [Gutter] = []

  /// - Parameters:
  ///   - rows: from top to bottom, the lines of each from left to right.
  ///   - size: of most of the text.
  init(_ rows: [[Line]], size: Double) {
    self.rows = rows
    self.size = size
    looks = Bound.looksForEach * rows.reduce(0) { $0 + $1.count } + Bound.looksAtLeast
    whites = rows.map(Self.whites)
    guard rows.count >= Bound.fewest, size > 0 else { return }
    // Other gutters tell how far the columns beside a strip reach.
    let strips = candidates()
    var known = -1
    while known < gutters.count {
      known = gutters.count
      for strip in strips { note(strip) }
    }
    separate()
  }

  private static func whites(_ row: [Line]) -> [ClosedRange<Double>] {
    var result: [ClosedRange<Double>] = [], reach = -Double.infinity
    for line in row {
      if line.start > reach { result.append(reach...line.start) }
      reach = max(reach, line.end)
    }
    return result + [reach...Double.infinity]
  }

  // MARK: Strips

  /// Returns the strips that rows leave free, the highest first.
  private mutating func candidates() -> [Gutter] {
    var looks = looks
    var seen: Set<[Int]> = [], found: [Gutter] = []
    func grow(_ white: ClosedRange<Double>, _ row: Int) {
      guard white.lowerBound.isFinite, white.upperBound.isFinite, looks > 0,
        white.upperBound - white.lowerBound >= Bound.width * size
      else { return }
      var strip = white, first = row, last = row
      func reaches(_ next: Int) -> Bool {
        guard rows.indices.contains(next), looks > 0 else { return false }
        looks -= whites[next].count
        var best: ClosedRange<Double>?, widest = Bound.width * size
        for white in whites[next] where white.overlaps(strip) {
          let shared = white.clamped(to: strip)
          let width = shared.upperBound - shared.lowerBound
          if width >= widest { (best, widest) = (shared, width) }
        }
        if let best { strip = best }
        return best != nil
      }
      while reaches(last + 1) { last += 1 }
      while reaches(first - 1) { first -= 1 }
      guard last - first + 1 >= Bound.fewest,
        seen.insert([first, last, Int(strip.lowerBound.rounded()), Int(strip.upperBound.rounded())])
          .inserted
      else { return }
      found.append(Gutter(rows: first...last, start: strip.lowerBound, end: strip.upperBound))
    }
    for row in rows.indices {
      for white in whites[row] { grow(white, row) }
      if row + 1 < rows.count {
        let both = (rows[row] + rows[row + 1]).sorted { $0.start < $1.start }
        for white in Self.whites(both) { grow(white, row) }
      }
    }
    self.looks = max(0, looks) + Bound.looksAtLeast
    return found.enumerated().sorted {
      ($0.element.rows.count, $1.offset) > ($1.element.rows.count, $0.offset)
    }.map(\.element)
  }

  /// Notes the parts of a strip that have prose on both sides.
  private mutating func note(_ strip: Gutter) {
    guard looks > 0, !isNoted(strip) else { return }
    let parts = stories(strip)
    looks -= (8 + parts.count) * rows[strip.rows].reduce(0) { $0 + $1.count }
    for rows in parts {
      // A heading by itself belongs to neither column.
      let first = rows.first { !isHeading($0) } ?? rows.upperBound
      var part = strip
      part.rows = first...rows.upperBound
      guard !isNoted(part) else { continue }
      let left = beside(part, .left), right = beside(part, .right)
      guard isProse(left, beside: right), isProse(right, beside: left),
        !isDrawnAcross(part, left, right)
      else { continue }
      part.inset = inset(part, left, right)
      gutters.append(part)
    }
  }

  private mutating func isNoted(_ strip: Gutter) -> Bool {
    looks -= gutters.count
    return gutters.contains { Self.isSame($0, strip, within: true) }
  }

  private static func isSame(_ first: Gutter, _ second: Gutter, within: Bool = false) -> Bool {
    isAtPlace(first, second)
      && (within
        ? first.rows.lowerBound <= second.rows.lowerBound
          && first.rows.upperBound >= second.rows.upperBound
        : first.rows.overlaps(second.rows))
  }

  /// Whether the narrower one is for the most part within the other.
  private static func isAtPlace(_ first: Gutter, _ second: Gutter) -> Bool {
    let shared = min(first.end, second.end) - max(first.start, second.start)
    return 2 * shared > min(first.end - first.start, second.end - second.start)
  }

  /// Ends gutters where those of another structure begin, and keeps one of those that are the same.
  private mutating func separate() {
    func isCrossed(_ gutter: Gutter, _ rows: Range<Int>) -> Bool {
      self.rows[rows].joined().contains {
        $0.start < gutter.start - 0.1 && $0.end > gutter.end + 0.1
      }
    }
    for upper in gutters.indices {
      for lower in gutters.indices {
        let (above, below) = (gutters[upper], gutters[lower])
        let common = below.rows.lowerBound...max(below.rows.lowerBound, above.rows.upperBound)
        guard above.rows.lowerBound < common.lowerBound,
          above.rows.upperBound >= common.lowerBound,
          below.rows.upperBound > above.rows.upperBound,
          !Self.isAtPlace(above, below),
          isCrossed(below, above.rows.lowerBound..<below.rows.lowerBound),
          isCrossed(above, above.rows.upperBound + 1..<below.rows.upperBound + 1)
        else { continue }
        let all = above.rows.lowerBound...below.rows.upperBound
        let cut = (common.lowerBound...common.upperBound + 1).max {
          white(above: $0, in: all) < white(above: $1, in: all)
        }
        guard let cut, cut > above.rows.lowerBound, cut <= below.rows.upperBound else { continue }
        gutters[upper].rows = above.rows.lowerBound...cut - 1
        gutters[lower].rows = cut...below.rows.upperBound
      }
    }
    var kept: [Gutter] = []
    for (_, gutter) in gutters.enumerated().sorted(by: {
      ($0.element.rows.count, $1.offset) > ($1.element.rows.count, $0.offset)
    }) where !kept.contains(where: { Self.isSame($0, gutter) }) {
      kept.append(gutter)
    }
    gutters = kept
  }

  /// Returns how high the white above a row is, right across.
  private func white(above row: Int, in all: ClosedRange<Int>) -> Double {
    let above = rows[all.lowerBound..<row].joined().map(\.bottom).max() ?? 0
    return (rows[row...all.upperBound].joined().map(\.top).min() ?? 0) - above
  }

  // MARK: Prose

  /// Returns the line beside a gutter in each of its rows.
  private func beside(_ gutter: Gutter, _ side: Side) -> [Line] {
    let middle = gutter.middle
    let near = gutters.filter {
      $0.rows.lowerBound <= gutter.rows.lowerBound + 1
        && $0.rows.upperBound >= gutter.rows.upperBound - 1
    }
    let left = near.filter { $0.end < middle }.map(\.start).max() ?? -Double.infinity
    let right = near.filter { $0.start > middle }.map(\.end).min() ?? Double.infinity
    return rows[gutter.rows].compactMap { row in
      var found: Line?
      let own = row.filter {
        side == .left ? $0.start >= left && $0.end <= middle : $0.start >= middle && $0.end <= right
      }
      for line in side == .left ? own.sorted(by: { $0.end > $1.end }) : own {
        guard var piece = found else {
          found = line
          continue
        }
        let gap = side == .left ? piece.start - line.end : line.start - piece.end
        if gap > Bound.gapInColumn * size { break }
        if line.start < piece.start { piece.isWithin = line.isWithin }
        (piece.start, piece.end) = (min(piece.start, line.start), max(piece.end, line.end))
        found = piece
      }
      return found
    }
  }

  /// Returns the value that a part of the others is below, or nil if there is none.
  private static func quantile(_ values: [Double], _ part: Double) -> Double? {
    values.isEmpty ? nil : values.sorted()[Int(Double(values.count) * part)]
  }

  private func isProse(_ lines: [Line], beside other: [Line]) -> Bool {
    guard lines.count >= (other.count > 2 * Bound.fewest ? Bound.end : Bound.fewest) else {
      return false
    }
    // The lines of prose are cut within sentences, cells are not.
    let begins = lines.compactMap(\.isWithin)
    guard begins.count(where: \.self) * 5 >= begins.count else { return false }
    let widths = lines.map(\.width)
    let widest = Self.quantile(widths, 0.9) ?? 0
    return Self.quantile(widths, 0.5) ?? 0 > Bound.columnWidth * size
      && widths.count { $0 > Bound.fullLine * widest } * 2 >= widths.count
  }

  /// Whether both sides are drawn in turn, from row to row of a table or as parts of a line with wide blanks. Columns
  /// are drawn one after the other, or line by line if they are many and wide.
  private func isDrawnAcross(_ gutter: Gutter, _ left: [Line], _ right: [Line]) -> Bool {
    let lines = gutter.rows.flatMap { row in
      rows[row].map { (drawn: $0.drawn, isLeft: $0.end <= gutter.middle, row: row) }
    }.sorted { $0.drawn < $1.drawn }
    var stretches: [(isLeft: Bool, rows: ClosedRange<Int>)] = []
    for line in lines {
      if let last = stretches.last, last.isLeft == line.isLeft {
        stretches[stretches.count - 1].rows =
          min(last.rows.lowerBound, line.row)...max(last.rows.upperBound, line.row)
      } else {
        stretches.append((line.isLeft, line.row...line.row))
      }
    }
    let pairs = stride(from: 0, to: stretches.count - 1, by: 2).map {
      (stretches[$0].rows, stretches[$0 + 1].rows)
    }
    let areBelow = zip(pairs, pairs.dropFirst()).count { above, below in
      min(below.0.lowerBound, below.1.lowerBound) > max(above.0.upperBound, above.1.upperBound)
    }
    guard pairs.count > 2, areBelow * 5 >= (pairs.count - 1) * 4 else { return false }
    let width = min(
      Self.quantile(left.map(\.width), 0.5) ?? 0, Self.quantile(right.map(\.width), 0.5) ?? 0)
    return pairs.count < 5 || stretches.contains { $0.rows.count > 1 }
      || width < Bound.longLine * size
  }

  /// Returns the side that the text across the gutter, right above or below it, does not go on at.
  private func inset(_ gutter: Gutter, _ left: [Line], _ right: [Line]) -> Side? {
    let end = right.map(\.end).max() ?? 0
    for (row, isAbove) in [(gutter.rows.lowerBound - 1, true), (gutter.rows.upperBound + 1, false)]
    where rows.indices.contains(row) {
      let across = rows[row].first { $0.start < gutter.middle && $0.end > gutter.middle }
      guard let across, across.end > end - 6 * size else { continue }
      func goesOn(_ column: [Line]) -> Bool {
        guard let near = isAbove ? column.first : column.last else { return false }
        let widest = column.map(\.width).max() ?? 0
        let steps = zip(column, column.dropFirst()).map { $1.v - $0.v }
        let isNear = (near.v - across.v).magnitude < 1.2 * (Self.quantile(steps, 0.5) ?? 0)
        return isNear && near.width > 0.75 * widest
          && (near.size - across.size).magnitude < 0.05 * size
      }
      let (first, second) = (goesOn(left), goesOn(right))
      if first != second { return first ? .right : .left }
    }
    return nil
  }

  // MARK: Stories

  /// Cuts a strip where white goes across both columns that is higher than that between the paragraphs of either.
  private func stories(_ strip: Gutter) -> [ClosedRange<Int>] {
    let all = strip.rows, middle = strip.middle
    var lowest = -Double.infinity, tops = [Double](repeating: .infinity, count: all.count + 1)
    for row in all.reversed() {
      tops[row - all.lowerBound] = min(
        tops[row - all.lowerBound + 1], rows[row].map(\.top).min() ?? .infinity)
    }
    var whites: [(row: Int, above: Double, below: Double)] = []
    for row in all {
      let below = tops[row - all.lowerBound]
      if row > all.lowerBound, below - lowest > 0.3 * size { whites.append((row, lowest, below)) }
      lowest = max(lowest, rows[row].map(\.bottom).max() ?? lowest)
    }
    guard !whites.isEmpty else { return [all] }
    func isLed(_ row: Int, _ top: Double) -> Bool {
      rows[row..<min(rows.count, row + 3)].joined().contains {
        $0.size > Bound.heading * size && $0.start < middle && $0.top < top + size
      }
    }
    let led = whites.filter { isLed($0.row, $0.below) }
    var gaps: [Double] = []
    for isLeft in [true, false] {
      let ink = rows[all].compactMap { row -> (top: Double, bottom: Double, size: Double)? in
        let own = row.filter { ($0.end <= middle) == isLeft }
        guard let top = own.map(\.top).min(), let bottom = own.map(\.bottom).max() else {
          return nil
        }
        return (top, bottom, own.map(\.size).max() ?? 0)
      }
      for (above, below) in zip(ink, ink.dropFirst()) where below.size < Bound.heading * size {
        let gap = below.top - above.bottom
        // White that goes on across both columns may be that between stories.
        let isAcross = led.contains {
          above.bottom <= $0.above + 0.1 && below.top >= $0.below - 0.1
            && gap > $0.below - $0.above + 0.5 * size
        }
        if gap < Bound.divides * size, !isAcross { gaps.append(gap) }
      }
    }
    let usual = Self.quantile(gaps, 0.98) ?? 0.3 * size
    let cuts = whites.filter { white in
      let height = white.below - white.above
      return height > Bound.divides * size
        || height > Bound.dividesHeadings * usual + 0.25 * size && isLed(white.row, white.below)
    }
    return cuts.count > Bound.mostStories ? [all] : parts(strip, cuts.map(\.row), middle)
  }

  /// Returns a strip cut above some rows, so that both of its sides have lines in each part and no heading is alone.
  private func parts(_ strip: Gutter, _ cuts: [Int], _ middle: Double) -> [ClosedRange<Int>] {
    var parts: [ClosedRange<Int>] = [], first = strip.rows.lowerBound
    for cut in cuts + [strip.rows.upperBound + 1] where cut > first {
      parts.append(first...cut - 1)
      first = cut
    }
    /// Whether only one side has lines, which go on with a column of it.
    func isOfOneSide(_ part: ClosedRange<Int>) -> Bool {
      let own = Array(rows[part].joined()), isLeft = own.map { $0.end <= middle }
      guard let side = isLeft.first, isLeft.allSatisfy({ $0 == side }),
        !part.allSatisfy(isHeading)
      else { return false }
      let rest = strip.rows.filter { !part.contains($0) }.flatMap { rows[$0] }
        .filter { ($0.end <= middle) == side }
      let starts = own.map(\.start).min() ?? 0
      let column = rest.filter { ($0.start - starts).magnitude < size }
      let reach = (column.map(\.end).max() ?? -.infinity) + size
      return own.allSatisfy { $0.end <= reach }
    }
    var joined: [ClosedRange<Int>] = []
    for part in parts {
      if let last = joined.last,
        last.allSatisfy(isHeading) || isOfOneSide(part) || joined.count == 1 && isOfOneSide(last)
      {
        joined[joined.count - 1] = last.lowerBound...part.upperBound
      } else {
        joined.append(part)
      }
    }
    return joined
  }

  private func isHeading(_ row: Int) -> Bool {
    rows[row].allSatisfy { $0.size > Bound.heading * size }
  }
}
