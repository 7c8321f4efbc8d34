import PDFText

/// Combines the lines of a table's body into rows, so that a cell of several lines becomes one.
///
/// Takes the cheapest of all ways to cut the lines into rows, by ``RowCosts``. A row gains for each gap between columns
/// that it fills. It costs something if a cell continues in the next row, if its cells are not aligned, or if a drawn
/// line runs through it. Top, middle and bottom alignment are each tried for the whole body.
struct RowAssembler {
  /// The lines of one row, by column.
  struct Row {
    /// Indices of lines in each column, from top to bottom.
    var cells: [[Int]]
    var isCategory = false

    init(columns: Int) { cells = [[Int]](repeating: [], count: columns) }
  }

  let lines: [CellLine]
  let columns: [ClosedRange<Double>]
  private let kinds: ColumnKinds
  private let separators: [Double]
  private var costs: RowCosts { RowCosts(lines, columns, kinds, separators: separators) }

  /// - Parameter separators: the vertical positions of drawn lines across the table, from top to bottom, in points.
  init(_ lines: [CellLine], _ columns: [ClosedRange<Double>], separators: [Double]) {
    self.lines = lines
    self.columns = columns
    kinds = ColumnKinds(lines, columns.count)
    self.separators = separators
  }

  /// The rows from top to bottom; every line is in one of them.
  func rows() -> [Row] { costs.cheapest().rows.map { row($0) } }

  private func row(_ chosen: Range<Int>) -> Row {
    var row = Row(columns: columns.count)
    for index in chosen {
      for column in lines[index].filled { row.cells[column].append(index) }
    }
    let first = lines[chosen.lowerBound]
    row.isCategory =
      chosen.count == 1 && (first.runsAcross || first.filled == [0] && columns.count > 2)
    return row
  }

  /// Whether the lines, which nothing drawn parts, are more than one row for certain: at least three
  /// of them are full ones, or two that have three figures each.
  var isSeveralRows: Bool {
    guard lines.count > 1, holdsSeveralRows else { return false }
    let figures = lines.map { line in
      line.runsAcross
        ? 0 : line.filled.count { kinds.isFigures[$0] && line.isFigure[$0] }
    }
    return figures.count { $0 >= 3 } > 1 || figures.count { $0 > 0 } > 2
  }

  /// Whether more than one line fills most of the columns that are filled at all, figures among them.
  private var holdsSeveralRows: Bool {
    let filled = Set(lines.flatMap(\.filled))
    let figures = filled.count { kinds.isFigures[$0] }
    let full = lines.count { line in
      let own = line.filled.count { kinds.isFigures[$0] && line.isFigure[$0] }
      return line.filled.count * 5 >= filled.count * 3 && (figures == 0 || own * 2 >= figures)
    }
    return figures == 0 ? full > 4 && full == lines.count && filled.count > 2 : full > 1
  }
}
