import PDFText

/// A line across the page, cut into pieces where its gaps are wider than a blank.
struct TextLine {
  /// Words that stand close to one another.
  struct Piece {
    var words: [PlacedWord]
    var start: Double
    var end: Double

    init(words: [PlacedWord], start: Double, end: Double) {
      (self.words, self.start, self.end) = (words, start, end)
    }

    /// Words that belong together, from left to right.
    init(_ words: [PlacedWord]) {
      let start = words.first?.box.x0 ?? 0
      self.init(words: words, start: start, end: words.reduce(start) { max($0, $1.box.x1) })
    }

    var middle: Double { (start + end) / 2 }
    var text: String { PlacedWord.text(words) }

    /// By how much it lies in a range; negative where it stands apart.
    func overlap(_ range: ClosedRange<Double>) -> Double {
      min(end, range.upperBound) - max(start, range.lowerBound)
    }
  }

  var pieces: [Piece]
  /// Where the dots end that lead from its first piece to the next, if there are any.
  var leaderEnd: Double?
  var middle: Double
  var size: Double

  /// Nil for no words.
  init?(_ words: [PlacedWord]) {
    guard let first = words.first else { return nil }
    pieces = []
    let blank = Self.stretchedBlank(words)
    for word in words {
      // The end alone: who holds the piece has its words copied for each one that is added.
      if let end = pieces.last?.end,
        word.box.x0 - end < max(Measures.pieceGap * word.size, Measures.blockBlanks * blank)
      {
        pieces[pieces.count - 1].words.append(word)
        pieces[pieces.count - 1].end = max(end, word.box.x1)
      } else {
        pieces.append(Piece([word]))
      }
    }
    middle = PlacedWord.middle(words)
    size = words.reduce(first.size) { max($0, $1.size) }
  }

  /// Returns the median blank between neighboring words of a line, in points. In a justified line all blanks are
  /// stretched alike. Returns 0 if fewer than four blanks are narrow enough to tell.
  private static func stretchedBlank(_ words: [PlacedWord]) -> Double {
    var blanks: [Double] = []
    for (word, next) in zip(words, words.dropFirst()) {
      let blank = next.box.x0 - word.box.x1
      if blank > 0, blank < Measures.widestBlank * word.size, hasLetters(word), hasLetters(next) {
        blanks.append(blank)
      }
    }
    guard blanks.count >= 4 else { return 0 }
    blanks.sort()
    return blanks[blanks.count / 2]
  }

  private static func hasLetters(_ word: PlacedWord) -> Bool {
    word.text.unicodeScalars.contains(where: \.properties.isAlphabetic)
  }

  /// The lines of words, from top to bottom.
  static func lines(_ words: [PlacedWord]) -> [TextLine] {
    PlacedWord.lines(words).compactMap { words in
      let (kept, leaderEnd) = withoutLeaders(words)
      var line = TextLine(kept)
      line?.leaderEnd = leaderEnd
      return line
    }
  }

  /// A line without the dots that lead from a name to its figure.
  private static func withoutLeaders(
    _ words: [PlacedWord]
  ) -> (kept: [PlacedWord], leaderEnd: Double?) {
    func dots(_ word: PlacedWord) -> Int {
      word.text.utf8.allSatisfy { $0 == 0x2E } ? word.text.utf8.count : 0
    }
    var result: [PlacedWord] = []
    var leaderEnd: Double?
    var index = 0
    while index < words.count {
      var end = index
      var count = 0
      while end < words.count, dots(words[end]) > 0 {
        count += dots(words[end])
        end += 1
      }
      if end == index || count < 4 {
        result += words[index..<max(end, index + 1)]
      } else if leaderEnd == nil {
        leaderEnd = words[end - 1].box.x1
      }
      index = max(end, index + 1)
    }
    return (result, leaderEnd)
  }

  var words: [PlacedWord] { pieces.flatMap(\.words) }
  var start: Double { pieces.first?.start ?? 0 }
  var end: Double { pieces.last?.end ?? 0 }
  var isBold: Bool { pieces.allSatisfy { $0.words.allSatisfy(\.isBold) } }
}
