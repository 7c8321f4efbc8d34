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
  /// Whether another column of numbers could have been meant when they became known.
  private(set) var isNumberColumnOpen = false
  /// Columns of numbers and of dates that are not those of the rows and their statuses.
  private(set) var otherNumbers: [ClosedRange<Double>] = []
  private(set) var otherDates: [ClosedRange<Double>] = []
  private var knownDeclared: [ClosedRange<Double>] = []
  /// Whether an earlier page was a list of blocks.
  private var hasBlocks = false
  /// Whether an earlier page was one of running text.
  private var hasRunningRows = false

  init(pattern: NumberPattern, columns: [StatusColumn]) {
    numberFinder = NumberFinder(pattern)
    declared = columns
  }

  /// Whether it was said what the columns hold.
  var isDeclared: Bool { !declared.isEmpty }

  /// A number or a date, of several words perhaps.
  struct Span {
    var text: String
    var box: TextPage.Box
    var size: Double
    /// Whether a number is printed with an addition that is left out.
    var hasAddition = false
    /// The middles of its lines, from top to bottom; of dates always one.
    private(set) var lines: [Double]

    init(_ words: some Collection<PlacedWord>, text: String) {
      self.text = text
      box = TextPage.Box(x0: 0, y0: 0, x1: 0, y1: 0)
      size = 0
      lines = []
      for word in words {
        let isFirst = lines.isEmpty
        box = isFirst ? word.box : box.union(word.box)
        size = max(size, word.size)
        if lines.last.map({ $0 < word.box.middleY - Measures.otherLine * word.size }) ?? true {
          lines.append(word.box.middleY)
        }
      }
      if lines.isEmpty { lines = [0] }
    }

    /// The middles of its first and its last line.
    var extent: ClosedRange<Double> { lines[0]...max(lines[0], lines.last ?? 0) }
  }

  mutating func read(_ page: TextPage) -> StatusPage? {
    let frame = ReadingFrame(page)
    let lines = PlacedWord.lines(PlacedWord.words(page, frame))
    if declared.isEmpty, hasBlocks || !hasReadPages,
      let blocks = BlockRecords(
        lines, numberFinder: numberFinder, &dateFinder, isKnown: hasBlocks)
    {
      (hasBlocks, hasReadPages) = (true, true)
      return StatusPage(number: page.number, lists: [blocks.list], frame: frame)
    }
    if declared.isEmpty, hasRunningRows || !hasReadPages,
      let rows = RunningRows(
        lines, numberFinder: numberFinder, &dateFinder, isKnown: hasRunningRows)
    {
      (hasRunningRows, hasReadPages) = (true, true)
      return StatusPage(number: page.number, lists: [rows.list], frame: frame)
    }
    let (numbers, allDates) = findNumbersAndDates(lines)
    guard !numbers.isEmpty else { return nil }
    var numberColumns = ColumnGroup.groups(numbers.map(\.box))
      .chosen(atLeast: 3, known: knownNumbers)
    guard !numberColumns.isEmpty else { return nil }
    if declared.isEmpty { chooseNumbers(&numberColumns, numbers, lines) }
    let inColumns = numbers.filter { number in
      numberColumns.contains { $0.contains(number.box.middleX) }
    }
    let middles = inColumns.flatMap(\.lines).sorted()
    let size = inColumns.reduce(0) { $0 + $1.size } / Double(max(1, inColumns.count))
    let dates = allDates.filter { middles.hasRow(at: $0.box.middleY, Measures.datesNear * size) }
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
    if dateColumns.isEmpty {
      dateColumns = knownDates
      if knownDates.isEmpty {
        dateColumns = wrappedDateColumns(lines, inColumns, numberColumns, size)
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

  /// Leaves the columns that hold the numbers of the rows.
  private mutating func chooseNumbers(
    _ columns: inout [ClosedRange<Double>], _ numbers: [Span], _ lines: [[PlacedWord]]
  ) {
    let others = otherNumbers
    let known = columns.filter { column in !others.contains { $0.overlaps(column) } }
    if !known.isEmpty { columns = known }
    guard columns.count > 1 else { return }
    let inColumns = numbers.filter { number in
      columns.contains { $0.contains(number.box.middleX) }
    }
    let top = inColumns.map(\.box.middleY).min() ?? 0, size = inColumns.first?.size ?? 0
    guard
      let choice = NumberColumnChoice(
        columns, numbers: inColumns, lines, ListHead(lines, above: top, size: size))
    else { return }
    columns = choice.columns
    otherNumbers = choice.rest
    isNumberColumnOpen = choice.isOpen
  }

  /// The columns in which most rows have a date that goes on over lines.
  private mutating func wrappedDateColumns(
    _ lines: [[PlacedWord]], _ numbers: [Span], _ numberColumns: [ClosedRange<Double>],
    _ size: Double
  ) -> [ClosedRange<Double>] {
    var result: [ClosedRange<Double>] = []
    for column in ColumnFinder.columns(lines.compactMap { TextLine($0) })
    where !numberColumns.contains(where: { $0.overlaps(column) }) {
      let list =
        numberColumns.last { $0.lowerBound < column.lowerBound } ?? numberColumns.first
      let extents = numbers.filter { list?.contains($0.box.middleX) ?? false }.map(\.extent)
      let cells = WrappedCells(
        lines, in: column, beside: extents.sorted { $0.lowerBound < $1.lowerBound }, size: size,
        &dateFinder)
      if let extent = cells.extent { result.append(extent) }
    }
    return result
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
  ) -> (numbers: [Span], dates: [Span]) {
    var numbers: [Span] = []
    var leading: [Span] = []
    var dates: [Span] = []
    for line in lines {
      var index = 0
      while index < line.count {
        if let number = numberFinder.number(line, at: index) {
          let place = index..<(index + number.length)
          var span = Span(line[place], text: number.text)
          span.hasAddition = number.hasAddition
          switch standing(place, in: line) {
          case .apart: numbers.append(span)
          case .leading: leading.append(span)
          case .inText: break
          }
          index = place.upperBound
          continue
        }
        let length = dateFinder.length(line, at: index)
        if length > 0 {
          let part = line[index..<(index + length)]
          dates.append(Span(part, text: PlacedWord.text(part)))
        }
        index += max(1, length)
      }
    }
    if numbers.count < 3, leading.isEmpty {
      let wrapped = numberFinder.wrappedNumbers(lines)
      if wrapped.count > numbers.count { return (wrapped, dates) }
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
    _ lines: [[PlacedWord]], _ numbers: [Span]
  ) -> [ClosedRange<Double>]? {
    let middles = numbers.flatMap(\.lines)
    let rows = lines.compactMap { line -> TextLine? in
      guard let row = TextLine(line),
        middles.contains(where: { ($0 - row.middle).magnitude < Measures.otherLine * row.size })
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
    let room = Measures.roomAroundNumber * word.size
    if before > room && behind > room { return .apart }
    if before == .infinity { return .leading }
    return before > 2 * word.size ? .apart : .inText
  }
}
