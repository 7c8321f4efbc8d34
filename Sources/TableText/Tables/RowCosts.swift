import PDFText

/// The costs of rows and of the breaks between them. The unit is what a row gains for a gap between two filled columns.
struct RowCosts {
  // MARK: Costs

  /// Two lines in one row, and how far the second is beyond the usual distance.
  private static let join = 0.15, distance = 1.0
  /// A drawn line between lines of one row; no drawn line between rows where rows are parted by them.
  private static let rule = 1.5, noRule = 1.2
  /// A row that begins though a cell goes on, or nearer than rows are.
  private static let running = 1.2, tight = 0.8
  /// A cell of several lines: for each where it does not surely go on, where its next word would have fitted above, where
  /// the line above has ended, and where both are figures.
  private static let goesOn = 0.5, fits = 0.5, ended = 1.0, figures = 2.0
  /// Of these in a line that leaves the first column free below one that fills it.
  private static let belowLabel = 0.3
  /// Cells off the alignment, in heights of a line.
  private static let aligned = 1.2
  /// A cell that is not aligned with the others of its column, but overlaps those that are.
  private static let off = 0.5
  /// A row without its first cell, of a single cell, and for each column that has words in place of figures.
  private static let noLabel = 0.6, single = 0.35, words = 0.5

  /// A table, and each of the gutters between its columns.
  static let table = 1.0, gutter = 1.2

  /// Returns how much the rows of a table must gain together.
  private static func opening(columns: Int) -> Double { table + gutter * Double(columns - 1) }

  // MARK: The table

  private struct Cell {
    var start, end: Double
    /// Of its first word.
    var firstWidth: Double
    var isFigure, isBullet, isMark: Bool
    /// How many words it has.
    var words: Double
    /// Whether it begins as what goes on from another line does.
    var isLower, hasBracket: Bool
    /// Whether it ends with a hyphen, a comma, or the end of a sentence.
    var hasHyphen, hasComma, hasEnd: Bool

    init?(_ line: CellLine, _ column: Int) {
      guard let first = line.cells[column].first else { return nil }
      (start, end, firstWidth) = (line.start(column), line.end(column), first.box.width)
      isFigure = line.isFigure[column]
      words = Double(line.cells[column].count)
      let text = line.text(column).unicodeScalars
      let head = text.first ?? " ", last = text.last ?? " "
      isBullet = Self.bullets.contains(head) && (text.count == 1 || text.dropFirst().first == " ")
      isMark = line.cells[column].count == 1 && Self.isMark(first.text)
      (isLower, hasBracket) = (head.properties.isLowercase, head == "(")
      (hasHyphen, hasComma) = (Self.hyphens.contains(last), last == ",")
      hasEnd = Self.ends.contains(last)
    }

    private static let bullets: Set<Unicode.Scalar> = [
      "\u{2022}", "\u{25AA}", "\u{25A0}", "\u{25CF}", "\u{25CB}", "\u{25E6}", "\u{2013}", "*",
      "\u{A7}",
    ]

    /// Whether a word is a bullet or the number of an item, or begins a note, as in `Source:` and `(*)`.
    private static func isMark(_ word: String) -> Bool {
      if word.utf8.last == 0x3A, word.utf8.count <= 8 { return true }
      let bare = word.utf8.filter { $0 != 0x2E && $0 != 0x29 && $0 != 0x28 }
      return word.unicodeScalars.count <= 4 && bare.count < word.utf8.count && bare.count <= 3
        || word.unicodeScalars.count == 1
          && !word.unicodeScalars.contains {
            $0.properties.isAlphabetic || $0.properties.numericType != nil
          }
    }

    private static let hyphens: Set<Unicode.Scalar> = ["-", "\u{AD}", "\u{2010}"]
    private static let ends: Set<Unicode.Scalar> = [".", ":", ";", "?", "!"]
  }

  private let lines: [CellLine]
  private let cells: [[Cell?]]
  private let isFigures: [Bool]
  /// How sure that is, up to 1.
  private let figures: [Double]
  /// How far the texts of columns reach.
  private let ends: [Double]
  /// How much each cell reduces the gain of the gap before it: 0 if its start, end or middle is aligned with most cells
  /// of its column, ``off`` if it only overlaps those, 1 if it does not even overlap them.
  private let losses: [[Double]]
  /// How many of the cells of each column in full lines begin in lower case, as a share.
  private let lowerShare: [Double]
  /// Whether a drawn line is above a line.
  private let isRuled: [Bool]
  /// The rows in which drawn lines part rows, not only head and foot.
  private let parted: Range<Int>?
  /// A line's height, the least distance between lines, and the usual one between rows.
  private let height, near, pitch: Double

