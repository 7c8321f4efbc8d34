/// What the engine gets of some words, and which of its characters belongs to which word.
struct SpokenText: Equatable {
  private(set) var text = ""
  /// For each word the place of its first scalar in the text, from 0; nil where nothing of it is
  /// spoken.
  private(set) var starts: [Int?] = []
  /// Letters and digits in it.
  private(set) var letters = 0
  private var count = 0

  init(_ words: ArraySlice<PassageWord>) {
    var scalars = String.UnicodeScalarView()
    for (place, word) in words.enumerated() {
      var spoken = Self.spoken(word.text)
      if word.endsCell || place == words.count - 1 { Self.pause(&spoken, isEnd: !word.endsCell) }
      guard !spoken.isEmpty else {
        starts.append(nil)
        continue
      }
      if count > 0, !word.isGlued {
        scalars.append(" ")
        count += 1
      }
      starts.append(count)
      for scalar in spoken where Self.isSpeakable(scalar) { letters += 1 }
      scalars.append(contentsOf: spoken)
      count += spoken.count
    }
    text = String(scalars)
  }

  /// Whether anything would be heard of a word.
  static func isSpeakable(_ word: PassageWord) -> Bool {
    word.text.unicodeScalars.contains(where: isSpeakable)
  }

  private static func isSpeakable(_ scalar: Unicode.Scalar) -> Bool {
    scalar.properties.isAlphabetic || scalar.properties.numericType != nil
  }

  /// The word without what the engine would take for an order: it reads control characters and the
  /// private area as such. Runs of one sign, as between a heading and its page number, become one.
  private static func spoken(_ word: String) -> [Unicode.Scalar] {
    // Dots that lead from a title to its page, and lines made of signs.
    if word.unicodeScalars.allSatisfy({ ".·•…_*|~─━═".unicodeScalars.contains($0) }) { return [] }
    var result: [Unicode.Scalar] = []
    var run = 0
    for scalar in word.unicodeScalars {
      switch scalar.value {
      case 0..<0x20, 0x7F..<0xA0, 0xE000...0xF8FF, 0xF0000...0x10FFFF, 0xFFFD: continue
      case 0xFB00...0xFB06:
        // Ligatures of old fonts, which the engine does not know.
        let parts = ["ff", "fi", "fl", "ffi", "ffl", "st", "st"]
        result.append(contentsOf: parts[Int(scalar.value - 0xFB00)].unicodeScalars)
        continue
      default: break
      }
      run = result.last == scalar ? run + 1 : 0
      if run >= 2, !isSpeakable(scalar) {
        while result.count > 1, result[result.count - 2] == scalar { result.removeLast() }
        continue
      }
      result.append(scalar)
    }
    return result
  }

  /// Makes the engine's voice come to rest behind a word that has no stop of its own.
  private static func pause(_ word: inout [Unicode.Scalar], isEnd: Bool) {
    guard let last = word.last, isSpeakable(last) || last == ")" || last == "\"" else { return }
    word.append(isEnd ? "." : ",")
  }
}
