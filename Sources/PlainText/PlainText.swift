/// Text for a terminal, a log or a note, put together of words of ours and words of strangers: names of files,
/// what documents and steps say. Whatever is put into it comes out on one line and moves nothing, so that a
/// file's name can neither steer a terminal nor forge a line of a log.
///
///     Console.print("✗ \(path): \(message)")
package struct PlainText: Sendable, Equatable, CustomStringConvertible {
  package let string: String
  package var description: String { string }

  /// Lines of ours in which strangers' words stand: each is made plain, their breaks stay.
  package init(lines: String) {
    string = lines.split(separator: "\n", omittingEmptySubsequences: false).map(\.plain)
      .joined(separator: "\n")
  }

  package static func + (left: PlainText, right: PlainText) -> PlainText { "\(left)\(right)" }
}

extension PlainText: ExpressibleByStringInterpolation {
  package init(stringLiteral text: String) { string = text }
  package init(stringInterpolation pieces: Pieces) { string = pieces.text }

  package struct Pieces: StringInterpolationProtocol {
    fileprivate var text = ""
    package init(literalCapacity: Int, interpolationCount: Int) {
      text.reserveCapacity(literalCapacity + 32 * interpolationCount)
    }
    package mutating func appendLiteral(_ literal: String) { text += literal }
    package mutating func appendInterpolation(_ value: some Any) { text += "\(value)".plain }
    package mutating func appendInterpolation(_ plain: PlainText) { text += plain.string }
  }
}

extension StringProtocol {
  /// The text on one line, with everything spelled out that moves a cursor, breaks a line, changes the direction
  /// of writing or hides: `\x1b`, `\u202e`.
  package var plain: String {
    if utf8.allSatisfy({ (0x20..<0x7F).contains($0) }) { return String(self) }
    var text = ""
    for scalar in unicodeScalars {
      if isHarmless(scalar) {
        text.unicodeScalars.append(scalar)
      } else {
        let digits = String(scalar.value, radix: 16)
        text +=
          scalar.value < 0x100
          ? "\\x" + String(repeating: "0", count: 2 - digits.count) + digits : "\\u" + digits
      }
    }
    return text
  }
}

private func isHarmless(_ scalar: Unicode.Scalar) -> Bool {
  if (0x20..<0x7F).contains(scalar.value) { return true }
  switch scalar.properties.generalCategory {
  case .control, .lineSeparator, .paragraphSeparator: return false
  // Joiners belong to the spelling of some languages and to emoji; the rest of the kind turns text around or
  // hides it.
  case .format: return scalar.value == 0x200C || scalar.value == 0x200D
  default: return true
  }
}
