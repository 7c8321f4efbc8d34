extension LanguageGuess {
  /// The most words of a text that is taken for a short one.
  private static let mostWords = 60

  /// The language of a text that is too short for ``language(of:leastWords:)``, by words and letters that give it away
  /// (``TellingWords``); nil where none does, or where those of two languages do.
  ///
  /// - Returns: a BCP 47 tag.
  public static func language(ofShort text: some StringProtocol) -> String? {
    var words: Set<String> = [], tells: [String: Int] = [:], count = 0
    let text = text.lowercased()
    for word in text.split(whereSeparator: { !$0.isLetter && $0 != "'" && $0 != "-" }) {
      count += 1
      guard count <= mostWords else { return nil }
      if words.insert(String(word)).inserted, let tag = TellingWords.byWord[String(word)] {
        tells[tag, default: 0] += 1
      }
    }
    for scalar in Set(text.unicodeScalars) {
      if let tag = TellingWords.byLetter[scalar] { tells[tag, default: 0] += 1 }
    }
    let ranking = tells.sorted { ($0.value, $1.key) > ($1.value, $0.key) }
    guard let best = ranking.first, ranking.count == 1 || best.value > ranking[1].value else {
      return nil
    }
    return best.key
  }
}
