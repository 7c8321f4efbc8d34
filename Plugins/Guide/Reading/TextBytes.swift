/// Text as UTF-8 bytes, as it goes from the file into the guide without becoming a String on the way.
enum TextBytes {
  /// Makes one text of what stood in an element: blanks at the ends removed, others made one; bytes that
  /// are no UTF-8 replaced and counted.
  static func tidy(_ text: [UInt8], into result: inout [UInt8], _ mended: inout Int) {
    if isTidy(text.span) {
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

  /// Whether a text is ASCII without blanks to remove.
  private static func isTidy(_ text: Span<UInt8>) -> Bool {
    guard text.count > 0, text[0] != 0x20, text[text.count - 1] != 0x20 else { return false }
    var odd: UInt8 = 0, last: UInt8 = 0
    for index in 0..<text.count {
      let byte = text[index]
      odd |= byte & 0x80 | (byte < 0x20 ? 1 : 0) | (byte == 0x7F ? 1 : 0)
      odd |= (byte == 0x20 && last == 0x20) ? 1 : 0
      last = byte
    }
    return odd == 0
  }

  /// Appends a text as JSON, quotes included.
  static func appendJSON(_ text: [UInt8], to json: inout [UInt8]) {
    json.append(0x22)
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
