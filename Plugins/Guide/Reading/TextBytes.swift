/// Text as UTF-8 bytes, as it goes from the file into the guide without becoming a String on the way.
enum TextBytes {
  /// Makes one text of what stood in an element or an attribute: blanks at the ends removed, others made one;
  /// cut at the limit, not within a letter.
  static func tidy(_ text: [UInt8]) -> [UInt8] {
    var result: [UInt8] = [], blank = false
    result.reserveCapacity(min(text.count, Limits.textBytes))
    for byte in text.prefix(Limits.textBytes) {
      if byte <= 0x20 || byte == 0x7F {
        blank = !result.isEmpty
        continue
      }
      if blank { result.append(0x20) }
      blank = false
      result.append(byte)
    }
    if text.count > Limits.textBytes, text[Limits.textBytes] & 0xC0 == 0x80 {
      while let last = result.popLast(), last & 0xC0 == 0x80 {}
    }
    return result
  }

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