  init(
    _ lines: [CellLine], _ columns: [ClosedRange<Double>], _ kinds: ColumnKinds,
    separators: [Double]
  ) {
    self.lines = lines
    (isFigures, figures) = (kinds.isFigures, kinds.figures)
    let cells = lines.map { line in columns.indices.map { Cell(line, $0) } }
    self.cells = cells
    let leader = lines.compactMap(\.leaderEnd).max() ?? 0
    ends = columns.indices.map { column in
      let own = zip(lines, cells).compactMap { $0.runsAcross ? nil : $1[column]?.end }.max() ?? 0
      return column == 0 ? max(own, leader) : own
    }
    lowerShare = columns.indices.map { column in
      let own = zip(lines, cells).compactMap { line, cells in
        line.filled.count * 5 >= columns.count * 3 && !line.runsAcross ? cells[column] : nil
      }
      // In a column of figures words belong to the head.
      return kinds.isFigures[column]
        ? 0 : Double(own.count(where: \.isLower)) / (Double(own.count) + RowCosts.fewCells)
    }
    losses = Self.losses(lines, cells, columns.count)
    let middles = lines.map(\.middle)
    let steps = zip(middles.dropFirst(), middles).map { $0 - $1 }
    isRuled =
      [false]
      + zip(middles, middles.dropFirst()).map { above, below in
        separators[safe: separators.partitioningIndex { $0 > above }].map { $0 < below } ?? false
      }
    let ruled = isRuled.indices.filter { [isRuled] in isRuled[$0] }
    if let first = ruled.first, let last = ruled.last, ruled.count > 3,
      ruled.count * 5 >= last - first + 1,
      zip(ruled.dropFirst(), ruled).allSatisfy({ $0 - $1 <= RowCosts.longestRow })
    {
      parted = first..<last + 1
    } else {
      parted = nil
    }
    let height = Self.median(lines.map { $0.size * 0.8 }) ?? 10
    let near = steps.filter { $0 > height }.min() ?? 1.2 * height
    // From full line to full line.
    let full = lines.indices.filter {
      let filled = lines[$0].filled
      return filled.first == 0 && filled.count >= 2 && filled.count * 5 >= columns.count * 3
    }
    let pairs = zip(full, full.dropFirst())
    let apart = pairs.map { middles[$1] - middles[$0] }
    let beside = pairs.filter { $1 == $0 + 1 }.map { middles[$1] - middles[$0] }
    let usual = Self.median(beside.count < 2 ? apart : beside) ?? Self.median(steps) ?? 12
    (self.height, self.near, pitch) = (height, near, min(usual, 2 * near))
  }

  private static let longestRow = 14
  /// So many cells that begin in upper case are assumed for each column.
  private static let fewCells = 8.0

  private static func losses(
    _ lines: [CellLine], _ cells: [[Cell?]], _ columns: Int
  ) -> [[Double]] {
    var result = lines.map { _ in [Double](repeating: 1, count: columns) }
    for column in 0..<columns {
      let own = lines.indices.filter { !lines[$0].runsAcross && cells[$0][column] != nil }
      guard let size = own.map({ lines[$0].size }).max() else { continue }
      var best: [Int] = [], most = 0
      let reach = 2 * Measures.sameEdge * size
      for place: (Cell) -> Double in [\.start, \.end, { ($0.start + $0.end) / 2 }] {
        let places = own.map { (at: cells[$0][column].map(place) ?? 0, line: $0) }
          .sorted { $0.at < $1.at }
        var first = 0, groups: [Range<Int>] = [], size = 0
        for last in places.indices {
          while places[last].at - places[first].at > reach { first += 1 }
          if last + 1 - first > size { (groups, size) = ([], last + 1 - first) }
          if last + 1 - first == size { groups.append(first..<last + 1) }
        }
        if size > most { (best, most) = ([], size) }
        guard size == most else { continue }
        // Groups may overlap.
        var taken = 0
        for group in groups {
          best += places[max(taken, group.lowerBound)..<group.upperBound].map(\.line)
          taken = group.upperBound
        }
      }
      let aligned = best.compactMap { cells[$0][column] }
      let start = aligned.map(\.start).min() ?? 0, end = aligned.map(\.end).max() ?? 0
      for line in own {
        guard let cell = cells[line][column] else { continue }
        result[line][column] = cell.start > end || cell.end < start ? 1 : off
      }
      for line in best { result[line][column] = 0 }
    }
    return result
  }

