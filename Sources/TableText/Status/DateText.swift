/// Dates as lists print them, one word or several.
enum DateText {
  private static let months = [
    "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
  ]

  /// The number of words, beginning at an index, that are one date; 0 where none begins there.
  static func length(_ words: [PlacedWord], at index: Int) -> Int {
    let first = Array(words[index].text.utf8)
    if isOneWord(first) { return 1 }
    guard index + 2 < words.count else { return 0 }
    let second = words[index + 1].text
    let third = Array(words[index + 2].text.utf8)
    guard third.count == 4, third.allSatisfy(isDigit) else { return 0 }
    if isDay(first), isMonth(second) { return 3 }
    if isMonth(words[index].text), isDay(Array(second.utf8)) { return 3 }
    return 0
  }

  private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

  private static func isDay(_ bytes: [UInt8]) -> Bool {
    let digits = bytes.prefix { isDigit($0) }
    let rest = bytes.dropFirst(digits.count)
    return (1...2).contains(digits.count)
      && (rest.isEmpty || rest.elementsEqual([0x2C])
        || rest.elementsEqual([0x2E]))
  }

  private static func isMonth(_ text: String) -> Bool {
    let lower = text.lowercased()
    return lower.utf8.count >= 3 && months.contains { lower.hasPrefix($0) }
      && lower.utf8.allSatisfy { $0 >= 0x61 || $0 == 0x2E || $0 == 0x2C }
  }

  /// `7-May-12`, `2012-05-07`, `07.05.2012`, `07/05/2012` and the like: three parts between equal
  /// separators.
  private static func isOneWord(_ bytes: [UInt8]) -> Bool {
    guard (6...12).contains(bytes.count) else { return false }
    // Any of the dashes that typesetters put there.
    let text = String(decoding: bytes, as: UTF8.self)
    var parts: [[UInt8]] = [[]]
    var separators: [Unicode.Scalar] = []
    for scalar in text.unicodeScalars {
      switch scalar {
      case "-", ".", "/", "\u{2010}", "\u{2011}", "\u{2012}", "\u{2013}", "\u{2212}":
        separators.append(scalar)
        parts.append([])
      default: parts[parts.count - 1] += Array(String(scalar).utf8)
      }
    }
    guard parts.count == 3, separators[0] == separators[1] else { return false }
    func number(_ part: [UInt8], _ sizes: ClosedRange<Int>) -> Bool {
      sizes.contains(part.count) && part.allSatisfy(isDigit)
    }
    if number(parts[0], 4...4) { return number(parts[1], 1...2) && number(parts[2], 1...2) }
    guard number(parts[0], 1...2), number(parts[2], 2...4) else { return false }
    return number(parts[1], 1...2)
      || parts[1].count >= 3 && isMonth(String(decoding: parts[1], as: UTF8.self))
  }
}
