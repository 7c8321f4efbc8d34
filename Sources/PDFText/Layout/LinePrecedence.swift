import Bytes

/// Puts the lines of a page in order: as a graph of what is read before what, sorted topologically.
///
/// A line is read after those above it that overlap it across the page; all on one side of a gutter between columns of
/// prose before all on the other; a box that text goes on past after that text. What these leave open follows the order
/// of drawing if that agrees with them; else rows are read from the top.
struct LinePrecedence {
  private typealias Line = ProseGutters.Line

  /// Lengths are in units of the size of the text.
  private enum Bound {
    /// Two lines overlap if they share more than this, or more than a quarter of a short line.
    static let overlap = 0.3
    /// The widest gap between a mark or label and its text.
    static let markGap = 3.0
    /// The widest mark of a list. Marks below one another do not make a run.
    static let mark = 2.2
    /// Text drawn this much further left on a line goes on in the line's first column.
    static let carriageReturn = 20.0
    /// How far two pieces of a line may overlap by kerning.
    static let kerning = 0.5
    /// The largest distance between the baselines of two lines in a run.
    static let step = 2.6
    /// The lines of one cell are closer than this.
    static let closeStep = 1.5
    /// Lines longer than this are long.
    static let longLine = 9.0
    /// More directions than this are a drawing.
    static let directions = 64
    /// No more gutters are noted.
    static let gutters = 200
    /// How many lines are looked at for those drawn late, for each line of the page and in any case.
    static let looksForEach = 256, looksAtLeast = 20_000
  }

  private let segments: [Segment]
  private let isRightToLeft: [Bool]
  /// For each segment its line, its direction, its row, and on which side it is of each gutter beside it.
  private var lines: [Line]
  private var directions: [Int]
  private var rows: [Int]
  private var isFirst: [[Int: Bool]]
  /// The edges of the graph: the nodes that come after each node, and how many come before it. The first nodes are the
  /// lines, the others gutters.
  private var after: [[Int]]
  private var missing: [Int]
  /// The lines that were drawn together, and for each line its run.
  private var runs: [Range<Int>] = []
  private var own: [Range<Int>] = []
  /// For each line, the end of the range of lines that were drawn after it in the same row without interruption.
  private var rowEnds: [Int] = []
  /// For each line, the first of the lines in its row that it stays together with.
  private var heads: [Int]
  /// For each line whether it is in a box beside text that goes on past it.
  private var isBoxed: [Bool]
  private var marks: [(mark: Int, text: Int)] = []
  /// The gutters, each with a line beside it.
  private var gutters: [(gutter: ProseGutters.Gutter, beside: Int)] = []

  /// - Parameter page: its gutters are noted, and its geometry unless that is nil.
  static func ordered(
    _ segments: [Segment], _ run: GlyphRun, isRightToLeft: (Segment) -> Bool,
    page: inout TextPage
  ) -> [Segment] {
    guard let precedence = LinePrecedence(segments, run, isRightToLeft) else { return segments }
    let order = precedence.sorted()
    page.gutters = precedence.gutters.prefix(Bound.gutters).compactMap(precedence.shown)
    if page.geometry != nil { page.geometry = precedence.geometry(order) }
    return order.map { segments[$0] }
  }

  private init?(_ segments: [Segment], _ run: GlyphRun, _ isTurned: (Segment) -> Bool) {
    self.segments = segments
    isRightToLeft = segments.map(isTurned)
    lines = segments.enumerated().map { index, segment in
      let scalars = segment.places(run).lazy.map { run.firstScalar(run.glyphs[Int($0)].text) }
      let isWord = scalars.contains(where: Scripts.isLetter)
      return Line(
        start: segment.start, end: segment.end, v: segment.v, size: segment.size,
        isWithin: scalars.first.flatMap(Scripts.isLowercase),
        isFigure: !isWord && scalars.contains(where: Scripts.isDigit), drawn: index)
    }
    directions = segments.map { _ in 0 }
    rows = directions
    isFirst = segments.map { _ in [:] }
    after = segments.map { _ in [] }
    missing = directions
    heads = Array(segments.indices)
    isBoxed = segments.map { _ in false }
    var groups: [[Int]] = []
    for index in segments.indices {
      if let group = groups.firstIndex(where: { segments[$0[0]].isParallel(segments[index]) }) {
        groups[group].append(index)
      } else {
        groups.append([index])
      }
      if groups.count > Bound.directions { return nil }
    }
    // The most frequent first.
    groups.sort { $0.count > $1.count }
    var columns: [[[Int]]] = []
    for (direction, group) in groups.enumerated() { columns.append(noteRows(group, direction)) }
    runs = drawnRuns
    own = runs.flatMap { run in run.map { _ in run } }
    rowEnds = segments.indices.map { $0 + 1 }
    for index in segments.indices.dropLast().reversed()
    where rows[index] == rows[index + 1] && directions[index] == directions[index + 1] {
      rowEnds[index] = rowEnds[index + 1]
    }
    for rows in columns { note(rows) }
  }

