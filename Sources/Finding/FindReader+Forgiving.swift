internal import GRDB

/// A search with one typo in a word.
extension FindReader {
  /// A word that no more documents have may be mistyped, in the query or in a document.
  static let mostOfRare = 3
  /// One that is in that many times as many documents is meant then.
  private static let leastTimesMore = 5
  /// Of a query so many words are looked at, and for each so many of the index.
  private static let mostWords = 4, mostNeighbors = 16

  /// A word of a term that is hardly found.
  private struct Doubtful {
    /// The index of the term.
    var term: Int
    /// The text before the word and behind it in the term.
    var head: Substring, tail: Substring
    var token: String
    /// How many documents have the term.
    var count: Int
  }

  /// Returns the query with words of the index in place of mistyped ones, or nil if that finds not many more.
  ///
  /// Every word that is found nowhere is replaced; if there is none, the one rare word whose replacement finds most.
  ///
  /// - Parameter total: how many documents the query finds.
  static func forgiven(
    _ query: FindQuery, _ filter: Filter, finding total: Int, _ database: Database
  ) throws -> FindQuery? {
    let vocabulary = try Vocabulary(database)
    let rare = try doubtful(query, vocabulary, database)
    let missing = rare.filter { $0.count == 0 }
    /// The best replacement of a word, by the documents that the new query finds, or the new word alone.
    func best(
      _ word: Doubtful, in query: FindQuery, byQuery: Bool
    ) throws -> (query: FindQuery, count: Int)? {
      var best: (query: FindQuery, count: Int)?
      for neighbor in try vocabulary.neighbors(of: word.token).prefix(mostNeighbors) {
        let text = String(word.head) + neighbor + word.tail
        guard let term = FindQuery.Term(text[...], isPrefix: false) else { continue }
        let own = try count(FindQuery(term: term), Filter(), database)
        guard own >= max(1, leastTimesMore * word.count) else { continue }
        let tried = query.replacing(word.term, with: text)
        let found = byQuery ? try count(tried, filter, database) : own
        if found > best?.count ?? 0 { best = (tried, found) }
      }
      return best
    }
    guard missing.isEmpty else {
      var other = query
      // From behind, so that places in what was typed stay. Only the last finds all words.
      for (index, word) in missing.enumerated().reversed() {
        guard let best = try best(word, in: other, byQuery: index == 0) else { return nil }
        other = best.query
      }
      return other
    }
    let all = try rare.compactMap { try best($0, in: query, byQuery: true) }
    return all.filter { $0.count >= max(1, leastTimesMore * total) }
      .max { $0.count < $1.count }?.query
  }

  private static func doubtful(
    _ query: FindQuery, _ vocabulary: Vocabulary, _ database: Database
  ) throws -> [Doubtful] {
    func count(_ term: FindQuery.Term) throws -> Int {
      try self.count(FindQuery(term: term), Filter(), database)
    }
    var found: [Doubtful] = []
    for (index, term) in query.wanted.enumerated() where !term.isQuoted {
      let words = term.text.unicodeScalars.split { !FindText.isWord($0) }.map(Substring.init)
      for word in words {
        guard let token = try vocabulary.token(of: word) else { continue }
        let documents = try count(term)
        // Of several words in one, such as e-mial, the one that is rare itself.
        guard documents <= mostOfRare,
          try words.count == 1
            || FindQuery.Term(word, isPrefix: term.isPrefix).map(count) ?? 0 <= mostOfRare
        else { continue }
        found.append(
          Doubtful(
            term: index, head: term.text[..<word.startIndex], tail: term.text[word.endIndex...],
            token: token, count: documents))
        break
      }
      guard found.count < mostWords else { break }
    }
    return found
  }

  /// Returns the query with its words as the hits spell them: with accents, which the index does not know.
  static func spelled(
    _ query: FindQuery, as hits: [Hit], _ database: Database
  ) throws -> FindQuery {
    let vocabulary = try Vocabulary(database)
    var query = query
    for (index, term) in query.wanted.enumerated().reversed() where !term.isQuoted {
      let lit = hits.lazy.flatMap(\.snippet).filter(\.isLit).map(\.text)
      let spelled = try lit.first { text in
        try text.lowercased() != term.text && vocabulary.token(of: text) == term.text
      }
      if let spelled { query = query.replacing(index, with: spelled) }
    }
    return query
  }
}
