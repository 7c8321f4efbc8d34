internal import Dates
import PDFText

// The rows of a page once its columns are known.
extension StatusPageReader {
  mutating func lists(
    _ lines: [[PlacedWord]], _ numbers: [Span], _ dates: [Span], _ allDates: [Span],
    _ numberColumns: [ClosedRange<Double>], _ dateColumns: [ClosedRange<Double>],
    _ declaredGaps: [ClosedRange<Double>]?
  ) -> [StatusPage.List] {
    let size = numbers.map(\.size).reduce(0, +) / Double(max(1, numbers.count))
    let middles = numbers.flatMap(\.lines).sorted()
    // The gaps between the fixed columns; the fullest, one a list, hold the statuses.
    let fixed = (numberColumns + dateColumns + otherNumbers + otherDates)
      .sorted { $0.lowerBound < $1.lowerBound }
    var gaps: [ClosedRange<Double>] = []
    var edge = -Double.infinity
    for column in fixed {
      if column.lowerBound > edge { gaps.append(edge...column.lowerBound) }
      edge = max(edge, column.upperBound)
    }
    gaps.append(edge...Double.infinity)
    let first = numbers.map(\.box.middleY).min() ?? 0
    // A status that was cut by the end of the last page may go on over many lines.
    let top = first - (hasReadPages ? 40 : 6) * size
    let bottom = (numbers.map(\.box.middleY).max() ?? 0) + 6 * size
    var fill = [Int](repeating: 0, count: gaps.count)
    for line in lines {
      guard let middle = line.first?.box.middleY, middle > top, middle < bottom else { continue }
      // Only lines that begin no row's text in a fixed column: titles and disclaimers run across.
      if !middles.hasRow(at: middle, size), runsAcross(line, fixed, numbers: numberColumns) {
        continue
      }
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
      list.isDateColumnOpen = declaredGaps == nil && isDateColumnOpen
      let dateColumn = partner(column, index, numberColumns, dateColumns)
      var gap =
        declaredGaps.map { $0[safe: index] } ?? statusGaps[safe: index].map { gaps[$0] }
      if declaredGaps == nil, let whole = gap,
        let part = TextColumns.status(lines, in: whole, rows: middles, size: size)
      {
        gap = part.range
        list.isColumnOpen = !part.isNamed
      }
      if declaredGaps == nil, isNumberColumnOpen { list.isColumnOpen = true }
      let own = dates.indices.filter { dateColumn?.contains(dates[$0].box.middleX) ?? false }
        .map { (middle: dates[$0].box.middleY, index: $0) }.sorted { $0.middle < $1.middle }
      for number in numbers where column.contains(number.box.middleX) {
        let date = Self.nearest(number.box.middleY, own, within: Measures.otherLine * size).map {
          dates[$0]
        }
        var anchor = StatusPage.Anchor(
          number: number.text, date: date?.text ?? "",
          box: date.map { number.box.union($0.box) } ?? number.box, lines: number.lines)
        anchor.hasAddition = number.hasAddition
        list.anchors.append(anchor)
      }
      list.anchors.sort { $0.middle < $1.middle }
      if let dateColumn {
        takeWrappedDates(&list.anchors, lines, dateColumn, size)
        // Large ones are those of titles.
        let inColumn = allDates.filter {
          dateColumn.contains($0.box.middleX) && $0.size < Measures.titleSize * size
        }
        if let gap {
          RowsWithoutNumber(dates: inColumn, lines: lines, column: column, gap: gap)
            .add(to: &list, goesOn: hasReadPages)
        }
      }
      if let gap {
        list.lines = statusLines(
          lines, in: gap, number: column, date: dateColumn, list.anchors, top,
          max(bottom, (list.anchors.last?.middle ?? 0) + 6 * size))
      }
      result.append(list)
    }
    return result
  }

