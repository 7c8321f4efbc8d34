import PDFText

/// The lists on one page: for each number column its rows and the lines of its status column, not
/// yet joined.
struct StatusPage {
  /// A number with the date on its line.
  struct Anchor {
    var number: String
    var date: String
    /// Whether what stands in the date column is no date.
    var isDateOdd = false
    var box: TextPage.Box
    var middle: Double
  }

  /// One line of a status column.
  struct StatusLine {
    var text: String
    var middle: Double
    var size: Double
    var box: TextPage.Box
  }

  /// One list: anchors and lines from top to bottom.
  struct List {
    var anchors: [Anchor] = []
    var lines: [StatusLine] = []

    /// What tells which lines belong to which number.
    var columnLines: ColumnLines {
      ColumnLines(
        anchors: anchors.map(\.middle),
        lines: lines.map { ColumnLines.Line(middle: $0.middle, size: $0.size) })
    }
  }

  var number: Int
  var lists: [List]
  var frame: ReadingFrame
}

/// What a column of a status list holds.
public enum StatusColumn: String, Sendable, CaseIterable {
  case number, status, date
  /// Something that is not wanted.
  case other = "-"
}

/// Finds the columns of a page and sorts its words into them.
struct StatusPageReader {
  private let numberFinder: NumberFinder
  private var dateFinder = DateFinder()
  /// What the columns hold from left to right; empty for what the page shows.
  private let declared: [StatusColumn]
  /// The extents of the columns of the last page that had enough rows to show them.
  private var knownNumbers: [ClosedRange<Double>] = []
  private var knownDates: [ClosedRange<Double>] = []
  private var knownDeclared: [ClosedRange<Double>] = []

  init(pattern: NumberPattern, columns: [StatusColumn]) {
    numberFinder = NumberFinder(pattern)
    declared = columns
  }

  private struct DateSpan {
    var text: String
    var box: TextPage.Box
  }

