import ArgumentParser
import PlainText
import Series

/// A number as people write it: digits, perhaps in groups, or a mark of letters and digits as it stands.
struct ListNumber {
  let text: String

  init?(_ written: String) {
    // Digits of other scripts and widths are digits; lists are read so too.
    let written = String(
      ListContent.key(of: written).map { character in
        character.wholeNumberValue.flatMap { $0 < 10 ? Character(String($0)) : nil } ?? character
      })
    let joined = written.filter { !$0.isWhitespace && $0 != "-" && $0 != "." && $0 != "/" }
    let isNumber = joined.utf8.allSatisfy { (0x30...0x39).contains($0) }
    let text = isNumber ? joined : written.filter { !$0.isWhitespace }
    guard (4...32).contains(text.count), text.contains(where: \.isNumber),
      text.allSatisfy({ $0.isLetter || $0.isNumber || "-./".contains($0) })
    else { return nil }
    self.text = text
  }

  /// The number, or a sentence on what is wrong and the end.
  @discardableResult
  static func require(_ written: String) throws -> ListNumber {
    if let number = ListNumber(written) { return number }
    Console.complain(
      "procd: \(written) is no number of a list: it takes 4 to 32 digits, or letters"
        + " and digits")
    throw ExitCode(64)
  }
}

/// How long the numbers of lists are: one of another length cannot be one of them.
struct NumberLengths {
  private var lengths: Set<Int> = []

  init(of names: [String], _ reader: SeriesReader) throws {
    for name in names {
      if let edition = try reader.newest(of: name) {
        lengths.formUnion(try reader.lengths(of: edition))
      }
    }
  }

  init(of content: ListContent) { lengths = Set(content.numbers.map(\.count)) }

  /// A sentence where the number cannot be in the lists.
  func complaint(about number: String) -> String? {
    guard !lengths.isEmpty, !lengths.contains(number.count) else { return nil }
    let expected = lengths.sorted().map(String.init).joined(separator: " or ")
    return "\(number) has \(number.count) characters, the numbers of the list have \(expected)"
  }
}
