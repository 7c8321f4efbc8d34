import Glibc
import PDFText

/// Finds tables whose columns nothing but white gaps show: neighbouring lines whose pieces leave the
/// same gaps free. Lines that are drawn across such a table part its rows.
struct UnruledTables {
  let page: Int
  let frame: ReadingFrame
  /// The horizontal lines of the page, merged.
  let rules: [TextPage.Rule]
  private(set) var found: [PageTable] = []

  init(page: Int, frame: ReadingFrame, rules: [TextPage.Rule]) {
    self.page = page
    self.frame = frame
    self.rules = rules
  }

  /// Whether ``GapTables`` is asked.
  private static let byGaps = unsafe getenv("PROCD_TABLES") != nil

  /// - Parameter verticals: the lines that the page draws from top to bottom.
  mutating func find(_ words: [PlacedWord], verticals: [TextPage.Rule]) {
    guard Self.byGaps else { return find(words, depth: 0) }
    var tables = GapTables(rules: rules + verticals)
    tables.find(words)
    found += tables.found.compactMap { table($0.lines, $0.columns, isGiven: true) }
  }

  private mutating func find(_ words: [PlacedWord], depth: Int) {
    let lines = CloseLines.parted(TextLine.lines(words))
    for run in TableRuns.runs(lines) {
      if depth < 4, let (left, right) = SideBySide.columnsOfText(run, of: lines) {
        find(left, depth: depth + 1)
        find(right, depth: depth + 1)
        continue
      }
      if depth < 4, let (framed, others) = framed(run) {
        find(framed, depth: depth + 1)
        find(others, depth: depth + 1)
        continue
      }
      for part in TableRuns.parts(run) {
        if depth < 4, let (left, right) = SideBySide.split(part) {
          find(left, depth: depth + 1)
          find(right, depth: depth + 1)
        } else if let table = table(part) {
          found.append(table)
        }
      }
    }
  }

  /// What is between the first and the last of at least three lines that are drawn across, all of one width.
  private struct Framed {
    var top, bottom, start, end: Double

    /// Whether a line is between its first and its last.
    func holds(_ line: TextLine) -> Bool { line.middle > top && line.middle < bottom }
  }

  /// What is framed near some lines, from top to bottom.
  private func frames(near lines: [TextLine]) -> [Framed] {
    guard let top = lines.first, let bottom = lines.last else { return [] }
    let near = rules.filter {
      $0.place > top.middle - 2 * top.size && $0.place < bottom.middle + 2 * bottom.size
    }
    // More lines are a drawing.
    guard near.count <= 300 else { return [] }
    return near.compactMap { rule in
      let alike = near.filter {
        ($0.extent.lowerBound - rule.extent.lowerBound).magnitude < 2
          && ($0.extent.upperBound - rule.extent.upperBound).magnitude < 2
      }
      guard alike.count >= 3, rule.place == alike[0].place, let last = alike.last else {
        return nil
      }
      return Framed(
        top: rule.place, bottom: last.place, start: rule.extent.lowerBound - 2,
        end: rule.extent.upperBound + 2)
    }
  }

  /// Lines without those above and below a frame across the table that hold a single text: sums and rows of several
  /// cells stay, and where such rows are below a frame it is only the head's.
  private func withoutNeighbors(
    _ lines: [TextLine], _ columns: [ClosedRange<Double>]
  ) -> [TextLine] {
    guard let first = columns.first, let last = columns.last else { return lines }
    let extent = first.lowerBound...last.upperBound
    guard
      let frame = frames(near: lines).first(where: { Self.isAcross($0.start...$0.end, extent) }),
      lines.count(where: { frame.holds($0) && $0.pieces.count >= 2 }) >= 3,
      !lines.contains(where: { !frame.holds($0) && $0.pieces.count >= 2 })
    else { return lines }
    return lines.filter { line in
      frame.holds(line)
        || line.middle > frame.bottom && line.pieces.contains { ColumnKinds.isFigure($0.words) }
    }
  }

  /// Whether a drawn line runs across most of a table.
  private static func isAcross(
    _ rule: ClosedRange<Double>, _ extent: ClosedRange<Double>
  ) -> Bool {
    min(rule.upperBound, extent.upperBound) - max(rule.lowerBound, extent.lowerBound)
      > Measures.ruleSpan * (extent.upperBound - extent.lowerBound)
  }

