import PDFText

/// Lines of a table whose cells stand closer than pieces do, such as a row with a long figure, or names above the rows.
enum CloseLines {
  /// Lines further from the row beside them, in sizes of their letters, are none of its table.
  private static let near = 3.5

  /// The lines with such ones cut where the row above or below them has its cells.
  static func parted(_ lines: [TextLine]) -> [TextLine] {
    guard lines.count > 1, lines.count <= 2000 else { return lines }
    var result = lines
    for index in lines.indices {
      let line = lines[index]
      let beside = [index - 1, index + 1].filter(lines.indices.contains).filter {
        (lines[$0].middle - line.middle).magnitude < near * max(line.size, lines[$0].size)
          && lines[$0].pieces.count > line.pieces.count && lines[$0].pieces.count > 1
      }
      for other in beside {
        let row = lines[other]
        guard let pieces = pieces(line, like: row) else { continue }
        // A row is like the one beside it; names stand above rows of figures.
        let isRow = zip(pieces, row.pieces).allSatisfy {
          ColumnKinds.isFigure($0.words) == ColumnKinds.isFigure($1.words)
        }
        let isHead =
          other > index && pieces.allSatisfy { !ColumnKinds.isFigure($0.words) }
          && row.pieces.dropFirst().allSatisfy { ColumnKinds.isFigure($0.words) }
          && lines.dropFirst(index + 2).prefix(3).contains { $0.pieces.count == row.pieces.count }
        if isRow && row.pieces.contains(where: { ColumnKinds.isFigure($0.words) }) || isHead {
          result[index].pieces = pieces
          break
        }
      }
    }
    return result
  }

  /// The pieces of a line as its words stand above or below those of a row; nil where one of these has none, or a word
  /// stands above several or none of them.
  private static func pieces(_ line: TextLine, like row: TextLine) -> [TextLine.Piece]? {
    let words = line.words
    guard words.count <= 3 * row.pieces.count else { return nil }
    var parts = [[PlacedWord]](repeating: [], count: row.pieces.count)
    for word in words {
      let own = TextLine.Piece([word])
      let touched = row.pieces.indices.filter {
        own.overlap(row.pieces[$0].start...row.pieces[$0].end) > 0
      }
      guard touched.count == 1 else { return nil }
      parts[touched[0]].append(word)
    }
    guard parts.allSatisfy({ !$0.isEmpty }) else { return nil }
    return parts.map { TextLine.Piece($0) }
  }
}
