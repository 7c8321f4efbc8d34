/// Text strings (PDF 32000-1, 7.9.2.2): UTF-16 or UTF-8 with a byte-order mark, else PDFDocEncoding. What many programs
/// write against the standard is read too, UTF-8 without a mark.
public enum TextString {
  /// The text of a string; what is no character is U+FFFD.
  public static func text(_ bytes: [UInt8]) -> String {
    // In all of the encodings.
    if bytes.allSatisfy({ (0x20..<0x7F).contains($0) }) {
      return String(decoding: bytes, as: UTF8.self)
    }
    var text = String.UnicodeScalarView()
    for value in scalars(bytes) { text.append(Unicode.Scalar(value) ?? "\u{FFFD}") }
    return String(text)
  }

  /// The string of a text: as it stands where it is ASCII, else UTF-16.
  public static func bytes(_ text: String) -> [UInt8] {
    if text.utf8.allSatisfy({ (0x20..<0x7F).contains($0) || $0 == 0x0A || $0 == 0x0D }) {
      return Array(text.utf8)
    }
    return [0xFE, 0xFF]
      + text.utf16.flatMap { [UInt8(truncatingIfNeeded: $0 >> 8), UInt8(truncatingIfNeeded: $0)] }
  }

  static func scalars(_ bytes: [UInt8]) -> [UInt32] {
    if bytes.starts(with: [0xFE, 0xFF]) {
      return withoutEscapes(CharacterMapParser.scalars(utf16: Array(bytes[2...])))
    }
    if bytes.starts(with: [0xFF, 0xFE]) {
      var swapped: [UInt8] = []
      var at = 2
      while at + 1 < bytes.count {
        swapped += [bytes[at + 1], bytes[at]]
        at += 2
      }
      return withoutEscapes(CharacterMapParser.scalars(utf16: swapped))
    }
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) {
      return String(decoding: bytes[3...], as: UTF8.self).unicodeScalars.map(\.value)
    }
    if let text = unmarkedUTF8(bytes) { return text.unicodeScalars.map(\.value) }
    return bytes.map { byte in
      switch byte {
      case 0x18...0x1F:
        UInt32([0x2D8, 0x2C7, 0x2C6, 0x2D9, 0x2DD, 0x2DB, 0x2DA, 0x2DC][Int(byte - 0x18)])
      case 0x80...0x9E: upper[Int(byte - 0x80)]
      case 0xA0: 0x20AC
      default: UInt32(byte)
      }
    }
  }

  /// The text of bytes that are UTF-8 beyond ASCII: in PDFDocEncoding they would hardly ever make sense.
  private static func unmarkedUTF8(_ bytes: [UInt8]) -> String? {
    guard bytes.contains(where: { $0 >= 0x80 }) else { return nil }
    // Long strings are read in part (2048 bytes at the least), which may cut the last character.
    for cut in 0...(bytes.count < 2048 ? 0 : 3) {
      if let text = String(validating: bytes.dropLast(cut), as: UTF8.self) { return text }
    }
    return nil
  }

  private static let upper: [UInt32] = [
    0x2022, 0x2020, 0x2021, 0x2026, 0x2014, 0x2013, 0x192, 0x2044, 0x2039, 0x203A, 0x2212, 0x2030,
    0x201E, 0x201C, 0x201D, 0x2018, 0x2019, 0x201A, 0x2122, 0xFB01, 0xFB02, 0x141, 0x152, 0x160,
    0x178, 0x17D, 0x131, 0x142, 0x153, 0x161, 0x17E,
  ]

  /// Removes language codes, which stand between escape characters (7.9.2.2).
  private static func withoutEscapes(_ scalars: [UInt32]) -> [UInt32] {
    guard scalars.contains(0x1B) else { return scalars }
    var result: [UInt32] = []
    var isCode = false
    for scalar in scalars {
      if scalar == 0x1B {
        isCode.toggle()
      } else if !isCode {
        result.append(scalar)
      }
    }
    return result
  }
}