  /// A table that begins right below words in its columns, or ends right above some.
  private static let cutOff = 0.6
  private static let mostLinesOfHead = 6

  /// Returns what it costs to end a table above a line that is near and begins in another column than the first: no
  /// running text does.
  private func ofCuttingOff(after index: Int) -> Double {
    guard index < lines.count else { return 0 }
    let filled = lines[index].filled
    guard step(above: index) < 1.4 * near, !isRuled[index], let first = filled.first, first > 0,
      !lines[index].runsAcross, losses[index][first] == 0
    else { return 0 }
    return Self.cutOff
  }

  private func ofCuttingOff(before index: Int) -> Double {
    step(above: index) < 1.4 * near && !isRuled[index] && lines[index - 1].filled.count > 1
      ? Self.cutOff : 0
  }

  /// Whether the text of a column runs on from line to line.
  func runsOn(_ column: Int) -> Bool {
    let both = zip(cells, cells.dropFirst()).compactMap { above, below -> Bool? in
      guard let above = above[column], let below = below[column] else { return nil }
      return certainty(that: below, goesOnFrom: above, in: column) > 0
    }
    return both.count > 1 && both.count { $0 } * 10 >= both.count * 3
  }

  private static func median(_ values: [Double]) -> Double? {
    values.sorted()[safe: values.count / 2]
  }

  // MARK: Questions

  /// Rows of no more lines than this are looked at.
  private static let mostLines = 15
  /// A row is not made longer that costs so much more than its lines would as rows of their own.
  private static let hopeless = 2.0

  /// Lines in rows, and what they cost together.
  struct Solution {
    /// From top to bottom, without gaps.
    var rows: [Range<Int>]
    var cost: Double
    var lines: Range<Int> { (rows.first?.lowerBound ?? 0)..<(rows.last?.upperBound ?? 0) }
  }

  /// Returns the cheapest cut of all lines into rows.
  func cheapest() -> Solution { solve(isWhole: true) ?? Solution(rows: [], cost: 0) }

  /// Returns the cheapest table among the lines, or nil if they are cheaper as running text, whose cost is 0.
  func cheapestTable() -> Solution? { solve(isWhole: false) }

  /// By dynamic programming: the best way to each place between lines ends with the best row that ends there.
  ///
  /// - Parameter isWhole: whether all lines are rows; else a table begins with its head at any line and ends at any.
  private func solve(isWhole: Bool) -> Solution? {
    let breaks = lines.indices.map { $0 > 0 ? ofBreak(before: $0) : 0 }
    let alone = lines.indices.map { index -> Double in
      var row = OpenRow(self)
      row.add(index)
      return max(0, breaks[index] + row.cost)
    }
    // The cost of opening a table at each line.
    let opening = lines.indices.map { index in
      Self.opening(columns: isFigures.count)
        + (index > 0 ? breaks[index] + ofCuttingOff(before: index) : 0)
    }
    // For each alignment and each place between lines.
    var best = Alignment.allCases.map { _ in
      [Step](repeating: Step(cost: .infinity, start: 0, isFirst: false), count: lines.count + 1)
    }
    if isWhole { for alignment in best.indices { best[alignment][0].cost = 0 } }
    for start in lines.indices {
      if !isWhole {
        var head = OpenRow(self, isHead: true)
        for end in start + 1...min(lines.count, start + Self.mostLinesOfHead) {
          head.add(end - 1)
          let all = opening[start] + head.cost + Self.aligned * (head.unevenness.min() ?? 0)
          for alignment in best.indices {
            best[alignment][end].take(all, from: start, isFirst: true)
          }
        }
      }
      guard best.contains(where: { $0[start].cost < .infinity }) else { continue }
      var row = OpenRow(self), apart = 0.0
      for end in start + 1...min(lines.count, start + Self.mostLines) {
        if end - start > 1, lines[end - 1].runsAcross || lines[start].runsAcross { break }
        row.add(end - 1)
        apart += alone[end - 1]
        let cost = row.cost
        guard cost < apart + Self.hopeless else { break }
        let uneven = end - start > 1 ? row.unevenness : [0, 0, 0]
        for alignment in best.indices {
          best[alignment][end].take(
            best[alignment][start].cost + breaks[start] + cost + Self.aligned * uneven[alignment],
            from: start, isFirst: false)
        }
      }
    }
    var chosen: (cost: Double, steps: [Step], end: Int)?
    for steps in best {
      for end in isWhole ? [lines.count] : lines.indices.map({ $0 + 1 })
      where isWhole || !steps[end].isFirst {
        let ofEnd = end < lines.count ? breaks[end] + ofCuttingOff(after: end) : 0
        let cost = steps[end].cost + ofEnd
        if cost < chosen?.cost ?? (isWhole ? .infinity : 0) { chosen = (cost, steps, end) }
      }
    }
    return chosen.map { Solution(rows: Step.rows($0.steps, to: $0.end), cost: $0.cost) }
  }

