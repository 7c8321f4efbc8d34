import PDFText

/// The lists on one page: for each number column its rows and the lines of its status column, not
/// yet joined.
struct StatusPage {
  /// A number with the date on its line.
  struct Anchor {
    var number: String
    var date: String
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
}

/// Finds the columns of a page and sorts its words into them.
struct StatusPageReader {
  private let pattern: NumberPattern
  /// The extents of the columns of the last page that had enough rows to show them.
  private var knownNumbers: [ClosedRange<Double>] = []
  private var knownDates: [ClosedRange<Double>] = []

  init(pattern: NumberPattern) { self.pattern = pattern }

  private struct DateSpan {
    var text: String
    var box: TextPage.Box
  }

  mutating func read(_ page: TextPage) -> StatusPage? {
    let words = PlacedWord.words(page, ReadingFrame(page))
    let lines = PlacedWord.lines(words)
    var numbers: [PlacedWord] = []
    var dates: [DateSpan] = []
    for line in lines {
      var index = 0
      while index < line.count {
        let word = line[index]
        if pattern.matches(word.text) {
          if stands(apart: index, in: line) { numbers.append(word) }
        } else {
          let length = DateText.length(line, at: index)
          if length > 0 {
            let part = line[index..<(index + length)]
            dates.append(
              DateSpan(
                text: part.map(\.text).joined(separator: " "),
                box: part.dropFirst().reduce(word.box) { $0.union($1.box) }))
            index += length
            continue
          }
        }
        index += 1
      }
    }
    guard !numbers.isEmpty else { return nil }
    let numberColumns = columns(numbers.map(\.box), atLeast: 3, known: knownNumbers)
    guard !numberColumns.isEmpty else { return nil }
    let inColumns = numbers.filter { number in
      numberColumns.contains { $0.contains(number.box.middleX) }
    }
    let shownDates = dates.filter { date in
      inColumns.contains { ($0.box.middleY - date.box.middleY).magnitude < $0.size }
    }
    let dateColumns = columns(
      shownDates.map(\.box), atLeast: max(2, inColumns.count / (4 * numberColumns.count)),
      known: knownDates
    ).filter { date in
      !numberColumns.contains { $0.overlaps(date) }
    }
    if inColumns.count >= 3 * numberColumns.count {
      knownNumbers = numberColumns
      knownDates = dateColumns
    }
    return StatusPage(
      number: page.number,
      lists: lists(lines, inColumns, shownDates, numberColumns, dateColumns))
  }

  /// Whether a number stands in a cell of its own and not in running text.
  private func stands(apart index: Int, in line: [PlacedWord]) -> Bool {
    let word = line[index]
    let before = index > 0 ? word.box.x0 - line[index - 1].box.x1 : .infinity
    let behind = index + 1 < line.count ? line[index + 1].box.x0 - word.box.x1 : .infinity
    return before > 0.5 * word.size && behind > 0.5 * word.size
      || before > 0.5 * word.size && index + 1 < line.count && before == .infinity
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

  private func lists(
    _ lines: [[PlacedWord]], _ numbers: [PlacedWord], _ dates: [DateSpan],
    _ numberColumns: [ClosedRange<Double>], _ dateColumns: [ClosedRange<Double>]
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
    var fill = [Int](repeating: 0, count: gaps.count)
    for line in lines {
      guard let middle = line.first?.box.middleY, middle > top, middle < bottom else { continue }
      // Only lines that begin no row's text in a fixed column: titles and disclaimers run across.
      if runsAcross(line, fixed, numbers: numberColumns) { continue }
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
      let gap = index < statusGaps.count ? gaps[statusGaps[index]] : nil
      for number in numbers where column.contains(number.box.middleX) {
        let date = dates.filter { date in
          dateColumn?.contains(date.box.middleX) ?? false
            && (date.box.middleY - number.box.middleY).magnitude < 0.5 * size
        }.min {
          ($0.box.middleY - number.box.middleY).magnitude
            < ($1.box.middleY - number.box.middleY).magnitude
        }
        list.anchors.append(
          StatusPage.Anchor(
            number: number.text, date: date?.text ?? "",
            box: date.map { number.box.union($0.box) } ?? number.box,
            middle: number.box.middleY))
      }
      list.anchors.sort { $0.middle < $1.middle }
      if let gap {
        list.lines = statusLines(lines, in: gap, number: column, date: dateColumn, top, bottom)
      }
      result.append(list)
    }
    return result
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
      !pattern.matches(word.text)
        && numbers.contains { word.box.x0 < $0.upperBound - 1 && word.box.x1 > $0.lowerBound + 1 }
    }
  }

  private func statusLines(
    _ lines: [[PlacedWord]], in gap: ClosedRange<Double>, number: ClosedRange<Double>,
    date: ClosedRange<Double>?, _ top: Double, _ bottom: Double
  ) -> [StatusPage.StatusLine] {
    var result: [StatusPage.StatusLine] = []
    for line in lines {
      guard let middle = line.first?.box.middleY, middle > top, middle < bottom else { continue }
      if runsAcross(line, [], numbers: [number]) { continue }
      let words = line.filter { gap.contains($0.box.middleX) }
      guard let first = words.first else { continue }
      // Heads: the word that stands in the date column is no date.
      if let date,
        line.enumerated().contains(where: { index, word in
          word.box.x0 < date.upperBound - 1 && word.box.x1 > date.lowerBound + 1
            && !word.text.utf8.contains { (0x30...0x39).contains($0) }
            && !isPartOfDate(line, index)
        })
      {
        continue
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

  private func isPartOfDate(_ line: [PlacedWord], _ index: Int) -> Bool {
    for start in max(0, index - 2)...index where DateText.length(line, at: start) > index - start {
      return true
    }
    return false
  }
}
