extension LanguageGuess {
  /// Scripts of one language, or of one that is by far the most frequent.
  static func byScript(_ text: some StringProtocol) -> String? {
    var counts: [String: Int] = [:]
    var letters = 0, latin = 0
    for scalar in text.unicodeScalars where scalar.properties.isAlphabetic {
      letters += 1
      if scalar.value < 0x250 {
        latin += 1
      } else if let language = language(ofScalar: scalar.value) {
        counts[language, default: 0] += 1
      }
    }
    // Kana tells Japanese from Chinese, which has most of its other characters.
    if let kana = counts["ja"], kana * 10 > counts["cmn"] ?? 0 {
      counts["ja"] = kana + (counts["cmn"] ?? 0)
      counts["cmn"] = nil
    }
    guard let best = counts.max(by: { ($0.value, $1.key) < ($1.value, $0.key) }),
      best.value * 2 > letters, best.value > latin,
      // Formulas have some Greek letters, and no words of them.
      best.key != "el" || best.value > 12 || latin == 0 && hasWord(text)
    else { return nil }
    return best.key == "ru" ? cyrillic(text) : best.key == "ar" ? arabic(text) : best.key
  }

  /// Whether four letters stand together.
  private static func hasWord(_ text: some StringProtocol) -> Bool {
    text.split { !$0.isLetter }.contains { $0.count > 3 }
  }

  private static func language(ofScalar value: UInt32) -> String? {
    switch value {
    case 0x370...0x3FF, 0x1F00...0x1FFF: "el"
    case 0x400...0x52F: "ru"
    case 0x530...0x58F: "hy"
    case 0x590...0x5FF: "he"
    case 0x600...0x6FF, 0x750...0x77F, 0xFB50...0xFDFF, 0xFE70...0xFEFC: "ar"
    case 0x900...0x97F: "hi"
    case 0x980...0x9FF: "bn"
    case 0xA00...0xA7F: "pa"
    case 0xA80...0xAFF: "gu"
    case 0xB80...0xBFF: "ta"
    case 0xC00...0xC7F: "te"
    case 0xC80...0xCFF: "kn"
    case 0xD00...0xD7F: "ml"
    case 0xD80...0xDFF: "si"
    case 0xE00...0xE7F: "th"
    case 0x1000...0x109F: "my"
    case 0x10A0...0x10FF: "ka"
    case 0x1100...0x11FF, 0xAC00...0xD7AF: "ko"
    case 0x1200...0x137F: "am"
    case 0x3041...0x30FF: "ja"
    case 0x3400...0x9FFF, 0x20000...0x3FFFF: "cmn"
    default: nil
    }
  }

  private static func cyrillic(_ text: some StringProtocol) -> String {
    let letters = Set(text.lowercased().unicodeScalars)
    if letters.contains("ў") { return "be" }
    if letters.contains("ї") || letters.contains("є") || letters.contains("ґ") { return "uk" }
    if letters.contains("ђ") || letters.contains("ћ") { return "sr" }
    if letters.contains("ѓ") || letters.contains("ќ") { return "mk" }
    if letters.contains("ы") || letters.contains("э") || letters.contains("ё") { return "ru" }
    if letters.contains("ъ") { return "bg" }
    // A text that is too short to have the letters of one alone.
    return language(ofShort: text) == "uk" ? "uk" : "ru"
  }

  private static func arabic(_ text: some StringProtocol) -> String {
    let letters = Set(text.unicodeScalars)
    if letters.contains("ٹ") || letters.contains("ے") { return "ur" }
    return letters.contains("پ") || letters.contains("چ") || letters.contains("گ") ? "fa" : "ar"
  }
}
