/// Tells the language of a text by its script and its small words (``SmallWords``).
public enum LanguageGuess {
  /// The language of a text, or nil where it does not show.
  ///
  /// - Parameter leastWords: fewer known small words than this decide nothing.
  /// - Returns: a BCP 47 tag; `cmn` for Chinese.
  public static func language(of text: some StringProtocol, leastWords: Int = 4) -> String? {
    if let script = byScript(text) { return script }
    var words = SmallWordCount()
    var word = String.UnicodeScalarView()
    for scalar in text.lowercased().unicodeScalars {
      if scalar.properties.isAlphabetic {
        if word.count < 20 { word.append(scalar) }
      } else if !word.isEmpty {
        words.add(String(word))
        word = String.UnicodeScalarView()
      }
    }
    if !word.isEmpty { words.add(String(word)) }
    let languages = SmallWords.languages
    let ranking = languages.indices.map { (hits: words.hits(of: $0), place: $0) }
      .sorted { ($0.hits, $1.place) > ($1.hits, $0.place) }
    guard let best = ranking.first, best.hits >= leastWords, best.hits * 9 >= words.total,
      words.different(of: best.place) >= 3
    else { return nil }
    // Neighbours such as Danish and Norwegian share most small words; a tie is no answer.
    return best.hits * 10 >= ranking[1].hits * 11 ? languages[best.place].tag : nil
  }

  /// The least number of words that must speak for another language, and the least share of all.
  private static let leastHits = 5
  private static let leastShare = 0.04
  /// How many times as many words must speak for it as for the languages that the page was read with.
  private static let advantage = 2
  /// So many different ones are no name that a list repeats, such as `Co.`, which is Polish too.
  private static let leastDifferent = 3

  /// The small words of a language, in small letters; none where it is not known here.
  ///
  /// - Parameter code: of ISO 639-3.
  public static func smallWords(of code: String) -> [String] {
    SmallWords.languages.first { $0.code == code }.map { Array($0.words) } ?? []
  }

  /// The language of a text, where it is plainly not one of those that it was read with. Languages are those of
  /// ISO 639-3.
  ///
  /// A model of another language drops the marks of letters, so they do not count here; and words that both
  /// of two languages have say nothing between these.
  ///
  /// - Parameters:
  ///   - words: as they were read, with what stands around them.
  ///   - installed: the languages to choose from; nil for all that are known. Then one of those it was read with must be
  ///     known too.
  public static func other(
    for words: some Sequence<String>, readWith used: [String], installed: [String]? = nil
  ) -> String? {
    let languages = SmallWords.languages
    let known = languages.indices.filter { used.contains(languages[$0].code) }
    let candidates = languages.indices.filter {
      !used.contains(languages[$0].code) && installed?.contains(languages[$0].code) ?? true
    }
    guard !candidates.isEmpty, installed != nil || !known.isEmpty else { return nil }
    var count = SmallWordCount(withoutMarks: true)
    for word in words {
      if let word = inner(word) { count.add(word) }
    }
    func isPlain(_ candidate: Int) -> Bool {
      known.allSatisfy { other in
        count.hits(of: candidate, without: other)
          > advantage * count.hits(of: other, without: candidate)
      }
    }
    func score(_ candidate: Int) -> Int {
      known.map { count.hits(of: candidate, without: $0) }.min() ?? count.hits(of: candidate)
    }
    // Of languages with equal claims the first in the alphabet, so that the same page gives the same.
    let best = candidates.filter(isPlain).sorted { languages[$0].code < languages[$1].code }
      .map { (place: $0, score: score($0)) }.max { $0.score < $1.score }
    guard let best, best.score >= leastHits,
      known.allSatisfy({ count.different(of: best.place, without: $0) >= leastDifferent }),
      Double(best.score) >= leastShare * Double(count.total)
    else { return nil }
    return languages[best.place].code
  }

  /// The word in small letters without what stands around it; nil where it is none.
  private static func inner(_ word: String) -> String? {
    let letters = word.drop { !$0.isLetter }
    let end = letters.lastIndex(where: \.isLetter).map(letters.index(after:))
    let inner = end.map { letters[..<$0] } ?? letters
    guard !inner.isEmpty, inner.utf8.count <= 16 else { return nil }
    return inner.lowercased()
  }
}

/// How often the small words of languages stand in a text.
private struct SmallWordCount {
  /// The places of the languages that have a word.
  private let languages: [String: [Int]]
  /// How often each word stands that some language has.
  private var counts: [String: Int] = [:]
  /// Words in all.
  private(set) var total = 0

  /// - Parameter withoutMarks: whether letters without their marks count as those with them.
  init(withoutMarks: Bool = false) { languages = withoutMarks ? Self.unmarked : Self.marked }

  /// - Parameter word: in small letters.
  mutating func add(_ word: String) {
    total += 1
    // Single letters are words in many languages, and names of things in formulas.
    if word.unicodeScalars.count > 1, languages[word] != nil { counts[word, default: 0] += 1 }
  }

  /// How many words of a language there are, left out those that another one has too.
  func hits(of language: Int, without other: Int? = nil) -> Int {
    counts.reduce(0) { sum, word in
      let own = languages[word.key] ?? []
      let speaks = own.contains(language) && !(other.map(own.contains) ?? false)
      return sum + (speaks ? word.value : 0)
    }
  }

  /// How many different words of a language there are, left out those that another one has too.
  func different(of language: Int, without other: Int? = nil) -> Int {
    counts.keys.count {
      let own = languages[$0] ?? []
      return own.contains(language) && !(other.map(own.contains) ?? false)
    }
  }

  private static let marked = byWord { [$0] }
  private static let unmarked = byWord { [$0, withoutMarks($0)] }

  private static func byWord(_ forms: (String) -> Set<String>) -> [String: [Int]] {
    var byWord: [String: [Int]] = [:]
    for (place, language) in SmallWords.languages.enumerated() {
      for word in language.words.reduce(into: Set(), { $0.formUnion(forms($1)) }) {
        byWord[word, default: []].append(place)
      }
    }
    return byWord
  }

  /// A word as a model for letters without marks reads it.
  private static func withoutMarks(_ word: String) -> String {
    String(word.map { plainLetters[$0] ?? $0 })
  }

  /// The letters with marks that stand in the lists, and what is left of them.
  private static let plainLetters = Dictionary(
    uniqueKeysWithValues: zip(
      "àáãäåçèéíîòóôõöùúüýăąćđęğıľłřšťżžưșộờợủ", "aaaaaceeiiooooouuuyaacdegillrstzzusooou"))
}
