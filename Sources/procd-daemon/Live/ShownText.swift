/// Text as a terminal shows it: made harmless, measured and cut by columns.
enum ShownText {
  /// How many columns the text takes. Where terminals differ, the larger number: a line that is
  /// cut too early does no harm, one that wraps does.
  static func columns(_ text: String) -> Int {
    text.unicodeScalars.reduce(0) { $0 + columns($1) }
  }

  static func columns(_ character: Character) -> Int {
    character.unicodeScalars.reduce(0) { $0 + columns($1) }
  }

  private static func columns(_ scalar: Unicode.Scalar) -> Int {
    if scalar.value < 0x300 { return 1 }
    // Asks for the picture form of a sign, which is wider.
    if scalar.value == 0xFE0F { return 1 }
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .format: return 0
    default: return isWide(scalar) ? 2 : 1
    }
  }

  /// East Asian wide and fullwidth (UAX #11), by block, and emoji.
  private static func isWide(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0xA4CF, 0xA960...0xA97F, 0xAC00...0xD7A3,
      0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF01...0xFF60, 0xFFE0...0xFFE6, 0x16FE0...0x18DFF,
      0x1AFF0...0x1B2FF, 0x1F000...0x1FAFF, 0x20000...0x3FFFD:
      true
    default: scalar.properties.isEmojiPresentation
    }
  }

  /// The beginning of the text, as much as fits.
  static func cut(_ text: String, to width: Int) -> String {
    guard columns(text) > width else { return text }
    guard width > 1 else { return width == 1 ? "…" : "" }
    return String(text.prefix(while: fitting(width - 1))) + "…"
  }

  /// Beginning and end of a path, as much as fits: folders differ in front, files and their kinds
  /// at the end.
  static func shortened(_ path: String, to width: Int) -> String {
    guard columns(path) > width else { return path }
    guard width > 4 else { return cut(path, to: width) }
    let front = path.prefix(while: fitting((width - 1) / 2))
    let room = width - 1 - columns(String(front))
    let back = String(path.reversed().prefix(while: fitting(room)).reversed())
    return front + "…" + back
  }

  static func padded(_ text: String, to width: Int) -> String {
    text + String(repeating: " ", count: max(0, width - columns(text)))
  }

  /// Holds for characters as long as all of them fit.
  private static func fitting(_ width: Int) -> (Character) -> Bool {
    var left = width
    return { character in
      left -= columns(character)
      return left >= 0
    }
  }
}
