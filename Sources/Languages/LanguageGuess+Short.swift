extension LanguageGuess {
  /// The most words of a text that is taken for a short one.
  private static let mostWords = 60

  /// What a word or letter of one language alone counts; a word of two counts half of it for each.
  private static let weight = 2

  /// The language of a text that is too short for ``language(of:leastWords:)``, by words and letters that give it away
  /// (``TellingWords``); nil where none does, or where those of two languages do.
  ///
  /// - Parameter leastWords: fewer words decide nothing; one that two languages have counts half.
  /// - Returns: a BCP 47 tag.
  public static func language(ofShort text: some StringProtocol, leastWords: Int = 1) -> String? {
    var words: Set<String> = [], tells: [String: Int] = [:], count = 0
    let text = text.lowercased().replacing("’", with: "'")
    for word in text.split(whereSeparator: { !$0.isLetter && $0 != "'" && $0 != "-" }) {
      count += 1
      guard count <= mostWords else { return nil }
      guard words.insert(String(word)).inserted else { continue }
      let tags = TellingWords.byWord[String(word)] ?? []
      for tag in tags { tells[tag, default: 0] += weight / tags.count }
    }
    for scalar in Set(text.unicodeScalars) {
      if let tag = TellingWords.byLetter[scalar] { tells[tag, default: 0] += weight }
    }
    let ranking = tells.sorted { ($0.value, $1.key) > ($1.value, $0.key) }
    guard let best = ranking.first, best.value >= weight * leastWords,
      ranking.count == 1 || best.value > ranking[1].value
    else { return nil }
    return best.key
  }
}
