internal import Glibc

/// How likely words are in one language: because they are known there, or because their letters follow each other as
/// in the words that are.
///
/// Letters that a language lacks, such as ü in English, are unlikely in it, and so are endings that it does not have.
struct LanguageModel: Sendable {
  /// BCP 47.
  let tag: String

  /// How often each known word is written, by its weight.
  private let weights: [String: Double]
  private let totalWeight: Double
  /// How often letters follow two others, one other, and any.
  private var triples = Followers(), pairs = Followers(), singles = Followers()

  /// All that are known.
  static let all: [LanguageModel] = {
    var words = Dictionary(uniqueKeysWithValues: EverydayWords.lists.map { ($0.tag, $0.words) })
    let small = Dictionary(uniqueKeysWithValues: SmallWords.languages.map { ($0.tag, $0.words) })
    for tag in small.keys where words[tag] == nil { words[tag] = [] }
    // In the same order each time, so that sums are the same to the last digit.
    return words.sorted { $0.key < $1.key }.map { tag, words in
      LanguageModel(tag: tag, small: small[tag] ?? [], everyday: words)
    }
  }()

  /// How many times as often a small word stands in a text as another known one.
  private static let smallWeight = 8.0
  /// The share of words that is known.
  private static let knownShare = 0.6

  private init(tag: String, small: Set<String>, everyday: [String]) {
    self.tag = tag
    var weights = Dictionary(everyday.map { ($0, 1.0) }, uniquingKeysWith: max)
    for word in small { weights[word] = Self.smallWeight }
    self.weights = weights
    totalWeight = weights.values.reduce(0, +)
    for word in weights.keys {
      // Each counts once here: what other words look like is shown by all alike.
      Self.walk(word) { before, last, letter in
        triples.add(letter, after: before << 21 | last)
        pairs.add(letter, after: last)
        singles.add(letter, after: 0)
      }
    }
  }

  /// Whether a word of two or more letters is a known one; single letters are words in many languages, and names of
  /// things in formulas.
  func knows(_ word: String) -> Bool {
    weights[word] != nil && word.unicodeScalars.dropFirst().first != nil
  }

  /// The logarithm of the probability of a word in small letters.
  func likelihood(of word: String) -> Double {
    var spelling = 0.0
    Self.walk(word) { before, last, letter in
      let alone = singles.share(of: letter, after: 0, else: Self.rarest)
      let pair = pairs.share(of: letter, after: last, else: alone)
      spelling += log(triples.share(of: letter, after: before << 21 | last, else: pair))
    }
    let known = (weights[word] ?? 0) / totalWeight
    return log((1 - Self.knownShare) * exp(spelling) + Self.knownShare * known)
  }

  /// The share of a letter that a language does not have: one among so many that some writer may use.
  private static let rarest = 1.0 / 400

  /// More letters of a word tell nothing more.
  private static let mostLetters = 24

  /// Calls with each letter and the two before it, which are marks where the word begins; another mark ends it.
  private static func walk(_ word: String, _ take: (UInt64, UInt64, UInt64) -> Void) {
    let start: UInt64 = 1, end: UInt64 = 2
    var before = start, last = start
    for scalar in word.unicodeScalars.prefix(mostLetters) {
      take(before, last, UInt64(scalar.value))
      (before, last) = (last, UInt64(scalar.value))
    }
    take(before, last, end)
  }
}

/// How often letters follow what stands before them.
private struct Followers: Sendable {
  private struct Place: Hashable {
    var before: UInt64
    var letter: UInt64
  }

  private var counts: [Place: Double] = [:]
  private var totals: [UInt64: Double] = [:]

  mutating func add(_ letter: UInt64, after before: UInt64) {
    counts[Place(before: before, letter: letter), default: 0] += 1
    totals[before, default: 0] += 1
  }

  /// The share of a letter among those that follow; the less was seen, the more what is assumed counts.
  func share(of letter: UInt64, after before: UInt64, else assumed: Double) -> Double {
    let count = counts[Place(before: before, letter: letter)] ?? 0
    return (count + Self.trust * assumed) / ((totals[before] ?? 0) + Self.trust)
  }

  /// How often must something have been seen for what was seen to count as much as what is assumed.
  private static let trust = 10.0
}
