import PDFText

/// A line of a table, its words sorted into columns.
struct CellLine {
  /// The words of each column; empty where the line leaves it free.
  private(set) var cells: [[PlacedWord]]
  /// Whether the words of each column are a figure; true for none.
  let isFigure: [Bool]
  var middle: Double
  var size: Double
  var isBold: Bool
  /// A single piece that runs over several columns, as titles and categories do.
  var runsAcross = false
  var leaderEnd: Double?
  /// For each column how sure the gap before its cell is one between columns, up to 1; 1 if nothing is before it.
  var gapWorth: [Double]
  /// The worth of gaps within its cells, which are as wide as those between columns.
  var unexplained = 0.0

  /// A line whose words were sorted already.
  init(cells: [[PlacedWord]], _ words: [PlacedWord]) {
    self.cells = cells
    isFigure = cells.map(ColumnKinds.isFigure)
    gapWorth = [Double](repeating: 1, count: cells.count)
    middle = PlacedWord.middle(words)
    size = words.reduce(1) { max($0, $1.size) }
    isBold = words.allSatisfy(\.isBold)
  }

  init(_ line: TextLine, _ columns: [ClosedRange<Double>]) {
    var cells = [[PlacedWord]](repeating: [], count: columns.count)
    gapWorth = [Double](repeating: 1, count: columns.count)
    middle = line.middle
    size = line.size
    leaderEnd = line.leaderEnd
    isBold = line.isBold
    let spans = line.pieces.map { ColumnFinder.span($0, columns) }
    runsAcross = line.pieces.count <= 2 && spans.contains { $0.count > 1 }
    for (piece, span) in zip(line.pieces, spans) {
      if span.count == 1 || runsAcross {
        cells[span.lowerBound] += piece.words
      } else {
        // Columns closer than a wide blank: each word goes to its own.
        for word in piece.words {
          let place = columns.indices.min {
            Self.distance(word.box.middleX, columns[$0])
              < Self.distance(word.box.middleX, columns[$1])
          }
          cells[place ?? 0].append(word)
        }
      }
    }
    self.cells = cells
    isFigure = cells.map(ColumnKinds.isFigure)
  }

  private static func distance(_ x: Double, _ range: ClosedRange<Double>) -> Double {
    max(0, range.lowerBound - x, x - range.upperBound)
  }

  /// The columns that hold something.
  var filled: [Int] { cells.indices.filter { !cells[$0].isEmpty } }
  var words: [PlacedWord] { cells.flatMap { $0 } }

  func text(_ column: Int) -> String { PlacedWord.text(cells[column]) }

  func start(_ column: Int) -> Double { cells[column].map(\.box.x0).min() ?? 0 }
  func end(_ column: Int) -> Double { cells[column].map(\.box.x1).max() ?? 0 }

  /// Whether its text in the first column goes on from the line above: it is near, alike, and its
  /// first word would not have fitted there.
  func goesOn(from above: CellLine, in column: ClosedRange<Double>) -> Bool {
    guard !above.cells[0].isEmpty, let first = cells[0].first, !above.runsAcross, !runsAcross,
      middle - above.middle < Measures.nextLine * max(size, above.size),
      above.cells[0].last?.isBold == first.isBold
    else { return false }
    return above.end(0) + Measures.blank * size + first.box.width > column.upperBound
      - Measures.overEdge
  }
}

/// What the texts of a column are like.
struct ColumnKinds {
  /// How sure each column is one of figures, dates, times and the like, whose cells are one line: 0 if hardly more than
  /// half of its cells are, 1 if all are.
  let figures: [Double]
  /// Columns most cells of which are figures.
  let isFigures: [Bool]

  /// - Parameter lines: those of the body; heads among them do little harm.
  init(_ lines: [CellLine], _ count: Int) {
    figures = (0..<count).map { column in
      var figures = 0
      var words = 0
      for line in lines where !line.cells[column].isEmpty && !line.runsAcross {
        line.isFigure[column] ? (figures += 1) : (words += 1)
      }
      return figures * 10 >= 6 * (figures + words)
        ? max(0, 2 * Double(figures) / Double(max(1, figures + words)) - 1) : 0
    }
    isFigures = figures.map { $0 > 0 }
  }

  /// A number, an amount, a date, a time, a code, or the dash of an empty cell.
  static func isFigure(_ words: [PlacedWord]) -> Bool {
    guard words.count <= 4, words.reduce(0, { $0 + $1.text.utf8.count }) <= 40 else { return false }
    var digits = 0
    var letters = 0
    for scalar in words.lazy.flatMap(\.text.unicodeScalars) {
      switch scalar {
      case "\u{FFFD}": return false
      case "0"..."9": digits += 1
      case "a"..."z", "A"..."Z": letters += 1
      case _ where scalar.isASCII: break
      default:
        if scalar.properties.numericType != nil {
          digits += 1
        } else if scalar.properties.isAlphabetic {
          letters += 1
        }
      }
    }
    if letters == 0 { return true }
    return digits > 0 && (digits >= letters || letters <= 3)
  }
}
