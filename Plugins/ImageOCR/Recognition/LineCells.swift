/// The parts of a line between wide gaps, as the rows of tables and receipts have them.
extension RecognizedPage.Line {
  /// Words below this confidence may be misread.
  private static let unsureBelow = 65.0
  /// A gap wider than so many heights of the line separates cells, of which this much is left beside another one.
  private static let cellGap = 1.2
  private static let besideCell = 0.4
  /// A line whose box is higher than so many of its own heights has words of another one.
  private static let mostHeight = 1.5

  /// A part of a line between wide gaps.
  struct Cell {
    var words: Range<Int>
    /// With the gaps, in which letters may be that were not read.
    var box: PixelBox
  }

  /// Its words in groups with wide gaps between them.
  var cells: [Range<Int>] {
    var cells: [Range<Int>] = []
    var start = 0
    for index in words.indices.dropFirst()
    where words[index].box.left - words[index - 1].box.right > Self.cellGap * height {
      cells.append(start..<index)
      start = index
    }
    return words.isEmpty ? [] : cells + [start..<words.count]
  }

  /// The cells with words that may be misread, neighbors as one; none in lines whose boxes reach into others.
  var unsureCells: [Cell] {
    guard box.height <= Self.mostHeight * height else { return [] }
    var groups = self.cells
    groups.removeAll { words[$0].allSatisfy { $0.confidence >= Self.unsureBelow } }
    var cells: [Cell] = []
    for group in groups {
      if let last = cells.last, last.words.upperBound == group.lowerBound {
        cells[cells.count - 1].words = last.words.lowerBound..<group.upperBound
      } else {
        cells.append(Cell(words: group, box: box))
      }
    }
    for index in cells.indices {
      let (first, end) = (cells[index].words.lowerBound, cells[index].words.upperBound)
      if first > 0 { cells[index].box.left = words[first - 1].box.right + Self.besideCell * height }
      if end < words.count {
        cells[index].box.right = words[end].box.left - Self.besideCell * height
      }
    }
    // Words of a garbled line may lie over one another.
    return cells.filter { $0.box.width > 0 }
  }
}
