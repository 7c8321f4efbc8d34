/// Segments that were drawn one after another as they are read: a paragraph, a column, the rows of a table.
///
/// What was drawn late goes before what it stands above, in its own column; which column comes first the order of
/// drawing says, unless two columns of prose stand side by side.
struct DrawnRuns {
  private struct Line: OnBaseline {
    var directionX: Double
    var directionY: Double
    var start: Double
    var end: Double
    var v: Double
    var size: Double

    init(_ segment: Segment) {
      directionX = segment.directionX
      directionY = segment.directionY
      start = segment.start
      end = segment.end
      v = segment.v
      size = segment.size
    }
  }

  private struct Run {
    /// Its segments, in the order of drawing.
    var range: Range<Int>
    var start: Double
    var end: Double
    /// The baselines of its highest and of its lowest line.
    var top: Double
    var bottom: Double
    var size: Double
    /// Its long lines.
    var long: Int
    /// Whether it goes on with the run before it.
    var isTail = false

    var width: Double { end - start }
    var height: Double { bottom - top }
    /// Whether most of it are long lines.
    var isProse: Bool { long >= 4 && long * 3 >= range.count * 2 }

    func overlap(_ other: Run) -> Double { min(end, other.end) - max(start, other.start) }

    /// Whether both stand in one column.
    func isInColumn(of other: Run) -> Bool {
      overlap(other) > Bound.columnOverlap * min(width, other.width)
    }
  }

  private let segments: [Segment]
  /// The same without their glyphs: what is compared again and again is copied without counting references.
  private let lines: [Line]
  private let isRightToLeft: (Segment) -> Bool
  private var runs: [Run] = []
  private var isChanged = false

  /// More is no text drawn as it is read; what is looked for grows with the square.
  private static let most = 600

  /// What tells runs; lengths in units of the size of the text.
  private enum Bound {
    /// Runs whose overlap is more than this part of the narrower one stand in one column.
    static let columnOverlap = 0.5
    /// Lines longer than this are long.
    static let longLine = 9.0
    /// On its line text goes on this far before the end of what was drawn last.
    static let kerning = 0.5
    /// The next line is no further down than this, nor than this many times the leading so far.
    static let step = 2.6
    static let leading = 1.35
    /// What is no wider is a mark of a list.
    static let mark = 2.2
    /// How much higher a run must end than another one begins to stand above it.
    static let above = 0.5
    /// How far from its line a mark may stand up or down, over it, and before it.
    static let markRise = 0.3
    static let markOverlap = 0.3
    static let markGap = 3.0
    /// How far below a run's end another may end that stands in a gap of it, and how much white is above and below it.
    static let gapEnd = 0.3
    static let gapMargin = 0.7
    /// Columns side by side: by what part their sizes differ at most, what part of the wider one's width the narrower
    /// one has, and what part of the lower one's height both have in common.
    static let sizeDifference = 0.1
    static let columnWidth = 0.6
    static let columnHeight = 0.5
  }

  /// - Parameter isRightToLeft: whether a segment is written from right to left.
  /// - Returns: nil where the order of drawing says nothing.
  static func ordered(
    _ segments: [Segment], isRightToLeft: @escaping (Segment) -> Bool
  ) -> [Segment]? {
    var drawn = DrawnRuns(segments, isRightToLeft: isRightToLeft)
    guard drawn.runs.count > 1, drawn.runs.count <= most else { return segments }
    let misplaced = drawn.misplaced
    if misplaced > max(2, drawn.runs.count / 6) { return nil }
    if misplaced > 0 { drawn.placeAll() }
    drawn.swapColumns()
    if drawn.readsFromTheRight { return nil }
    return drawn.isChanged ? drawn.runs.flatMap { segments[$0.range] } : segments
  }

  /// The segments of a region without columns of prose.
  ///
  /// - Returns: nil where most were drawn by themselves.
  static func blocks(
    _ segments: [Segment], isRightToLeft: @escaping (Segment) -> Bool
  ) -> [Segment]? {
    guard segments.count > 1 else { return segments }
    var drawn = DrawnRuns(segments, isRightToLeft: isRightToLeft)
    guard drawn.runs.count <= most, drawn.runs.count * 2 <= segments.count else { return nil }
    if drawn.misplaced > 0 { drawn.placeAll() }
    return drawn.runs.flatMap { segments[$0.range] }
  }

