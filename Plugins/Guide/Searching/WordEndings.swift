/// Cuts common endings off folded words, so that `Film`, `Filme` and `films` are one word.
enum WordEndings {
  /// - Parameter from: where the word begins; it ends where the bytes end.
  static func cut(_ bytes: inout [UInt8], from: Int) {
    let count = bytes.count - from
    guard count > 3, let last = bytes.last else { return }
    if last >= 0x80 { return cutCyrillic(&bytes, count) }
    guard last >= 0x61, last <= 0x7A else { return }
    let letter = Int(last - 0x61)
    guard firstOfLetter[letter] < firstOfLetter[letter + 1] else { return }
    var tail: UInt32 = 0
    for byte in bytes[(bytes.count - 4)...] { tail = tail << 8 | UInt32(byte) }
    // Never plural, and one of the most common words of guides.
    if count == 4, tail == news { return }
    for place in firstOfLetter[letter]..<firstOfLetter[letter + 1] {
      let ending = byLastLetter[place]
      guard count - ending.count >= ending.leaves, tail & ending.mask == ending.tail else {
        continue
      }
      if ending.count == 1, last == 0x73, [0x73, 0x75, 0x69].contains(UInt8(tail >> 8 & 0xFF)) {
        return
      }
      bytes.removeLast(ending.count)
      // running, stopped, Sinnen
      let rest = bytes.count - from
      if ending.count > 1, rest > 3, bytes[bytes.count - 1] == bytes[bytes.count - 2] {
        bytes.removeLast()
      }
      return
    }
  }

  private struct Ending {
    /// Up to four letters as one number, the last one lowest, and the bits that they have in it.
    var tail: UInt32 = 0
    var mask: UInt32 = 0
    var count: Int
    /// The letters that must be left.
    var leaves: Int

    init(_ text: String, leaves: Int) {
      (count, self.leaves) = (text.utf8.count, leaves)
      for byte in text.utf8 { (tail, mask) = (tail << 8 | UInt32(byte), mask << 8 | 0xFF) }
    }
  }

  private static let news = Ending("news", leaves: 0).tail

  /// Longer ones first.
  private static let latin = [
    Ending("ings", leaves: 4), Ending("ing", leaves: 4), Ending("ies", leaves: 3),
    Ending("ern", leaves: 4), Ending("ens", leaves: 4), Ending("ers", leaves: 4),
    Ending("ed", leaves: 4), Ending("en", leaves: 4), Ending("er", leaves: 4),
    Ending("em", leaves: 4), Ending("es", leaves: 4), Ending("s", leaves: 3),
    Ending("y", leaves: 3), Ending("e", leaves: 4), Ending("a", leaves: 4),
    Ending("o", leaves: 4), Ending("i", leaves: 4), Ending("n", leaves: 5),
  ]

  private static let byLastLetter: [Ending] = (0x61...0x7A).flatMap { letter in
    latin.filter { $0.tail & 0xFF == letter }
  }

  /// Where the endings of each letter begin among them; one number more than letters.
  private static let firstOfLetter: [Int] = (0x61...0x7B).map { letter in
    latin.count { $0.tail & 0xFF < letter }
  }

  private static func ends(_ bytes: [UInt8], with ending: [UInt8]) -> Bool {
    let from = bytes.count - ending.count
    for index in ending.indices where bytes[from + index] != ending[index] { return false }
    return true
  }

  // MARK: - Cyrillic

  /// As they are after folding: и for й.
  private static let cyrillic = [
    "ями", "ами", "ого", "его", "ому", "ему", "ыми", "ими", "ои", "еи", "ии", "ыи", "ая", "яя",
    "ое",
    "ее", "ые", "ие", "ов", "ев", "ам", "ям", "ах", "ях", "ом", "ем", "ую", "юю", "а", "я", "о",
    "е",
    "ы", "и", "у", "ю", "ь",
  ].map { Array($0.utf8) }

  private static func cutCyrillic(_ bytes: inout [UInt8], _ count: Int) {
    guard bytes[bytes.count - 2] == 0xD0 || bytes[bytes.count - 2] == 0xD1 else { return }
    for ending in cyrillic where count - ending.count >= 6 && ends(bytes, with: ending) {
      bytes.removeLast(ending.count)
      return
    }
  }
}
