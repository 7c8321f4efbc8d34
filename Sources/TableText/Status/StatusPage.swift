import PDFText

/// The lists on one page: for each number column its rows and the lines of its status column, not
/// yet joined.
struct StatusPage {
  /// A number with the date on its line.
  struct Anchor {
    /// Empty where it stands on the page before.
    var number: String
    var date: String
    /// Whether what stands in the date column is no date.
    var isDateOdd = false
    /// Whether the number is printed with an addition that is left out.
    var hasAddition = false
    /// Whether the number stands above the row, not beside it.
    var isNumberAbove = false
    /// The places in the reading order of the words in the date column, where they go on over lines.
    var dateWords: [Int] = []
    var box: TextPage.Box
    /// The middles of the lines of the number, from top to bottom; mostly one.
    var lines: [Double]

    var middle: Double { lines.first ?? 0 }
    /// The middles of the first and the last line of the number.
    var extent: ClosedRange<Double> { middle...max(middle, lines.last ?? 0) }
    var isWrapped: Bool { lines.count > 1 }
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
    /// The lines of each anchor where they are known; nil where their places are to tell.
    var cells: [Range<Int>]?
    /// Whether another column could be that of the status as well.
    var isColumnOpen = false
    /// Whether another column could be that of the date as well.
    var isDateColumnOpen = false

    /// Returns how many cells have an unequal number of opening and closing brackets: their lines belong to other cells.
    func tornCells(_ cells: [Range<Int>]) -> Int {
      cells.count { cell in
        var open = 0
        for scalar in lines[cell].lazy.flatMap(\.text.unicodeScalars) {
          if scalar == "(" { open += 1 } else if scalar == ")" { open -= 1 }
        }
        return open != 0
      }
    }

    /// What tells which lines belong to which number.
    var columnLines: ColumnLines {
      ColumnLines(
        anchors: anchors.map(\.extent),
        lines: lines.map { ColumnLines.Line(middle: $0.middle, size: $0.size) })
    }
  }

  var number: Int
  /// Whether part of the page could not be read.
  var isDamaged = false
  var lists: [List]
  /// Lines of text that hold no number, from top to bottom.
  var headings: [StatusLine] = []
  var frame: ReadingFrame
}

/// What a column of a status list holds.
public enum StatusColumn: String, Sendable, CaseIterable {
  case number, status, date
  /// Something that is not wanted.
  case other = "-"
}

extension [Double] {
  /// Whether a number stands on a line, among the middles of rows, which are sorted.
  ///
  /// - Parameter size: of the letters of the line.
  func hasRow(at middle: Double, _ size: Double) -> Bool {
    let reach = Measures.besideRow * size
    let place = partitioningIndex { $0 >= middle - reach }
    return place < count && self[place] <= middle + reach
  }
}
