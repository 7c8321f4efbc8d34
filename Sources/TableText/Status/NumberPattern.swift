internal import Bytes
internal import Dates
import PDFText

/// What a case number looks like.
public struct NumberPattern: Sendable, Equatable {
  /// The expression that a number matches as a whole; nil for 20000000000 to 28999999999.
  public let expression: String?

  /// Eleven digits from 20000000000 to 28999999999.
  public init() { expression = nil }

  /// - Parameter expression: a regular expression in Swift's dialect.
  /// - Throws: where it is none.
  public init(_ expression: String) throws {
    _ = try Regex(expression)
    self.expression = expression
  }

  /// Whether a text is a number, with nothing before or behind it.
  public func matches(_ text: String) -> Bool { NumberFinder(self).matches(text) }
}

/// Finds numbers among the words of a line.
struct NumberFinder {
  private let regex: TextPattern?

  init(_ pattern: NumberPattern) { regex = pattern.expression.flatMap { try? TextPattern($0) } }

  func matches(_ text: String) -> Bool {
    if let regex { return regex.matches(text) }
    var place = 0
    for byte in text.utf8 {
      let limit: ClosedRange<UInt8> =
        place == 0 ? 0x32...0x32 : place == 1 ? 0x30...0x38 : 0x30...0x39
      guard limit.contains(byte) else { return false }
      place += 1
    }
    return place == 11
  }

  /// The number that begins at an index, in the digits of ASCII, and how many words it takes; nil
  /// where none does. Numbers may be printed in groups, and carry a mark such as an asterisk, or an addition such as `/1`.
  func number(
    _ words: [PlacedWord], at index: Int
  ) -> (text: String, length: Int, hasAddition: Bool)? {
    let word = words[index].text
    if matches(word) { return (word, 1, false) }
    guard let first = word.unicodeScalars.first else { return nil }
    if regex == nil {
      guard first.isASCII ? Self.mayBegin(word) : PrintedDate.digit(first) != nil else {
        return nil
      }
    }
    var parts: [String] = []
    for count in 1...4 {
      let place = index + count - 1
      guard place < words.count else { break }
      if count > 1,
        words[place].box.x0 - words[place - 1].box.x1 > Measures.digitGroupGap * words[place].size
      {
        break
      }
      parts.append(Self.plain(words[place].text))
      for text in count == 1 ? [parts[0]] : [parts.joined(separator: " "), parts.joined()] {
        if matches(text) { return (text, count, false) }
        let bare = Self.withoutMarks(text)
        if bare != text, matches(bare) { return (bare, count, false) }
        if let whole = Self.withoutAddition(bare), matches(whole) { return (whole, count, true) }
      }
    }
    return nil
  }

  /// Numbers that go on over the lines of a narrow cell: parts that stand below one another.
  func wrappedNumbers(_ lines: [[PlacedWord]]) -> [StatusPageReader.Span] {
    var result: [StatusPageReader.Span] = []
    var used: Set<Int> = []
    for (index, line) in lines.enumerated() {
      for word in line where !used.contains(word.order) && mayBeginWrapped(word.text) {
        var parts = [word]
        var text = Self.plain(word.text)
        while parts.count < 4, let next = below(parts[parts.count - 1], in: lines[(index + 1)...]) {
          parts.append(next)
          text += Self.plain(next.text)
          guard matches(text) else { continue }
          used.formUnion(parts.map(\.order))
          result.append(StatusPageReader.Span(parts, text: text))
          break
        }
      }
    }
    return result
  }

  /// The word right below another one.
  private func below(_ word: PlacedWord, in lines: ArraySlice<[PlacedWord]>) -> PlacedWord? {
    for line in lines {
      guard let place = line.first?.box.middleY,
        place < word.box.middleY + Measures.nextLine * word.size
      else {
        return nil
      }
      guard place > word.box.middleY + Measures.otherLine * word.size else { continue }
      // Lines are sorted from left to right.
      let first = line.partitioningIndex { $0.box.x0 >= word.box.x0 - 3 * word.size }
      let found = line[first...].prefix { $0.box.x0 < word.box.x1 }.first {
        ($0.box.x0 - word.box.x0).magnitude < Measures.below * word.size
          || ($0.box.middleX - word.box.middleX).magnitude < Measures.below * word.size
          || ($0.box.x1 - word.box.x1).magnitude < Measures.below * word.size
      }
      if let found { return found }
    }
    return nil
  }

  private func mayBeginWrapped(_ word: String) -> Bool {
    if regex != nil { return word.utf8.count <= 40 }
    let text = Self.plain(word)
    return text.utf8.first == 0x32 && text.utf8.count < 11
      && text.utf8.allSatisfy { (0x30...0x39).contains($0) }
  }

  /// Whether a word could be a number with a mark, or the first group of one.
  private static func mayBegin(_ word: String) -> Bool {
    let digits = word.utf8.prefix { (0x30...0x39).contains($0) }.count
    return word.utf8.first == 0x32 && digits >= 2 && digits >= min(11, word.utf8.count)
  }

  /// A text with its digits in ASCII.
  private static func plain(_ text: String) -> String {
    guard !text.utf8.allSatisfy({ $0 < 0x80 }) else { return text }
    var result = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      if let digit = PrintedDate.digit(scalar), let ascii = Unicode.Scalar(0x30 + digit) {
        result.append(ascii)
      } else if scalar.properties.generalCategory != .format {
        result.append(scalar)
      }
    }
    return String(result)
  }

  /// A text without a letter at its end, or without a mark and up to three letters or digits: `/1`, `-A`, `(b)`.
  private static func withoutAddition(_ text: String) -> String? {
    var rest = Substring(text)
    if rest.last == ")" { rest.removeLast() }
    let addition = rest.reversed().prefix { $0.isASCII && ($0.isLetter || $0.isNumber) }
    guard (1...3).contains(addition.count) else {
      // A letter right behind the digits.
      guard let last = rest.last, last.isASCII, last.isLetter,
        rest.dropLast().last?.isNumber == true
      else { return nil }
      return String(rest.dropLast())
    }
    rest.removeLast(addition.count)
    guard let mark = rest.last, "/-–.(_".contains(mark) else { return nil }
    return String(rest.dropLast())
  }

  /// A text without the marks of notes and the punctuation at its end.
  private static func withoutMarks(_ text: String) -> String {
    var scalars = text.unicodeScalars
    let brackets: Set<Unicode.Scalar> = [")", "]", "\"", "”"]
    while let last = scalars.last, scalars.count > 1, !last.properties.isAlphabetic,
      last.properties.generalCategory != .decimalNumber, !brackets.contains(last)
    {
      scalars.removeLast()
    }
    return String(scalars)
  }
}
