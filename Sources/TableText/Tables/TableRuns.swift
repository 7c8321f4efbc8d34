/// Cuts a page into runs of lines that may be tables.
enum TableRuns {
  /// Lines that follow one another, most of them in pieces.
  static func runs(_ lines: [TextLine]) -> [[TextLine]] {
    var result: [[TextLine]] = []
    var run: [TextLine] = []
    var pending: [TextLine] = []
    func close() {
      // Wrapped cells below the last row belong to it, and so do sums below their column.
      var last = run.last
      let row = run.last, usual = run.count > 2 ? usualGap(run) : 0
      for line in pending {
        guard let above = last, line.pieces.count == 1, !isText(line, below: row) else { break }
        let gap = line.middle - above.middle
        guard
          gap < Measures.nextLineBelowTable * line.size
            || gap < Measures.nextRow * usual && standsBelowCell(line, of: row)
        else { break }
        run.append(line)
        last = line
      }
      if run.count >= 2 { result.append(run) }
      run = []
      pending = []
    }
    for line in lines {
      if line.pieces.count >= 2 {
        if let last = run.last, endsBetween(last, line, run, pending) { close() }
        run += run.isEmpty ? heads(pending, above: line) : pending
        pending = []
        run.append(line)
      } else {
        pending.append(line)
        let isProse =
          pending.count > 1 && [line, pending[0]].allSatisfy { isText($0, below: run.last) }
        if pending.count > 6 || isProse {
          if !run.isEmpty { close() }
          pending = Array(pending.suffix(3))
        }
      }
    }
    close()
    return result
  }

  /// Whether a table ends between two lines in pieces.
  private static func endsBetween(
    _ last: TextLine, _ line: TextLine, _ run: [TextLine], _ pending: [TextLine]
  ) -> Bool {
    let gap = line.middle - last.middle
    if isNameOfGroup(pending, between: last, line, run) { return false }
    if gap > 7 * max(line.size, last.size) || gap > 4 * usualGap(run) && gap > 4 * line.size {
      return true
    }
    // A sentence that stands apart from the lines around it introduces another table.
    if let sentence = pending.last, isSentence(sentence), gap > 3 * line.size,
      min(line.middle - sentence.middle, (pending.first ?? sentence).middle - last.middle)
        > Measures.sentenceApart * sentence.size
    {
      return true
    }
    // The same head once more.
    guard let first = run.first, first.pieces.count >= 3, run.count >= 3,
      first.pieces.count == line.pieces.count
    else { return false }
    return first.pieces.contains { !ColumnKinds.isFigure($0.words) }
      && zip(first.pieces, line.pieces).allSatisfy { $0.text == $1.text }
  }

  /// Whether lines between two rows name the rows that follow: in the first column, a free line away at most,
  /// and the rows below have the cells of those above.
  private static func isNameOfGroup(
    _ pending: [TextLine], between last: TextLine, _ line: TextLine, _ run: [TextLine]
  ) -> Bool {
    guard let first = line.pieces.first, (1...2).contains(pending.count), run.count >= 3,
      line.pieces.count >= 3, line.pieces.count == last.pieces.count,
      zip(last.pieces, line.pieces).allSatisfy({ $0.start < $1.end && $1.start < $0.end }),
      pending.allSatisfy({ name in
        name.start < first.end && name.end < line.pieces[1].start && !isSentence(name)
      })
    else { return false }
    let lines = [last] + pending + [line], most = Measures.nextGroup * usualGap(run)
    return zip(lines, lines.dropFirst()).allSatisfy { $1.middle - $0.middle < most }
  }

  /// A line of a group's name right above the first line of a table.
  private static func heads(_ pending: [TextLine], above line: TextLine) -> [TextLine] {
    guard let last = pending.last, line.middle - last.middle < 2 * line.size,
      let piece = last.pieces.first, let first = line.pieces.first,
      piece.start > first.end, last.end <= line.end + line.size
    else { return [] }
    return [last]
  }

  private static func usualGap(_ run: [TextLine]) -> Double {
    let last = run.suffix(13)
    let gaps = zip(last.dropFirst(), last).map { $0.middle - $1.middle }.sorted()
    return gaps[safe: gaps.count / 2] ?? .infinity
  }

  /// Whether a line stands below one cell of a row, and that is not the first.
  private static func standsBelowCell(_ line: TextLine, of row: TextLine?) -> Bool {
    guard let piece = line.pieces.first, let row, let first = row.pieces.first,
      piece.start > first.end
    else { return false }
    return row.pieces.dropFirst().count { $0.start < piece.end && piece.start < $0.end } == 1
  }

  /// A line of running text.
  private static func isSentence(_ line: TextLine) -> Bool {
    line.pieces.count == 1 && line.pieces[0].words.count >= 9
  }

