extension RecognizedPage {
  /// Words that end and begin closer than this, in heights of their line, are parts of one: blanks are wider.
  private static let wordGap = -0.3...0.2
  /// So many lines that are cut at one place are cut by the layout analysis.
  private static let leastCuts = 3
  /// Pages with more lines are no receipts.
  private static let mostLines = 400

  /// Whether the layout analysis took the white strip between letters that stand below one another for the space
  /// between two columns, as in receipts, whose letters are all of one width.
  var isCutApart: Bool {
    guard lines.count <= Self.mostLines else { return false }
    let level = lines.filter(\.isLevel)
    var cuts: [Double] = []
    for left in level {
      guard let last = left.words.last?.box else { continue }
      let height = left.height
      let goesOn = level.contains { right in
        guard let first = right.words.first?.box else { return false }
        let shared = min(last.bottom, first.bottom) - max(last.top, first.top)
        return shared > 0.5 * min(last.height, first.height)
          && Self.wordGap.contains((first.left - last.right) / max(1, height))
      }
      if goesOn { cuts.append(last.right / max(1, height)) }
    }
    // Within a letter or two of one another.
    cuts.sort()
    return zip(cuts, cuts.dropFirst(Self.leastCuts - 1)).contains { $1 - $0 < 2 }
  }

  /// How high what is left of a word is, and how far from it, in heights of the usual line.
  private static let leftHeights = 0.5...1.3
  private static let leftGap = -0.2...0.6
  /// More marks are a drawing.
  private static let mostMarks = 2_000

  /// Whether columns of figures were read as lines of their own, which may be cut.
  var mayBeCutApart: Bool { lines.count(where: \.isMostlyDigits) >= Self.leastCuts }

  /// Whether letters were left beside words, where the strip that was taken for the space between columns goes through
  /// figures of different lengths.
  ///
  /// - Parameter loose: the ink that is in no word.
  func isCutApart(_ loose: borrowing LooseInk) -> Bool {
    guard lines.count <= Self.mostLines, let marks = loose.marks(most: Self.mostMarks) else {
      return false
    }
    let height = 2 * loose.height
    let letters = marks.map(LooseInk.inPicture).filter {
      Self.leftHeights.contains($0.height / height) && $0.width < height
    }
    guard letters.count >= Self.leastCuts else { return false }
    let words = lines.lazy.filter(\.isLevel).flatMap(\.words)
    var cut = 0
    for word in words {
      let isCut = letters.contains { letter in
        min(letter.bottom, word.box.bottom) - max(letter.top, word.box.top) > 0.5 * letter.height
          && Self.leftGap.contains((word.box.left - letter.right) / height)
      }
      if isCut { cut += 1 }
    }
    return cut >= Self.leastCuts
  }
}
