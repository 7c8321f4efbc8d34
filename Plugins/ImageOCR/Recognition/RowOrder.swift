extension RecognizedPage {
  /// So many rows of so many cells are a table.
  private static let leastRows = 5
  private static let leastCells = 3
  /// Cells have few words; columns of running text have more.
  private static let mostWords = 2.5
  /// The share of cells that are figures: an index in columns has hardly any.
  private static let leastFigures = 0.2
  /// How far from one another the middles of a row's cells are at most, and how wide the gaps between them are at least,
  /// in heights of a line.
  private static let besideRow = 0.35
  private static let gap = 1.0

  /// Makes one line of the cells of each row where the layout analysis took the columns of a table for those of a text, and
  /// gave one after the other.
  mutating func joinRows() {
    let level = lines.indices.filter { lines[$0].isLevel }
      .sorted { lines[$0].middle < lines[$1].middle }
    var rows: [[Int]] = []
    for index in level {
      let line = lines[index]
      if let first = rows.last?.first,
        line.middle - lines[first].middle < Self.besideRow * lines[first].height
      {
        rows[rows.count - 1].append(index)
      } else {
        rows.append([index])
      }
    }
    rows = rows.map { row in row.sorted { lines[$0].box.left < lines[$1].box.left } }
      .filter(areCells)
    let whole = rows.filter { $0.count >= Self.leastCells }
    guard whole.count >= Self.leastRows, let first = whole.first, let last = whole.last else {
      return
    }
    // A row without its last cells belongs to the table that it stands in.
    rows = rows.filter {
      lines[$0[0]].middle >= lines[first[0]].middle && lines[$0[0]].middle <= lines[last[0]].middle
    }
    let cells = rows.flatMap(\.self)
    let words = cells.reduce(0) { $0 + lines[$1].words.count }
    let figures = cells.count { lines[$0].isMostlyDigits }
    guard Double(words) <= Self.mostWords * Double(cells.count),
      Double(figures) >= Self.leastFigures * Double(cells.count), let place = cells.min()
    else { return }
    let joined = rows.map { row in
      var line = lines[row[0]]
      for cell in row.dropFirst() { line.add(lines[cell]) }
      line.startsParagraph = row == rows[0]
      return line
    }
    let taken = Set(cells)
    let rest = lines.indices.filter { !taken.contains($0) }
    let before = rest.filter { $0 < place }.map { lines[$0] }
    lines = before + joined + rest.filter { $0 >= place }.map { lines[$0] }
  }

  /// Whether lines stand side by side with wide gaps between them.
  private func areCells(_ row: [Int]) -> Bool {
    row.count > 1
      && zip(row, row.dropFirst()).allSatisfy {
        lines[$1].box.left - lines[$0].box.right > Self.gap * lines[$0].height
      }
  }
}

extension RecognizedPage.Line {
  fileprivate var middle: Double { (box.top + box.bottom) / 2 }

  /// Whether at least half of its letters are digits.
  var isMostlyDigits: Bool {
    var (digits, letters) = (0, 0)
    for character in words.lazy.flatMap(\.text) {
      if character.isNumber { digits += 1 } else if character.isLetter { letters += 1 }
    }
    return digits > 0 && digits >= letters
  }
}