  // MARK: The graph

  /// Notes the rows of one direction, and returns them.
  private mutating func noteRows(_ group: [Int], _ direction: Int) -> [[Int]] {
    let isTurned = group.count { isRightToLeft[$0] } * 2 > group.count
    for index in group {
      directions[index] = direction
      if isTurned {
        (lines[index].start, lines[index].end) = (-lines[index].end, -lines[index].start)
      }
    }
    var places: [[Int]] = []
    for index in group.sorted(by: {
      (lines[$0].v, lines[$0].start) < (lines[$1].v, lines[$1].start)
    }) {
      if let first = places.last?.first, segments[index].sharesBaseline(segments[first]) {
        places[places.count - 1].append(index)
      } else {
        places.append([index])
      }
    }
    for row in places.indices {
      places[row].sort { lines[$0].start < lines[$1].start }
      for index in places[row] { rows[index] = row }
    }
    return places
  }

  /// Notes what the lines of one direction tell, by rows.
  private mutating func note(_ places: [[Int]]) {
    let group = places.flatMap(\.self)
    let sizes = group.flatMap {
      [Double](repeating: lines[$0].size, count: segments[$0].glyphs.count)
    }
    .sorted()
    let found = ProseGutters(places.map { $0.map { lines[$0] } }, size: sizes[sizes.count / 2])
    for gutter in found.gutters {
      let own = places[gutter.rows].joined()
      let node = addNode()
      for index in own.prefix(1) { gutters.append((gutter, index)) }
      for index in own {
        let isFirst = (lines[index].end <= gutter.middle) != (gutter.inset == .left)
        self.isFirst[index][node] = isFirst
        if isFirst { add(index, before: node) } else { add(node, before: index) }
        if gutter.inset != nil, !isFirst { isBoxed[index] = true }
      }
      // Text goes on past a box.
      let below = gutter.rows.upperBound + 1
      if gutter.inset != nil, places.indices.contains(below) {
        for index in places[below]
        where lines[index].start < gutter.middle && lines[index].end > gutter.middle {
          add(index, before: node)
        }
      }
    }
    noteHeads(places)
    var above = Skyline()
    for row in places {
      for index in row {
        let line = lines[index], slack = Self.slack(line)
        for other in above.covered(line.start + slack, line.end - slack)
        where !isBoxed[index] && lines[other].v < line.v - 0.5 * line.size {
          add(other, before: heads[index])
        }
      }
      for index in row where !isBoxed[index] {
        above.cover(lines[index].start, lines[index].end, by: index)
      }
    }
  }

  /// Joins lines of a row that must stay together: a line with the one drawn right after it, and a mark or label that
  /// was drawn later with its text.
  private mutating func noteHeads(_ places: [[Int]]) {
    let isFromTheRight = isRightToLeft.contains(true)
    for row in places {
      for (last, next) in zip(row, row.dropFirst())
      where !isFirst[next].contains(where: { isFirst[last][$0] == !$1 })
        && !isRightToLeft[last] && !isRightToLeft[next]
      {
        let gap = lines[next].start - lines[last].end, size = lines[next].size
        let isMark =
          own[last].count == 1 && last > next && gap > -Bound.overlap * size
          && gap < Bound.markGap * size
        // A cell that was drawn right after the rest of its row comes before the cell on its right. Excluded are the first
        // line of a paragraph beside a label, and pages with right-to-left text, whose rows are drawn from the right.
        if last > next, last < rowEnds[next], last != row.first || own[last].count == 1,
          !isFromTheRight
        {
          add(last, before: next)
          marks.append((last, next))
          continue
        }
        guard isMark || next == last + 1 && gap >= -Bound.kerning * size else { continue }
        add(last, before: next)
        heads[next] = heads[last]
        if isMark { marks.append((last, next)) }
      }
    }
  }

  private static func slack(_ line: Line) -> Double {
    min(Bound.overlap * line.size, 0.25 * line.width)
  }

  private mutating func addNode() -> Int {
    after.append([])
    missing.append(0)
    return after.count - 1
  }

  private mutating func add(_ first: Int, before second: Int) {
    after[first].append(second)
    missing[second] += 1
  }

  // MARK: Sorting

  /// Whether nearly all lines were drawn in an order that the graph allows.
  private var isDrawnInOrder: Bool {
    var steps = 0, jumps = 0
    for (last, next) in zip(segments.indices, segments.indices.dropFirst())
    where directions[last] == directions[next] {
      steps += 1
      if isJump(last, next) { jumps += 1 }
    }
    return jumps <= max(2, steps / 6)
  }

