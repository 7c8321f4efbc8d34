import PDFText

/// Finds runs of lines that may be tables, and the gutters between their columns, by the white between words.
///
/// At each place across the page, each line counts for a gutter if it has a gap there, from 0 to 1 in the line's own
/// blanks, and against it if it has a word there. The sums over the lines of a run are its gutters' worth.
struct GapProfile {
  /// A strip between two columns.
  struct Gutter {
    /// The sum of what each line counts for or against it.
    var worth: Double
    /// The places that nearly all its lines leave free.
    var core: ClosedRange<Double>
    /// The places that more lines leave free than cross.
    var outer: ClosedRange<Double>

    /// A gutter that the words of some lines leave free, however narrow.
    init(_ core: ClosedRange<Double>) { (worth, self.core, outer) = (0, core, core) }

    init(worth: Double, core: ClosedRange<Double>, outer: ClosedRange<Double>) {
      (self.worth, self.core, self.outer) = (worth, core, outer)
    }

    var middle: Double { (core.lowerBound + core.upperBound) / 2 }
  }

  // MARK: Costs, in units of a line that leaves a gutter free

  /// A gap of this many blanks is a blank, and one of that many counts whole.
  private static let blank = 1.5, wide = 3.0
  /// A word over the place.
  private static let word: Float = -1.5
  /// Places of a gutter's core are worth at most so much less than its best.
  private static let core: Float = 0.3
  /// A run of more lines is found in parts, which are put together; on pages of very many lines the parts are shorter.
  private var mostLines: Int { max(8, min(100, 50_000 / max(1, lines.count))) }
  /// Wider pages are looked at in steps of more than a point.
  private static let mostPlaces = 1200.0

  // MARK: The lines

  private(set) var lines: [TextLine]
  private var words: [[PlacedWord]]
  /// The blank of each line, in points.
  private var blanks: [Double]
  private let start: Double
  private let step: Double
  private let width: Int
  /// For each line the sums of the lines above it, by place.
  private var sums: [Float]
  private var gaps: [[Gap]]
  private struct Gap {
    var places: ClosedRange<Int>
    var worth: Float
  }

  /// - Parameter rules: the lines that the page draws.
  init(_ lines: [TextLine], rules: [TextPage.Rule]) {
    self.lines = lines
    words = lines.map(\.words)
    blanks = Self.blanks(lines, words)
    let left = lines.map(\.start).min() ?? 0, right = lines.map(\.end).max() ?? 0
    start = left.rounded(.down)
    step = max(1, (right - left) / Self.mostPlaces)
    width = Int(min(Self.mostPlaces, (right - start) / step)) + 2
    sums = []
    gaps = [[Gap]](repeating: [], count: lines.count)
    // A drawn line between columns parts them, one along the text leads from word to word, as in a chart.
    let across = rules.filter(\.isHorizontal).sorted { $0.place < $1.place }
    let down = rules.filter { !$0.isHorizontal }
      .sorted { $0.extent.lowerBound < $1.extent.lowerBound }
    var beside: [TextPage.Rule] = [], next = 0
    for (index, line) in lines.enumerated() {
      while next < down.count, down[next].extent.lowerBound <= line.middle {
        beside.append(down[next])
        next += 1
      }
      beside.removeAll { $0.extent.upperBound < line.middle }
      let first = across.partitioningIndex { $0.place > line.middle - 0.25 * line.size }
      note(index, beside + across[first...].prefix { $0.place < line.middle + 0.25 * line.size })
    }
    // Where no two lines have gaps there is nothing to sum up.
    guard lines.indices.count(where: hasGap) > 1 else { return }
    sums = [Float](repeating: 0, count: (lines.count + 1) * width)
    for index in lines.indices { add(index) }
  }

