/// How surely a page, a line or a word was read, by Tesseract's confidences from 0 to 100.
extension RecognizedPage {
  /// Words below this confidence are misread more often than not.
  static let garbledBelow = 50.0

  private func sum(_ value: (Word) -> Double) -> Double {
    lines.reduce(0) { $0 + $1.words.reduce(0) { $0 + value($1) * Double($1.text.utf8.count) } }
  }

  /// The share of letters in words that were hardly read, 0 to 1.
  var garbledShare: Double { sum { $0.isGarbled ? 1 : 0 } / max(1, sum { _ in 1 }) }

  /// How much was read and how surely: grows with each letter that counts for more than a guess.
  var certainty: Double { lines.reduce(0) { $0 + $1.certainty } }

  static func certainty(_ words: some Sequence<Word>) -> Double {
    words.reduce(0) { sum, word in
      sum + max(0, word.confidence - garbledBelow) * Double(word.text.utf8.count)
    }
  }
}

extension RecognizedPage.Word {
  /// Whether it was hardly read.
  var isGarbled: Bool { confidence < RecognizedPage.garbledBelow }
}

extension RecognizedPage.Line {
  /// The share of letters in well read words with which a line is text.
  private static let sureShare = 0.75
  /// Words are read well from this confidence.
  private static let sure = 75.0

  /// Whether most of it was read well, and letters are most of it: rules and drawings are read as dashes
  /// and strokes.
  var isSurelyText: Bool {
    var (all, letters, sure) = (0, 0, 0)
    for word in words {
      let scalars = word.text.unicodeScalars
      let count = scalars.count {
        $0.properties.isAlphabetic || $0.properties.numericType != nil
      }
      all += scalars.count
      letters += count
      if word.confidence >= Self.sure { sure += count }
    }
    return sure >= 3 && letters * 4 >= all * 3 && Double(sure) >= Self.sureShare * Double(letters)
  }

  /// The single words among some that are surely figures, or letters that stand below one another in a column, as the
  /// marks of debit and credit do.
  static func figures(_ lines: [RecognizedPage.Line]) -> [RecognizedPage.Line] {
    let single = lines.filter { $0.words.count == 1 && $0.words[0].confidence >= sure }
    let letters = single.filter(\.isLetter)
    return single.filter { line in
      line.isFigure
        || line.isLetter
          && letters.count { ($0.box.left - line.box.left).magnitude < line.box.height }
            >= leastLetters
    }
  }

  /// So many letters below one another are no accident.
  private static let leastLetters = 3
  /// Circles, strokes and corners are read as the others.
  private static let drawn = Set("OQIJLCUV")

  private var isFigure: Bool {
    let bytes = words[0].text.utf8
    return bytes.contains { (0x30...0x39).contains($0) }
      && bytes.allSatisfy { (0x30...0x39).contains($0) || $0 == 0x2C || $0 == 0x2E }
  }

  private var isLetter: Bool {
    guard words[0].text.count == 1, let letter = words[0].text.first else { return false }
    return letter.isUppercase && !Self.drawn.contains(letter)
  }

  /// A column is so many times as high as wide at least.
  private static let columnHeights = 5.0

  /// Whether it runs down the page and was not read well, as single letters below one another are.
  var isUnsureColumn: Bool {
    let sum = words.reduce(0) { $0 + $1.confidence }
    return box.height > Self.columnHeights * box.width && sum < Self.sure * Double(words.count)
  }

  /// Whether a word in it was hardly read.
  var isGarbled: Bool { words.contains(where: \.isGarbled) }

  /// How much was read and how surely.
  var certainty: Double { RecognizedPage.certainty(words) }

  /// Whether all of it was read well.
  var isSurelyRead: Bool {
    !words.isEmpty && words.allSatisfy { $0.confidence >= Self.sure }
  }
}