  mutating func read(_ page: TextPage) -> StatusPage? {
    let frame = ReadingFrame(page)
    let lines = PlacedWord.lines(PlacedWord.words(page, frame))
    var (numbers, dates) = findNumbersAndDates(lines)
    guard !numbers.isEmpty else { return nil }
    var numberColumns = columns(numbers.map(\.box), atLeast: 3, known: knownNumbers)
    guard !numberColumns.isEmpty else { return nil }
    let inColumns = numbers.filter { number in
      numberColumns.contains { $0.contains(number.box.middleX) }
    }
    let middles = inColumns.map(\.box.middleY).sorted()
    let size = inColumns.reduce(0) { $0 + $1.size } / Double(max(1, inColumns.count))
    dates = dates.filter { isRow($0.box.middleY, middles, 2.5 * size) }
    var dateColumns = columns(
      dates.map(\.box), atLeast: max(2, inColumns.count / (4 * numberColumns.count)),
      known: knownDates
    ).filter { date in
      !numberColumns.contains { $0.overlaps(date) }
    }
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
      lists: lists(lines, inColumns, dates, numberColumns, dateColumns, gaps), frame: frame)
  }

  private mutating func findNumbersAndDates(
    _ lines: [[PlacedWord]]
  ) -> (numbers: [PlacedWord], dates: [DateSpan]) {
    var numbers: [PlacedWord] = []
    var dates: [DateSpan] = []
    for line in lines {
      var index = 0
      while index < line.count {
        if let number = numberFinder.number(line, at: index) {
          if stands(apart: index..<(index + number.length), in: line) {
            var word = line[index]
            word.text = number.text
            for more in line[index..<(index + number.length)].dropFirst() {
              word.box = word.box.union(more.box)
            }
            numbers.append(word)
          }
          index += number.length
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

  /// Whether a number stands in a cell of its own and not in running text.
  private func stands(apart place: Range<Int>, in line: [PlacedWord]) -> Bool {
    let (word, last) = (line[place.lowerBound], line[place.upperBound - 1])
    let before =
      place.lowerBound > 0 ? word.box.x0 - line[place.lowerBound - 1].box.x1 : .infinity
    let behind =
      place.upperBound < line.count ? line[place.upperBound].box.x0 - last.box.x1 : .infinity
    return before > 0.5 * word.size && behind > 0.5 * word.size
      || before > 0.5 * word.size && place.upperBound < line.count && before == .infinity
      || before > 2 * word.size
  }

  /// Groups boxes that stand one below the other; groups that are too small count only where an
  /// earlier page had a column.
  private func columns(
    _ boxes: [TextPage.Box], atLeast: Int, known: [ClosedRange<Double>]
  ) -> [ClosedRange<Double>] {
    var groups: [(range: ClosedRange<Double>, count: Int)] = []
    for box in boxes.sorted(by: { $0.middleX < $1.middleX }) {
      if let last = groups.last, box.middleX <= last.range.upperBound,
        box.x0 < last.range.upperBound - 0.5 * box.width
      {
        let range = last.range
        groups[groups.count - 1] = (
          min(range.lowerBound, box.x0)...max(range.upperBound, box.x1), last.count + 1
        )
      } else {
        groups.append((box.x0...max(box.x0, box.x1), 1))
      }
    }
    let large = groups.filter { $0.count >= atLeast }.map(\.range)
    if !known.isEmpty {
      let familiar = groups.filter { group in
        known.contains { ($0.lowerBound - group.range.lowerBound).magnitude < 12 }
      }.map(\.range)
      if familiar.count >= large.count { return familiar }
    }
    return large.isEmpty && known.isEmpty ? groups.map(\.range) : large
  }

  // MARK: Cells

  private mutating func lists(
    _ lines: [[PlacedWord]], _ numbers: [PlacedWord], _ dates: [DateSpan],
    _ numberColumns: [ClosedRange<Double>], _ dateColumns: [ClosedRange<Double>],
    _ declaredGaps: [ClosedRange<Double>]?
  ) -> [StatusPage.List] {
    // The gaps between the fixed columns; the fullest, one a list, hold the statuses.
    let fixed = (numberColumns + dateColumns).sorted { $0.lowerBound < $1.lowerBound }
    var gaps: [ClosedRange<Double>] = []
    var edge = -Double.infinity
    for column in fixed {
      if column.lowerBound > edge { gaps.append(edge...column.lowerBound) }
      edge = max(edge, column.upperBound)
    }
    gaps.append(edge...Double.infinity)
    let size = numbers.map(\.size).reduce(0, +) / Double(max(1, numbers.count))
    let top = (numbers.map(\.box.middleY).min() ?? 0) - 6 * size
    let bottom = (numbers.map(\.box.middleY).max() ?? 0) + 6 * size
    let middles = numbers.map(\.box.middleY).sorted()
    var fill = [Int](repeating: 0, count: gaps.count)
    for line in lines {
      guard let middle = line.first?.box.middleY, middle > top, middle < bottom else { continue }
      // Only lines that begin no row's text in a fixed column: titles and disclaimers run across.
      if !isRow(middle, middles, size), runsAcross(line, fixed, numbers: numberColumns) { continue }
      for word in line {
        if let place = gaps.firstIndex(where: { $0.contains(word.box.middleX) }) {
          fill[place] += 1
        }
      }
    }
    let statusGaps = fill.indices.filter { fill[$0] > 0 }.sorted { fill[$0] > fill[$1] }
      .prefix(numberColumns.count).sorted()
    var result: [StatusPage.List] = []
    for (index, column) in numberColumns.enumerated() {
      var list = StatusPage.List()
      let dateColumn = partner(column, index, numberColumns, dateColumns)
      let gap =
        declaredGaps.map { $0[safe: index] } ?? statusGaps[safe: index].map { gaps[$0] }
      let own = dates.indices.filter { dateColumn?.contains(dates[$0].box.middleX) ?? false }
        .map { (middle: dates[$0].box.middleY, index: $0) }.sorted { $0.middle < $1.middle }
      for number in numbers where column.contains(number.box.middleX) {
        let date = Self.nearest(number.box.middleY, own, within: 0.5 * size).map { dates[$0] }
        var anchor = StatusPage.Anchor(
          number: number.text, date: date?.text ?? "",
          box: date.map { number.box.union($0.box) } ?? number.box, middle: number.box.middleY)
        if date == nil, let dateColumn { noteOddDate(&anchor, lines, dateColumn, size) }
        list.anchors.append(anchor)
      }
      list.anchors.sort { $0.middle < $1.middle }
      if let gap {
        list.lines = statusLines(
          lines, in: gap, number: column, date: dateColumn, list.anchors.map(\.middle), top, bottom)
      }
      result.append(list)
    }
    return result
  }

  /// The index of the nearest of places that are sorted.
  private static func nearest(
    _ middle: Double, _ places: [(middle: Double, index: Int)], within: Double
  ) -> Int? {
    var low = 0
    var high = places.count
    while low < high {
      let place = (low + high) / 2
      if places[place].middle < middle { low = place + 1 } else { high = place }
    }
    let best = [low - 1, low].compactMap { places[safe: $0] }.min {
      ($0.middle - middle).magnitude < ($1.middle - middle).magnitude
    }
    return best.flatMap { ($0.middle - middle).magnitude < within ? $0.index : nil }
  }

  /// Keeps what stands in the date column of a row and is no date.
  private func noteOddDate(
    _ anchor: inout StatusPage.Anchor, _ lines: [[PlacedWord]], _ column: ClosedRange<Double>,
    _ size: Double
  ) {
    guard
      let line = lines.min(by: {
        (($0.first?.box.middleY ?? 0) - anchor.middle).magnitude
          < (($1.first?.box.middleY ?? 0) - anchor.middle).magnitude
      }), let first = line.first, (first.box.middleY - anchor.middle).magnitude < 0.5 * size
    else { return }
    let words = line.filter { column.contains($0.box.middleX) }
    guard !words.isEmpty else { return }
    anchor.date = PlacedWord.text(words)
    // A dash stands for no date.
    anchor.isDateOdd = anchor.date.unicodeScalars.contains {
      $0.properties.isAlphabetic || $0.properties.numericType != nil
    }
    anchor.box = words.reduce(anchor.box) { $0.union($1.box) }
  }

  private func partner(
    _ column: ClosedRange<Double>, _ index: Int, _ numbers: [ClosedRange<Double>],
    _ dates: [ClosedRange<Double>]
  ) -> ClosedRange<Double>? {
    // Lists repeat the same order of columns, so the dates of the first list come first.
    if dates.count == numbers.count { return dates[index] }
    return dates.min {
      ($0.lowerBound - column.lowerBound).magnitude < ($1.lowerBound - column.lowerBound).magnitude
    }
  }

  /// Whether words of a line lie in a number column without being numbers: titles, heads, categories.
  private func runsAcross(
    _ line: [PlacedWord], _ fixed: [ClosedRange<Double>], numbers: [ClosedRange<Double>]
  ) -> Bool {
    line.contains { word in
      numbers.contains { word.box.x0 < $0.upperBound - 1 && word.box.x1 > $0.lowerBound + 1 }
        && !numberFinder.matches(word.text)
    }
  }

  private mutating func statusLines(
    _ lines: [[PlacedWord]], in gap: ClosedRange<Double>, number: ClosedRange<Double>,
    date: ClosedRange<Double>?, _ anchors: [Double], _ top: Double, _ bottom: Double
  ) -> [StatusPage.StatusLine] {
    var result: [StatusPage.StatusLine] = []
    for line in lines {
      guard let middle = line.first?.box.middleY, middle > top, middle < bottom else { continue }
      if !isRow(middle, anchors, line[0].size), runsAcross(line, [], numbers: [number]) {
        continue
      }
      let words = line.filter { gap.contains($0.box.middleX) }
      guard let first = words.first else { continue }
      // Heads: the word that stands in the date column is no date.
      if let date, !isRow(middle, anchors, first.size) {
        let isHead = line.indices.contains { index in
          let word = line[index]
          return word.box.x0 < date.upperBound - 1 && word.box.x1 > date.lowerBound + 1
            && !word.text.unicodeScalars.contains { PrintedDate.digit($0) != nil }
            && !isPartOfDate(line, index)
        }
        if isHead { continue }
      }
      let box = words.dropFirst().reduce(first.box) { $0.union($1.box) }
      result.append(
        StatusPage.StatusLine(
          text: PlacedWord.text(words),
          middle: words.map(\.box.middleY).reduce(0, +) / Double(words.count),
          size: words.map(\.size).max() ?? first.size, box: box))
    }
    return result
  }

  /// Whether a number stands on a line; anchors are sorted.
  private func isRow(_ middle: Double, _ anchors: [Double], _ size: Double) -> Bool {
    var low = 0
    var high = anchors.count
    while low < high {
      let place = (low + high) / 2
      if anchors[place] < middle - 0.4 * size { low = place + 1 } else { high = place }
    }
    return low < anchors.count && anchors[low] <= middle + 0.4 * size
  }

  private mutating func isPartOfDate(_ line: [PlacedWord], _ index: Int) -> Bool {
    for start in max(0, index - 4)...index where dateFinder.length(line, at: start) > index - start {
      return true
    }
    return false
  }
}