  /// Whether a line is of running text, and not the end of a wrapped cell.
  private static func isText(_ line: TextLine, below row: TextLine?) -> Bool {
    isSentence(line) && !beginsBelowCell(line, of: row)
  }

  /// Whether a line begins where a cell of a row begins that is not the first.
  private static func beginsBelowCell(_ line: TextLine, of row: TextLine?) -> Bool {
    standsBelowCell(line, of: row)
      && row?.pieces.contains { ($0.start - line.start).magnitude < Measures.sameEdge * line.size }
        == true
  }

  /// A table's lines without the titles above it, whose pieces run across its columns.
  static func trimmed(_ lines: [TextLine], _ columns: [ClosedRange<Double>]) -> [TextLine] {
    var lines = lines[...]
    while lines.count > 2, let first = lines.first, isTitle(first, columns) { lines.removeFirst() }
    while lines.count > 2, let last = lines.last, isTitle(last, columns),
      last.middle - lines[lines.endIndex - 2].middle > 2 * last.size
    {
      lines.removeLast()
    }
    return Array(lines)
  }

  private static func isTitle(_ line: TextLine, _ columns: [ClosedRange<Double>]) -> Bool {
    guard columns.count > 2, line.pieces.count <= 2, let first = line.pieces.first else {
      return false
    }
    let span = ColumnFinder.span(first, columns)
    return span.lowerBound == 0 && span.count > 1
  }

  // MARK: Tables below one another

  /// Parts a run where tables with other columns meet: cut where fewer pieces share a column then.
  static func parts(_ run: [TextLine], depth: Int = 0) -> [[TextLine]] {
    let run = depth == 0 ? withoutFoot(run) : run
    guard depth < 12, run.count >= 4, run.count <= 2000 else { return [run] }
    if let place = misfit(run) ?? end(run) {
      return parts(Array(run[..<place]), depth: depth + 1)
        + parts(Array(run[place...]), depth: depth + 1)
    }
    let loss = loss(run)
    let pieces = run.reduce(0) { $0 + $1.pieces.count }
    guard loss * 12 > pieces else { return [run] }
    // Only the widest gaps are tried; tables stand apart.
    let gaps = run.indices.dropFirst().sorted {
      run[$0].middle - run[$0 - 1].middle > run[$1].middle - run[$1 - 1].middle
    }.prefix(24)
    var best: (loss: Int, place: Int)?
    for place in gaps where place >= 2 && place <= run.count - 2 {
      let parted = self.loss(Array(run[..<place])) + self.loss(Array(run[place...]))
      if parted < best?.loss ?? .max { best = (parted, place) }
    }
    guard let best, best.loss * 2 <= loss else { return [run] }
    return parts(Array(run[..<best.place]), depth: depth + 1)
      + parts(Array(run[best.place...]), depth: depth + 1)
  }

  /// A run without the foot of the page: a last line apart from the rows that has something beside all columns, or
  /// smaller letters. Sums are as far away, but below columns.
  private static func withoutFoot(_ run: [TextLine]) -> [TextLine] {
    guard run.count >= 4, let last = run.last else { return run }
    let rows = Array(run.dropLast()), gap = last.middle - rows[rows.count - 1].middle
    guard gap > Measures.wideGap * usualGap(rows), gap > Measures.tableGap * last.size else {
      return run
    }
    let columns = columns(rows)
    let isFoot =
      last.size < rows[rows.count - 1].size - 0.5
      || last.pieces.contains { ColumnFinder.touched($0, columns, by: 0).isEmpty }
    return isFoot ? rows : run
  }

  /// Where a run has a wide gap, and the columns above it are not those below.
  private static func misfit(_ run: [TextLine]) -> Int? {
    let usual = usualGap(run)
    let gaps = run.indices.dropFirst().filter { place in
      let gap = run[place].middle - run[place - 1].middle
      return gap > Measures.wideGap * usual && gap > Measures.tableGap * run[place].size
        && place >= 2
        && place <= run.count - 2
    }
    return gaps.prefix(24).first { place in
      let (above, below) = (Array(run[..<place]), Array(run[place...]))
      return crosses(below, columns(above)) || crosses(above, columns(below))
    }
  }

  /// Where a table of three columns or more ends and a list, a quotation or the like begins: lines in pieces, none of
  /// which stands in a column behind the first.
  private static func end(_ run: [TextLine]) -> Int? {
    let full = ColumnFinder.full(run.filter { $0.pieces.count >= 2 })
    guard full >= 3, let last = run.lastIndex(where: { $0.pieces.count >= full }),
      run[...last].count(where: { $0.pieces.count >= 3 }) >= 3, last + 1 < run.count
    else { return nil }
    let columns = columns(Array(run[...last]))
    func isRow(_ line: TextLine) -> Bool {
      line.pieces.dropFirst().contains { piece in
        let touched = ColumnFinder.touched(piece, columns, by: 0)
        guard touched.count == 1, touched.lowerBound > 0 else { return false }
        let column = columns[touched.lowerBound]
        return (piece.start - column.lowerBound).magnitude < Measures.atEdge
          || (piece.end - column.upperBound).magnitude < Measures.atEdge
          || column.contains(piece.start) && column.contains(piece.end)
      }
    }
    let row = run.lastIndex(where: isRow) ?? last
    return run.indices.dropFirst(max(row, last) + 1).first { run[$0].pieces.count >= 2 }
  }

