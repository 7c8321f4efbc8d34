internal import PDFText

/// Finds words on a page as a reader would: case, spacing, ends of lines and hyphens do not count.
struct WordSearch {
  private let words: PageWords
  private var letters: [Unicode.Scalar] = []
  /// The word of each letter; -1 for what stands between words.
  private var places: [Int] = []
  /// For each word the letters that are its own.
  private var ranges: [Range<Int>]
  /// How many letters that are no signs stand before each letter.
  private var lettersBefore: [Int] = [0]

  init(_ words: PageWords) {
    self.words = words
    ranges = [Range<Int>](repeating: 0..<0, count: words.words.count)
    for (index, word) in words.words.enumerated() {
      if index > 0, words.divided[index - 1] == nil { add(" ", -1) }
      let start = letters.count
      for scalar in Self.folded(words.page.text(word)) { add(scalar, index) }
      ranges[index] = start..<letters.count
    }
  }

  private mutating func add(_ scalar: Unicode.Scalar, _ word: Int) {
    if scalar == " ", letters.last == " " || letters.isEmpty { return }
    letters.append(scalar)
    places.append(word)
    let isSign = !scalar.properties.isAlphabetic && scalar.properties.numericType == nil
    lettersBefore.append(lettersBefore[letters.count - 1] + (isSign ? 0 : 1))
  }

  /// Where a text stands, in reading order: for each place the quads of its lines, on the page as shown;
  /// nil where the budget does not reach.
  func find(_ text: String, most: Int, _ budget: inout ReadingBudget) -> [[Quad]]? {
    var wanted: [Unicode.Scalar] = []
    for scalar in Self.folded(text) where scalar != " " || wanted.last != " " {
      wanted.append(scalar)
    }
    if wanted.first == " " { wanted.removeFirst() }
    if wanted.last == " " { wanted.removeLast() }
    guard let first = wanted.first, let last = wanted.last else { return [] }
    guard budget.has(comparisons: letters.count) else { return nil }
    var found: [[Quad]] = []
    var index = 0
    while index + wanted.count <= letters.count, found.count < most {
      let end = index + wanted.count
      var alike = 0
      while alike < wanted.count, letters[index + alike] == wanted[alike] { alike += 1 }
      // Most places differ in the first letter; a file may be made so that they differ in the last.
      guard alike == 0 || budget.has(comparisons: alike) else { return nil }
      guard alike == wanted.count,
        !(index > 0 && Self.holds(letters[index - 1], first)),
        !(end < letters.count && Self.holds(last, letters[end]))
      else {
        index += 1
        continue
      }
      found.append(quads(index..<end))
      index = end
    }
    return found
  }

  /// Small letters without hyphens, ends of lines and blanks as single blanks.
  private static func folded(_ text: String) -> [Unicode.Scalar] {
    var folded: [Unicode.Scalar] = []
    for scalar in text.unicodeScalars {
      switch scalar.value {
      case 0x2D, 0xAD, 0x2010, 0x2011, 0x200B...0x200F, 0x2060, 0xFEFF: continue
      case 0x2018, 0x2019, 0x201B: folded.append("'")
      case 0x201C...0x201F: folded.append("\"")
      default:
        if scalar.properties.isWhitespace {
          folded.append(" ")
        } else {
          folded += scalar.properties.lowercaseMapping.unicodeScalars
        }
      }
    }
    return folded
  }

  /// Whether two letters belong to one word, so that nothing is found that ends between them.
  private static func holds(_ first: Unicode.Scalar, _ second: Unicode.Scalar) -> Bool {
    func isLetter(_ scalar: Unicode.Scalar) -> Bool {
      switch scalar.value {
      // Scripts without blanks have words anywhere.
      case 0x0E00...0x0EFF, 0x1000...0x109F, 0x1780...0x17FF, 0x2E80...0x9FFF, 0xAC00...0xD7A3,
        0xF900...0xFAFF, 0x20000...0x3FFFF:
        false
      default: scalar.properties.isAlphabetic || scalar.properties.numericType != nil
      }
    }
    return isLetter(first) && isLetter(second)
  }

  private func quads(_ range: Range<Int>) -> [Quad] {
    var boxes: [(line: Int, angle: Int, box: TextPage.Box)] = []
    var index = range.lowerBound
    while index < range.upperBound {
      let word = places[index]
      var end = index
      while end < range.upperBound, places[end] == word { end += 1 }
      defer { index = end }
      guard word >= 0 else { continue }
      let box = box(of: word, letters: index..<end)
      let (line, angle) = (words.line(of: word), words.words[word].angle)
      if let last = boxes.last, last.line == line, last.angle == angle {
        boxes[boxes.count - 1].box = last.box.union(box)
      } else {
        boxes.append((line, angle, box))
      }
    }
    return boxes.map { Self.quad($0.box, angle: $0.angle) }
  }

  /// The box of a word, or of the share of it that the letters take: right for letters of one width.
  private func box(of word: Int, letters range: Range<Int>) -> TextPage.Box {
    let whole = words.words[word].box
    let own = ranges[word]
    // Signs beside the word are marked with it.
    let cuts =
      lettersBefore[own.upperBound] - lettersBefore[own.lowerBound]
      > lettersBefore[range.upperBound] - lettersBefore[range.lowerBound]
    guard cuts, words.words[word].angle == 0 else { return whole }
    let (first, end) = (own.lowerBound, own.upperBound)
    let each = whole.width / Double(end - first)
    return TextPage.Box(
      x0: whole.x0 + each * Double(range.lowerBound - first), y0: whole.y0,
      x1: whole.x0 + each * Double(range.upperBound - first), y1: whole.y1)
  }

  /// The quad of a box with words that run in a direction.
  private static func quad(_ box: TextPage.Box, angle: Int) -> Quad {
    let upright = Quad(shown: box)
    switch angle {
    case 46...135:
      return Quad(
        topLeft: upright.topRight, topRight: upright.bottomRight, bottomLeft: upright.topLeft,
        bottomRight: upright.bottomLeft)
    case 136...225:
      return Quad(
        topLeft: upright.bottomRight, topRight: upright.bottomLeft, bottomLeft: upright.topRight,
        bottomRight: upright.topLeft)
    case 226...315:
      return Quad(
        topLeft: upright.bottomLeft, topRight: upright.topLeft, bottomLeft: upright.bottomRight,
        bottomRight: upright.topRight)
    default: return upright
    }
  }
}
