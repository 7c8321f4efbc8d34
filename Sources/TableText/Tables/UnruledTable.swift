import PDFText

/// Reads tables from lines and columns that are known. Lines that are drawn across such a table part its rows.
struct UnruledTables {
  let page: Int
  let frame: ReadingFrame
  /// The horizontal lines of the page, merged.
  let rules: [TextPage.Rule]

  /// The tables that nothing but gaps shows.
  ///
  /// - Parameters:
  ///   - verticals: the lines that the page draws from top to bottom.
  ///   - gutters: the white strips between columns of prose.
  func tables(
    _ words: [PlacedWord], verticals: [TextPage.Rule], gutters: [TextPage.Box]
  ) -> [PageTable] {
    var tables = GapTables(rules: rules + verticals)
    tables.find(words, besides: gutters)
    return tables.found.compactMap { table($0.lines, $0.columns) }
  }

  /// The table of lines with known columns, or nil if it has no two rows.
  func table(_ lines: [TextLine], _ columns: [ClosedRange<Double>]) -> PageTable? {
    let cells = lines.map { CellLine($0, columns) }
    let head = UnruledHead(lines, cells, columns, rules)
    let body = Array(cells[head.lines...])
    let assembler = RowAssembler(
      body, columns, separators: GapTables.separators(lines, columns, rules))
    let rows = head.rows + assembler.rows().compactMap { PageTable.Row($0, body) }
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
          kinds.isFigures[column] && line.isFigure[column]
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