  /// The framed words and the others, where some of these stand beside them.
  private func framed(_ lines: [TextLine]) -> (framed: [PlacedWord], others: [PlacedWord])? {
    for frame in frames(near: lines) {
      let (start, end) = (frame.start, frame.end)
      let between = lines.filter(frame.holds)
      let pieces = between.flatMap(\.pieces)
      guard pieces.contains(where: { $0.start > end || $0.end < start }),
        between.count(where: { $0.pieces.count { $0.start > start && $0.end < end } >= 2 }) >= 2,
        pieces.allSatisfy({
          $0.start > end || $0.end < start || $0.start > start && $0.end < end
        })
      else { continue }
      func isFramed(_ word: PlacedWord) -> Bool {
        word.box.middleY > frame.top && word.box.middleY < frame.bottom
          && word.box.middleX > start && word.box.middleX < end
      }
      let words = lines.flatMap(\.words)
      return (words.filter(isFramed), words.filter { !isFramed($0) })
    }
    return nil
  }

  /// The table of lines that belong together, or nil where they are prose or a list.
  private func table(_ together: [TextLine]) -> PageTable? {
    var lines = together
    var columns = ColumnFinder.columns(lines.filter { $0.pieces.count >= 2 })
    if let parted = CloseColumns.parted(lines, columns) {
      lines = parted
      columns = ColumnFinder.columns(lines.filter { $0.pieces.count >= 2 })
    }
    guard TableSize.holds(rows: lines.count, columns: columns.count) else { return nil }
    lines = withoutNeighbors(TableRuns.trimmed(lines, columns), columns)
    let rows = lines.filter { $0.pieces.count >= 2 }
    guard columns.count >= 2, rows.count >= (columns.count == 2 ? 3 : 2),
      rows.count * 4 >= lines.count,
      !TableRuns.isProse(lines, columns)
    else { return nil }
    return table(lines, CloseColumns.named(Self.withNames(columns, lines), lines))
  }

  /// Columns with those of their names that stand beside them, as above figures that end where their column ends: one is
  /// filled in the first lines only, and the one next to it below them.
  private static func withNames(
    _ columns: [ClosedRange<Double>], _ lines: [TextLine]
  ) -> [ClosedRange<Double>] {
    let cells = lines.map { CellLine($0, columns) }
    let filled = columns.indices.map { column in
      cells.indices.filter { !cells[$0].cells[column].isEmpty }
    }
    var result: [ClosedRange<Double>] = [], column = 0
    while column < columns.count {
      defer { column += 1 }
      if column + 1 < columns.count,
        names(filled[column], filled[column + 1]) || names(filled[column + 1], filled[column])
      {
        result.append(columns[column].lowerBound...columns[column + 1].upperBound)
        column += 1
      } else {
        result.append(columns[column])
      }
    }
    return result
  }

  /// Whether the first lines hold the name of what other lines hold.
  private static func names(_ above: [Int], _ below: [Int]) -> Bool {
    guard let last = above.last, let first = below.first else { return false }
    return last < 3 && last < first && below.count >= max(3, 3 * above.count)
  }

  /// The table of lines with known columns.
  ///
  /// - Parameter isGiven: true if the user gave the columns; then the lines are a table in any case.
  func table(_ lines: [TextLine], _ columns: [ClosedRange<Double>], isGiven: Bool = false)
    -> PageTable?
  {
    let cells = lines.map { CellLine($0, columns) }
    let head = UnruledHead(lines, cells, columns, rules)
    let body = Array(cells[head.lines...])
    let assembler = RowAssembler(
      body, columns, separators: GapTables.separators(lines, columns, rules))
    var rows = head.rows
    guard
      let found = isGiven ? assembler.rows() : assembler.rows(below: Array(cells[..<head.lines]))
    else {
      return nil
    }
    rows += found.compactMap { PageTable.Row($0, body) }
    guard rows.count >= 2, let box = rows.first?.box else { return nil }
    var table = PageTable(
      page: page, columns: columns, rows: rows, isRuled: false,
      box: rows.reduce(box) { $0.union($1.box) }, frame: frame)
    table.headRows =
      head.rows.isEmpty ? TableHead.count(rows, spanned: 0, isRuled: false) : head.rows.count
    return table
  }
}

/// The head of an unruled table: lines above the first that has figures where the columns have them.
struct UnruledHead {
  /// How many lines it takes.
  private(set) var lines = 0
  private(set) var rows: [PageTable.Row] = []

