import PDFText

/// Reads a table whose cells are drawn.
enum RuledTable {
  /// The table of a grid, or nil where the words in it are none; `words` are those inside.
  static func table(
    _ grid: RuledGrid, _ words: [PlacedWord], page: Int, frame: ReadingFrame
  ) -> PageTable? {
    guard grid.columns >= 2 else { return nil }
    var cells = [[PlacedWord]](repeating: [], count: grid.rows * grid.columns)
    for word in words {
      if let cell = grid.cell(word.box.middleX, word.box.middleY) {
        cells[grid.owner[cell]].append(word)
      }
    }
    let filled = cells.count { !$0.isEmpty }
    // Boxes around whole paragraphs are no table.
    let large = cells.reduce(0) { $0 + ($1.count > 80 ? $1.count : 0) }
    guard filled >= 3, words.count <= filled * 30, large * 10 <= words.count * 3 || grid.rows == 2
    else { return nil }
    let used = usedColumns(grid, cells)
    guard used.count >= 2 else { return nil }
    var rows: [PageTable.Row] = []
    for row in 0..<grid.rows {
      rows += self.rows(of: row, grid, cells, used)
    }
    guard rows.count >= 2, rows.contains(where: { $0.cells.count { !$0.isEmpty } >= 2 }) else {
      return nil
    }
    let columns = used.map { grid.xs[$0]...grid.xs[$0 + 1] }
    var table = PageTable(
      page: page, columns: columns, rows: rows, isRuled: true, box: grid.box, frame: frame)
    table.headRows = TableHead.count(rows, spanned: spanned(rows), isRuled: true)
    return table
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
      rows[first].spans.contains(where: { $0 > 1 })
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
    return [
      PageTable.Row(
        cells: own.map { PlacedWord.joined(PlacedWord.lines($0).map { PlacedWord.text($0) }) },
        box: words.reduce(first.box) { $0.union($1.box) },
        isCategory: (spans.first ?? 1) > 1 && spans.first == used.count,
        isBold: words.allSatisfy(\.isBold), spans: spans)
    ]
  }
}

extension PageTable.Row {
  /// A row of lines, the cells of which are joined.
  init?(_ row: RowAssembler.Row, _ lines: [CellLine]) {
    let words = row.cells.enumerated().flatMap { column, indices in
      indices.flatMap { lines[$0].cells[column] }
    }
    guard let first = words.first else { return nil }
    cells = row.cells.enumerated().map { column, indices in
      PlacedWord.joined(indices.map { lines[$0].text(column) })
    }
    box = words.reduce(first.box) { $0.union($1.box) }
    isCategory = row.isCategory
    isBold = words.allSatisfy(\.isBold)
    spans = cells.map { _ in 1 }
  }
}