  /// The lines that are drawn together, each one right of or below the one before.
  private var drawnRuns: [Range<Int>] {
    var runs: [Range<Int>] = [], first = 0
    var extent = (start: lines[0].start, end: lines[0].end)
    for index in segments.indices.dropFirst() {
      let line = lines[index], last = lines[index - 1], size = max(line.size, last.size)
      let step = rows[index] == rows[index - 1] ? 0 : line.v - last.v
      let goesOn =
        directions[index] != directions[index - 1]
        ? false
        : step == 0
          ? line.start >= last.end - Bound.kerning * size
          : step > 0 && step <= Bound.step * size
            && line.start < extent.end && line.end > extent.start
            && max(line.width, last.width) > Bound.mark * size
      if goesOn {
        extent = (min(extent.start, line.start), max(extent.end, line.end))
      } else {
        runs.append(first..<index)
        (first, extent) = (index, (line.start, line.end))
      }
    }
    return runs + [first..<segments.count]
  }

  /// Whether many runs were drawn out of order: those above one drawn before, or those drawn before one above them,
  /// whichever are fewer.
  private var areMisplaced: Bool {
    // For each line: the first that was drawn of those below, the last of those above.
    var below = segments.map { _ in Int.max }, above = segments.map { _ in -1 }
    let order = segments.indices.sorted { rows[$0] < rows[$1] }
    for line in order.reversed() {
      for next in after[line] where next < segments.count {
        below[line] = min(below[line], next, below[next])
      }
    }
    for line in order {
      for next in after[line] where next < segments.count {
        above[next] = max(above[next], line, above[line])
      }
    }
    let late = runs.count { run in run.contains { below[$0] < run.lowerBound } }
    let early = runs.count { run in run.contains { above[$0] >= run.upperBound } }
    return min(late, early) > max(2, runs.count / 6)
  }

  /// Whether what was drawn next is read before what was drawn last.
  private func isJump(_ last: Int, _ next: Int) -> Bool {
    let (above, below) = (lines[next], lines[last])
    if rows[next] == rows[last] {
      return above.end < below.start
        && above.start > below.start - Bound.carriageReturn * below.size
        && isRightToLeft[next] == isRightToLeft[last]
    }
    let sides = isFirst[last]
    if isFirst[next].contains(where: { $1 && sides[$0] == false }) { return true }
    let shared = min(above.end, below.end) - max(above.start, below.start)
    return rows[next] < rows[last] && shared > max(Self.slack(above), Self.slack(below))
  }

  private struct Key: Comparable {
    var place: Int
    var row: Int
    var node: Int
    static func < (left: Key, right: Key) -> Bool {
      (left.place, left.row, left.node) < (right.place, right.row, right.node)
    }
  }

  /// Whether lines are read in the order of drawing, except for a few.
  private var followsDrawing: Bool {
    segments.count <= 3 || isDrawnInOrder && !areMisplaced
  }

  private func sorted() -> [Int] {
    let isDrawn = followsDrawing
    // The first line of what was drawn together, closely: a cell of several lines, a paragraph.
    var starts = Array(segments.indices)
    let figures = Set(
      segments.indices.filter { lines[$0].isFigure }.map { [directions[$0], rows[$0]] })
    for run in runs {
      for index in run.dropFirst()
      where !figures.contains([directions[index], rows[index]])
        && lines[index].v - lines[index - 1].v < Bound.closeStep * lines[index].size
      {
        starts[index] = starts[index - 1]
      }
    }
    let places = isDrawn ? placesOfDrawing : ranks
    var keys = segments.indices.map { index in
      let isLast = isBoxed[index] && !isDrawn
      return Key(
        place: isLast ? .max : 2 * places[isDrawn ? index : starts[index]],
        row: isLast ? rows[index] : 0, node: index)
    }
    for node in segments.count..<after.count {
      keys.append(Key(place: -1, row: 0, node: node))
    }
    return sorted(by: keys, isDrawn: isDrawn)
  }

  /// The place of each line if rows are read from the top down.
  private var ranks: [Int] {
    var ranks = directions
    let order = segments.indices.sorted {
      (directions[$0], rows[$0], lines[$0].start) < (directions[$1], rows[$1], lines[$1].start)
    }
    for (rank, index) in order.enumerated() { ranks[index] = rank }
    return ranks
  }

