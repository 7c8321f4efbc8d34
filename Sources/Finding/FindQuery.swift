/// What somebody looks for, as typed: words that all have to be there, "phrases" in quotes, `word*` for what begins so,
/// `-word` for what must not be there. Case and accents do not matter.
package struct FindQuery: Sendable, Equatable {
  struct Term: Sendable, Equatable {
    var text: String
    var isPrefix = false
  }
  private(set) var wanted: [Term] = []
  private(set) var unwanted: [Term] = []

  /// More words than that are left out: each is a look into the index.
  private static let mostTerms = 32
  private static let longestTerm = 200

  /// - Parameter isTyping: whether the last word may go on.
  package init(_ typed: String, isTyping: Bool = false) {
    var rest = Substring(typed.prefix(4000))
    while wanted.count + unwanted.count < Self.mostTerms {
      rest = rest.drop { $0.isWhitespace }
      guard !rest.isEmpty else { break }
      let isUnwanted = rest.first == "-" && rest.count > 1
      if isUnwanted { rest = rest.dropFirst() }
      var term: Substring, isPrefix = false
      if let quote = rest.first, Self.quotes.contains(quote) {
        rest = rest.dropFirst()
        term = rest.prefix { !Self.quotes.contains($0) }
        rest = rest[term.endIndex...].dropFirst()
        if rest.first == "*" { (isPrefix, rest) = (true, rest.dropFirst()) }
      } else {
        term = rest.prefix { !$0.isWhitespace }
        rest = rest[term.endIndex...]
        isPrefix = term.last == "*"
        if isTyping, rest.isEmpty, !isUnwanted { isPrefix = true }
      }
      let text = FindText.kept(term.prefix(Self.longestTerm))
      guard text.unicodeScalars.contains(where: FindText.isWord) else { continue }
      let kept = Term(text: text, isPrefix: isPrefix)
      if isUnwanted { unwanted.append(kept) } else { wanted.append(kept) }
    }
  }

  private static let quotes: Set<Character> = ["\"", "“", "”", "„", "«", "»"]

  /// Whether there is nothing to look for.
  package var isEmpty: Bool { wanted.isEmpty }

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
