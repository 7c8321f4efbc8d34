/// Bytes of a text file as text.
enum TextDecoding {
  /// - Returns: the text, and the name of its encoding where it is not UTF-8.
  static func decode(_ bytes: [UInt8]) -> (text: String, odd: String?) {
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) {
      return (String(decoding: bytes.dropFirst(3), as: UTF8.self), nil)
    }
    if bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF]) {
      let isLittle = bytes[0] == 0xFF
      let units = stride(from: 2, to: bytes.count - 1, by: 2).map { index -> UInt16 in
        let first = UInt16(bytes[index]), second = UInt16(bytes[index + 1])
        return isLittle ? first | second << 8 : first << 8 | second
      }
      return (String(decoding: units, as: UTF16.self), "UTF-16")
    }
    if let text = String(validating: bytes, as: UTF8.self) { return (text, nil) }
    // A few wrong bytes in what is UTF-8 elsewhere are damage, not another encoding.
    let repaired = String(decoding: bytes, as: UTF8.self)
    let wrong = repaired.unicodeScalars.count { $0 == "\u{FFFD}" }
    let sound = repaired.unicodeScalars.count { $0.value >= 0x80 && $0 != "\u{FFFD}" }
    if sound > 4 * wrong { return (repaired, nil) }
    var text = String.UnicodeScalarView()
    for byte in bytes { text.append(windows1252(byte)) }
    return (String(text), "Windows-1252")
  }

  /// The upper half of ISO 8859-1, with the signs that Windows puts where it has controls.
  private static func windows1252(_ byte: UInt8) -> Unicode.Scalar {
    guard (0x80...0x9F).contains(byte) else { return Unicode.Scalar(byte) }
    let signs: [Unicode.Scalar] = [
      "€", "\u{FFFD}", "‚", "ƒ", "„", "…", "†", "‡", "ˆ", "‰", "Š", "‹", "Œ", "\u{FFFD}", "Ž",
      "\u{FFFD}", "\u{FFFD}", "‘", "’", "“", "”", "•", "–", "—", "˜", "™", "š", "›", "œ",
      "\u{FFFD}", "ž", "Ÿ",
    ]
    return signs[Int(byte - 0x80)]
  }
}
