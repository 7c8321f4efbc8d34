/// Lines that are drawn between the columns of a table and were read as strokes: `|`, `[`, `I`.
enum DrawnBars {
  /// What such a line is read as, where it stands alone.
  private static let strokes: Set<Character> = ["|", "¦", "[", "]", "I", "l", "!", "1", "/", "\\"]
  /// The same where it stands beside a word: no letters, which may be some.
  private static let besideWord: Set<Character> = ["|", "¦", "[", "]", "{", "}", "(", ")", "!"]
  /// A line goes on above or below the row by this many row heights; letters below one another leave paper between them.
  private static let beyond = 0.7
  /// How much of a row a stroke beside a word takes in width, in row heights.
  private static let edge = 0.15
  /// The share of pixel rows that have ink: scans leave gaps.
  private static let inked = 0.95

  /// Takes such strokes out of what was read.
  ///
  /// - Parameter picture: the picture it was read in, in grey or bilevel.
  static func remove(from page: inout RecognizedPage, in picture: borrowing Pixels) {
    let candidates = page.lines.indices.filter { line in
      page.lines[line].words.contains {
        isStroke($0.text) || begins($0.text) || ends($0.text) || $0.text.contains("|")
      }
    }
    guard !candidates.isEmpty, let ink = picture.ink() else { return }
    for index in candidates {
      let row = page.lines[index].box
      page.lines[index].words = page.lines[index].words.flatMap { word in
        if isStroke(word.text) {
          return isLine(word.box.left, word.box.right, beside: row, in: ink) ? [] : [word]
        }
        var word = word
        let edge = edge * row.height
        if begins(word.text), isLine(word.box.left, word.box.left + edge, beside: row, in: ink) {
          word.text.removeFirst()
          word.box.left += edge
        }
        if ends(word.text), isLine(word.box.right - edge, word.box.right, beside: row, in: ink) {
          word.text.removeLast()
          word.box.right -= edge
        }
        return parts(of: word, row, in: ink)
      }
    }
    page.lines.removeAll { $0.words.isEmpty }
  }

  private static func isStroke(_ text: String) -> Bool {
    text.allSatisfy { strokes.contains($0) } && text.count <= 2
  }

  private static func begins(_ text: String) -> Bool {
    text.count > 1 && text.first.map(besideWord.contains) == true
  }

  private static func ends(_ text: String) -> Bool {
    text.count > 2 && text.last.map(besideWord.contains) == true
  }

  /// The words of two cells that were read as one with the line between them.
  private static func parts(
    of word: RecognizedPage.Word, _ row: PixelBox, in ink: borrowing Pixels
  ) -> [RecognizedPage.Word] {
    guard let bar = word.text.firstIndex(of: "|"), bar > word.text.startIndex,
      word.text.index(after: bar) < word.text.endIndex
    else { return [word] }
    let step = max(1, edge * row.height)
    let places = stride(from: word.box.left + step, to: word.box.right - step, by: step)
    guard let place = places.first(where: { isLine($0, $0 + step, beside: row, in: ink) }) else {
      return [word]
    }
    var (before, behind) = (word, word)
    before.text = String(word.text[..<bar])
    before.box.right = place
    behind.text = String(word.text[word.text.index(after: bar)...])
    behind.box.left = place + step
    return [before, behind]
  }

  /// Whether ink runs down between two places, from above a row to below it.
  private static func isLine(
    _ left: Double, _ right: Double, beside row: PixelBox, in ink: borrowing Pixels
  ) -> Bool {
    let reach = beyond * row.height
    let strip = PixelBox(
      left: max(0, left - 1), top: max(0, row.top - reach), right: right + 1,
      bottom: row.bottom + reach)
    guard let part = ink.clipped(strip), part.height > 0 else { return false }
    let bytes = part.samples(), width = (part.width + 7) / 8
    let rows = (0..<part.height).count { row in
      bytes[min(bytes.count, row * width)..<min(bytes.count, (row + 1) * width)].contains {
        $0 != 0
      }
    }
    // The first row of a table has no line above it, the last none below.
    return Double(rows) >= inked * (row.height + reach)
  }
}
