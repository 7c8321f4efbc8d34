internal import Dates
import PDFText

/// What a column of dates has beside each number, where dates go on over the lines of their cells.
///
/// Cells of dates are aligned as all cells of a list are: the alignment in which most of them are dates is taken.
struct WrappedCells {
  struct Cell {
    /// As one line.
    var text: String
    /// From top to bottom, each line from left to right.
    var words: [PlacedWord]
    var isDate: Bool
    /// Whether it goes on over lines.
    var isWrapped: Bool
  }

  /// One for each number, from top to bottom.
  private(set) var cells: [Cell] = []
  /// How many of them are dates.
  private(set) var dates = 0
  /// How many go on over lines and are dates.
  private(set) var wrappedDates = 0

  /// - Parameters:
  ///   - lines: of the page, from top to bottom.
  ///   - numbers: the middles of the first and the last line of each, from top to bottom.
  ///   - size: of the letters of the rows.
  init(
    _ lines: [[PlacedWord]], in column: ClosedRange<Double>, beside numbers: [ClosedRange<Double>],
    size: Double, _ finder: inout DateFinder
  ) {
    guard let first = numbers.first?.lowerBound, let last = numbers.last?.upperBound else { return }
    let rows = lines.compactMap { line -> [PlacedWord]? in
      guard let place = line.first?.box.middleY, place > first - 6 * size, place < last + 6 * size
      else { return nil }
      let words = line.filter { $0.box.x0 < column.upperBound && $0.box.x1 > column.lowerBound }
      return words.isEmpty ? nil : words
    }
    let list = ColumnLines(
      anchors: numbers,
      lines: rows.map { ColumnLines.Line(middle: PlacedWord.middle($0), size: $0[0].size) })
    var least = Double.infinity
    for alignment in CellAlignment.allCases {
      let (places, faults) = alignment.assign(list)
      let trial = places.map { Self.cell(Array(rows[$0]), &finder) }
      let count = trial.count(where: \.isDate)
      if cells.isEmpty || count > dates || count == dates && faults < least {
        (cells, dates, least) = (trial, count, faults)
        wrappedDates = trial.count { $0.isDate && $0.isWrapped }
      }
    }
  }

  private static func cell(_ lines: [[PlacedWord]], _ finder: inout DateFinder) -> Cell {
    let texts = lines.map { PlacedWord.text($0) }
    var cell = Cell(
      text: PlacedWord.joined(texts), words: lines.flatMap { $0 }, isDate: false,
      isWrapped: lines.count > 1)
    guard lines.count <= 8 else { return cell }
    // A line of a narrow cell ends behind a mark, and within a number where there is none.
    for isWithinNumbers in [false, true] {
      var text = ""
      for line in texts {
        if !text.isEmpty, !isGlued(text, line, isWithinNumbers) { text += " " }
        text += line
      }
      if finder.isDate(text), !isWithinNumbers || Self.isOfOurTime(text) {
        cell.text = text
        cell.isDate = true
        return cell
      }
    }
    return cell
  }

  /// Whether a date put together of parts of numbers has a year that such lists have.
  private static func isOfOurTime(_ text: String) -> Bool {
    guard let iso = DateInText.iso(text, order: .dayMonthYear) else { return false }
    return iso.hasPrefix("19") || iso.hasPrefix("20")
  }

  private static func isGlued(_ above: String, _ below: String, _ isWithinNumbers: Bool) -> Bool {
    guard let last = above.unicodeScalars.last, let first = below.unicodeScalars.first else {
      return true
    }
    func isMark(_ scalar: Unicode.Scalar) -> Bool {
      scalar == "/" || scalar == "." || scalar.properties.generalCategory == .dashPunctuation
    }
    func isDigit(_ scalar: Unicode.Scalar) -> Bool { PrintedDate.digit(scalar) != nil }
    // "3." is a day before the name of a month.
    if last == ".", first.properties.isAlphabetic { return false }
    if isMark(last) || isMark(first) { return true }
    return isWithinNumbers && (isDigit(last) == isDigit(first))
  }

  /// The extent of the dates of a column that go on over lines; nil where most rows have none.
  var extent: ClosedRange<Double>? {
    guard cells.count >= 2, dates * 2 > cells.count else { return nil }
    let words = cells.lazy.filter(\.isDate).flatMap(\.words)
    guard let low = words.map(\.box.x0).min(), let high = words.map(\.box.x1).max(), low <= high
    else { return nil }
    return low...high
  }
}
