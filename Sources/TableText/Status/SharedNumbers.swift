import PDFText

/// Numbers that stand at the middle or the end of the rows that they are printed once for.
///
/// The rows of a page are parted into runs, one for each number, such that the numbers stand where they
/// should in their runs as nearly as possible; what fits best decides how the list is set.
struct SharedNumbers {
  /// A row for each date, with its number, and those of numbers that have none.
  private(set) var anchors: [StatusPage.Anchor] = []

  private typealias Span = StatusPageReader.Span
  /// No number has more rows than this on a page.
  private static let mostRows = 24
  /// Numbers times rows of a page, where parting them is worth its time.
  private static let mostWork = 200_000

  /// How a number stands to its rows.
  private enum Standing: CaseIterable {
    case top, middle, bottom

    /// Where the number of a run of rows should stand.
    func place(_ rows: [RowExtent], _ run: Range<Int>) -> Double {
      let (first, last) = (rows[run.lowerBound], rows[run.upperBound - 1])
      return switch self {
      case .top: first.middle
      case .middle: (first.top + last.bottom) / 2
      case .bottom: last.middle
      }
    }
  }

  /// A row: the middle of its date, and those of the first and the last line of its status.
  private struct RowExtent {
    var middle: Double
    var top: Double
    var bottom: Double
  }

  /// - Parameters:
  ///   - numbers: with the dates on their lines, from top to bottom.
  ///   - others: dates of rows on whose lines no number stands.
  ///   - lines: of the status column, from top to bottom.
  ///   - goesOn: whether the first rows may be those of a number on the page before.
  /// - Returns: nil where numbers stand beside the first of their rows, or nowhere that can be told.
  init?(
    _ numbers: [StatusPage.Anchor], _ others: [StatusPageReader.Span],
    lines: [ColumnLines.Line], goesOn: Bool
  ) {
    guard !others.isEmpty, (others.count + numbers.count) * numbers.count < Self.mostWork,
      numbers.allSatisfy({ $0.dateWords.isEmpty && !$0.isDateOdd })
    else {
      return nil
    }
    var rows = others.map { StatusPage.Anchor($0, of: "") }
    rows += numbers.filter { !$0.date.isEmpty }
    rows.sort { $0.middle < $1.middle }
    let places = Self.extents(rows.map(\.middle), lines), wanted = numbers.map(\.middle)
    let pitch = zip(rows, rows.dropFirst()).map { $1.middle - $0.middle }.min() ?? 0
    // A row is left to the page before where it fits nowhere.
    let skip = goesOn ? Measures.leavingRow * pitch : .infinity
    guard pitch > 0, rows.count >= numbers.count,
      let top = Self.parts(places, wanted, .top, skip: skip),
      let best = [Standing.middle, .bottom]
        .compactMap({ Self.parts(places, wanted, $0, skip: skip) })
        .min(by: { $0.cost < $1.cost })
    else { return nil }
    let mean = best.cost / Double(numbers.count)
    guard best.cost < Measures.cheaperStanding * top.cost,
      mean < Measures.meanDistance * pitch, best.worst < Measures.largestDistance * pitch
    else { return nil }
    anchors = Array(rows[..<(best.runs.first?.lowerBound ?? 0)])
    guard anchors.allSatisfy(\.number.isEmpty) else { return nil }
    for (number, run) in zip(numbers, best.runs) {
      for index in run {
        var row = rows[index]
        let isBeside = row.middle == number.middle && !row.number.isEmpty
        guard row.number.isEmpty || isBeside else { return nil }
        row.number = number.number
        anchors.append(row)
      }
    }
  }

  /// How far the statuses of rows reach: of cells of several lines the middle of the dates is not that
  /// of the cells.
  private static func extents(_ rows: [Double], _ lines: [ColumnLines.Line]) -> [RowExtent] {
    let list = ColumnLines(anchors: rows.map { $0...$0 }, lines: lines)
    let cells = CellAlignment.cells(list)
    return rows.indices.map { index in
      let cell = cells[index]
      return RowExtent(
        middle: rows[index], top: cell.first.map { lines[$0].middle } ?? rows[index],
        bottom: cell.last.map { lines[$0].middle } ?? rows[index])
    }
  }

  private struct Parts {
    var runs: [Range<Int>]
    /// The sum of the distances of the numbers from where they should stand.
    var cost: Double
    /// The largest of them.
    var worst: Double
  }

  /// The best way to part rows into runs that follow each other, one a number and none empty.
  ///
  /// - Parameter skip: what it costs to leave one of the first rows out.
  private static func parts(
    _ rows: [RowExtent], _ numbers: [Double], _ standing: Standing, skip: Double
  ) -> Parts? {
    // best[i][j]: the least cost of giving the first j rows to the first i numbers.
    let width = rows.count + 1
    var best = [Double](repeating: .infinity, count: (numbers.count + 1) * width)
    var starts = [Int](repeating: 0, count: best.count)
    best[0] = 0
    if skip.isFinite {
      for count in 1...rows.count { best[count] = skip * Double(count) }
    }
    for (index, number) in numbers.enumerated() {
      // Each number before and behind has a row at least.
      let last = rows.count - (numbers.count - index - 1)
      guard index + 1 <= last else { return nil }
      for end in (index + 1)...last {
        for start in max(index, end - mostRows)..<end {
          let before = best[index * width + start]
          guard before.isFinite else { continue }
          let cost = before + (standing.place(rows, start..<end) - number).magnitude
          if cost < best[(index + 1) * width + end] {
            best[(index + 1) * width + end] = cost
            starts[(index + 1) * width + end] = start
          }
        }
      }
    }
    guard best[numbers.count * width + rows.count].isFinite else { return nil }
    var runs: [Range<Int>] = []
    var end = rows.count
    for index in (1...numbers.count).reversed() {
      let start = starts[index * width + end]
      runs.append(start..<end)
      end = start
    }
    runs.reverse()
    let distances = zip(runs, numbers).map { run, number in
      (standing.place(rows, run) - number).magnitude
    }
    return Parts(runs: runs, cost: distances.reduce(0, +), worst: distances.max() ?? 0)
  }
}
