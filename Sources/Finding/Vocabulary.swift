internal import GRDB

/// The words of the index that may be meant by a mistyped one.
///
/// It has a table of its own: a lookup in the table of FTS5 takes 0.3 ms at 100,000 documents, and a typo needs 200.
struct Vocabulary {
  private let database: Database
  private let tokenizer: any FTS5Tokenizer
  private let insertion: Statement
  /// Words that were added, so many at most.
  private var added: Set<String> = []
  private static let mostAdded = 50_000

  init(_ database: Database) throws {
    self.database = database
    tokenizer = try database.makeTokenizer(.unicode61(diacritics: .remove))
    insertion = try database.cachedStatement(sql: "INSERT OR IGNORE INTO word (text) VALUES (?)")
  }

  /// Words of fewer letters have too many neighbors, and longer ones are none.
  private static let lengths = 4...40

  /// Returns whether a word may be mistyped, or meant by a mistyped one. Words with digits may not, because a number that
  /// differs by one digit names another thing.
  private static func mayBeMeant(_ word: String, lengths: ClosedRange<Int>) -> Bool {
    let scalars = word.unicodeScalars
    return lengths.contains(scalars.count)
      && scalars.allSatisfy { FindText.isWord($0) && $0.properties.numericType == nil }
  }

  mutating func add(_ text: String) throws {
    for (word, _) in try tokenizer.tokenize(document: text)
    where Self.mayBeMeant(word, lengths: Self.lengths.lowerBound - 1...Self.lengths.upperBound + 1)
    {
      guard added.insert(word).inserted else { continue }
      try insertion.execute(arguments: [word])
    }
    if added.count > Self.mostAdded {
      added = []
    }
  }

  /// Returns what the index makes of a word, or nil if it is not one word, or not one that may be mistyped.
  func token(of word: some StringProtocol) throws -> String? {
    let tokens = try tokenizer.tokenize(query: String(word))
    guard tokens.count == 1, Self.mayBeMeant(tokens[0].token, lengths: Self.lengths) else {
      return nil
    }
    return tokens[0].token
  }

  /// Returns what the index makes of a text, with nothing between its words.
  func joined(_ text: String) throws -> String {
    try tokenizer.tokenize(document: text).map(\.token).joined()
  }

  /// Looks into the table for one word: 200 are usual, 10 µs each.
  private static let mostLooks = 3000

  /// Returns the words that become another one by one letter more, less or changed, or by two exchanged neighbors.
  ///
  /// Goes along the word, and tries those letters only with which words of the vocabulary go on.
  func neighbors(of word: String) throws -> [String] {
    let letters = Array(word.unicodeScalars)
    // Nobody mistypes a letter of another script: Latin ones count, and those of the word's blocks of Unicode.
    let blocks = Set(letters.map { $0.value >> 8 } + [0, 1]).sorted()
    var found: [[Unicode.Scalar]] = [], looks = 0

    /// The first word at a text or behind it.
    func first(from text: some Sequence<Unicode.Scalar>) throws -> [Unicode.Scalar]? {
      looks += 1
      guard looks <= Self.mostLooks else { return nil }
      var start = String.UnicodeScalarView()
      start.append(contentsOf: text)
      let word = try String.fetchOne(
        database.cachedStatement(sql: "SELECT text FROM word WHERE text >= ? LIMIT 1"),
        arguments: [String(start)])
      return word.map { Array($0.unicodeScalars) }
    }
    func look(_ candidate: [Unicode.Scalar]) throws {
      if candidate != letters, !found.contains(candidate), try first(from: candidate) == candidate {
        found.append(candidate)
      }
    }
    /// The letter with which words go on behind a beginning, and which is this one or a later one.
    func following(_ head: ArraySlice<Unicode.Scalar>, from letter: Unicode.Scalar) throws
      -> Unicode.Scalar?
    {
      let word = try first(from: head + [letter]) ?? []
      return word.starts(with: head) ? word.dropFirst(head.count).first : nil
    }

    for index in letters.indices {
      let (head, tail) = (letters[..<index], letters[(index + 1)...])
      try look(Array(head + tail))
      if let next = tail.first { try look(head + [next, letters[index]] + tail.dropFirst()) }
    }
    for index in 0...letters.count {
      let (head, tail) = (letters[..<index], letters[index...])
      var start: Unicode.Scalar? = "0"
      while let from = start, let letter = try following(head, from: from) {
        guard blocks.contains(letter.value >> 8) else {
          start = blocks.first { $0 > letter.value >> 8 }.flatMap { Unicode.Scalar($0 << 8) }
          continue
        }
        try look(head + [letter] + tail.dropFirst())
        try look(head + [letter] + tail)
        start = Unicode.Scalar(letter.value + 1)
      }
    }
    return found.map { word in
      var text = String.UnicodeScalarView()
      text.append(contentsOf: word)
      return String(text)
    }
  }
}
