/// Puts the lines of a table's body together to rows: cells that are wrapped over lines become one.
///
/// Lines between two drawn lines are a row where rows are ruled. Else rows are told apart by the gaps
/// between lines where those show it, else by the columns whose cells are never wrapped: dates,
/// numbers, codes.
struct RowAssembler {
  /// The lines of one row, by column.
  struct Row {
    /// Indices of lines in each column, from top to bottom.
    var cells: [[Int]]
    var isCategory = false

    init(columns: Int) { cells = [[Int]](repeating: [], count: columns) }

    var lines: Set<Int> { Set(cells.joined()) }
  }

  let lines: [CellLine]
  let columns: [ClosedRange<Double>]
  /// The places of drawn lines across the table, from top to bottom.
  let separators: [Double]
  private let kinds: ColumnKinds
  /// How far texts of the first column may reach: leaders show the width that a line has.
  private let firstColumnEnd: Double

  init(_ lines: [CellLine], _ columns: [ClosedRange<Double>], separators: [Double]) {
    self.lines = lines
    self.columns = columns
    self.separators = separators
    kinds = ColumnKinds(lines, columns.count)
    firstColumnEnd = lines.reduce(columns.first?.upperBound ?? 0) { max($0, $1.leaderEnd ?? $0) }
  }

  /// The rows from top to bottom; every line is in one of them.
  func rows() -> [Row] {
    let bands = bands()
    let shared = bands.count { holdsSeveralRows($0) }
    if bands.count >= 3, shared * 4 <= bands.count {
      return bands.flatMap { holdsSeveralRows($0) ? unruled($0) : [row(Array($0))] }
    }
    return bands.flatMap { unruled($0) }
  }

  /// Whether the lines, which nothing drawn parts, are more than one row for certain: at least three
  /// of them are full ones, or two that have three figures each.
  var isSeveralRows: Bool {
    guard lines.count > 1, holdsSeveralRows(lines.indices) else { return false }
    let rich = lines.count { line in
      line.filled.count { kinds.isFigures[$0] && ColumnKinds.isFigure(line.cells[$0]) } >= 3
    }
    return rich > 1 || lines.indices.count { isAnchor($0) } > 2
  }

  /// The lines between each two drawn lines.
  private func bands() -> [Range<Int>] {
    var result: [Range<Int>] = []
    var start = 0
    for index in lines.indices.dropFirst() {
      let (above, below) = (lines[index - 1].middle, lines[index].middle)
      if separators.contains(where: { $0 > above && $0 < below }) {
        result.append(start..<index)
        start = index
      }
    }
    if start < lines.count { result.append(start..<lines.count) }
    return result
  }

  /// Whether more than one line fills most of the columns that are filled at all, figures among them.
  private func holdsSeveralRows(_ band: Range<Int>) -> Bool {
    guard band.count > 1 else { return false }
    let filled = Set(band.flatMap { lines[$0].filled })
    let figures = filled.count { kinds.isFigures[$0] }
    let full = band.count { index in
      let line = lines[index]
      let own = line.filled.count { kinds.isFigures[$0] && ColumnKinds.isFigure(line.cells[$0]) }
      return line.filled.count * 5 >= filled.count * 3 && (figures == 0 || own * 2 >= figures)
    }
    return figures == 0 ? full > 4 && full == band.count && filled.count > 2 : full > 1
  }

  private func row(_ chosen: [Int]) -> Row {
    var row = Row(columns: columns.count)
    for index in chosen {
      for column in lines[index].filled { row.cells[column].append(index) }
    }
    row.isCategory = chosen.count == 1 && isCategory(chosen[0])
    return row
  }

  private func isCategory(_ index: Int) -> Bool {
    lines[index].runsAcross || lines[index].filled == [0] && columns.count > 2
  }

  // MARK: Without drawn lines

  private func unruled(_ band: Range<Int>) -> [Row] {
    guard band.count > 1 else { return [row(Array(band))] }
    // Categories and titles stand between rows.
    var result: [Row] = []
    var start = band.lowerBound
    for index in band where standsAlone(index, in: band) {
      result += plain(start..<index)
      result.append(row([index]))
      start = index + 1
    }
    return result + plain(start..<band.upperBound)
  }

  private func plain(_ range: Range<Int>) -> [Row] {
    guard range.count > 1 else { return range.isEmpty ? [] : [row(Array(range))] }
    if let groups = byGaps(range) { return groups.map { row(Array($0)) } }
    return byAnchors(range) ?? byLines(range)
  }

  /// Whether a line is a category or a title: its text is neither the end of a wrapped cell nor the
  /// beginning of one.
  private func standsAlone(_ index: Int, in band: Range<Int>) -> Bool {
    let line = lines[index]
    if line.runsAcross { return true }
    guard line.filled == [0], !kinds.isFigures[0] || !ColumnKinds.isFigure(line.cells[0]) else {
      return false
    }
    return !continues(index, index - 1, in: band) && !continues(index + 1, index, in: band)
  }

  /// Whether the text of a line in the first column goes on from another.
  private func continues(_ below: Int, _ above: Int, in band: Range<Int>) -> Bool {
    guard band.contains(below), band.contains(above) else { return false }
    return lines[below].goesOn(from: lines[above], in: columns[0].lowerBound...firstColumnEnd)
  }

