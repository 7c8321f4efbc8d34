/// Text as UTF-8 bytes, as it goes from the file into the guide without becoming a String on the way.
enum TextBytes {
  /// Makes one text of what stood in an element: blanks at the ends removed, others made one; bytes that
  /// are no UTF-8 replaced and counted.
  static func tidy(_ text: [UInt8], into result: inout [UInt8], _ mended: inout Int) {
    let (isTidy, isPlain) = look(text)
    if isTidy, isPlain || String(validating: text, as: UTF8.self) != nil {
      // Nearly all texts.
      result += text
      return
    }
    var isASCII = true, blank = false
    let from = result.count
    for byte in text {
      if byte <= 0x20 || byte == 0x7F {
        blank = true
        continue
      }
      if blank, result.count > from { result.append(0x20) }
      blank = false
      if byte >= 0x80 { isASCII = false }
      result.append(byte)
    }
    if !isASCII {
      let piece = result[from...]
      if String(validating: piece, as: UTF8.self) == nil {
        let whole = Array(String(decoding: piece, as: UTF8.self).utf8)
        // A text that was cut at its limit may end within a letter.
        if text.count < Limits.textBytes { mended += 1 }
        result.replaceSubrange(from..., with: whole)
      }
    }
  }

  /// Whether a text has no blanks to remove, and whether it is ASCII: eight bytes at a time, each beside the
  /// one before it.
  private static func look(_ text: [UInt8]) -> (isTidy: Bool, isPlain: Bool) {
    guard let first = text.first, let last = text.last else { return (true, true) }
    guard first > 0x20, first != 0x7F, last != 0x20 else { return (false, false) }
    let bytes = unsafe text.span.bytes
    var all = UInt64(first), odd: UInt64 = 0, index = 1
    while index + 8 <= bytes.byteCount {
      let eight = unsafe bytes.unsafeLoadUnaligned(fromByteOffset: index, as: UInt64.self)
      let before = unsafe bytes.unsafeLoadUnaligned(fromByteOffset: index - 1, as: UInt64.self)
      all |= eight
      odd |= (eight &- each &* 0x20) & ~eight
      odd |= zero(eight ^ each &* 0x7F) | zero((eight ^ blanks) | (before ^ blanks))
      index += 8
    }
    var isOdd = odd & tops != 0
    while index < text.count {
      let byte = text[index]
      all |= UInt64(byte)
      if byte < 0x20 || byte == 0x7F || byte == 0x20 && text[index - 1] == 0x20 { isOdd = true }
      index += 1
    }
    return (!isOdd, all & tops == 0)
  }

  private static let each: UInt64 = 0x0101_0101_0101_0101
  private static let blanks: UInt64 = 0x2020_2020_2020_2020
  private static let tops: UInt64 = 0x8080_8080_8080_8080

  /// Sets the top bit of some byte where a byte is zero, and only then.
  private static func zero(_ eight: UInt64) -> UInt64 { (eight &- each) & ~eight }

  /// Appends a text as JSON, quotes included.
  static func appendJSON(_ text: [UInt8], to json: inout [UInt8]) {
    json.append(0x22)
    // Nearly all texts go in as they are.
    guard text.contains(where: { $0 == 0x22 || $0 == 0x5C || $0 < 0x20 }) else {
      json += text
      json.append(0x22)
      return
    }
    for byte in text {
      switch byte {
      case 0x22, 0x5C:
        json.append(0x5C)
        json.append(byte)
      case 0..<0x20: json.append(0x20)
      default: json.append(byte)
      }
    }
    json.append(0x22)
  }
}
