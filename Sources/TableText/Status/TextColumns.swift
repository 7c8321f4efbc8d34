import PDFText

/// Parts the texts between numbers and dates where they are several columns: names, remarks and the
/// like beside the status.
enum TextColumns {
  /// The column of the status in a stretch of the page; nil where the stretch is one column.
  ///
  /// - Parameter rows: the middles of the rows, sorted.
  /// - Returns: its extent, and whether its head names it.
  static func status(
    _ lines: [[PlacedWord]], in whole: ClosedRange<Double>, rows: [Double], size: Double
  ) -> (range: ClosedRange<Double>, isNamed: Bool)? {
    guard rows.count >= 3, let top = rows.first, let bottom = rows.last,
      lines.count(where: { isParted($0, in: whole, size) }) * 5 >= rows.count
    else { return nil }
    let own = lines.compactMap { line -> TextLine? in
      guard let text = TextLine(line.filter { whole.contains($0.box.middleX) }),
        text.middle >= top - Measures.otherLine * size, text.middle < bottom + size
      else { return nil }
      return text
    }
    let columns = ColumnFinder.columns(own).filter { column in
      own.count { line in line.pieces.contains { $0.overlap(column) > 0 } } * 5 >= rows.count
    }
    guard columns.count >= 2 else { return nil }
    let names = ListHead(lines, above: top, size: size).names(of: columns)
    // Gaps between columns are wide unless each has a name; those inside a text are not.
    let areClose = zip(columns, columns.dropFirst()).contains {
      $1.lowerBound - $0.upperBound < Measures.textColumnGap * size
    }
    guard !areClose || !names.contains("") else { return nil }
    let named = columns.indices.filter { HeadWords.isStatus(names[$0]) }
    let words = columns.map { column in
      own.reduce(0) { sum, line in
        sum + line.pieces.reduce(0) { $0 + ($1.overlap(column) > 0 ? $1.words.count : 0) }
      }
    }
    let fullest = columns.indices.max { words[$0] < words[$1] } ?? 0
    let place = named.count == 1 ? named[0] : fullest
    let low = place > 0 ? columns[place - 1].upperBound : whole.lowerBound
    let high = place + 1 < columns.count ? columns[place + 1].lowerBound : whole.upperBound
    return (low...max(low, high), named.count == 1)
  }

  /// Whether the words of a line in a stretch have a wide gap. Most lists have none, and nothing else
  /// is looked at there.
  private static func isParted(
    _ line: [PlacedWord], in whole: ClosedRange<Double>, _ size: Double
  ) -> Bool {
    var end: Double?
    for word in line where whole.contains(word.box.middleX) {
      if let end, word.box.x0 - end > Measures.pieceGap * size { return true }
      end = word.box.x1
    }
    return false
  }
}
