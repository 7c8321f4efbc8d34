internal import Dates
import PDFText

/// Finds dates among the words of a line.
struct DateFinder {
  /// Texts that were looked at before: dates repeat.
  private var known: [String: Bool] = [:]

  /// The number of words, beginning at an index, that are one date; 0 where none begins there.
  mutating func length(_ words: [PlacedWord], at index: Int) -> Int {
    guard mayBegin(words, index) else { return 0 }
    var text = ""
    var best = 0
    for count in 1...6 {
      let place = index + count - 1
      guard place < words.count else { break }
      if count > 1 {
        // Words of a date stand close to one another.
        guard words[place].box.x0 - words[place - 1].box.x1 < Measures.pieceGap * words[place].size
        else {
          break
        }
        text += " "
      }
      text += words[place].text
      if isDate(text) { best = count }
    }
    return best
  }

  mutating func isDate(_ text: String) -> Bool {
    guard text.utf8.count <= 60 else { return false }
    if let known = known[text] { return known }
    let result = PrintedDate(text) != nil
    if known.count < 50_000 { known[text] = result }
    return result
  }

  /// Dates begin with a digit, or with a word before one.
  private func mayBegin(_ words: [PlacedWord], _ index: Int) -> Bool {
    if Self.beginsWithDigit(words[index].text) { return true }
    return index + 1 < words.count && words[index].text.utf8.count <= 28
      && Self.beginsWithDigit(words[index + 1].text)
      || words[index].text.utf8.contains(where: { (0x30...0x39).contains($0) })
  }

  private static func beginsWithDigit(_ text: String) -> Bool {
    guard let first = text.unicodeScalars.first else { return false }
    return PrintedDate.digit(first) != nil
  }
}
