/// A text as patterns and searches see it: hyphens, slashes, blanks and full-width forms are those of ASCII, and what has
/// no width is left out. People type `OAM-04711/DP-2026`; typesetters print it with U+2010, U+2044 and others.
///
/// Only for matching: what comes out of a match is ``original(_:)``.
package struct FoldedText {
  package let text: String
  private let source: String
  /// For each scalar of `text` its place in the UTF-8 of the source, and the end; nil if both texts are one.
  private let places: [Int]?

  package init(_ source: String) {
    self.source = source
    guard source.utf8.contains(where: { $0 >= 0x80 }) else {
      (text, places) = (source, nil)
      return
    }
    var folded = String.UnicodeScalarView()
    var places: [Int] = []
    var place = 0
    var changes = false
    let scalars = source.unicodeScalars
    for index in scalars.indices {
      let scalar = scalars[index]
      let kept = Self.folded(
        scalar, behind: folded.last,
        before: scalar == "\u{AD}" ? scalars[scalars.index(after: index)...].first : nil)
      if kept != scalar { changes = true }
      if let kept {
        folded.append(kept)
        places.append(place)
      }
      place += UTF8.width(scalar)
    }
    places.append(place)
    text = changes ? String(folded) : source
    self.places = changes ? places : nil
  }

  /// What stands in the source for a part of the folded text.
  package func original(_ range: Range<String.Index>) -> Substring {
    guard let places else { return source[range] }
    let scalars = text.unicodeScalars
    let first = scalars.distance(from: scalars.startIndex, to: range.lowerBound)
    let count = scalars.distance(from: range.lowerBound, to: range.upperBound)
    func index(_ place: Int) -> String.Index {
      source.utf8.index(source.startIndex, offsetBy: places[place])
    }
    guard count > 0 else { return source[index(first)..<index(first)] }
    let last = source.unicodeScalars.index(after: index(first + count - 1))
    return source[index(first)..<last]
  }

  /// Returns the scalar that replaces another one for matching, or nil if that one is left out.
  ///
  /// - Parameters:
  ///   - last: the folded scalar before it.
  ///   - next: the scalar after it; only used for U+00AD.
  package static func folded(
    _ scalar: Unicode.Scalar, behind last: Unicode.Scalar?, before next: Unicode.Scalar?
  ) -> Unicode.Scalar? {
    switch scalar.value {
    case 0xAD: isInsideWord(last, next) ? nil : "-"
    case 0x2010...0x2013, 0x2212, 0xFE63: "-"
    case 0x2044, 0x2215: "/"
    case 0xA0, 0x2000...0x200A, 0x202F, 0x205F, 0x3000: " "
    case 0x200B, 0x200C, 0x2060, 0xFEFF: nil
    case 0xFF01...0xFF5E: Unicode.Scalar(scalar.value - 0xFEE0)
    default: scalar
    }
  }

  /// The hyphens that divide a word at the end of a line. U+00AC is one in the text of some OCR programs, U+2E17 in
  /// Fraktur.
  package static let dividingHyphens: [Unicode.Scalar] = [
    "-", "\u{AD}", "\u{2010}", "\u{2011}", "\u{AC}", "\u{2E17}",
  ]

  /// Whether a soft hyphen between two scalars only tells where the word may be divided. Some fonts have no other hyphen
  /// than U+00AD, so it is one beside digits and before a capital letter.
  package static func isInsideWord(_ last: Unicode.Scalar?, _ next: Unicode.Scalar?) -> Bool {
    last?.properties.isAlphabetic == true && next?.properties.isLowercase == true
  }
}
