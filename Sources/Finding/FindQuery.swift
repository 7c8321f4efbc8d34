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
    // By scalars: a quotation mark with an accent is one letter, and another than the mark alone.
    var text = String.UnicodeScalarView()
    for scalar in term.text.unicodeScalars {
      if scalar == "\"" { text.append(scalar) }
      text.append(scalar)
    }
    return "\"\(String(text))\"" + (term.isPrefix ? "*" : "")
  }
}
