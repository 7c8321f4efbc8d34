/// Ink outside all words that looks like lines of text: the layout analysis passes over single lines,
/// such as heads that stand alone.
enum MissedLines {
  /// More than this many candidates are no lines but a drawing or a photograph.
  private static let most = 12
  /// The same of figures that stand alone in a row: quantities in a table.
  private static let mostFigures = 80
  /// How high they are, in heights of the usual line.
  private static let figureHeights = 0.45...1.3
  /// How far their middles are from that of a line, in such heights.
  private static let besideLine = 0.35
  /// Lines are at least this many times as wide as the usual line is high.
  private static let leastWidth = 2.5
  /// The share of black in the box of a line, as far as it may go.
  private static let blackness = 0.06...0.55

  /// Where such lines are.
  ///
  /// - Parameters:
  ///   - lines: what was read.
  ///   - loose: the ink that is in none of its words.
  /// - Returns: boxes in pixels from the top left, of lines and of what may be figures alone at the height of a line that
  ///   was read; none where there are too many.
  static func find(
    beside lines: [RecognizedPage.Line], in loose: borrowing LooseInk
  ) -> (lines: [PixelBox], figures: [PixelBox]) {
    let height = loose.height
    // The letters and words of a line grow together; lines stay apart.
    guard let joined = loose.joined(1.2, 0) else { return ([], []) }
    var found: [PixelBox] = [], figures: [PixelBox] = []
    for box in joined.marks() ?? [] {
      let whole = LooseInk.inPicture(box)
      if box.width >= leastWidth * height {
        guard (0.35 * height...3 * height).contains(box.height), box.width > 1.5 * box.height,
          blackness.contains(loose.blackness(of: box))
        else { continue }
        found.append(whole)
      } else if figureHeights.contains(box.height / height), isBeside(whole, lines, 2 * height) {
        figures.append(whole)
      }
    }
    return (
      found.count <= most ? found : [], figures.count <= mostFigures ? figures : []
    )
  }

  /// Whether a mark stands at the height of words, two at least, and apart from them.
  private static func isBeside(
    _ box: PixelBox, _ lines: [RecognizedPage.Line], _ height: Double
  ) -> Bool {
    let middle = (box.top + box.bottom) / 2
    let row = lines.lazy.filter {
      $0.isLevel && (($0.box.top + $0.box.bottom) / 2 - middle).magnitude < besideLine * height
    }.flatMap(\.words)
    return row.count > 1
      && row.allSatisfy { max($0.box.left - box.right, box.left - $0.box.right) > 0.5 * height }
  }
}

extension RecognizedPage {
  /// Adds what was missed: to the line that it stands in, else as a line before the first one below.
  mutating func add(missed line: Line) {
    if let place = line.isLevel
      ? lines.firstIndex(where: { $0.isLevel && $0.continues(to: line.box) }) : nil
    {
      lines[place].add(line)
      return
    }
    var line = line
    line.startsParagraph = true
    let place = lines.firstIndex {
      $0.box.top >= line.box.bottom - 0.3 * line.box.height
        && $0.box.left < line.box.right && $0.box.right > line.box.left
    }
    if let place { lines[place].startsParagraph = true }
    lines.insert(line, at: place ?? lines.endIndex)
  }
}

extension RecognizedPage {
  /// Leaves out the words whose middles are in a box.
  mutating func remove(in box: PixelBox) {
    for index in lines.indices {
      lines[index].words.removeAll { box.contains(middleOf: $0.box) }
    }
    lines.removeAll { $0.words.isEmpty }
  }
}

extension RecognizedPage.Line {
  /// How far from the next word what belongs to a line is at most, in heights of it, and in rows with cells.
  private static let near = 3.0
  private static let nearInRows = 12.0

  /// Whether a box stands right before or behind the line, or in a gap of it, at its height.
  fileprivate func continues(to other: PixelBox) -> Bool {
    let shared = min(box.bottom, other.bottom) - max(box.top, other.top)
    let gap = words.map { max($0.box.left - other.right, other.left - $0.box.right) }.min() ?? 0
    return shared > 0.5 * min(box.height, other.height) && gap > -0.5 * box.height
      && gap < (cells.count > 1 ? Self.nearInRows : Self.near) * box.height
  }

  /// Puts the words of another line where they stand in this one.
  mutating func add(_ other: RecognizedPage.Line) {
    if other.box.left < box.left {
      baseline.from = PixelPoint(x: other.box.left, y: baselineY(at: other.box.left))
    }
    if other.box.right > box.right {
      baseline.to = PixelPoint(x: other.box.right, y: baselineY(at: other.box.right))
    }
    let place = words.firstIndex { $0.box.left > other.box.left } ?? words.endIndex
    words.insert(contentsOf: other.words, at: place)
    box = box.union(other.box)
  }
}
