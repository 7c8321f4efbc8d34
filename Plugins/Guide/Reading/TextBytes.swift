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

  /// Whether a text has no blanks to remove, and whether it is ASCII. Without a branch in the loop, so
  /// that many bytes are looked at together.
  private static func look(_ text: [UInt8]) -> (isTidy: Bool, isPlain: Bool) {
    guard let first = text.first, let last = text.last else { return (true, true) }
    var all: UInt8 = 0, odd: UInt8 = first == 0x20 || last == 0x20 ? 1 : 0
    unsafe text.withUnsafeBufferPointer { bytes in
      for index in bytes.indices {
        let byte = unsafe bytes[index]
        all |= byte
        odd |= byte < 0x20 ? 1 : 0
        odd |= byte == 0x7F ? 1 : 0
      }
      for index in 1..<max(1, bytes.count) {
        odd |= unsafe (bytes[index] ^ 0x20) | (bytes[index - 1] ^ 0x20) == 0 ? 1 : 0
      }
    }
    return (odd == 0, all < 0x80)
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
