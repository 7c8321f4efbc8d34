extension LanguageGuess {
  /// The most words of a text that is taken for a short one.
  private static let mostWords = 60

  /// How far apart two languages must be for each word that must be known, as a difference of logarithms of probability.
  private static let leastAdvantage = 1.5
  /// The same where no word is known and letters alone speak: then it takes two words, which may be one name.
  private static let leastAdvantageOfLetters = 5.0
  /// No word counts more against a language than this: it may be a name, or a word of another one.
  private static let mostOfWord = 10.0
  /// So many known words of another language make a text one of two.
  private static let leastOther = 2

  /// The language of a text that is too short for ``language(of:leastWords:)``, by everyday words and by the letters
  /// of all words (``LanguageModel``); nil where two languages are about as likely, or where it has as many known
  /// words of another one.
  ///
  /// - Parameter leastWords: fewer known words decide nothing; for one, the letters alone may decide too.
  /// - Returns: a BCP 47 tag.
  public static func language(ofShort text: some StringProtocol, leastWords: Int = 1) -> String? {
    guard let words = shortText(text), !words.isEmpty else { return nil }
    let models = LanguageModel.all
    var scores = Array(repeating: 0.0, count: models.count)
    for word in words {
      let likely = models.map { $0.likelihood(of: word) }
      let most = likely.max() ?? 0
      for index in models.indices { scores[index] += max(likely[index] - most, -mostOfWord) }
    }
    let ranking = models.indices.sorted { (scores[$0], $1) > (scores[$1], $0) }
    let best = ranking[0], advantage = scores[best] - scores[ranking[1]]
    let known = words.count { models[best].knows($0) }
    let isPlain = known >= leastWords && advantage >= leastAdvantage * Double(leastWords)
    let isSpelt =
      leastWords == 1 && words.count { $0.count > 1 } > 1 && advantage >= leastAdvantageOfLetters
    guard isPlain || isSpelt else { return nil }
    let isMixed = models.contains { other in
      let own = words.count { models[best].knows($0) && !other.knows($0) }
      let others = words.count { other.knows($0) && !models[best].knows($0) }
      return others >= max(leastOther, own)
    }
    return isMixed ? nil : models[best].tag
  }

  /// The different words of a short text in small letters; nil where there are too many for one.
  private static func shortText(_ text: some StringProtocol) -> [String]? {
    var words: [String] = [], seen: Set<String> = [], count = 0
    let text = text.lowercased().replacing("’", with: "'")
    func isMark(_ character: Character) -> Bool { character == "'" || character == "-" }
    for part in text.split(whereSeparator: { !$0.isLetter && !isMark($0) }) {
      var part = part.drop(while: isMark)
      while let last = part.last, isMark(last) { part.removeLast() }
      guard !part.isEmpty else { continue }
      count += 1
      guard count <= mostWords else { return nil }
      if seen.insert(String(part)).inserted { words.append(String(part)) }
    }
    return words
  }
}
