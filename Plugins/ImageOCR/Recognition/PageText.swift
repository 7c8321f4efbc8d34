internal import Bytes
internal import Glibc
internal import PDFSyntax
internal import PDFWriter

/// Turns what was read on a page into a text layer and into plain text.
enum PageText {
  /// The layer for a page.
  ///
  /// - Parameter toPage: leads from the recognized picture (pixels from its top left) to the page
  ///   (points from its bottom left).
  static func layer(_ page: RecognizedPage, toPage: Matrix) -> TextLayer {
    let heights = TableRows.apart(page.lines, heights: evened(page.lines.map(height)))
    let rules = page.rules.map { rule in
      let across = rule.width > rule.height
      let (x, y) = ((rule.left + rule.right) / 2, (rule.top + rule.bottom) / 2)
      return TextLayer.Rule(
        from: toPage.apply(across ? rule.left : x, across ? y : rule.top),
        to: toPage.apply(across ? rule.right : x, across ? y : rule.bottom))
    }
    return TextLayer(
      rules: rules,
      lines: zip(page.lines, heights).flatMap { line, height in
        levelPieces(line, height: height).compactMap {
          self.line($0, height: height, toPage: toPage)
        }
      })
  }

  /// The line cut where its baseline has left the level of the words before.
  ///
  /// Level words at heights of their own lie on a slanted line better than slanted ones would:
  /// readers break words whose letters are at different heights.
  private static func levelPieces(
    _ line: RecognizedPage.Line, height: Double
  ) -> [RecognizedPage.Line] {
    guard !line.isLevel else { return [line] }
    var pieces: [RecognizedPage.Line] = []
    var level = 0.0
    for word in line.words {
      let place = line.baselineY(at: (word.box.left + word.box.right) / 2)
      if let last = pieces.indices.last, (place - level).magnitude <= height * levelWithin {
        pieces[last].words.append(word)
        pieces[last].box.right = word.box.right
      } else {
        var piece = line
        piece.words = [word]
        (piece.box.left, piece.box.right) = (word.box.left, word.box.right)
        pieces.append(piece)
        level = place
      }
    }
    return pieces
  }

  /// Words whose baselines differ by less than this part of the line's height share one.
  private static let levelWithin = 0.03

  private static func line(
    _ line: RecognizedPage.Line, height: Double, toPage: Matrix
  ) -> TextLayer.Line? {
    guard let first = line.words.first else { return nil }
    let middle = (line.box.left + line.box.right) / 2
    let y = line.baselineY(at: middle)
    // Along the line, and where words begin and end along it.
    let step: Double = line.isUpsideDown ? -1 : 1
    func ends(_ word: RecognizedPage.Word) -> (start: Double, end: Double) {
      line.isUpsideDown ? (-word.box.right, -word.box.left) : (word.box.left, word.box.right)
    }
    let start = ends(first).start
    let origin = toPage.apply(step * start, y)
    let right = toPage.apply(step * start + step, y)
    let up = toPage.apply(step * start, y - step)
    let along = hypot(right.x - origin.x, right.y - origin.y)
    let across = hypot(up.x - origin.x, up.y - origin.y)
    guard along > 0, across > 0, along.isFinite, across.isFinite else { return nil }
    let placement = Matrix(
      (right.x - origin.x) / along, (right.y - origin.y) / along,
      (up.x - origin.x) / across, (up.y - origin.y) / across, origin.x, origin.y)
    let words = line.words.map { word in
      TextLayer.Word(
        text: word.text, start: (ends(word).start - start) * along,
        end: (ends(word).end - start) * along)
    }
    return TextLayer.Line(words: words, height: height * across, placement: placement)
  }

  /// From ascenders to descenders in pixels: the row's own estimate where it agrees with the ink.
  static func height(of line: RecognizedPage.Line) -> Double {
    let ink = max(1, line.box.height)
    let row = line.rowHeight
    return (0.7 * ink...1.8 * ink).contains(row) ? row : ink
  }

  /// The height of most of the text in pixels; nil without text.
  static func commonHeight(of page: RecognizedPage) -> Double? {
    let heights = evened(page.lines.map(height))
    var letters: [Double: Int] = [:]
    for (line, height) in zip(page.lines, heights) {
      letters[height, default: 0] += line.words.reduce(0) { $0 + $1.text.utf8.count }
    }
    return letters.max { ($0.value, $0.key) < ($1.value, $1.key) }?.key
  }

  /// Heights that differ by less than this factor are of one font.
  private static let sameFont = 1.2

  /// The heights with those that are nearly the same made the same, the most common first.
  ///
  /// Estimates of rows in one font differ by some per cent, and readers take text of different
  /// sizes for different blocks, which tears columns and tables apart.
  static func evened(_ heights: [Double]) -> [Double] {
    var result = heights
    var rest = heights.indices.sorted { heights[$0] < heights[$1] }
    while !rest.isEmpty {
      var best = 0..<1
      var end = 0
      for start in rest.indices {
        while end < rest.count, heights[rest[end]] <= heights[rest[start]] * sameFont { end += 1 }
        if end - start > best.count { best = start..<end }
      }
      let common = heights[rest[(best.lowerBound + best.upperBound) / 2]]
      for place in best { result[rest[place]] = common }
      rest.removeSubrange(best)
    }
    return result
  }

  /// The text of a page: a line each, an empty line between paragraphs.
  static func append(_ page: RecognizedPage, to text: inout ByteWriter) {
    for (index, line) in page.lines.enumerated() {
      if index > 0, line.startsParagraph { text.append(0x0A) }
      for (place, word) in line.words.enumerated() {
        if place > 0 { text.append(0x20) }
        text.append(word.text)
      }
      text.append(0x0A)
    }
  }
}