  /// Notes the gaps of a line.
  private mutating func note(_ index: Int, _ rules: [TextPage.Rule]) {
    let line = lines[index], words = words[index]
    var reach = words[0].box.x1
    for (word, next) in zip(words, words.dropFirst()) {
      reach = max(reach, word.box.x1)
      guard next.box.x0 >= reach else { continue }
      let middle = (reach + next.box.x0) / 2
      let isRuled = rules.contains {
        !$0.isHorizontal && $0.place > reach - 1 && $0.place < next.box.x0 + 1
      }
      let isCrossed = rules.contains { $0.isHorizontal && $0.extent.contains(middle) }
      let worth = isRuled ? 1 : Float(max(0, self.worth(of: next.box.x0 - reach, in: index)))
      if !isCrossed {
        gaps[index].append(Gap(places: places(reach, next.box.x0), worth: worth))
      }
    }
    // A label beside figures on other heights.
    for other in [index - 1, index + 1] where lines.indices.contains(other) {
      let label = lines[other]
      guard (label.middle - line.middle).magnitude < 0.9 * line.size,
        label.end + 0.5 * line.size < line.start
      else { continue }
      gaps[index].append(Gap(places: places(label.end, line.start), worth: 1))
    }
  }

  private func hasGap(_ line: Int) -> Bool { gaps[line].contains { $0.worth > 0.2 } }

  /// Adds what a line says to the sums.
  private mutating func add(_ index: Int) {
    let words = words[index]
    var own = [Float](repeating: 0, count: width)
    if let first = words.first, let last = words.max(by: { $0.box.x1 < $1.box.x1 }) {
      for place in places(first.box.x0, last.box.x1) { own[place] = Self.word }
    }
    for gap in gaps[index] where gap.worth > 0 {
      for place in gap.places { own[place] = gap.worth }
    }
    for word in words {
      let low = place(word.box.x0, .down) + 1
      let high = place(word.box.x1, .up)
      for place in low..<max(low, high) { own[place] = Self.word }
      // A word may be narrower than the step between places.
      if low >= high { own[place(word.box.middleX, .down)] = Self.word }
    }
    for place in 0..<width {
      sums[(index + 1) * width + place] = sums[index * width + place] + own[place]
    }
  }

  private func places(_ from: Double, _ to: Double) -> ClosedRange<Int> {
    let first = place(from, .up)
    return first...max(first, place(to, .down))
  }

  private func place(_ x: Double, _ rounding: FloatingPointRoundingRule) -> Int {
    Int(min(Double(width - 1), max(0, ((x - start) / step).rounded(rounding))))
  }

  /// Returns how sure a gap of a line is that between columns, up to 1; below 0 it is a blank.
  func worth(of gap: Double, in line: Int) -> Double {
    min(1, (gap / blanks[line] - Self.blank) / (Self.wide - Self.blank))
  }

  /// Returns the width of a blank in each line: the median of its small gaps, or the page's if it has fewer than four.
  private static func blanks(_ lines: [TextLine], _ words: [[PlacedWord]]) -> [Double] {
    let gaps = zip(lines, words).map { line, words in
      zip(words, words.dropFirst()).compactMap { word, next -> Double? in
        let gap = next.box.x0 - word.box.x1
        return gap > 0.1 * line.size && gap < Measures.widestBlank * line.size ? gap : nil
      }.sorted()
    }
    let all = zip(lines, gaps).flatMap { line, gaps in gaps.map { $0 / line.size } }.sorted()
    func blank(_ share: Int) -> Double {
      all.count > 20 ? min(0.75, max(0.22, all[all.count / share])) : 0.28
    }
    let usual = blank(2), unstretched = blank(5)
    // Lines of text that is set in block end where others do.
    let ends = zip(lines, gaps).filter { $1.count >= 4 }.map(\.0.end).sorted()
    return zip(lines, gaps).map { line, gaps in
      let near = ends.partitioningIndex { $0 >= line.end - Measures.atEdge }
      let isInBlock = ends[safe: near].map { $0 <= line.end + Measures.atEdge } ?? false
      return gaps.count >= 4
        ? max(usual * line.size, gaps[gaps.count / 2])
        : (isInBlock ? usual : unstretched) * line.size
    }
  }

