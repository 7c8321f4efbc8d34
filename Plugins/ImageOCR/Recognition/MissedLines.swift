internal import CTesseract

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
  ///   - picture: the picture it was read in, in grey or bilevel.
  /// - Returns: boxes in pixels from the top left, of lines and of what may be figures alone at the height of a line that
  ///   was read; none where there are too many.
  static func find(
    beside lines: [RecognizedPage.Line], in picture: borrowing Pixels
  ) -> (lines: [PixelBox], figures: [PixelBox]) {
    let heights = lines.map { $0.rowHeight > 0 ? $0.rowHeight : $0.box.height }.sorted()
    guard !heights.isEmpty, heights[heights.count / 2] >= 12,
      let binary = picture.ink(),
      // Half the size keeps letters and quarters the work.
      let ink = unsafe Pixels(taking: pixReduceRankBinary2(binary.pix, 2, nil))
    else { return ([], []) }
    for line in lines {
      for word in line.words { clear(word.box, by: 0.25 * line.box.height, in: ink) }
    }
    let height = heights[heights.count / 2] / 2
    // The letters and words of a line grow together; lines stay apart.
    guard
      let joined = unsafe Pixels(
        taking: pixCloseBrick(nil, ink.pix, Int32(max(3, 1.2 * height)), 1))
    else { return ([], []) }
    var found: [PixelBox] = [], figures: [PixelBox] = []
    for box in joined.marks() ?? [] {
      let whole = PixelBox(
        left: 2 * box.left, top: 2 * box.top, right: 2 * box.right, bottom: 2 * box.bottom)
      if box.width >= leastWidth * height {
        guard (0.35 * height...3 * height).contains(box.height), box.width > 1.5 * box.height,
          blackness.contains(black(box, in: ink))
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

  /// Whether a mark stands at the height of a line, and apart from it.
  private static func isBeside(
    _ box: PixelBox, _ lines: [RecognizedPage.Line], _ height: Double
  ) -> Bool {
    let middle = (box.top + box.bottom) / 2
    return lines.contains { line in
      line.isLevel && line.words.count > 1
        && ((line.box.top + line.box.bottom) / 2 - middle).magnitude < besideLine * height
        && line.words.allSatisfy {
          max($0.box.left - box.right, box.left - $0.box.right) > 0.5 * height
        }
    }
  }

  /// Makes a box white, with a margin around it, in a picture of half the size.
  private static func clear(_ box: PixelBox, by margin: Double, in ink: borrowing Pixels) {
    var area = unsafe boxCreate(
      Int32(max(0, box.left - margin) / 2), Int32(max(0, box.top - margin) / 2),
      Int32((box.width + 2 * margin) / 2 + 1), Int32((box.height + 2 * margin) / 2 + 1))
    unsafe pixClearInRect(ink.pix, area)
    unsafe boxDestroy(&area)
  }

  /// The share of black pixels in a box, 0 to 1.
  private static func black(_ box: PixelBox, in ink: borrowing Pixels) -> Double {
    var area = unsafe boxCreate(
      Int32(box.left), Int32(box.top), Int32(box.width), Int32(box.height))
    defer { unsafe boxDestroy(&area) }
    var count: Int32 = 0
    guard unsafe pixCountPixelsInRect(ink.pix, area, &count, nil) == 0 else { return 0 }
    return Double(count) / max(1, box.width * box.height)
  }
}

extension RecognizedPage {
  /// Adds what was missed: to the line that it stands in, else as a line before the first one below.
  mutating func add(missed line: Line) {
    if let place = lines.firstIndex(where: { $0.isLevel && $0.continues(to: line.box) }) {
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

extension RecognizedPage.Line {
  /// Whether a box stands right before or behind the line, at its height.
  fileprivate func continues(to other: PixelBox) -> Bool {
    let shared = min(box.bottom, other.bottom) - max(box.top, other.top)
    let gap = max(box.left - other.right, other.left - box.right)
    return shared > 0.5 * min(box.height, other.height) && gap > -0.5 * box.height
      && gap < 3 * box.height
  }

  fileprivate mutating func add(_ other: RecognizedPage.Line) {
    if other.box.left < box.left {
      baseline.from = PixelPoint(x: other.box.left, y: baselineY(at: other.box.left))
      words = other.words + words
    } else {
      baseline.to = PixelPoint(x: other.box.right, y: baselineY(at: other.box.right))
      words += other.words
    }
    box = box.union(other.box)
  }
}