  private init(_ segments: [Segment], isRightToLeft: @escaping (Segment) -> Bool) {
    self.segments = segments
    lines = segments.map(Line.init)
    self.isRightToLeft = isRightToLeft
    var first = 0, leading: Double?, extent = lines[0].start...lines[0].end
    for index in segments.indices.dropFirst() {
      let next = lines[index]
      if let step = step(to: next, from: lines[index - 1], leading, extent) {
        if step > 0 { leading = step }
        extent = min(extent.lowerBound, next.start)...max(extent.upperBound, next.end)
      } else {
        runs.append(run(first..<index))
        (first, leading, extent) = (index, nil, next.start...next.end)
      }
    }
    runs.append(run(first..<segments.count))
  }

  private func run(_ range: Range<Int>) -> Run {
    let first = lines[range.lowerBound]
    var run = Run(
      range: range, start: first.start, end: first.end, top: first.v, bottom: first.v,
      size: first.size, long: 0)
    for segment in lines[range] {
      run.start = min(run.start, segment.start)
      run.end = max(run.end, segment.end)
      run.top = min(run.top, segment.v)
      run.bottom = max(run.bottom, segment.v)
      run.size = max(run.size, segment.size)
      if segment.end - segment.start > Bound.longLine * segment.size { run.long += 1 }
    }
    return run
  }

  /// How far below a segment another one stands that goes on with it, 0 on the same line; nil for one that does not.
  private func step(
    to next: Line, from last: Line, _ leading: Double?, _ extent: ClosedRange<Double>
  ) -> Double? {
    guard last.isParallel(next) else { return nil }
    let size = max(last.size, next.size)
    if next.sharesBaseline(last) { return next.start >= last.end - Bound.kerning * size ? 0 : nil }
    let step = next.v - last.v
    guard step > 0, step <= Bound.step * size, step <= Bound.leading * (leading ?? step),
      next.start < extent.upperBound, next.end > extent.lowerBound,
      // Marks of a list that are drawn below one another belong to its texts.
      max(last.end - last.start, next.end - next.start) > Bound.mark * size
    else { return nil }
    return step
  }

  /// How many runs were drawn at another place than where they stand: those that stand above one drawn before, or
  /// those drawn before one above them, whichever are fewer.
  private var misplaced: Int {
    var isLate = [Bool](repeating: false, count: runs.count), isEarly = isLate
    for late in runs.indices {
      for early in 0..<late
      where precedes(runs[late], runs[early]) || gap(in: runs[early], for: runs[late]) != nil {
        isLate[late] = true
        isEarly[early] = true
      }
    }
    return min(isLate.count { $0 }, isEarly.count { $0 })
  }

  /// Puts runs behind what stands above them in their column. Where a run was drawn before it, that comes forward, if
  /// it is no longer than the run; else the run waits for it: a foot that was drawn first does not pull a column away.
  private mutating func placeAll() {
    isChanged = true
    split()
    let count = runs.count
    let above = runs.indices.map { index in
      runs.indices.filter { $0 != index && precedes(runs[$0], runs[index]) }
    }
    // What stands above what stands above itself (a mark beside a line over it) is visited once.
    var isVisited = [Bool](repeating: false, count: count), isPlaced = isVisited
    var placed: [Run] = [], waiting: [Int] = []
    func place(_ index: Int) {
      isPlaced[index] = true
      placed.append(runs[index])
      while let ready = waiting.firstIndex(where: { above[$0].allSatisfy { isPlaced[$0] } }) {
        let next = waiting.remove(at: ready)
        isPlaced[next] = true
        placed.append(runs[next])
      }
    }
    func visit(_ index: Int, mayWait: Bool) {
      let missing = above[index].filter { !isPlaced[$0] }
      let lines = missing.reduce(0) { $0 + runs[$1].range.count }
      if mayWait, !runs[index].isTail, lines > runs[index].range.count {
        return waiting.append(index)
      }
      isVisited[index] = true
      for other in missing.sorted(by: { (runs[$0].top, $0) < (runs[$1].top, $1) })
      where !isPlaced[other] && !isVisited[other] {
        waiting.removeAll { $0 == other }
        visit(other, mayWait: false)
      }
      if !isPlaced[index] { place(index) }
    }
    for index in runs.indices where !isPlaced[index] { visit(index, mayWait: true) }
    for index in waiting where !isPlaced[index] { visit(index, mayWait: false) }
    runs = placed
  }