  /// The best way to a place between lines.
  private struct Step {
    var cost: Double
    /// The first line of its last row, and whether that is the first of the table.
    var start: Int
    var isFirst: Bool

    mutating func take(_ cost: Double, from start: Int, isFirst: Bool) {
      if cost < self.cost { self = Step(cost: cost, start: start, isFirst: isFirst) }
    }

    static func rows(_ steps: [Step], to end: Int) -> [Range<Int>] {
      var rows: [Range<Int>] = [], place = end
      while place > 0 {
        rows.append(steps[place].start..<place)
        if steps[place].isFirst { break }
        place = steps[place].start
      }
      return rows.reversed()
    }
  }

  /// How cells with fewer lines than others of their row are aligned.
  private enum Alignment: CaseIterable { case top, middle, bottom }

  private func ofBreak(before index: Int) -> Double {
    var cost = 0.0
    if let parted, parted.contains(index), !isRuled[index] { cost += Self.noRule }
    if !isRuled[index], pitch > 1.3 * near {
      cost += Self.tight * max(0, 1 - step(above: index) / pitch)
    }
    for (column, cell) in cells[index].enumerated() {
      guard let cell,
        let above = [index - 1, index - 2].first(where: { $0 >= 0 && cells[$0][column] != nil }),
        let other = cells[above][column],
        lines[index].middle - lines[above].middle < 1.6 * max(near, 1.2 * height)
      else { continue }
      cost += Self.running * max(0, certainty(that: cell, goesOnFrom: other, in: column))
    }
    return cost
  }

  private func step(above index: Int) -> Double { lines[index].middle - lines[index - 1].middle }

  /// Returns the cost of a line that is in the same row as the line above.
  private func ofJoining(_ index: Int) -> Double {
    let isWithin = parted?.contains(index) == true && !isRuled[index]
    let cost =
      Self.join + Self.distance * max(0, step(above: index) / near - 1.25)
      + (isRuled[index] ? Self.rule : 0)
    return isWithin ? 0.3 * cost : cost
  }

  private func cost(of cell: Cell, below above: Cell, in column: Int, isHead: Bool) -> Double {
    if cell.isBullet { return 0 }
    let certainty = certainty(that: cell, goesOnFrom: above, in: column)
    return (isHead && certainty >= 0 ? 0 : 1) * Self.goesOn * (1 - certainty) / 2
      + (certainty == Self.fitted ? Self.fits : certainty == -1 ? Self.ended : 0)
  }

  private static let fitted = -0.7

  /// From -1 where a cell surely does not go on from the line above, to 1 where it does.
  private func certainty(that cell: Cell, goesOnFrom above: Cell, in column: Int) -> Double {
    if cell.isFigure || above.isFigure || cell.isBullet { return -1 }
    if cell.isLower, above.hasHyphen { return 1 }
    let fits =
      above.end + cell.firstWidth + 0.3 * height < ends[column] - 0.5
      && above.end - above.start < 0.85 * (ends[column] - above.start)
    if cell.hasBracket || above.hasComma { return fits ? 0.5 : 1 }
    if cell.isLower {
      let lower = 1 - lowerShare[column]
      // A line of many words that leaves no room for the next hardly does so by chance.
      let full = fits ? 0 : 1 - 4 / (above.words * above.words)
      let certainty = max(fits ? lower / 2 : lower, full)
      if certainty > 0 { return certainty }
    }
    if above.hasEnd { return -1 }
    return isFigures[column] ? 0 : fits ? Self.fitted : 0
  }