  init(
    _ texts: [TextLine], _ cells: [CellLine], _ columns: [ClosedRange<Double>],
    _ rules: [TextPage.Rule]
  ) {
    let kinds = ColumnKinds(cells, columns.count)
    guard kinds.isFigures.contains(true),
      let first = cells.firstIndex(where: { line in
        line.filled.contains { column in
          kinds.isFigures[column] && ColumnKinds.isFigure(line.cells[column])
            && line.text(column).unicodeScalars.contains { $0.properties.numericType != nil }
        }
      }), first > 0, first <= 8
    else { return }
    // Titles above and categories below are none of the head.
    var end = first
    while end > 0, cells[end - 1].filled == [0] || cells[end - 1].runsAcross,
      !Self.isGroups(texts[end - 1], columns)
    {
      // The last line of a head that is wrapped, or a wrapped cell's first line.
      if end > 1, cells[end - 1].goesOn(from: cells[end - 2], in: columns[0]),
        cells[end - 1].middle - cells[end - 2].middle < Measures.nextLineAtFoot
          * cells[end - 1].size
      {
        break
      }
      end -= 1
    }
    // Lines of the first row that stand above its figures are near them or unlike the head.
    while end > 1,
      cells[end - 1].isBold != cells[0].isBold || Self.belongsBelow(end - 1, cells)
    {
      end -= 1
    }
    guard end > 0, texts[..<end].contains(where: { $0.pieces.count >= 2 }) else { return }
    lines = end
    rows = (0..<end).map { index in
      // The last line names single columns, however close its words are.
      let words = index == end - 1 ? Self.names(texts[index], columns) : nil
      return Self.row(words ?? texts[index], columns, rules)
    }
  }

  /// Whether a line with few cells stands nearer to the line below than to the one above.
  private static func belongsBelow(_ index: Int, _ cells: [CellLine]) -> Bool {
    guard index > 0, index + 1 < cells.count,
      cells[index].filled.count * 2 < cells[index].cells.count
    else { return false }
    let above = cells[index].middle - cells[index - 1].middle
    return Measures.nearerBelow * (cells[index + 1].middle - cells[index].middle) < above
  }

  /// Whether a line names groups of columns: short pieces that stand over several.
  private static func isGroups(_ line: TextLine, _ columns: [ClosedRange<Double>]) -> Bool {
    line.pieces.allSatisfy { ColumnFinder.span($0, columns).lowerBound > 0 }
  }

  /// A line with pieces over several columns cut where columns are, if each of them gets words.
  private static func names(_ line: TextLine, _ columns: [ClosedRange<Double>]) -> TextLine? {
    var line = line
    var pieces: [TextLine.Piece] = []
    for piece in line.pieces {
      let span = ColumnFinder.span(piece, columns)
      var parts: [Int: TextLine.Piece] = [:]
      for word in piece.words {
        let own = TextLine.Piece([word])
        let place = ColumnFinder.span(own, columns)
        guard place.count == 1 else { continue }
        var part = parts[place.lowerBound] ?? own
        if parts[place.lowerBound] != nil {
          part.words.append(word)
          part.start = min(part.start, own.start)
          part.end = max(part.end, own.end)
        }
        parts[place.lowerBound] = part
      }
      let kept = parts.values.reduce(0) { $0 + $1.words.count }
      if span.count > 1, parts.count == span.count, kept == piece.words.count {
        pieces += parts.sorted { $0.key < $1.key }.map(\.value)
      } else {
        pieces.append(piece)
      }
    }
    guard pieces.count > line.pieces.count else { return nil }
    line.pieces = pieces
    return line
  }

  private static func row(
    _ line: TextLine, _ columns: [ClosedRange<Double>], _ rules: [TextPage.Rule]
  ) -> PageTable.Row {
    let spans = HeadSpans.spans(line, columns, rules)
    var row = PageTable.Row(
      cells: [String](repeating: "", count: columns.count),
      words: [[Int]](repeating: [], count: columns.count),
      box: TextPage.Box(
        x0: line.start, y0: line.middle - line.size / 2, x1: line.end,
        y1: line.middle + line.size / 2),
      isBold: line.isBold, spans: [Int](repeating: 1, count: columns.count))
    for (piece, span) in zip(line.pieces, spans) {
      row.cells[span.lowerBound] = PlacedWord.joined([row.cells[span.lowerBound], piece.text])
      row.words[span.lowerBound] += piece.words.map(\.order)
      row.spans[span.lowerBound] = span.count
    }
    return row
  }
}
