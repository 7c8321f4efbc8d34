import PDFText

/// Parts columns that are closer than a wide blank, as spreadsheets print them: figures that end at one place in most rows,
/// and what begins or ends at another one behind them, with a name of its own.
enum CloseColumns {
  /// A blank between two words of a piece, behind a figure.
  private struct Blank {
    /// Where the word before it ends, and where the one behind it begins and ends.
    var end: Double
    var start: Double
    var nextEnd: Double
  }

  /// At least so many rows show it.
  private static let leastRows = 4

  /// The columns with the edges moved to where figures end: names that are written from the left reach beyond these, up to
  /// the name of the next column, which has no other.
  static func named(
    _ columns: [ClosedRange<Double>], _ lines: [TextLine]
  ) -> [ClosedRange<Double>] {
    let cells = lines.map { CellLine($0, columns) }, kinds = ColumnKinds(cells, columns.count)
    var result = columns
    for column in columns.indices.dropLast()
    where kinds.isFigures[column] && kinds.isFigures[column + 1] {
      let figures = cells.filter { $0.isFigure[column] && !$0.cells[column].isEmpty }
      guard let end = figures.map({ $0.end(column) }).max(), end > result[column].lowerBound else {
        continue
      }
      let names = cells.prefix(3).first { line in
        line.cells[column + 1].isEmpty && line.cells[column].count > 1
          && line.cells[column].dropFirst().contains { $0.box.x0 >= end }
      }
      guard let name = names?.cells[column].first(where: { $0.box.x0 >= end }) else { continue }
      result[column] = result[column].lowerBound...end
      let start = min(name.box.x0, result[column + 1].lowerBound)
      result[column + 1] = start...result[column + 1].upperBound
    }
    return result
  }

  /// The gutters at such places, in lines cut at the gutters that are known.
  static func gutters(
    _ lines: [TextLine], _ columns: [ClosedRange<Double>]
  ) -> [GapProfile.Gutter] {
    let rows = lines.filter { $0.pieces.count >= 2 }
    guard rows.count >= leastRows, rows.count <= 2000 else { return [] }
    return columns.compactMap { column in
      let pieces = rows.compactMap { line in line.pieces.first { $0.overlap(column) > 0 } }
      let parted = pieces.map(blanks).filter { !$0.isEmpty }
      guard parted.count >= leastRows, parted.count * 10 >= pieces.count * 6,
        let place = place(parted), hasName(at: place, rows)
      else { return nil }
      return GapProfile.Gutter(place.end...max(place.end, place.start))
    }
  }

  private static func blanks(_ piece: TextLine.Piece) -> [Blank] {
    zip(piece.words, piece.words.dropFirst()).compactMap { word, next in
      ColumnKinds.isFigure([word]) && word.text.utf8.contains { (0x30...0x39).contains($0) }
        ? Blank(end: word.box.x1, start: next.box.x0, nextEnd: next.box.x1) : nil
    }
  }

  /// The blank that nearly all rows have.
  private static func place(_ rows: [[Blank]]) -> Blank? {
    rows[0...min(3, rows.count - 1)].joined().first { blank in
      func share(_ isAlike: (Blank) -> Bool) -> Bool {
        rows.count { $0.contains(where: isAlike) } * 10 >= rows.count * 8
      }
      let near = Measures.atEdge
      return share {
        ($0.end - blank.end).magnitude < near && ($0.start - blank.start).magnitude < near
      }
        || share {
          ($0.end - blank.end).magnitude < near && ($0.nextEnd - blank.nextEnd).magnitude < near
        }
    }
  }

  /// Whether one of the first lines has a text that begins where the right part begins, apart from what names the left.
  private static func hasName(at blank: Blank, _ rows: [TextLine]) -> Bool {
    rows.prefix(3).contains { line in
      line.pieces.contains { piece in
        !ColumnKinds.isFigure(piece.words)
          && (piece.start - blank.start).magnitude < Measures.atEdge + 1
      }
    }
  }
}
