public import PDFText

/// One table of a page, found by the white gaps between its columns; rules are not looked at.
public struct TextTable: Sendable {
  /// The page, from 1.
  public var page: Int
  /// The cells of each row from left to right, empty ones included; all rows are equally long.
  public var rows: [[String]]
}

/// Finds tables on a page: neighbouring lines whose words leave the same gaps free.
///
/// A first version: one table a page, rows of one line with wrapped cells put back to the row above.
public enum TableReader {
  private struct Line {
    var words: [PlacedWord]
    var pieces: [ClosedRange<Double>]
    var middle: Double
    var size: Double
  }

  /// The table of a page, or nil where there is none of at least two rows and two columns.
  public static func table(_ page: TextPage) -> TextTable? {
    let lines = PlacedWord.lines(PlacedWord.words(page)).compactMap { line($0) }
    // Rows are lines of three pieces or more, or of as many as most rows have where all have two.
    let candidates = lines.filter { $0.pieces.count >= 3 }
    let rows = candidates.count >= 2 ? candidates : lines.filter { $0.pieces.count == 2 }
    guard rows.count >= 2 else { return nil }
    let columns = columns(rows)
    guard columns.count >= 2 else { return nil }
    var result: [(cells: [String], middle: Double)] = []
    let first = rows.map(\.middle).min() ?? 0
    let last = rows.map(\.middle).max() ?? 0
    for line in lines where line.middle >= first - 1 && line.middle <= last + 2 * line.size {
      guard let cells = cells(line, columns) else { continue }
      let filled = cells.indices.filter { !cells[$0].isEmpty }
      if filled.count == 1 {
        // A wrapped cell goes on; a category or a title of its own is no row.
        guard filled[0] > 0, let previous = result.last,
          line.middle - previous.middle < 1.5 * line.size
        else { continue }
        let place = filled[0]
        result[result.count - 1].cells[place] = StatusList.joined([
          previous.cells[place], cells[place],
        ])
        result[result.count - 1].middle = line.middle
      } else {
        result.append((cells, line.middle))
      }
    }
    guard result.count >= 2 else { return nil }
    return TextTable(page: page.number, rows: result.map(\.cells))
  }

  /// Cuts a line where its gaps are wider than a blank.
  private static func line(_ words: [PlacedWord]) -> Line? {
    guard let first = words.first else { return nil }
    var pieces: [ClosedRange<Double>] = []
    for word in words {
      if let last = pieces.last, word.box.x0 - last.upperBound < 0.62 * word.size {
        pieces[pieces.count - 1] = last.lowerBound...max(last.upperBound, word.box.x1)
      } else {
        pieces.append(word.box.x0...max(word.box.x0, word.box.x1))
      }
    }
    return Line(words: words, pieces: pieces, middle: first.box.middleY, size: first.size)
  }

  /// The extents of the columns: what the pieces of the rows cover, cut where hardly any row does.
  private static func columns(_ rows: [Line]) -> [ClosedRange<Double>] {
    var edges: [(x: Double, step: Int)] = []
    for row in rows {
      for piece in row.pieces {
        edges.append((piece.lowerBound, 1))
        edges.append((piece.upperBound, -1))
      }
    }
    edges.sort { $0.x != $1.x ? $0.x < $1.x : $0.step > $1.step }
    let few = rows.count >= 12 ? max(1, rows.count / 40) : 0
    var result: [ClosedRange<Double>] = []
    var depth = 0
    var start: Double?
    for edge in edges {
      depth += edge.step
      if depth > few, start == nil {
        start = edge.x
      } else if depth <= few, let from = start {
        if let last = result.last, from - last.upperBound < 1.5 {
          result[result.count - 1] = last.lowerBound...max(last.upperBound, edge.x)
        } else {
          result.append(from...max(from, edge.x))
        }
        start = nil
      }
    }
    return result
  }

  /// The texts of a line by column; nil for a line that runs across columns, as titles do.
  private static func cells(_ line: Line, _ columns: [ClosedRange<Double>]) -> [String]? {
    var cells = [String](repeating: "", count: columns.count)
    for word in line.words {
      let middle = word.box.middleX
      let place = columns.indices.min { left, right in
        distance(middle, columns[left]) < distance(middle, columns[right])
      }
      guard let place else { return nil }
      if !cells[place].isEmpty { cells[place] += " " }
      cells[place] += word.text
    }
    let crossing = line.pieces.filter { piece in
      columns.filter {
        $0.lowerBound < piece.upperBound - 1 && $0.upperBound > piece.lowerBound + 1
      }
      .count > 1
    }
    return line.pieces.count <= 2 && !crossing.isEmpty ? nil : cells
  }

  private static func distance(_ x: Double, _ range: ClosedRange<Double>) -> Double {
    max(0, range.lowerBound - x, x - range.upperBound)
  }
}