  /// Cuts runs where another one stands in a gap of theirs.
  private mutating func split() {
    var index = 0
    while index < runs.count, runs.count <= 2 * Self.most {
      let run = runs[index]
      var line: Int?
      for other in runs.indices where line == nil && other != index {
        line = gap(in: run, for: runs[other])
      }
      if let line {
        runs[index] = self.run(run.range.lowerBound..<line)
        runs[index].isTail = run.isTail
        runs.insert(self.run(line..<run.range.upperBound), at: index + 1)
        runs[index + 1].isTail = true
      }
      index += 1
    }
  }

  private func isParallel(_ first: Run, _ second: Run) -> Bool {
    lines[first.range.lowerBound].isParallel(lines[second.range.lowerBound])
  }

  /// Whether a run that was drawn later is read before one that was drawn earlier: it stands above it in its column,
  /// or is the mark at the start of its line.
  private func precedes(_ late: Run, _ early: Run) -> Bool {
    if late.bottom < early.top - Bound.above * min(late.size, early.size) {
      return late.isInColumn(of: early) && isParallel(late, early)
    }
    return late.range.count == 1 && isMark(late, ofLine: early.range.lowerBound)
      && isParallel(late, early)
  }

  /// Whether a run stands right before a line.
  private func isMark(_ late: Run, ofLine index: Int) -> Bool {
    let line = lines[index]
    return (late.top - line.v).magnitude < Bound.markRise * max(late.size, line.size)
      && late.end <= line.start + Bound.markOverlap * line.size
      && line.start - late.end < Bound.markGap * line.size
      && !isRightToLeft(segments[index]) && !isRightToLeft(segments[late.range.lowerBound])
  }

  /// The line of a run before which another one stands, in a gap that was left for it or at the start of the line.
  private func gap(in early: Run, for late: Run) -> Int? {
    guard late.top > early.top, late.bottom < early.bottom + Bound.gapEnd * early.size,
      isParallel(early, late)
    else { return nil }
    for index in early.range.dropFirst() {
      let line = lines[index]
      if late.range.count == 1, isMark(late, ofLine: index) { return index }
      if lines[index - 1].v < late.top - Bound.gapMargin * late.size,
        line.v > late.bottom + Bound.gapMargin * late.size
      {
        return late.isInColumn(of: early) ? index : nil
      }
    }
    return nil
  }

  /// Columns of prose side by side are read one after the other as the script runs, in whatever order they were drawn.
  private mutating func swapColumns() {
    var columns: [(runs: Range<Int>, box: Run)] = []
    for (index, run) in runs.enumerated() {
      if let last = columns.last, isParallel(runs[index - 1], run), run.top > last.box.bottom,
        run.isInColumn(of: runs[index - 1])
      {
        columns[columns.count - 1].runs = last.runs.lowerBound..<index + 1
        columns[columns.count - 1].box = union(last.box, run)
      } else {
        columns.append((index..<index + 1, run))
      }
    }
    guard columns.count > 1 else { return }
    var isSwapped = false
    for from in 1..<columns.count {
      var index = from
      while index > 0, isLeft(columns[index].box, of: columns[index - 1].box) {
        // There columns are read from the right.
        if isRightToLeft(segments[columns[index].box.range.lowerBound]) { break }
        columns.swapAt(index, index - 1)
        isSwapped = true
        index -= 1
      }
    }
    guard isSwapped else { return }
    isChanged = true
    runs = columns.flatMap { runs[$0.runs] }
  }

  /// Whether a column of prose still comes before the one on its left.
  private var readsFromTheRight: Bool {
    for late in runs.indices where runs[late].isProse {
      for early in 0..<late where isLeft(runs[late], of: runs[early]) {
        return !isRightToLeft(segments[runs[late].range.lowerBound])
      }
    }
    return false
  }

  private func union(_ first: Run, _ second: Run) -> Run {
    Run(
      range: first.range.lowerBound..<first.range.lowerBound + first.range.count
        + second.range.count,
      start: min(first.start, second.start), end: max(first.end, second.end),
      top: min(first.top, second.top), bottom: max(first.bottom, second.bottom),
      size: max(first.size, second.size), long: first.long + second.long)
  }

  private func isLeft(_ late: Run, of early: Run) -> Bool {
    guard late.isProse, early.isProse, late.end < early.start, isParallel(late, early),
      (late.size - early.size).magnitude < Bound.sizeDifference * early.size,
      min(late.width, early.width) > Bound.columnWidth * max(late.width, early.width)
    else { return false }
    let common = min(late.bottom, early.bottom) - max(late.top, early.top)
    return common > Bound.columnHeight * min(late.height, early.height)
  }
}