  /// Rows told apart by larger gaps; nil where gaps do not show them.
  private func byGaps(_ range: Range<Int>) -> [Range<Int>]? {
    // A line in small letters is as far from the one above as that is from it.
    let gaps = range.dropFirst().map {
      (lines[$0].middle - lines[$0 - 1].middle) / max(1, lines[$0].size, lines[$0 - 1].size)
    }
    let sorted = gaps.sorted()
    var best: (faults: Int, groups: [Range<Int>])?
    var previous = 0.0
    for gap in sorted {
      defer { previous = gap }
      // A wrapped line is not farther than this from the one above.
      guard previous > 0, previous < Measures.widestWrap, gap > previous + Measures.rowGapMore,
        gap > Measures.rowGapFactor * previous
      else {
        continue
      }
      let limit = (previous + gap) / 2
      var groups: [Range<Int>] = []
      var start = range.lowerBound
      for (place, gap) in gaps.enumerated() where gap > limit {
        groups.append(start..<(range.lowerBound + place + 1))
        start = range.lowerBound + place + 1
      }
      groups.append(start..<range.upperBound)
      let faults = groups.reduce(0) { $0 + self.faults($1) }
      if faults * 8 <= groups.count, faults < best?.faults ?? .max { best = (faults, groups) }
    }
    // Where no line is a row's second, there is nothing to put together.
    let single = range.reduce(0) { $0 + faults($1..<($1 + 1)) }
    guard let best, best.faults < single || single == 0 && !hasFigures else { return nil }
    return best.groups
  }

  private var hasFigures: Bool { kinds.isFigures.contains(true) }

  /// What speaks against lines being one row: several of them begin one, or none does.
  private func faults(_ group: Range<Int>) -> Int {
    let starts = group.count { isAnchor($0) }
    if hasFigures { return starts == 1 ? 0 : starts == 0 ? 1 : starts - 1 }
    // Without figures a row's first line fills most columns.
    let full = group.count { lines[$0].filled.count * 2 > columns.count }
    return full == 0 ? 1 : group.count > 1 && full == group.count ? group.count - 1 : 0
  }

  /// Whether a line has a cell that is never wrapped.
  private func isAnchor(_ index: Int) -> Bool {
    let line = lines[index]
    return !line.runsAcross
      && line.filled.contains { kinds.isFigures[$0] && ColumnKinds.isFigure(line.cells[$0]) }
  }

  /// Rows by the lines that have figures; the others belong to them as the alignment of cells says.
  private func byAnchors(_ range: Range<Int>) -> [Row]? {
    let anchors = range.filter { isAnchor($0) }
    guard !anchors.isEmpty, anchors.count < range.count else { return nil }
    var rows = anchors.map { index -> Row in
      var row = Row(columns: columns.count)
      for column in lines[index].filled where kinds.isFigures[column] {
        row.cells[column].append(index)
      }
      return row
    }
    // The columns of each line that found no row yet.
    var lost: [Int: Set<Int>] = [:]
    for index in range { lost[index] = Set(lines[index].filled) }
    for row in rows {
      for (column, cell) in row.cells.enumerated() {
        for index in cell { lost[index]?.remove(column) }
      }
    }
    let places = anchors.map { lines[$0].middle...lines[$0].middle }
    for column in columns.indices where !kinds.isFigures[column] {
      let own = range.filter { !lines[$0].cells[column].isEmpty }
      let cells = CellAlignment.cells(
        ColumnLines(
          anchors: places,
          lines: own.map { ColumnLines.Line(middle: lines[$0].middle, size: lines[$0].size) }))
      for (place, cell) in cells.enumerated() where place < rows.count {
        for index in cell {
          rows[place].cells[column].append(own[index])
          lost[own[index]]?.remove(column)
        }
      }
    }
    for (place, index) in anchors.enumerated() {
      // What stands on the line of a row's figures belongs to the row.
      for column in (lost[index] ?? []).sorted() { rows[place].cells[column].append(index) }
      lost[index] = nil
    }
    // All else that found no row is one of its own.
    for (index, left) in lost where !left.isEmpty {
      var row = Row(columns: columns.count)
      for column in left { row.cells[column].append(index) }
      rows.append(row)
    }
    return rows.sorted { ($0.lines.min() ?? 0) < ($1.lines.min() ?? 0) }
  }

  /// Each line a row, but for those that go on in a single column.
  private func byLines(_ range: Range<Int>) -> [Row] {
    var result: [Row] = []
    for index in range {
      let line = lines[index]
      if let last = result.indices.last, line.filled.count == 1, line.filled[0] > 0,
        let above = result[last].cells[line.filled[0]].last,
        line.middle - lines[above].middle < Measures.nextLine * line.size
      {
        result[last].cells[line.filled[0]].append(index)
      } else if let last = result.indices.last, line.filled == [0],
        continues(index, index - 1, in: range)
      {
        result[last].cells[0].append(index)
      } else {
        result.append(row([index]))
      }
    }
    return result
  }
}
