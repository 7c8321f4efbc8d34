import PDFText

/// What words say about columns that lines show for a part of the table only.
extension RuledGrid {
  /// The grid with walls where nothing is drawn but the words of many rows leave a gap: lines that the head alone has,
  /// and columns of figures that share a drawn one.
  func divided(_ words: [PlacedWord]) -> RuledGrid {
    var grid = self
    let cells = grid.lines(words)
    let places = grid.hiddenColumns(cells)
    grid.insert(places)
    grid.insertRows(grid.headLines(places, grid.lines(words)))
    grid.partMergedCells(grid.lines(words))
    return grid
  }

  /// The lines of words in each cell, by its first unit cell.
  private func lines(_ words: [PlacedWord]) -> [[TextLine]] {
    var cells = [[PlacedWord]](repeating: [], count: owner.count)
    for word in words {
      if let cell = cell(word.box.middleX, word.box.middleY) { cells[owner[cell]].append(word) }
    }
    return cells.map { $0.isEmpty ? [] : TextLine.lines($0) }
  }

  /// Places within drawn columns where figures below one another leave a gap free.
  private func hiddenColumns(_ cells: [[TextLine]]) -> [Double] {
    (0..<columns).flatMap { column -> [Double] in
      let lines = (0..<rows).flatMap { row -> [TextLine] in
        let cell = row * columns + column
        let isNarrow = column + 1 == columns || owner[cell + 1] != cell
        return isNarrow && owner[cell] == cell ? cells[cell] : []
      }
      let parted = lines.filter { $0.pieces.count >= 2 }
      guard parted.count >= 3, parted.count * 10 >= lines.count * 6 else { return [] }
      let found = ColumnFinder.columns(parted)
      guard found.count >= 2 else { return [] }
      // Gaps in running text stand at one place by chance; figures do not.
      let figures = found.count { part in
        let own = parted.compactMap { line in line.pieces.first { $0.overlap(part) > 1 } }
        return own.count { ColumnKinds.isFigure($0.words) } * 10 >= own.count * 7
          && own.contains { $0.text.utf8.contains { (0x30...0x39).contains($0) } }
      }
      let filled = parted.reduce(0) { $0 + $1.pieces.count }
      guard figures + 1 >= found.count, filled * 10 >= found.count * parted.count * 7 else {
        return []
      }
      return zip(found, found.dropFirst()).map {
        freePlace(near: ($0.upperBound + $1.lowerBound) / 2, lines)
      }
    }
  }

  /// The middle of what words leave free at a place: long figures reach beyond those of most lines.
  private func freePlace(near place: Double, _ lines: [TextLine]) -> Double {
    var low = -Double.infinity, high = Double.infinity
    for word in lines.lazy.filter({ $0.pieces.count >= 1 }).flatMap(\.words)
    where ColumnKinds.isFigure([word]) {
      if word.box.middleX < place {
        low = max(low, word.box.x1)
      } else {
        high = min(high, word.box.x0)
      }
    }
    return low < high && low.isFinite && high.isFinite ? (low + high) / 2 : place
  }

  /// Parts cells that run over several columns where their words stand in single ones.
  private mutating func partMergedCells(_ cells: [[TextLine]]) {
    for (first, lines) in cells.enumerated() where !lines.isEmpty {
      let (row, column) = (first / columns, first % columns)
      var end = column + 1
      while end < columns, owner[row * columns + end] == first { end += 1 }
      guard end - column > 1 else { continue }
      let walls = (column + 1..<end).filter { isFree(xs[$0], lines) }
      guard !walls.isEmpty else { continue }
      var height = row + 1
      while height < rows, owner[height * columns + column] == first { height += 1 }
      for line in row..<height {
        for place in column..<end {
          let start = walls.last { $0 <= place } ?? column
          owner[line * columns + place] = row * columns + start
        }
      }
    }
  }

  /// Whether words stand on both sides of a place, and hardly any across it.
  private func isFree(_ place: Double, _ lines: [TextLine]) -> Bool {
    var crossing = 0, parted = 0
    for line in lines {
      if line.pieces.contains(where: { crosses($0, place) }) {
        crossing += 1
      } else if line.start < place, line.end > place {
        parted += 1
      }
    }
    return parted > 4 * crossing
  }

  /// Whether text goes on over a place; two figures with a narrow gap are no text.
  private func crosses(_ piece: TextLine.Piece, _ place: Double) -> Bool {
    guard piece.start < place - 1, piece.end > place + 1 else { return false }
    guard let next = piece.words.firstIndex(where: { $0.box.middleX > place }), next > 0 else {
      return true
    }
    let (before, after) = (piece.words[next - 1], piece.words[next])
    return before.box.x1 > place + 1 || after.box.x0 < place - 1
      || !ColumnKinds.isFigure([before]) || !ColumnKinds.isFigure([after])
  }

  /// Places between the name of a group of hidden columns and the names of these, in one drawn cell.
  private func headLines(_ places: [Double], _ cells: [[TextLine]]) -> [Double] {
    (0..<rows).compactMap { row in
      for column in 0..<columns where owner[row * columns + column] == row * columns + column {
        let lines = cells[row * columns + column]
        guard let wall = places.first(where: { $0 > xs[column] }),
          column + 1 < columns, owner[row * columns + column + 1] == row * columns + column,
          xs[column + 1] == wall
        else { continue }
        let names = lines.prefix { line in line.pieces.contains { crosses($0, wall) } }
        guard !names.isEmpty, names.count < lines.count, isFree(wall, Array(lines[names.count...]))
        else { continue }
        return (lines[names.count - 1].middle + lines[names.count].middle) / 2
      }
      return nil
    }
  }

  /// Divides rows; cells that no place parts run over both parts.
  private mutating func insertRows(_ places: [Double]) {
    guard !places.isEmpty, TableSize.holds(rows: rows + places.count, columns: columns) else {
      return
    }
    let (known, width, old) = (owner, columns, ys)
    ys = (ys + places).sorted()
    let from = ys.dropLast().map { place in old.partitioningIndex { $0 > place } - 1 }
    owner = from.indices.flatMap { row in
      (0..<width).map { column in
        let owner = known[from[row] * width + column]
        let first = from.firstIndex(of: owner / width) ?? row
        // Cells over several columns are parted; names of single columns stay whole.
        let isWide = known[from[row] * width..<(from[row] + 1) * width].count { $0 == owner } > 1
        return (isWide && from[row] == owner / width ? row : first) * width + owner % width
      }
    }
  }

  /// Divides columns; their cells run over all parts at first.
  private mutating func insert(_ places: [Double]) {
    guard !places.isEmpty, TableSize.holds(rows: rows, columns: columns + places.count) else {
      return
    }
    let (known, width) = (owner, columns)
    // For each new column the one that it is a part of.
    let old = xs
    xs = (xs + places).sorted()
    let from = xs.dropLast().map { place in old.partitioningIndex { $0 > place } - 1 }
    let first = (0..<width).map { column in from.firstIndex(of: column) ?? 0 }
    owner = (0..<known.count / width).flatMap { row in
      from.map { column in
        let owner = known[row * width + column]
        return owner / width * from.count + first[owner % width]
      }
    }
  }
}
