import PDFText

/// Finds the columns of a page and sorts its words into them.
struct StatusPageReader {
  let numberFinder: NumberFinder
  var dateFinder = DateFinder()
  /// What the columns hold from left to right; empty for what the page shows.
  private let declared: [StatusColumn]
  /// The extents of the columns of the last page that had enough rows to show them.
  private var knownNumbers: [ClosedRange<Double>] = []
  private var knownDates: [ClosedRange<Double>] = []
  /// Whether rows stood on an earlier page.
  private(set) var hasReadPages = false
  /// Whether another column of dates could have been meant when they became known.
  private(set) var isDateColumnOpen = false
  /// Columns of dates that are not those of the status.
  private(set) var otherDates: [ClosedRange<Double>] = []
  private var knownDeclared: [ClosedRange<Double>] = []

  init(pattern: NumberPattern, columns: [StatusColumn]) {
    numberFinder = NumberFinder(pattern)
    declared = columns
  }

  /// Whether it was said what the columns hold.
  var isDeclared: Bool { !declared.isEmpty }

  struct DateSpan {
    var text: String
    var box: TextPage.Box
  }

  mutating func read(_ page: TextPage) -> StatusPage? {
    let frame = ReadingFrame(page)
    let lines = PlacedWord.lines(PlacedWord.words(page, frame))
    let (numbers, allDates) = findNumbersAndDates(lines)
    guard !numbers.isEmpty else { return nil }
    var numberColumns = ColumnGroup.groups(numbers.map(\.box))
      .chosen(atLeast: 3, known: knownNumbers)
    guard !numberColumns.isEmpty else { return nil }
    let inColumns = numbers.filter { number in
      numberColumns.contains { $0.contains(number.box.middleX) }
    }
    let middles = inColumns.map(\.box.middleY).sorted()
    let size = inColumns.reduce(0) { $0 + $1.size } / Double(max(1, inColumns.count))
    let dates = allDates.filter { middles.hasRow(at: $0.box.middleY, 2.5 * size) }
    let few = max(2, inColumns.count / (4 * numberColumns.count))
    let groups = ColumnGroup.groups(dates.map(\.box))
      .filter { date in !numberColumns.contains { $0.overlaps(date.range) } }
    var chosen = groups
    if knownDates.isEmpty,
      let choice = DateColumnChoice(
        groups, lists: numberColumns.count, dates: dates,
        ListHead(lines, above: middles.first ?? 0, size: size))
    {
      chosen = choice.columns
      isDateColumnOpen = choice.isOpen
      otherDates = choice.rest
    }
    // Dates inside statuses make columns of their own, which are not so full.
    var dateColumns = chosen.fullest(numberColumns.count, known: knownDates)
      .chosen(atLeast: few, known: knownDates)
    if dateColumns.isEmpty, knownDates.isEmpty, numberColumns.count == 1 {
      let wrapped = WrappedDate(lines: lines, rows: middles, size: size)
      let columns = ColumnFinder.columns(lines.compactMap { TextLine($0) })
      for column in columns where !numberColumns.contains(where: { $0.overlaps(column) }) {
        if let extent = wrapped.extent(in: column, &dateFinder) { dateColumns = [extent] }
      }
    }
    defer { hasReadPages = true }
    if inColumns.count >= 3 * numberColumns.count {
      knownNumbers = numberColumns
      knownDates = dateColumns
    }
    var gaps: [ClosedRange<Double>]?
    if !declared.isEmpty, let columns = declaredColumns(lines, inColumns) {
      func with(_ role: StatusColumn) -> [Int] {
        columns.indices.filter { declared[$0 % declared.count] == role }
      }
      numberColumns = with(.number).map { columns[$0] }
      dateColumns = with(.date).map { columns[$0] }
      gaps = with(.status).map { place in
        let low = place > 0 ? columns[place - 1].upperBound : -.infinity
        let high = place + 1 < columns.count ? columns[place + 1].lowerBound : .infinity
        return low...max(low, high)
      }
    }
    return StatusPage(
      number: page.number,
      lists: lists(lines, inColumns, dates, allDates, numberColumns, dateColumns, gaps),
      headings: headings(lines, middles), frame: frame)
  }

  private func headings(_ lines: [[PlacedWord]], _ rows: [Double]) -> [StatusPage.StatusLine] {
    lines.compactMap { line in
      guard let first = line.first, !rows.hasRow(at: first.box.middleY, first.size),
        let text = TextLine(line), text.pieces.count == 1
      else { return nil }
      return StatusPage.StatusLine(
        text: text.pieces[0].text, middle: text.middle, size: text.size, box: first.box)
    }
  }

  private mutating func findNumbersAndDates(
    _ lines: [[PlacedWord]]
  ) -> (numbers: [PlacedWord], dates: [DateSpan]) {
    var numbers: [PlacedWord] = []
    var leading: [PlacedWord] = []
    var dates: [DateSpan] = []
    for line in lines {
      var index = 0
      while index < line.count {
        if let number = numberFinder.number(line, at: index) {
          let place = index..<(index + number.length)
          var word = line[index]
          word.text = number.text
          for more in line[place].dropFirst() { word.box = word.box.union(more.box) }
          switch standing(place, in: line) {
          case .apart: numbers.append(word)
          case .leading: leading.append(word)
          case .inText: break
          }
          index = place.upperBound
          continue
        }
        let length = dateFinder.length(line, at: index)
        if length > 0 {
          let part = line[index..<(index + length)]
          dates.append(
            DateSpan(
              text: PlacedWord.text(part),
              box: part.dropFirst().reduce(line[index].box) { $0.union($1.box) }))
        }
        index += max(1, length)
      }
    }
    // Numbers that begin a line of text are rows only where the list sets text that close; those of a
    // wrapped status do not stand below other numbers.
    guard leading.count * 8 > numbers.count else { return (numbers, dates) }
    let isUsual = leading.count > numbers.count
    let columns = ColumnGroup.groups(numbers.map(\.box)).filter { $0.count >= 3 }
    numbers += leading.filter { number in
      isUsual || columns.contains { $0.range.contains(number.box.middleX) }
    }
    return (numbers, dates)
  }

  /// The columns of the page where it has as many as were declared, or a multiple: lists side by
  /// side.
  private mutating func declaredColumns(
    _ lines: [[PlacedWord]], _ numbers: [PlacedWord]
  ) -> [ClosedRange<Double>]? {
    let middles = numbers.map(\.box.middleY)
    let rows = lines.compactMap { line -> TextLine? in
      guard let row = TextLine(line),
        middles.contains(where: { ($0 - row.middle).magnitude < 0.5 * row.size })
      else { return nil }
      return row
    }
    let columns = ColumnFinder.columns(rows)
    if rows.count >= 3, columns.count % declared.count == 0, !columns.isEmpty {
      knownDeclared = columns
    }
    return knownDeclared.isEmpty ? nil : knownDeclared
  }

  private enum Standing {
    case apart, leading, inText
  }

  /// Whether a number stands in a cell of its own, at the beginning of a line of text, or inside one.
  private func standing(_ place: Range<Int>, in line: [PlacedWord]) -> Standing {
    let (word, last) = (line[place.lowerBound], line[place.upperBound - 1])
    let before =
      place.lowerBound > 0 ? word.box.x0 - line[place.lowerBound - 1].box.x1 : .infinity
    let behind =
      place.upperBound < line.count ? line[place.upperBound].box.x0 - last.box.x1 : .infinity
    if before > 0.5 * word.size && behind > 0.5 * word.size { return .apart }
    if before == .infinity { return .leading }
    return before > 2 * word.size ? .apart : .inText
  }
}