  /// A row to which lines are added, and what it costs.
  private struct OpenRow {
    let costs: RowCosts
    private var start: Int?
    /// The first and the last line of each column.
    private var own: [(first: Int, last: Int)?]
    private var hasFigure: [Bool]
    private var losses: [Double]
    private var gapWorth: [Double]
    private var isMark = false
    /// Of the first cell of each column.
    private var isBullet: [Bool]
    private let isHead: Bool
    /// Of its lines, without what its columns are worth.
    private var ofLines = 0.0

    init(_ costs: RowCosts, isHead: Bool = false) {
      self.costs = costs
      self.isHead = isHead
      own = [(Int, Int)?](repeating: nil, count: costs.isFigures.count)
      hasFigure = [Bool](repeating: false, count: costs.isFigures.count)
      losses = [Double](repeating: 1, count: costs.isFigures.count)
      isBullet = [Bool](repeating: false, count: costs.isFigures.count)
      gapWorth = [Double](repeating: 0, count: costs.isFigures.count)
    }

    mutating func add(_ index: Int) {
      let cells = costs.cells[index]
      if start != nil { ofLines += costs.ofJoining(index) }
      ofLines += costs.lines[index].unexplained
      start = start ?? index
      let soft = cells[0] == nil && own[0] != nil ? RowCosts.belowLabel : 1
      for column in own.indices {
        guard let cell = cells[column] else { continue }
        if let lines = own[column], let above = costs.cells[lines.last][column] {
          let areFigures = cell.isFigure && above.isFigure
          ofLines +=
            areFigures
            ? RowCosts.figures
            : soft * costs.cost(of: cell, below: above, in: column, isHead: isHead)
          if index - lines.last > 1, column > 0, cells[0] == nil { ofLines += RowCosts.goesOn }
        }
        if column == 0, own[0] == nil { isMark = cell.isMark }
        if own[column] == nil { isBullet[column] = cell.isBullet && cell.words == 1 }
        own[column] = (own[column]?.first ?? index, index)
        if cell.isFigure { hasFigure[column] = true }
        // Words among figures cost something already.
        let isOdd = costs.isFigures[column] && !cell.isFigure
        let loss = costs.losses[index][column]
        losses[column] = isOdd && loss < 1 ? 0 : min(losses[column], loss)
        gapWorth[column] = max(gapWorth[column], costs.lines[index].gapWorth[column])
      }
    }

    /// Without what uneven cells cost.
    var cost: Double {
      var filled = 0, odd = 0.0, gain = 0.0
      // A sum has no label: the white before it is as good as a gap.
      if own[0] == nil, !isHead, let first = own.firstIndex(where: { $0 != nil }),
        costs.isFigures[first], hasFigure[first], losses[first] == 0,
        own.indices.allSatisfy({ own[$0] == nil || costs.isFigures[$0] && hasFigure[$0] })
      {
        gain += 1
      }
      var isItem = false
      for column in own.indices where own[column] != nil {
        // A bullet and the text of its item are no two cells.
        if filled > 0, !isItem { gain += gapWorth[column] - losses[column] }
        isItem = isBullet[column]
        filled += 1
        if !hasFigure[column], !isHead { odd += costs.figures[column] }
      }
      let cost = ofLines + (own[0] == nil ? (isHead ? 0.5 : 1) * RowCosts.noLabel : 0)
      guard filled > 1 else { return cost + RowCosts.single - gain }
      // A mark and the text of its item are no row of their own.
      if filled == 2, isMark { gain = 0 }
      let gaps = gain * (1 - 0.5 * odd / Double(filled))
      return cost + RowCosts.words * min(2, odd) - gaps
    }

    /// For each alignment: how far its cells are off it together, in heights of a line, by the best place for it.
    var unevenness: [Double] {
      // The cells of a single line are even.
      guard own.contains(where: { $0.map { ($0.first, $0.last) != (start, start) } == true }) else {
        return [0, 0, 0]
      }
      let cells = own.compactMap { lines in
        lines.map { (top: costs.lines[$0.first].middle, bottom: costs.lines[$0.last].middle) }
      }
      func least(_ place: ((top: Double, bottom: Double)) -> Double) -> Double {
        var least = Double.infinity
        for cell in cells {
          let own = place(cell)
          var sum = 0.0
          for other in cells { sum += min(1.5, (place(other) - own).magnitude / costs.height) }
          least = min(least, sum)
        }
        return least
      }
      return Alignment.allCases.map { alignment in
        switch alignment {
        case .top: least(\.top)
        case .middle: least { ($0.top + $0.bottom) / 2 }
        case .bottom: least(\.bottom)
        }
      }
    }
  }
}