  private static func columns(_ lines: [TextLine]) -> [ClosedRange<Double>] {
    ColumnFinder.columns(lines.filter { $0.pieces.count >= 2 })
  }

  /// Whether half of the lines have pieces over several columns.
  private static func crosses(_ lines: [TextLine], _ columns: [ClosedRange<Double>]) -> Bool {
    let rows = lines.filter { $0.pieces.count >= 2 }
    let crossing = rows.count { row in
      row.pieces.contains { ColumnFinder.touched($0, columns, by: 2).count > 1 }
    }
    return crossing > 0 && crossing * 2 >= rows.count
  }

  /// How many pieces share a column with another of their line.
  private static func loss(_ lines: [TextLine]) -> Int {
    let rows = lines.filter { $0.pieces.count >= 2 }
    let columns = columns(rows)
    return rows.reduce(0) { sum, line in
      let used = Set(line.pieces.map { ColumnFinder.span($0, columns).lowerBound })
      return sum + line.pieces.count - used.count
    }
  }

  // MARK: What is no table

  /// Whether columns are those of running text, or a list with its marks.
  static func isProse(_ lines: [TextLine], _ columns: [ClosedRange<Double>]) -> Bool {
    let cells = lines.filter { $0.pieces.count >= 2 }.map { CellLine($0, columns) }
    let running = columns.indices.count { column in
      let own = cells.filter { !$0.cells[column].isEmpty }
      let width = columns[column].upperBound - columns[column].lowerBound
      let wide = own.count { $0.end(column) - $0.start(column) > Measures.runningCell * width }
      let words = own.reduce(0) { $0 + $1.cells[column].count }
      return own.count > 1 && wide * 5 > own.count * 3 && words * 2 >= 5 * own.count
    }
    if running >= 2, running * 2 > columns.count { return true }
    // A line of running text with wide blanks leaves columns of its own.
    let shared = columns.indices.count { column in
      cells.count { !$0.cells[column].isEmpty } > 1
    }
    if shared * 2 < columns.count { return true }
    // Words that happen to stand below one another leave most cells free.
    if !ColumnKinds(cells, columns.count).isFigures.contains(true) {
      if SideBySide.isParagraph(lines) { return true }
      let aligned = columns.indices.count { isAligned($0, cells) }
      if aligned < 2 || aligned * 2 < columns.count { return true }
      let filled = cells.reduce(0) { $0 + $1.filled.count }
      if filled * 5 < cells.count * columns.count * 2, columns.count > 2 { return true }
    }
    return isList(lines, columns.count)
  }

  /// Whether most lines in pieces are a bullet or a number of a list, and a text.
  static func isList(_ lines: [TextLine], _ columns: Int) -> Bool {
    let rows = lines.filter { $0.pieces.count >= 2 }
    let marks = rows.count { line in
      guard columns == 2 || line.pieces.count == 2, line.pieces[0].words.count == 1 else {
        return false
      }
      let mark = line.pieces[0].words[0].text
      // Notes below a table: `Source:`, `(*)`.
      if mark.utf8.last == 0x3A, mark.utf8.count <= 8 { return true }
      let bare = mark.utf8.filter { $0 != 0x2E && $0 != 0x29 && $0 != 0x28 }
      return mark.unicodeScalars.count <= 4 && bare.count < mark.utf8.count && bare.count <= 3
        || mark.unicodeScalars.count == 1
          && !mark.unicodeScalars.contains {
            $0.properties.isAlphabetic || $0.properties.numericType != nil
          }
    }
    return marks * 2 > rows.count
  }

  /// Whether most cells of a column begin, end or stand in the middle at one place.
  private static func isAligned(_ column: Int, _ lines: [CellLine]) -> Bool {
    let own = lines.filter { !$0.cells[column].isEmpty && !$0.runsAcross }
    guard own.count >= 2 else { return false }
    let places: [(CellLine) -> Double] = [
      { $0.start(column) }, { $0.end(column) }, { ($0.start(column) + $0.end(column)) / 2 },
    ]
    return places.contains { place in
      let sorted = own.map(place).sorted()
      // The most that lie within two points of one another.
      var most = 0
      var first = 0
      for last in sorted.indices {
        while sorted[last] - sorted[first] > 2 { first += 1 }
        most = max(most, last - first + 1)
      }
      return most * 5 >= own.count * 3
    }
  }
}
