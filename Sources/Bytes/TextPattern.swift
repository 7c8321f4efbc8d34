/// A regular expression that finds a text however its hyphens, slashes and blanks are written, see ``FoldedText``.
package struct TextPattern {
  private var exact: Regex<AnyRegexOutput>
  /// The same for folded texts.
  private var folded: Regex<AnyRegexOutput>
  /// Whether both are one expression.
  private let isPlain: Bool

  /// - Parameter expression: a regular expression in Swift's dialect.
  /// - Throws: if it cannot be read.
  package init(_ expression: String) throws {
    exact = try Regex(expression)
    let plain = Self.folded(expression)
    isPlain = plain == expression
    // If the folded expression cannot be read, the expression as written is used for both.
    folded = isPlain ? exact : (try? Regex(plain)) ?? exact
  }

  /// The same with `^` and `$` for the ends of lines.
  package func anchorsMatchLineEndings() -> TextPattern {
    var result = self
    result.exact = exact.anchorsMatchLineEndings()
    result.folded = folded.anchorsMatchLineEndings()
    return result
  }

  /// Whether it matches a text as a whole.
  package func matches(_ text: String) -> Bool {
    let plain = FoldedText(text).text
    // Matching throws only if code inside an expression does, and expressions from a file have none.
    if (try? folded.wholeMatch(in: plain)) != nil { return true }
    guard !isPlain || plain != text else { return false }
    return (try? exact.wholeMatch(in: text)) != nil
  }

  /// The first match in a text, as it stands there, and what its groups matched.
  package func firstMatch(in text: String) -> (whole: Substring, groups: [Substring?])? {
    let plain = FoldedText(text)
    // As above, matching does not throw.
    if let match = try? folded.firstMatch(in: plain.text) {
      return (
        plain.original(match.range), match.output.dropFirst().map { $0.range.map(plain.original) }
      )
    }
    guard !isPlain || plain.text != text, let match = try? exact.firstMatch(in: text) else {
      return nil
    }
    return (text[match.range], match.output.dropFirst().map(\.substring))
  }

  /// An expression for folded texts: what it says beyond ASCII is said as they have it, and has no meaning of its own.
  private static func folded(_ expression: String) -> String {
    guard expression.utf8.contains(where: { $0 >= 0x80 }) else { return expression }
    var result = String.UnicodeScalarView()
    for scalar in expression.unicodeScalars {
      if let plain = FoldedText.folded(scalar, behind: nil, before: nil) {
        if plain != scalar, !isWord(plain) { result.append("\\") }
        result.append(plain)
      }
    }
    return String(result)
  }

  private static func isWord(_ scalar: Unicode.Scalar) -> Bool {
    scalar.properties.isAlphabetic || scalar.properties.numericType != nil
  }
}
