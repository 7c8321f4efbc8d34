import PDFText

/// Lists whose rows are lines of running text: number, status and date one after the other, with blanks between them as
/// between words. Dates then stand wherever the status before them ends, and there is no column to go by.
struct RunningRows {
  /// The rows of the page, with their lines.
  private(set) var list = StatusPage.List()

  /// A line that begins with a number, and the lines on which it goes on.
  private struct Row {
    var number: StatusPageReader.Span
    /// What stands behind the number, line by line.
    var lines: [[PlacedWord]]
    /// On which line the date stands, and where among its words; nil where there is none.
    var date: (line: Int, words: Range<Int>)?
    /// Where the row is on the page.
    var box: TextPage.Box

    var hasTextBefore: Bool { date.map { $0.line > 0 || $0.words.lowerBound > 0 } ?? false }
    var hasTextBehind: Bool { date.map { $0.words.upperBound < lines[$0.line].count } ?? false }
  }

  /// Nil where a page has columns.
  ///
  /// - Parameter isKnown: whether an earlier page was read so: then few rows are enough.
  init?(
    _ lines: [[PlacedWord]], numberFinder: NumberFinder, _ dateFinder: inout DateFinder,
    isKnown: Bool
  ) {
    var rows: [Row] = [], isBehindDate = false, start: Double?
    // How many rows have lines of text below them.
    var followed = 0
    for (index, line) in lines.enumerated() {
      guard let first = line.first else { continue }
      // The number comes first, or right behind the date.
      let place = numberFinder.number(line, at: 0) == nil ? dateFinder.length(line, at: 0) : 0
      guard place < line.count, let number = numberFinder.number(line, at: place) else { continue }
      isBehindDate = isBehindDate || place > 0
      // A wide gap parts columns, and so do numbers that stand apart.
      guard line.count == number.length || TextLine(line)?.pieces.count == 1,
        (first.box.x0 - (start ?? first.box.x0)).magnitude < first.size,
        // Lists stand side by side.
        !((place + number.length)..<line.count).contains(where: {
          numberFinder.number(line, at: $0) != nil
        })
      else { return nil }
      start = start ?? first.box.x0
      let more = Self.goingOn(lines[(index + 1)...], from: line, numberFinder)
      if !more.isEmpty { followed += 1 }
      var span = StatusPageReader.Span(
        line[place..<(place + number.length)], text: number.text)
      span.hasAddition = number.hasAddition
      rows.append(
        Self.row(
          span,
          Array(line[..<place] + line[(place + number.length)...]), more, &dateFinder))
    }
    let dated = rows.filter { $0.date != nil }
    // Where dates stand one below the other, lines between the rows may be those of cells; without such lines, rows
    // whose words stand close are read the same either way.
    guard dated.count >= (isKnown ? 1 : 2), dated.count * 10 >= rows.count * 8,
      isKnown || isBehindDate || followed <= 1 || !Self.areInColumn(dated)
    else { return nil }
    let before = dated.count(where: \.hasTextBefore), behind = dated.count(where: \.hasTextBehind)
    // What stands on both sides may be the status or a remark.
    list.isColumnOpen = behind * 5 >= dated.count && before * 5 >= dated.count
    var cells: [Range<Int>] = []
    for row in rows {
      var status = row.lines, date: [PlacedWord] = []
      if let (line, words) = row.date {
        date = Array(row.lines[line][words])
        status =
          before >= behind
          ? row.lines[..<line] + [Array(row.lines[line][..<words.lowerBound])]
          : [Array(row.lines[line][words.upperBound...])] + row.lines[(line + 1)...]
      }
      let begin = list.lines.count
      list.lines += status.compactMap(Self.line)
      cells.append(begin..<list.lines.count)
      var anchor = StatusPage.Anchor(
        number: row.number.text, date: PlacedWord.text(date), box: row.number.box,
        lines: row.number.lines)
      anchor.hasAddition = row.number.hasAddition
      anchor.box = row.box
      list.anchors.append(anchor)
    }
    list.cells = cells
  }

  /// A row of its first line and those on which it may go on: up to the date that ends a line, or to its first line
  /// where none does.
  private static func row(
    _ number: StatusPageReader.Span, _ first: [PlacedWord], _ more: [[PlacedWord]],
    _ finder: inout DateFinder
  ) -> Row {
    var row = Row(number: number, lines: [first], box: number.box)
    let found = date(in: first, &finder)
    row.date = found.map { (0, $0) }
    if found?.upperBound != first.count {
      for (index, line) in more.enumerated() {
        guard let date = date(in: line, &finder), date.upperBound == line.count else { continue }
        row.lines += more[...index]
        row.date = (index + 1, date)
        break
      }
    }
    row.box = row.lines.compactMap(PlacedWord.box).reduce(row.box) { $0.union($1) }
    return row
  }

  /// The lines right below a line that have no number.
  private static func goingOn(
    _ lines: ArraySlice<[PlacedWord]>, from first: [PlacedWord], _ numbers: NumberFinder
  ) -> [[PlacedWord]] {
    var last = first[0], result: [[PlacedWord]] = []
    for line in lines.prefix(8) {
      guard let word = line.first,
        !line.indices.contains(where: { numbers.number(line, at: $0) != nil }),
        word.box.middleY - last.box.middleY < Measures.nextLine * last.size,
        TextLine(line)?.pieces.count == 1
      else { break }
      result.append(line)
      last = word
    }
    return result
  }

  /// Whether the dates begin or end one below the other.
  private static func areInColumn(_ rows: [Row]) -> Bool {
    [\TextPage.Box.x0, \TextPage.Box.middleX, \TextPage.Box.x1].contains { edge in
      let dates = rows.compactMap { row in
        row.date.flatMap { PlacedWord.box(row.lines[$0.line][$0.words]) }
      }
      let places = dates.map { $0[keyPath: edge] }.sorted(), size = rows[0].number.size
      let near = places.count {
        ($0 - places[places.count / 2]).magnitude < Measures.sameEdge * size
      }
      return near * 10 >= places.count * 7
    }
  }

  private static func line(_ words: [PlacedWord]) -> StatusPage.StatusLine? {
    guard let first = words.first else { return nil }
    return StatusPage.StatusLine(
      text: PlacedWord.text(words), middle: PlacedWord.middle(words),
      size: words.map(\.size).max() ?? first.size, box: PlacedWord.box(words) ?? first.box)
  }

  /// The last date among the words of a row: one inside a status comes before.
  private static func date(in words: [PlacedWord], _ finder: inout DateFinder) -> Range<Int>? {
    var found: Range<Int>?
    var index = 0
    while index < words.count {
      let length = finder.length(words, at: index)
      if length > 0 { found = index..<(index + length) }
      index += max(1, length)
    }
    return found
  }
}
