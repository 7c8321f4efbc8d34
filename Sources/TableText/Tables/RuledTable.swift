import PDFText

/// Reads a table whose cells are drawn.
enum RuledTable {
  /// What lines that cross are.
  enum Drawing {
    case table(PageTable)
    /// Axes and bars; the words between them are no table.
    case chart
    /// Boxes and lines that say nothing about the words in them.
    case other
  }

  /// What a grid is; `words` are those inside, `turned` those that run up or down in it, as names of columns do.
  static func read(
    _ grid: RuledGrid, _ words: [PlacedWord], turned: [PlacedWord], page: Int, frame: ReadingFrame
  ) -> Drawing {
    let grid = grid.divided(words)
    guard grid.columns >= 2 || isForm(grid, words) else { return .other }
    var cells = [[PlacedWord]](repeating: [], count: grid.rows * grid.columns)
    for word in words {
      if let cell = grid.cell(word.box.middleX, word.box.middleY) {
        cells[grid.owner[cell]].append(word)
      }
    }
    let names = Dictionary(grouping: turned) { word in
      grid.cell(word.box.middleX, word.box.middleY).map { grid.owner[$0] } ?? -1
    }
    for (cell, words) in names where cell >= 0 && cells[cell].isEmpty {
      cells[cell] = PlacedWord.laidDown(words)
    }
    let filled = cells.count { !$0.isEmpty }
    // Boxes around whole paragraphs are no table.
    let large = cells.reduce(0) { $0 + ($1.count > 80 ? $1.count : 0) }
    guard filled >= 3, words.count <= filled * 30, large * 10 <= words.count * 3 || grid.rows == 2
    else { return .other }
    let used = usedColumns(grid, cells)
    guard used.count >= 2 || grid.columns == 1 else { return .other }
    var rows: [PageTable.Row] = []
    for row in 0..<grid.rows {
      rows += self.rows(of: row, grid, cells, used)
    }
    guard rows.count >= 2,
      rows.contains(where: { $0.cells.count { !$0.isEmpty } >= min(2, used.count) })
    else { return .other }
    guard !isChart(rows, used.count) else { return .chart }
    let columns = used.map { grid.xs[$0]...grid.xs[$0 + 1] }
    var table = PageTable(
      page: page, columns: columns, rows: rows, isRuled: true, box: grid.box, frame: frame)
    table.headRows = TableHead.count(rows, spanned: spanned(rows), isRuled: true)
    return .table(table)
  }

  /// Whether boxes below one another have a few words in each, as those of a form; boxes around paragraphs have many.
  private static func isForm(_ grid: RuledGrid, _ words: [PlacedWord]) -> Bool {
    let most = 12
    let counts = (0..<grid.rows).map { row in
      words.count { grid.cell($0.box.middleX, $0.box.middleY) == row }
    }
    return grid.columns == 1 && counts.count >= 3 && counts.allSatisfy { (1...most).contains($0) }
  }

  /// Whether most rows leave most columns free, as the axes and bars of a chart do.
  private static func isChart(_ rows: [PageTable.Row], _ columns: Int) -> Bool {
    let full = rows.count { row in
      let covered = row.cells.indices.reduce(0) { sum, column in
        sum + (row.cells[column].isEmpty ? 0 : max(1, row.spans[safe: column] ?? 1))
      }
      return covered * 5 >= columns * 2
    }
    return columns >= 6 && full * 3 <= rows.count
  }

  /// The columns that hold something; gaps between double lines do not.
  private static func usedColumns(_ grid: RuledGrid, _ cells: [[PlacedWord]]) -> [Int] {
    (0..<grid.columns).filter { column in
      if grid.xs[column + 1] - grid.xs[column] > 6 {
        // An empty column of some width counts where it has cells of its own.
        return (0..<grid.rows).contains { row in
          let cell = row * grid.columns + column
          return grid.owner[cell] == cell || grid.owner[cell] % grid.columns == column
        }
      }
      return (0..<grid.rows).contains { !cells[$0 * grid.columns + column].isEmpty }
    }
  }

  /// How many rows the heads of groups and what stands beside them take.
  private static func spanned(_ rows: [PageTable.Row]) -> Int {
    guard let first = rows.firstIndex(where: { !$0.isCategory }),
      zip(rows[first].spans, rows[first].cells).contains(where: { $0 > 1 && !$1.isEmpty })
    else { return 0 }
    return first + 2
  }

