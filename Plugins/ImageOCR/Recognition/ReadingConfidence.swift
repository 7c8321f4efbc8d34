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
  static let sure = 75.0

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
