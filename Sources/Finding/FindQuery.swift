/// What somebody looks for, as typed: words that all have to be there, "phrases" in quotes, `word*` for what begins so,
/// `-word` for what must not be there, and filters (``FindCondition``). Case and accents do not matter.
package struct FindQuery: Sendable, Equatable {
  struct Term: Sendable, Equatable {
    var text: String
    var isPrefix = false
    /// Whether it was typed in quotes, which means it as it is.
    var isQuoted = false
    /// Where it is in what was typed.
    var range = "".startIndex..<"".startIndex

    /// A term that has a letter or digit at least.
    init?(_ typed: Substring, isPrefix: Bool) {
      text = FindText.kept(typed.prefix(FindQuery.longestTerm))
      guard text.unicodeScalars.contains(where: FindText.isWord) else { return nil }
      self.isPrefix = isPrefix
    }
  }
  private(set) var wanted: [Term] = []
  private(set) var unwanted: [Term] = []
  private(set) var conditions: [FindCondition] = []
  /// The typed query, cut to the length that is read.
  package let typed: String

  /// More words than that are left out: each is a look into the index.
  private static let mostTerms = 32
  private static let longestTerm = 200

  /// - Parameter isTyping: whether the last word may go on.
  package init(_ typed: String, isTyping: Bool = false) {
    self.typed = String(typed.prefix(4000))
    var rest = self.typed[...]
    while wanted.count + unwanted.count + conditions.count < Self.mostTerms {
      rest = rest.drop { $0.isWhitespace }
      guard !rest.isEmpty else { break }
      let isUnwanted = rest.first == "-" && rest.count > 1
      if isUnwanted { rest = rest.dropFirst() }
      if let (name, behind) = FindCondition.name(of: rest) {
        var behind = behind
        let value = Self.word(&behind, isTyping: isTyping)
        if let kind = FindCondition.kind(name, value: value.text, isPrefix: value.isPrefix) {
          conditions.append(FindCondition(kind: kind, isUnwanted: isUnwanted))
          rest = behind
          continue
        }
        if isTyping, behind.isEmpty, FindCondition.isUnfinished(value.text, of: name) { break }
      }
      let begin = rest.startIndex
      let word = Self.word(&rest, isTyping: isTyping && !isUnwanted)
      guard var term = Term(word.text, isPrefix: word.isPrefix) else { continue }
      term.isQuoted = word.isQuoted
      term.range = begin..<rest.startIndex
      if isUnwanted { unwanted.append(term) } else { wanted.append(term) }
    }
  }

  /// One word.
  init(term: Term) {
    typed = term.text
    wanted = [term]
  }

  /// Takes a word or what is in quotes from the beginning of a text.
  private static func word(
    _ rest: inout Substring, isTyping: Bool
  ) -> (text: Substring, isPrefix: Bool, isQuoted: Bool) {
    if let quote = rest.first, quotes.contains(quote) {
      rest = rest.dropFirst()
      let text = rest.prefix { !quotes.contains($0) }
      rest = rest[text.endIndex...].dropFirst()
      guard rest.first == "*" else { return (text, false, true) }
      rest = rest.dropFirst()
      return (text, true, true)
    }
    let text = rest.prefix { !$0.isWhitespace }
    rest = rest[text.endIndex...]
    let isPrefix = text.last == "*" || isTyping && rest.isEmpty
    return (text.last == "*" ? text.dropLast() : text, isPrefix, false)
  }

  private static let quotes: Set<Character> = ["\"", "“", "”", "„", "«", "»"]

  /// Whether there is nothing to look for.
  package var isEmpty: Bool { wanted.isEmpty && conditions.isEmpty }

  /// The wanted words, without filters.
  package var words: String { wanted.map(\.text).joined(separator: " ") }

  /// Returns the query with another word in place of a wanted one.
  ///
  /// - Parameter word: the whole word, which nothing follows.
  func replacing(_ index: Int, with word: String) -> FindQuery {
    var text = typed
    text.replaceSubrange(wanted[index].range, with: word)
    return FindQuery(text)
  }

  /// As an expression of FTS5: pages with all wanted words.
  var expression: String { wanted.map(Self.expression).joined(separator: " AND ") }

  /// Pages with any of the words.
  var anyExpression: String { wanted.map(Self.expression).joined(separator: " OR ") }

  static func expression(_ term: Term) -> String {
    let spellings = spellings(of: term.text).map { text in
      // By scalars: a quotation mark with an accent is one letter, and another than the mark alone.
      var quoted = String.UnicodeScalarView()
      for scalar in text.unicodeScalars {
        if scalar == "\"" { quoted.append(scalar) }
        quoted.append(scalar)
      }
      return "\"\(String(quoted))\"" + (term.isPrefix ? "*" : "")
    }
    return spellings.count == 1 ? spellings[0] : "(\(spellings.joined(separator: " OR ")))"
  }

  /// A term as typed, and with ß for ss and the other way round: no accent to the index, and one letter to people.
  private static func spellings(of text: String) -> [String] {
    func isS(_ scalar: Unicode.Scalar) -> Bool { scalar == "s" || scalar == "S" }
    var spellings = [""], rest = text.unicodeScalars[...]
    while let scalar = rest.popFirst() {
      let isDouble = isS(scalar) && rest.first.map(isS) ?? false
      guard isDouble || scalar == "ß" || scalar == "ẞ" else {
        for index in spellings.indices { spellings[index].unicodeScalars.append(scalar) }
        continue
      }
      if isDouble { rest.removeFirst() }
      // More of them in one term are taken as typed.
      spellings =
        spellings.count < 8
        ? spellings.map { $0 + "ss" } + spellings.map { $0 + "ß" }
        : spellings.map { $0 + (isDouble ? "ss" : "ß") }
    }
    return spellings
  }
}
