internal import PDFText

/// The words of a page: which of them a mark marks, and where words that are asked for stand.
struct PageWords {
  let page: TextPage
  /// By the index of a word that the end of a line divides, the bytes of hyphen behind it.
  let divided: [Int: Int]
  /// The line of each word.
  private let lines: [Int]

  init(_ page: TextPage) {
    self.page = page
    divided = page.dividedWords()
    var lines = [Int](repeating: 0, count: page.words.count)
    for (number, line) in page.lines.enumerated() {
      for word in line.words where lines.indices.contains(word) { lines[word] = number }
    }
    self.lines = lines
  }

  var words: [TextPage.Word] { page.words }

  func line(of word: Int) -> Int { lines.indices.contains(word) ? lines[word] : 0 }

  // MARK: Marks

  /// The words of which most lies within quads on the page as shown, in reading order; nil where the
  /// budget does not reach.
  func marked(by quads: [Quad], _ budget: inout ReadingBudget) -> [Int]? {
    var shares: [Int: Double] = [:]
    var seen: [Quad] = []
    for quad in quads.prefix(2000) where !seen.suffix(64).contains(quad) {
      seen.append(quad)
      guard let bounds = TextPage.Box(around: quad.outline) else { continue }
      let isUpright = Self.isUpright(quad)
      guard budget.has(comparisons: page.lines.count) else { return nil }
      for line in page.lines where Self.meet(line.box, bounds) {
        guard budget.has(comparisons: line.words.count) else { return nil }
        for index in line.words where words.indices.contains(index) {
          let box = words[index].box
          guard Self.meet(box, bounds) else { continue }
          let isVertical = words[index].angle % 180 == 90
          shares[index, default: 0] +=
            isUpright
            ? Self.share(of: box, in: bounds, isVertical: isVertical)
            : Self.share(of: box, in: quad)
        }
      }
    }
    return shares.filter { $0.value > 0.5 }.keys.sorted()
  }

  private static func meet(_ box: TextPage.Box, _ bounds: TextPage.Box) -> Bool {
    box.x0 < bounds.x1 && box.x1 > bounds.x0 && box.y0 < bounds.y1 && box.y1 > bounds.y0
  }

  /// The share of a word along its line that a box covers, where it covers its line at all: marks are
  /// lower or taller than the letters, as their makers like.
  private static func share(
    of word: TextPage.Box, in box: TextPage.Box, isVertical: Bool
  ) -> Double {
    let x = max(0, min(word.x1, box.x1) - max(word.x0, box.x0))
    let y = max(0, min(word.y1, box.y1) - max(word.y0, box.y0))
    let (along, across) = isVertical ? (y, x) : (x, y)
    let length = isVertical ? word.height : word.width
    let heights = isVertical ? (word.width, box.width) : (word.height, box.height)
    guard length > 0, across >= 0.5 * min(heights.0, heights.1) else { return 0 }
    return along / length
  }

  /// The share of the places in a word's box that lie in a quad that is not upright.
  private static func share(of word: TextPage.Box, in quad: Quad) -> Double {
    var inside = 0
    for row in 0..<5 {
      for column in 0..<9 {
        let point = NotePoint(
          word.x0 + word.width * (Double(column) + 0.5) / 9,
          word.y0 + word.height * (Double(row) + 0.5) / 5)
        if contains(quad.outline, point) { inside += 1 }
      }
    }
    return Double(inside) / 45
  }

  private static func contains(_ outline: [NotePoint], _ point: NotePoint) -> Bool {
    var sides = (0, 0)
    for (index, corner) in outline.enumerated() {
      let next = outline[(index + 1) % outline.count]
      let turn =
        (next.x - corner.x) * (point.y - corner.y) - (next.y - corner.y) * (point.x - corner.x)
      if turn > 0 { sides.0 += 1 } else if turn < 0 { sides.1 += 1 }
    }
    return sides.0 == 0 || sides.1 == 0
  }

  private static func isUpright(_ quad: Quad) -> Bool {
    let top = quad.topRight - quad.topLeft
    return min(top.x.magnitude, top.y.magnitude) < 0.02 * max(top.x.magnitude, top.y.magnitude)
  }

  /// How many bytes the text of words takes at most.
  func size(of marked: [Int]) -> Int { marked.reduce(0) { $0 + words[$1].range.count + 1 } }

  /// Words as people write them down: in one line, words that the end of a line divides joined.
  func text(of marked: [Int]) -> String {
    var text: [UInt8] = []
    for (place, index) in marked.enumerated() {
      var bytes = page.utf8[words[index].range.clamped(to: 0..<page.utf8.count)]
      var isOpen = false
      if let hyphen = divided[index], place + 1 < marked.count, marked[place + 1] == index + 1 {
        bytes = bytes.dropLast(hyphen)
        isOpen = true
      }
      text += bytes
      if !isOpen, place + 1 < marked.count { text.append(0x20) }
    }
    return NoteText.line(String(decoding: text, as: UTF8.self))
  }

  /// The word that stands nearest to a note; nil where the budget does not reach.
  func nearest(_ box: TextPage.Box, _ budget: inout ReadingBudget) -> Int? {
    guard budget.has(comparisons: words.count) else { return nil }
    var best: (index: Int, distance: Double)?
    for (index, word) in words.enumerated() {
      // A word that begins within the note's height and to its side is nearer than any above it.
      let x = max(0, max(word.box.x0 - box.x1, box.x0 - word.box.x1))
      let y = max(0, max(word.box.y0 - box.y1, box.y0 - word.box.y1))
      let distance = x + 3 * y
      if distance < best?.distance ?? .infinity { best = (index, distance) }
    }
    return best?.index
  }
}
