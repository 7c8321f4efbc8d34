/// Lines of a page that are the rows of a table.
public struct PageTable: Sendable {
  /// The lines of the page that it takes the place of, indices in ``TextPage/lines``.
  public var lines: Range<Int>
  /// Cells of words (indices in ``TextPage/words``), by rows; each row has as many as there are
  /// columns.
  public var rows: [[[Int]]]
}

extension TextPage {
  /// The tables among the lines of the page, in reading order: two or more cells apart from one
  /// another, in columns that at least three rows share.
  public func tables() -> [PageTable] { MarkdownTables(self).all }
}

/// Finds lines that are the rows of a table: two or more cells apart from one another, in columns that
/// at least three rows share.
struct MarkdownTables {
  private struct Cell {
    var words: [Int]
    var start: Double
    var end: Double
  }

  private var tables: [Int: PageTable] = [:]

  init(_ page: TextPage) {
    let cells = page.lines.map { Self.cells($0, page) }
    var first = 0
    while first < cells.count {
      guard cells[first].count >= 2 else {
        first += 1
        continue
      }
      var last = first
      while last + 1 < cells.count, Self.follows(page.lines[last], page.lines[last + 1]),
        cells[last + 1].count >= 2
      {
        last += 1
      }
      if last - first >= 2, let table = Self.table(first..<last + 1, cells, page) {
        tables[first] = table
      }
      first = last + 1
    }
  }

  /// The table that begins at a line.
  func table(at line: Int) -> PageTable? { tables[line] }

  /// All tables in the order of their lines.
  var all: [PageTable] { tables.values.sorted { $0.lines.lowerBound < $1.lines.lowerBound } }

  private static func follows(_ above: TextPage.Line, _ below: TextPage.Line) -> Bool {
    let height = max(above.box.height, 1)
    let step = below.box.y1 - above.box.y1
    return step > 0.5 * height && step < 3 * height
  }

  /// The words of a line, cut where the gap is wider than one between words.
  private static func cells(_ line: TextPage.Line, _ page: TextPage) -> [Cell] {
    var cells: [Cell] = []
    for index in line.words {
      let word = page.words[index]
      guard word.angle == 0 else { return [] }
      if let last = cells.last, word.box.x0 - last.end < 0.9 * word.size, word.box.x0 >= last.start
      {
        cells[cells.count - 1].words.append(index)
        cells[cells.count - 1].end = max(last.end, word.box.x1)
      } else {
        cells.append(Cell(words: [index], start: word.box.x0, end: word.box.x1))
      }
    }
    return cells
  }

  /// Columns are the spans that cells share across rows; a cell over several of them goes into the
  /// first. Nil where the cells do not fall into columns.
  private static func table(
    _ lines: Range<Int>, _ cells: [[Cell]], _ page: TextPage
  ) -> PageTable? {
    var spans: [(start: Double, end: Double)] = []
    let all = lines.flatMap { cells[$0] }.sorted { $0.start < $1.start }
    for cell in all {
      if let last = spans.last, cell.start < last.end {
        spans[spans.count - 1].end = max(last.end, cell.end)
      } else {
        spans.append((cell.start, cell.end))
      }
    }
    guard spans.count >= 2, spans.count <= 60 else { return nil }
    var rows: [[[Int]]] = []
    for line in lines {
      var row = [[Int]](repeating: [], count: spans.count)
      for cell in cells[line] {
        guard let column = spans.firstIndex(where: { cell.start < $0.end }) else { return nil }
        row[column] += cell.words
      }
      rows.append(row)
    }
    let filled = rows.reduce(0) { $0 + $1.count { !$0.isEmpty } }
    // The marks of a list are no column.
    let marks = rows.count { row in
      guard row[0].count == 1, let mark = row[0].first else { return false }
      return ListMark.begins(page.utf8[page.words[mark].range] + [0x20, 0x2E, 0x2E]) != nil
    }
    guard spans.count > 2 || marks * 2 < rows.count else { return nil }
    guard filled * 10 >= rows.count * spans.count * 6 else { return nil }
    return PageTable(lines: lines, rows: rows)
  }
}
