/// Makes of a text the words that are sought and found: small letters without marks, common endings
/// cut off, one blank between two words.
///
/// Guides and those who search them do so in the same way, so `Häuser`, `hauser` and `HAUS` are one word.
/// Endings are cut by a short list for many languages at once, as guides mix languages and rarely
/// say which: words that are not related may meet, and those that stand in a title as they were typed
/// rank higher (``Ranking``).
enum WordFolding {
  /// Raised when the same text gives other words: the index is made anew then.
  static let version = 1

  /// Appends the folded words of a text, each followed by a blank.
  static func append(_ bytes: Span<UInt8>, to words: inout [UInt8], cutsEndings: Bool = true) {
    var start = words.count, index = 0
    while index < bytes.count {
      if bytes[index] < 0x80 {
        let from = index
        while index < bytes.count, isPlain(bytes[index]) { index += 1 }
        if index > from {
          let place = words.count
          unsafe bytes.extracting(from..<index).withUnsafeBufferPointer {
            unsafe words.append(contentsOf: $0)
          }
          // Makes capital letters small and leaves small ones and digits as they are.
          for place in place..<words.count { words[place] |= 0x20 }
        } else {
          index += 1
          finish(&words, &start, cutsEndings)
        }
        continue
      }
      let (scalar, length) = decode(bytes, index)
      index += length
      switch Letters.fold(scalar) {
      case Letters.separator: finish(&words, &start, cutsEndings)
      case Letters.nothing: break
      case let letter where letter & Letters.alone != 0:
        finish(&words, &start, cutsEndings)
        appendUTF8(letter & ~Letters.alone, &words)
        finish(&words, &start, false)
      case let letter:
        if letter == 0xDF {
          words.append(0x73); words.append(0x73)
        } else {
          appendUTF8(letter, &words)
        }
      }
    }
    finish(&words, &start, cutsEndings)
  }

  /// Whether it is a letter or digit of ASCII.
  private static func isPlain(_ byte: UInt8) -> Bool {
    let small = byte | 0x20
    return small >= 0x61 && small <= 0x7A || byte >= 0x30 && byte <= 0x39
  }

  /// The words of a text.
  static func words(_ text: String, cutsEndings: Bool = true) -> [[UInt8]] {
    var folded: [UInt8] = []
    append(Array(text.utf8).span, to: &folded, cutsEndings: cutsEndings)
    return folded.split(separator: 0x20).map(Array.init)
  }

  private static func finish(_ words: inout [UInt8], _ start: inout Int, _ cutsEndings: Bool) {
    guard words.count > start else { return }
    if words.count - start > Limits.wordBytes {
      // Not within a letter.
      var end = start + Limits.wordBytes
      while words[end] & 0xC0 == 0x80 { end -= 1 }
      words.removeLast(words.count - end)
    }
    if cutsEndings { WordEndings.cut(&words, from: start) }
    words.append(0x20)
    start = words.count
  }

  /// The letter at a place of text that is UTF-8, and its bytes.
  private static func decode(_ bytes: Span<UInt8>, _ index: Int) -> (UInt32, Int) {
    func next(_ offset: Int) -> UInt32 {
      index + offset < bytes.count ? UInt32(bytes[index + offset] & 0x3F) : 0
    }
    let first = UInt32(bytes[index])
    if first < 0xE0 { return ((first & 0x1F) << 6 | next(1), 2) }
    if first < 0xF0 { return ((first & 0x0F) << 12 | next(1) << 6 | next(2), 3) }
    return ((first & 0x07) << 18 | next(1) << 12 | next(2) << 6 | next(3), 4)
  }

  private static func appendUTF8(_ letter: UInt32, _ bytes: inout [UInt8]) {
    switch letter {
    case ..<0x80: bytes.append(UInt8(letter))
    case ..<0x800:
      bytes.append(UInt8(0xC0 | letter >> 6))
      bytes.append(UInt8(0x80 | letter & 0x3F))
    case ..<0x10000:
      bytes.append(UInt8(0xE0 | letter >> 12))
      bytes.append(UInt8(0x80 | letter >> 6 & 0x3F))
      bytes.append(UInt8(0x80 | letter & 0x3F))
    default:
      bytes.append(UInt8(0xF0 | letter >> 18 & 7))
      bytes.append(UInt8(0x80 | letter >> 12 & 0x3F))
      bytes.append(UInt8(0x80 | letter >> 6 & 0x3F))
      bytes.append(UInt8(0x80 | letter & 0x3F))
    }
  }
}

/// What each letter of Unicode is folded to.
enum Letters {
  static let separator: UInt32 = 0
  /// Marks that are dropped.
  static let nothing: UInt32 = 1
  /// Set where a letter is a word of its own, as in scripts that put no blanks between words.
  static let alone: UInt32 = 1 << 31

  static func fold(_ scalar: UInt32) -> UInt32 {
    scalar < UInt32(common.count) ? common[Int(scalar)] : rare(scalar)
  }

  /// Latin, Greek, Cyrillic and their neighbours: nearly all that is asked for.
  private static let common: [UInt32] = {
    var table = (0..<0x600).map { rare(UInt32($0)) }
    let pairs = zip(MarkedLetters.marked.unicodeScalars, MarkedLetters.plain.unicodeScalars)
    for (marked, plain) in pairs where marked.value < 0x600 {
      table[Int(marked.value)] = plain.value
    }
    for index in table.indices {
      let folded = Int(table[index])
      // Capital letters with marks are small ones with marks by now.
      if folded < table.count, folded != index, folded > 0x7F { table[index] = table[folded] }
    }
    return table
  }()

  private static let furtherMarked: [UInt32: UInt32] = Dictionary(
    zip(
      MarkedLetters.marked.unicodeScalars.map(\.value),
      MarkedLetters.plain.unicodeScalars.map(\.value)),
    uniquingKeysWith: { first, _ in first })

  private static func rare(_ value: UInt32) -> UInt32 {
    guard let scalar = Unicode.Scalar(value) else { return separator }
    let properties = scalar.properties
    switch properties.generalCategory {
    case .nonspacingMark: return isScriptWithMarks(value) ? value : nothing
    case .spacingMark, .enclosingMark: return value
    case .format: return nothing
    default: break
    }
    guard properties.isAlphabetic || properties.numericType != nil else { return separator }
    if isWithoutBlanks(value) { return value | alone }
    let small = properties.lowercaseMapping.unicodeScalars.first?.value ?? value
    return value < 0x600 ? small : furtherMarked[small] ?? small
  }

  /// Vowels of Indic scripts are marks that make the word.
  private static func isScriptWithMarks(_ value: UInt32) -> Bool {
    (0x900..<0x1200).contains(value)
  }

  /// Thai, Lao, Burmese, Khmer, kana and Han.
  private static func isWithoutBlanks(_ value: UInt32) -> Bool {
    switch value {
    case 0xE00..<0xF00, 0x1000..<0x10A0, 0x1780..<0x1800, 0x3040..<0x3100, 0x3400..<0xA000,
      0xF900..<0xFB00, 0x20000..<0x32000:
      true
    default: false
    }
  }
}