  /// For each line its place in the order of drawing. Lines drawn late are taken as drawn right before what waits for
  /// them, if no more lines are late than are drawn together with that; else that waits.
  private var placesOfDrawing: [Int] {
    var places = Array(segments.indices)
    var before = after.map { _ in [Int]() }, last = after.map { _ in -1 }
    for (first, nodes) in after.enumerated() {
      for second in nodes {
        before[second].append(first)
        last[second] = max(last[second], first)
      }
    }
    var looks = Bound.looksForEach * segments.count + Bound.looksAtLeast
    for index in segments.indices where places[index] == index {
      // How many lines are drawn together from this one on.
      let together = own[index].upperBound - index
      var late: Set<Int> = [], open = last[index] > index ? before[index] : [], lines = 0
      while let node = open.popLast(), lines <= together, looks > 0 {
        looks -= 1
        guard node >= segments.count ? last[node] > index : places[node] > index,
          late.insert(node).inserted
        else { continue }
        if node < segments.count { lines += 1 }
        if last[node] > index { open += before[node] }
      }
      guard lines > 0, lines <= together else { continue }
      for node in late where node < segments.count { places[node] = index }
    }
    for (mark, text) in marks.reversed() { places[mark] = places[text] }
    return places
  }

  /// Whether what was drawn next goes on with a line: on its right, or as the next line below.
  private func goesOn(_ next: Int, from last: Int) -> Bool {
    let (above, below) = (lines[last], lines[next])
    guard directions[last] == directions[next] else { return false }
    let size = max(above.size, below.size)
    if rows[last] == rows[next] {
      let gap = below.start - above.end
      return gap >= -Bound.kerning * size && gap < Bound.markGap * size
    }
    let step = below.v - above.v
    return step > 0 && step < Bound.step * size && below.start < above.end
      && above.start < below.end && max(above.width, below.width) > Bound.longLine * size
  }

  /// Sorts topologically: of the nodes that wait for nothing, the line drawn next if it goes on with the last one, else
  /// the least. In a circle the least is taken.
  ///
  /// - Parameter isDrawn: whether the keys follow the order of drawing.
  private func sorted(by keys: [Key], isDrawn: Bool) -> [Int] {
    var keys = keys
    var missing = missing, isTaken = after.map { _ in false }, result: [Int] = []
    var ready = Heap<Key>()
    for node in after.indices where missing[node] == 0 { ready.insert(keys[node]) }
    lazy var rest = keys.sorted()[...]
    func take(_ node: Int) {
      isTaken[node] = true
      if node < segments.count { result.append(node) }
      for next in after[node] {
        missing[next] -= 1
        // A line that was drawn too early comes after the whole run of each line before it.
        if isDrawn, node < segments.count, next < segments.count, own[node] != own[next] {
          let end = own[node].upperBound - 1
          let place = keys[node].place == 2 * node ? 2 * end + 1 : keys[node].place
          keys[next].place = max(keys[next].place, place)
        }
        if missing[next] == 0 { ready.insert(keys[next]) }
      }
    }
    while result.count < segments.count {
      if !isDrawn, let last = result.last, last + 1 < segments.count, !isTaken[last + 1],
        missing[last + 1] == 0, goesOn(last + 1, from: last)
      {
        take(last + 1)
      } else if let next = ready.removeFirst() {
        if !isTaken[next.node] { take(next.node) }
      } else {
        while let next = rest.popFirst() {
          guard !isTaken[next.node], next.node < segments.count else { continue }
          take(next.node)
          break
        }
      }
    }
    return result
  }

  // MARK: Drawing

  /// Returns the edges with the lines numbered in reading order.
  private func geometry(_ order: [Int]) -> PageGeometry {
    var geometry = PageGeometry()
    var places = order
    for (place, line) in order.enumerated() { places[line] = place }
    geometry.lines = order.map { index in
      let segment = segments[index], line = lines[index]
      return PageGeometry.box(
        segment.start...max(segment.start, segment.end), line.top...max(line.top, line.bottom),
        segment)
    }
    for first in order {
      for second in after[first] where second < segments.count {
        geometry.precedence.append((places[first], places[second]))
      }
    }
    geometry.followsDrawing = followsDrawing
    return geometry
  }

  /// Returns a gutter as it is on the page as shown.
  private func shown(_ gutter: ProseGutters.Gutter, beside: Int) -> TextPage.Gutter? {
    let segment = segments[beside]
    let own = lines.indices.filter {
      directions[$0] == directions[beside] && gutter.rows.contains(rows[$0])
    }
    guard let top = own.map({ lines[$0].top }).min(),
      let bottom = own.map({ lines[$0].bottom }).max()
    else { return nil }
    // Lines that are read from the right were turned.
    let isTurned = lines[beside].start == -segment.end
    let along = isTurned ? -gutter.end ... -gutter.start : gutter.start...gutter.end
    return TextPage.Gutter(
      box: PageGeometry.box(along, top...max(top, bottom), segment),
      lines: gutter.rows.count, isBesideBox: gutter.inset != nil)
  }
}