  /// The index of the nearest of places that are sorted.
  private static func nearest(
    _ middle: Double, _ places: [(middle: Double, index: Int)], within: Double
  ) -> Int? {
    let next = places.partitioningIndex { $0.middle >= middle }
    let best = [next - 1, next].compactMap { places[safe: $0] }.min {
      ($0.middle - middle).magnitude < ($1.middle - middle).magnitude
    }
    return best.flatMap { ($0.middle - middle).magnitude < within ? $0.index : nil }
  }

  /// Looks in the date column beside numbers that have no date on their lines: dates may go on over lines, or
  /// something else may stand there.
  private mutating func takeWrappedDates(
    _ anchors: inout [StatusPage.Anchor], _ lines: [[PlacedWord]], _ column: ClosedRange<Double>,
    _ size: Double
  ) {
    guard let first = anchors.first?.middle, let last = anchors.last?.middle else { return }
    func isInColumn(_ word: PlacedWord) -> Bool {
      word.box.x0 < column.upperBound && word.box.x1 > column.lowerBound
    }
    // On most pages each number has its date on its line, and nothing else stands in the column.
    let below = lines.count { line in
      guard let middle = line.first?.box.middleY, middle > first + Measures.otherLine * size,
        middle < last
      else {
        return false
      }
      return line.contains(where: isInColumn)
    }
    guard below >= anchors.count || anchors.contains(where: { $0.date.isEmpty }) else { return }
    let cells = WrappedCells(
      lines, in: column, beside: anchors.map(\.extent), size: size, &dateFinder)
    for (index, cell) in cells.cells.enumerated() {
      // A date on the line may be the beginning of one that goes on, where most do.
      let goesOn = cell.isDate && cell.isWrapped && cells.wrappedDates * 2 > cells.dates
      guard anchors[index].date.isEmpty || goesOn else { continue }
      if cell.isDate {
        anchors[index].dateWords = cell.words.map(\.order)
        anchors[index].date = cell.text
      }
      let words =
        cell.isDate
        ? cell.words
        : cell.words.filter { word in
          anchors[index].lines.contains {
            ($0 - word.box.middleY).magnitude < Measures.otherLine * size
          }
        }
      guard !words.isEmpty else { continue }
      anchors[index].box = words.reduce(anchors[index].box) { $0.union($1.box) }
      guard !cell.isDate else { continue }
      anchors[index].date = PlacedWord.text(words)
      // A dash stands for no date.
      anchors[index].isDateOdd = anchors[index].date.unicodeScalars.contains {
        $0.properties.isAlphabetic || $0.properties.numericType != nil
      }
    }
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
    date: ClosedRange<Double>?, _ rows: [StatusPage.Anchor], _ top: Double, _ bottom: Double
  ) -> [StatusPage.StatusLine] {
    let anchors = rows.flatMap(\.lines).sorted()
    let dateWords = Set(rows.lazy.flatMap(\.dateWords))
    var result: [StatusPage.StatusLine] = []
    for line in lines {
      guard let middle = line.first?.box.middleY, middle > top, middle < bottom else { continue }
      if !anchors.hasRow(at: middle, line[0].size), runsAcross(line, [], numbers: [number]) {
        continue
      }
      let words = line.filter { gap.contains($0.box.middleX) }
      guard let first = words.first else { continue }
      // Heads: the word that stands in the date column is no date.
      if let date, !anchors.hasRow(at: middle, first.size) {
        let isHead = line.indices.contains { index in
          let word = line[index]
          return word.box.x0 < date.upperBound - 1 && word.box.x1 > date.lowerBound + 1
            && !word.text.unicodeScalars.contains { PrintedDate.digit($0) != nil }
            && !dateWords.contains(word.order) && !isPartOfDate(line, index)
        }
        if isHead { continue }
      }
      result.append(
        StatusPage.StatusLine(
          text: PlacedWord.text(words), middle: PlacedWord.middle(words),
          size: words.map(\.size).max() ?? first.size,
          box: PlacedWord.box(words) ?? first.box))
    }
    return result
  }

  private mutating func isPartOfDate(_ line: [PlacedWord], _ index: Int) -> Bool {
    for start in max(0, index - 4)...index where dateFinder.length(line, at: start) > index - start
    {
      return true
    }
    return false
  }
}
