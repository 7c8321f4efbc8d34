internal import Bytes

/// Text as the index keeps it, and as people get it back.
///
/// Scripts that set no spaces between words (Chinese, Japanese, Thai …) are kept a letter at a time, with
/// U+200B between them: a search for some of their letters is then a search for a phrase, and finds words of
/// one or two letters too, which trigrams would not.
enum FindText {
  private static let mark: Unicode.Scalar = "\u{200B}"

  /// - Parameter page: text of a page, as it was read.
  static func kept(_ page: Substring) -> String {
    var text = String.UnicodeScalarView()
    text.reserveCapacity(page.unicodeScalars.count)
    var last: Unicode.Scalar = " "
    var rest = page.unicodeScalars[...]
    while var scalar = rest.popFirst() {
      if FoldedText.dividingHyphens.contains(scalar), isLetter(last),
        let joined = afterBreak(rest, joinsAll: scalar == "\u{AD}")
      {
        // A word that a line's end divides.
        rest = joined
        continue
      }
      if scalar.value >= 0xAD {
        guard let plain = FoldedText.folded(scalar, behind: last, before: rest.first) else {
          continue
        }
        // Marks and blanks divide words however they are written; they are shown as they are.
        if isWord(plain) { scalar = plain }
      }
      if scalar.value < 0x0E00 {
        // No text of SQLite goes on behind it.
        text.append(scalar.value == 0 ? " " : scalar)
        last = scalar
        continue
      }
      if standsAlone(scalar) || standsAlone(last), isWord(scalar), isWord(last) {
        text.append(mark)
      }
      text.append(scalar)
      last = scalar
    }
    return String(text)
  }

  /// Text without what ``kept(_:)`` put into it.
  static func shown(_ text: some StringProtocol) -> String {
    var shown = String.UnicodeScalarView()
    shown.append(contentsOf: text.unicodeScalars.filter { $0 != mark })
    return String(shown)
  }

  /// What follows a line's break if a small letter begins it.
  ///
  /// - Parameter joinsAll: whether any letter will do.
  private static func afterBreak(
    _ rest: Substring.UnicodeScalarView, joinsAll: Bool
  ) -> Substring.UnicodeScalarView? {
    var rest = rest.drop { isBlank($0) }
    if rest.first == "\r" { rest.removeFirst() }
    guard rest.popFirst() == "\n" else { return nil }
    rest = rest.drop { isBlank($0) }
    guard let next = rest.first, joinsAll ? isLetter(next) : next.properties.isLowercase else {
      return nil
    }
    return rest
  }

  private static func isBlank(_ scalar: Unicode.Scalar) -> Bool { scalar == " " || scalar == "\t" }

  private static func isLetter(_ scalar: Unicode.Scalar) -> Bool { scalar.properties.isAlphabetic }

  /// Whether the tokenizer makes words of it: letters and numbers.
  static func isWord(_ scalar: Unicode.Scalar) -> Bool {
    if scalar.value < 0x80 {
      return ("0"..."9").contains(scalar) || ("a"..."z").contains(scalar)
        || ("A"..."Z").contains(scalar)
    }
    return switch scalar.properties.generalCategory {
    case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter,
      .decimalNumber, .letterNumber, .otherNumber, .nonspacingMark, .spacingMark, .privateUse:
      true
    default: false
    }
  }

  /// Whether its script sets no spaces between words: Thai, Lao, Myanmar, Khmer, kana, Han, Yi.
  private static func standsAlone(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x0E00...0x0EFF, 0x1000...0x109F, 0x1780...0x17FF, 0x3040...0x30FF, 0x31F0...0x31FF,
      0x3400...0x4DBF, 0x4E00...0x9FFF, 0xA000...0xA4CF, 0xF900...0xFAFF, 0x1B000...0x1B16F,
      0x20000...0x323AF:
      true
    default: false
    }
  }
}