  private static func rows(
    of row: Int, _ grid: RuledGrid, _ cells: [[PlacedWord]], _ used: [Int]
  ) -> [PageTable.Row] {
    let own = used.map { cells[row * grid.columns + $0] }
    let words = own.flatMap { $0 }
    guard let first = words.first else { return [] }
    let spans = used.map { column -> Int in
      let cell = row * grid.columns + column
      let owner = grid.owner[cell]
      guard owner == cell else { return owner / grid.columns == row ? 0 : 1 }
      return used.count { $0 >= column && grid.owner[row * grid.columns + $0] == cell }
    }
    let columns = used.map { grid.xs[$0]...grid.xs[$0 + 1] }
    // Where lines part columns only, one drawn row holds many.
    let lines = PlacedWord.lines(words).map { line in
      var cells = [[PlacedWord]](repeating: [], count: used.count)
      for word in line {
        guard let owner = grid.cell(word.box.middleX, word.box.middleY).map({ grid.owner[$0] }),
          owner / grid.columns == row
        else { continue }
        let place = used.partitioningIndex { $0 >= owner % grid.columns }
        if used[safe: place] == owner % grid.columns { cells[place].append(word) }
      }
      return CellLine(cells: cells, line)
    }
    let assembler = RowAssembler(lines, columns, separators: [])
    if assembler.isSeveralRows {
      return assembler.rows().compactMap { PageTable.Row($0, lines) }
    }
    let covered = used.map { grid.owner[row * grid.columns + $0] / grid.columns < row }
    return parted(own, first).map { own in
      let words = own.flatMap { $0 }
      return PageTable.Row(
        cells: own.map { PlacedWord.joined(PlacedWord.lines($0).map { PlacedWord.text($0) }) },
        words: own.map { PlacedWord.lines($0).flatMap { $0.map(\.order) } },
        box: PlacedWord.box(words) ?? first.box,
        isCategory: (spans.first ?? 1) > 1 && spans.first == used.count,
        isBold: words.allSatisfy(\.isBold), spans: spans, covered: covered)
    }
  }
}

extension RuledTable {
  /// The cells of a drawn row cut where blank lines go through all of it: the first column and another have text
  /// above and below, or the first has a title above all.
  private static func parted(
    _ cells: [[PlacedWord]], _ first: PlacedWord
  ) -> [[[PlacedWord]]] {
    let extents = cells.joined().map { ($0.box.y0, $0.box.y1) }.sorted { $0.0 < $1.0 }
    var places: [Double] = [], end = extents[0].1
    for (y0, y1) in extents {
      if y0 - end > Measures.blankStretch * first.size { places.append((y0 + end) / 2) }
      end = max(end, y1)
    }
    var result: [[[PlacedWord]]] = [], rest = cells
    for place in places.prefix(200) {
      let above = rest.map { $0.filter { $0.box.middleY < place } }
      let below = rest.map { $0.filter { $0.box.middleY >= place } }
      guard !above[0].isEmpty, !below[0].isEmpty else { continue }
      let shared = zip(above, below).count { !$0.isEmpty && !$1.isEmpty }
      let isTitle =
        above.dropFirst().allSatisfy(\.isEmpty) && below.dropFirst().contains { !$0.isEmpty }
      guard shared >= 2 || isTitle else { continue }
      result.append(above)
      rest = below
    }
    return result + [rest]
  }
}

extension PageTable.Row {
  /// A row of lines, the cells of which are joined.
  init?(_ row: RowAssembler.Row, _ lines: [CellLine]) {
    let words = row.cells.enumerated().flatMap { column, indices in
      indices.flatMap { lines[$0].cells[column] }
    }
    guard let box = PlacedWord.box(words) else { return nil }
    self.box = box
    cells = row.cells.enumerated().map { column, indices in
      PlacedWord.joined(indices.map { lines[$0].text(column) })
    }
    self.words = row.cells.enumerated().map { column, indices in
      indices.flatMap { lines[$0].cells[column].map(\.order) }
    }
    isCategory = row.isCategory
    isBold = words.allSatisfy(\.isBold)
    spans = cells.map { _ in 1 }
  }
}
