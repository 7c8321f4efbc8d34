import PDFText

/// A word of a page with its text, in a frame in which text reads from left to right.
struct PlacedWord {
  var text: String
  var box: TextPage.Box
  var size: Double
  /// Its place in the reading order of the page.
  var order = 0
  var isBold = false
  /// Whether left and right are exchanged, so that its place among others does not tell what is read first.
  var isMirrored = false

  /// The words of a page, turned where most of its text runs along its side.
  ///
  /// - Parameter turn: quarters by which the words wanted are turned against that text.
  static func words(_ page: TextPage, _ frame: ReadingFrame, turn: Int = 0) -> [PlacedWord] {
    let angle = (frame.turn + turn) % 4 * 90
    var result: [PlacedWord] = []
    result.reserveCapacity(turn == 0 ? page.words.count : 0)
    for (order, word) in page.words.enumerated() where word.angle == angle {
      result.append(
        PlacedWord(
          text: page.text(word), box: frame.turned(word.box), size: word.size,
          order: order,
          isBold: page.fonts.indices.contains(word.font) && page.fonts[word.font].isBold,
          isMirrored: frame.isMirrored))
    }
    return result
  }

  /// Words of a cell that run up or down its side, laid on one line in its middle from left to right.
  static func laidDown(_ words: [PlacedWord]) -> [PlacedWord] {
    guard let box = box(words) else { return [] }
    let step = box.width / Double(words.count)
    return words.sorted { $0.order < $1.order }.enumerated().map { place, word in
      var word = word
      word.box = TextPage.Box(
        x0: box.x0 + Double(place) * step, y0: box.middleY - word.size / 2,
        x1: box.x0 + Double(place + 1) * step, y1: box.middleY + word.size / 2)
      return word
    }
  }

  /// The smallest box around words; nil where there are none.
  static func box(_ words: some Collection<PlacedWord>) -> TextPage.Box? {
    words.first.map { first in words.dropFirst().reduce(first.box) { $0.union($1.box) } }
  }

  /// The mean of the middles of words of a line; 0 where there are none.
  static func middle(_ words: some Collection<PlacedWord>) -> Double {
    words.reduce(0) { $0 + $1.box.middleY } / Double(max(1, words.count))
  }

  /// Cuts words into lines from top to bottom, each from left to right.
  static func lines(_ words: [PlacedWord]) -> [[PlacedWord]] {
    // Places are sorted, not words, which are large; most pages draw theirs in order.
    var places: [(middle: Double, index: Int)] = []
    places.reserveCapacity(words.count)
    for (index, word) in words.enumerated() { places.append((word.box.middleY, index)) }
    if !zip(places, places.dropFirst()).allSatisfy({ $0.middle <= $1.middle }) {
      places.sort { $0.middle < $1.middle }
    }
    var result: [[PlacedWord]] = []
    var line: [PlacedWord] = []
    var top = -Double.infinity
    func close() {
      guard !line.isEmpty else { return }
      if !zip(line, line.dropFirst()).allSatisfy({ $0.box.x0 <= $1.box.x0 }) {
        line.sort { $0.box.x0 < $1.box.x0 }
      }
      result.append(line)
      line = []
    }
    for place in places {
      let word = words[place.index]
      if place.middle - top >= Measures.oneLine * word.size {
        close()
        top = place.middle
      }
      line.append(word)
    }
    close()
    return result
  }

  /// The text of words that stand side by side, in the order in which they are read.
  static func text(_ words: some Collection<PlacedWord>) -> String {
    guard words.count > 1 else { return words.first?.text ?? "" }
    // Lines that read from right to left, whole or in part, are in their logical order already.
    if words.contains(where: { $0.isMirrored || hasRightToLeft($0.text) }) {
      return words.sorted { $0.order < $1.order }.map(\.text).joined(separator: " ")
    }
    var result = ""
    for word in words {
      if !result.isEmpty { result += " " }
      result += word.text
    }
    return result
  }

  /// Whether most words with letters on a page are right-to-left.
  static func isMostlyRightToLeft(_ page: TextPage) -> Bool {
    guard page.utf8.contains(where: { $0 >= 0xD6 }) else { return false }
    var balance = 0
    for text in page.words.lazy.map(page.text) {
      if hasRightToLeft(text) {
        balance += 1
      } else if text.unicodeScalars.contains(where: \.properties.isAlphabetic) {
        balance -= 1
      }
    }
    return balance > 0
  }

  private static func hasRightToLeft(_ text: String) -> Bool {
    // No letter of theirs begins with a smaller byte.
    text.utf8.contains { $0 >= 0xD6 } && text.unicodeScalars.contains(where: isRightToLeft)
  }

  /// Letters of the scripts that are written from right to left.
  static func isRightToLeft(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x590...0x8FF, 0xFB1D...0xFDFF, 0xFE70...0xFEFF, 0x1_0800...0x1_0FFF, 0x1_E800...0x1_EFFF:
      true
    default: false
    }
  }

  /// Joins the lines of a cell by blanks, without one behind a hyphen or between the letters of a
  /// script that has none.
  static func joined(_ lines: [String]) -> String {
    var result = ""
    for line in lines where !line.isEmpty {
      if !result.isEmpty, !isGlued(result, line) { result += " " }
      result += line
    }
    return result
  }

  private static func isGlued(_ above: String, _ below: String) -> Bool {
    // A line is broken without a blank behind a hyphen and between brackets.
    if above.utf8.last == 0x2D { return above.utf8.count > 1 && !above.hasSuffix(" -") }
    if above.utf8.last == 0x29, below.utf8.first == 0x28 { return true }
    guard let last = above.unicodeScalars.last, let first = below.unicodeScalars.first else {
      return false
    }
    return isWithoutBlanks(last) && isWithoutBlanks(first)
  }

  /// Chinese and Japanese letters and their punctuation.
  private static func isWithoutBlanks(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x3001...0x30FF, 0x3400...0x9FFF, 0xF900...0xFAFF, 0xFF00...0xFF60, 0x2_0000...0x3_FFFF:
      true
    default: false
    }
  }
}