  // MARK: Questions

  /// The gutters of some lines, from left to right.
  ///
  /// Each is where the most gaps are that no gutter before it explains: a gap is between two cells, and explains one.
  func gutters(_ range: Range<Int>) -> [Gutter] {
    var left = [Float](repeating: 0, count: width)
    for place in left.indices { left[place] = sum(range, place) }
    // A row may have a blank at a gutter. In running text blanks are everywhere, so runs are found without them.
    for gap in gaps[range].joined() where gap.worth == 0 {
      for place in gap.places { left[place] -= Self.word }
    }
    var isExplained = range.map { gaps[$0].map { _ in false } }
    var result: [Gutter] = []
    while let top = left.max(), top >= Float(RowCosts.gutter), result.count < Self.mostGutters {
      // The widest stretch that nearly all of these lines leave free.
      var core = 0..<0, begin = 0
      for place in left.indices where left[place] >= top - Self.core {
        if place == 0 || left[place - 1] < top - Self.core { begin = place }
        if place + 1 - begin > core.count { core = begin..<place + 1 }
      }
      let low = left[..<core.lowerBound].lastIndex { $0 <= 0.01 } ?? -1
      let high = left[core.upperBound...].firstIndex { $0 <= 0.01 } ?? width
      result.append(
        Gutter(
          worth: Double(top), core: x(core.lowerBound)...x(core.upperBound - 1),
          outer: x(low + 1)...x(high - 1)))
      for (line, index) in zip(range, isExplained.indices) {
        for (number, gap) in gaps[line].enumerated()
        where !isExplained[index][number] && gap.places.overlaps(core) {
          isExplained[index][number] = true
          for place in gap.places { left[place] -= gap.worth }
        }
      }
      for place in core { left[place] = 0 }
    }
    return result.sorted { $0.middle < $1.middle }
  }

  private static let mostGutters = 60

  private func x(_ place: Int) -> Double { start + Double(place) * step }
  private func sum(_ range: Range<Int>, _ place: Int) -> Float {
    sums[range.upperBound * width + place] - sums[range.lowerBound * width + place]
  }

  /// Returns what the gutters of some lines are worth together, less what they and the table cost.
  private func worth(of range: Range<Int>) -> Double {
    var worth = -RowCosts.table, top: Float = 0
    for place in 0...width {
      let value = place < width ? sum(range, place) : 0
      if value > 0.01 {
        top = max(top, value)
      } else {
        worth += max(0, Double(top) - RowCosts.gutter)
        top = 0
      }
    }
    return worth
  }

  /// The runs of lines whose gutters are worth most together, from top to bottom.
  func runs() -> [Range<Int>] {
    var best = [(worth: Double, start: Int?)](repeating: (0, nil), count: lines.count + 1)
    guard !sums.isEmpty else { return [] }
    let hasGap = lines.indices.map(hasGap), longest = mostLines
    // Running totals of the worth of all gaps: no run can be worth more than its share, less what a table costs.
    var most = [0.0]
    let least = RowCosts.table + RowCosts.gutter
    for gaps in gaps { most.append(gaps.reduce(most[most.count - 1]) { $0 + Double($1.worth) }) }
    for end in lines.indices.map({ $0 + 1 }) {
      best[end] = (best[end - 1].worth, nil)
      guard hasGap[end - 1] else { continue }
      for start in max(0, end - longest)..<end - 1
      where hasGap[start] && best[start].worth + most[end] - most[start] - least > best[end].worth {
        let worth = worth(of: start..<end)
        if worth > 0, best[start].worth + worth > best[end].worth {
          best[end] = (best[start].worth + worth, start)
        }
      }
    }
    var result: [Range<Int>] = [], end = lines.count
    while end > 0 {
      if let start = best[end].start {
        result.append(start..<end)
        end = start
      } else {
        end -= 1
      }
    }
    return result.reversed().reduce(into: []) { runs, run in
      if let last = runs.last, last.upperBound == run.lowerBound,
        2 * max(run.count, last.count) > longest
      {
        runs[runs.count - 1] = last.lowerBound..<run.upperBound
      } else {
        runs.append(run)
      }
    }
  }

