import PDFText

/// Rows of a page beside which no number is printed, because it is printed once for several rows: beside
/// the first, the middle or the last of them.
struct RowsWithoutNumber {
  /// All dates of the date column, from top to bottom.
  let dates: [StatusPageReader.Span]
  let lines: [[PlacedWord]]
  /// The number column.
  let column: ClosedRange<Double>
  /// The status column.
  let gap: ClosedRange<Double>

  /// Adds the rows to those of the numbers.
  ///
  /// - Parameter goesOn: whether an earlier page had rows, whose last number may go on on this one.
  func add(to list: inout StatusPage.List, goesOn: Bool) {
    guard !list.anchors.isEmpty, !list.anchors.contains(where: \.isWrapped) else { return }
    let middles = list.anchors.map(\.middle)
    // On most pages each date stands beside its number.
    guard dates.contains(where: { !middles.hasRow(at: $0.box.middleY, $0.box.height) }) else {
      return
    }
    let statuses = statusLines(beside: middles)
    let others = dates.filter { isLevelRow($0, beside: middles, statuses) }
    if let shared = SharedNumbers(
      list.anchors, others, lines: statuses, goesOn: goesOn)
    {
      list.anchors = shared.anchors
      return
    }
    addBelow(&list, middles, statuses)
    if goesOn { addAtTop(&list, middles) }
    list.anchors.sort { $0.middle < $1.middle }
  }

  // MARK: - Numbers beside their first row

  /// A date on a line of its own behind a row that has one already begins another row of that number.
  private func addBelow(
    _ list: inout StatusPage.List, _ middles: [Double], _ statuses: [ColumnLines.Line]
  ) {
    let anchors = list.anchors
    let (first, last) = (middles[0], middles[middles.count - 1])
    var place = 0
    var above = last
    for date in dates where date.box.middleY > first {
      let middle = date.box.middleY
      while place + 1 < anchors.count, anchors[place + 1].middle < middle { place += 1 }
      let anchor = anchors[place]
      if !anchor.date.isEmpty, anchor.dateWords.isEmpty, !anchor.isDateOdd,
        isRow(date, beside: middles)
          || middle < last && isLevelRow(date, beside: middles, statuses)
      {
        guard middle < last || areNear(above, middle, date, middles) else { break }
        list.anchors.append(StatusPage.Anchor(date, of: anchor.number))
        above = max(above, middle)
      }
    }
  }

  /// At the top of a page the number stands on the page before; it is not known here and left empty.
  private func addAtTop(_ list: inout StatusPage.List, _ middles: [Double]) {
    guard let head = list.anchors.first, !head.date.isEmpty else { return }
    // With no head or title in between.
    let first = middles[0]
    var below = first
    for date in dates.reversed() where date.box.middleY < first {
      let middle = date.box.middleY
      let isParted = lines.contains { line in
        guard let place = line.first?.box.middleY, place > middle, place < below else {
          return false
        }
        return !middles.hasRow(at: place, date.box.height) && holdsNumberColumn(line)
      }
      guard areNear(below, middle, date, middles), !isParted, isRow(date, beside: middles) else {
        break
      }
      list.anchors.append(StatusPage.Anchor(date, of: ""))
      below = middle
    }
  }

  // MARK: - Lines

  /// The lines of the status column that are of rows: those with something in the number column that is
  /// no number are heads and categories.
  private func statusLines(beside middles: [Double]) -> [ColumnLines.Line] {
    lines.compactMap { line in
      let words = line.filter { gap.contains($0.box.middleX) }
      guard let first = words.first else { return nil }
      let middle = PlacedWord.middle(words)
      guard middles.hasRow(at: middle, first.size) || !holdsNumberColumn(line) else { return nil }
      return ColumnLines.Line(middle: middle, size: words.map(\.size).max() ?? first.size)
    }
  }

  private func holdsNumberColumn(_ line: [PlacedWord]) -> Bool {
    line.contains { $0.box.x0 < column.upperBound && $0.box.x1 > column.lowerBound }
  }

  /// Whether a date stands on a line with a status and without a number.
  private func isRow(_ date: StatusPageReader.Span, beside middles: [Double]) -> Bool {
    let middle = date.box.middleY
    guard !middles.hasRow(at: middle, date.box.height),
      let line = lines.first(where: { line in
        line.contains { ($0.box.middleY - middle).magnitude < Measures.onLineOfDate * $0.size }
      })
    else { return false }
    return line.contains { gap.contains($0.box.middleX) } && !holdsNumberColumn(line)
  }

  /// The same where the date may stand between the lines of its status.
  private func isLevelRow(
    _ date: StatusPageReader.Span, beside middles: [Double], _ statuses: [ColumnLines.Line]
  ) -> Bool {
    let middle = date.box.middleY
    guard !middles.hasRow(at: middle, date.box.height) else { return false }
    let isAlone = lines.allSatisfy { line in
      !line.contains { ($0.box.middleY - middle).magnitude < Measures.onLineOfDate * $0.size }
        || !holdsNumberColumn(line)
    }
    return isAlone
      && statuses.contains { ($0.middle - middle).magnitude < Measures.besideDate * $0.size }
  }

  /// Above the first number and below the last one rows are no further apart than on the rest of the
  /// page: what is beyond are heads and feet.
  private func areNear(
    _ one: Double, _ other: Double, _ date: StatusPageReader.Span, _ middles: [Double]
  ) -> Bool {
    let (first, last) = (middles[0], middles[middles.count - 1])
    let places = (middles + dates.map(\.box.middleY).filter { $0 > first && $0 < last }).sorted()
    let pitch = zip(places, places.dropFirst()).map { $1 - $0 }.max() ?? 0
    return (one - other).magnitude < max(Measures.pitchBeyond * pitch, 3 * date.box.height)
  }
}

extension StatusPage.Anchor {
  /// A row that has no number beside it.
  init(_ date: StatusPageReader.Span, of number: String) {
    self.init(
      number: number, date: date.text, isNumberAbove: true, box: date.box,
      lines: [date.box.middleY])
  }
}
