/// Tells from what was read with one language that a page is in another.
enum LanguageGuess {
  /// The least number of words that must speak for another language, and the least share of all.
  private static let leastHits = 5
  private static let leastShare = 0.04
  /// How many times as many words must speak for it as for the languages that the page was read with.
  private static let advantage = 2

  /// The language of a text, where it is plainly not one of those that it was read with.
  ///
  /// - Parameters:
  ///   - words: the words as they were read.
  ///   - used: the languages that they were read with, by Tesseract's names.
  ///   - installed: the languages to choose from; nil for all that are known. Then one of those it was read with must be
  ///     known too.
  static func other(
    for words: some Sequence<String>, readWith used: [String], installed: [String]? = nil
  ) -> String? {
    let candidates = (installed ?? Array(FunctionWords.table.keys)).filter {
      !used.contains($0) && FunctionWords.table[$0] != nil
    }
    guard !candidates.isEmpty,
      installed != nil || used.contains(where: { FunctionWords.table[$0] != nil })
    else { return nil }
    var hits: [String: Int] = [:]
    var count = 0
    for word in words {
      guard let word = plain(word) else { continue }
      count += 1
      for language in candidates + used
      where FunctionWords.table[language]?.contains(word) ?? false {
        hits[language, default: 0] += 1
      }
    }
    func score(_ language: String) -> Int { hits[language] ?? 0 }
    // Of languages with equal claims the first in the alphabet, so that the same page gives the same.
    let best = candidates.sorted().max { score($0) < score($1) }
    let known = used.map(score).max() ?? 0
    guard let best, score(best) >= max(leastHits, advantage * known + 1),
      Double(score(best)) >= leastShare * Double(count)
    else { return nil }
    return best
  }

  /// The word in small letters without what stands around it; nil where it is none.
  private static func plain(_ word: String) -> String? {
    let letters = word.drop { !$0.isLetter }
    let end = letters.lastIndex(where: \.isLetter).map(letters.index(after:))
    let inner = end.map { letters[..<$0] } ?? letters
    guard !inner.isEmpty, inner.utf8.count <= 16 else { return nil }
    return inner.lowercased()
  }
}