  /// Returns some lines with some of their words, which have the blanks that they have in the whole; it has no gutters.
  func part(_ range: Range<Int>, _ isKept: (PlacedWord) -> Bool) -> GapProfile {
    var result = self
    (result.lines, result.words, result.blanks) = ([], [], [])
    (result.sums, result.gaps) = ([], [])
    for index in range {
      var line = lines[index]
      let words = words[index].filter(isKept)
      guard !words.isEmpty else { continue }
      line.pieces = [TextLine.Piece(words)]
      result.lines.append(line)
      result.words.append(words)
      result.blanks.append(blanks[index])
    }
    return result
  }

  /// Returns the cells of a line that is cut into pieces.
  func cells(_ index: Int, _ line: TextLine, _ columns: [ClosedRange<Double>]) -> CellLine {
    var result = CellLine(line, columns)
    let words = words[index]
    for column in columns.indices {
      guard let first = result.cells[column].first,
        let before = words.last(where: { $0.box.x0 < first.box.x0 })
      else { continue }
      result.gapWorth[column] = max(0, worth(of: first.box.x0 - before.box.x1, in: index))
    }
    for piece in line.pieces {
      for (word, next) in zip(piece.words, piece.words.dropFirst()) {
        result.unexplained += max(0, worth(of: next.box.x0 - word.box.x1, in: index))
      }
    }
    return result
  }

  /// A line with its words cut into pieces at gutters.
  func cut(_ index: Int, at gutters: [Gutter]) -> TextLine {
    var line = lines[index]
    let words = words[index]
    var pieces: [TextLine.Piece] = []
    var piece = [words[0]], reach = words[0].box.x1
    for word in words.dropFirst() {
      let worth = self.worth(of: word.box.x0 - reach, in: index)
      let meets = gutters.contains {
        reach - 1 <= $0.core.upperBound && word.box.x0 + 1 >= $0.core.lowerBound
          || worth >= 1 && reach < $0.outer.upperBound && word.box.x0 > $0.outer.lowerBound
      }
      if worth > 0, meets {
        pieces.append(TextLine.Piece(piece))
        (piece, reach) = ([word], word.box.x1)
      } else {
        piece.append(word)
        reach = max(reach, word.box.x1)
      }
    }
    pieces.append(TextLine.Piece(piece))
    line.pieces = pieces
    let isNearlyFull = pieces.count == gutters.count || words.count == gutters.count + 1
    if isNearlyFull, gutters.count > 1, let full = full(index, at: gutters) { line.pieces = full }
    return line
  }

  /// Returns the words of a line cut at all gutters, at blanks too, or nil if a word crosses one or a piece is empty.
  private func full(_ index: Int, at gutters: [Gutter]) -> [TextLine.Piece]? {
    var rest = words[index][...]
    var pieces: [TextLine.Piece] = []
    for gutter in gutters {
      let own = rest.prefix { $0.box.middleX < gutter.middle }
      rest = rest.dropFirst(own.count)
      guard !own.isEmpty, own.allSatisfy({ $0.box.x1 <= gutter.core.upperBound + 1 }),
        rest.allSatisfy({ $0.box.x0 >= gutter.core.lowerBound - 1 })
      else { return nil }
      pieces.append(TextLine.Piece(Array(own)))
    }
    return rest.isEmpty ? nil : pieces + [TextLine.Piece(Array(rest))]
  }
}
