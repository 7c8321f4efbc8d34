/// What layout has to know of scalars, by ranges of the Unicode blocks.
enum Scripts {
  static func isRightToLeft(_ scalar: UInt32) -> Bool {
    switch scalar {
    case 0x0590...0x08FF: !isPartOfNumber(scalar) && scalar != 0x66A
    case 0xFB1D...0xFDFF, 0xFE70...0xFEFE, 0x10800...0x10FFF, 0x1E800...0x1EFFF, 0x200F: true
    default: false
    }
  }

  /// The letters of the bidirectional class AL: Arabic, Syriac, Thaana, N'Ko.
  static func isArabic(_ scalar: UInt32) -> Bool {
    switch scalar {
    case 0x0600...0x08FF, 0xFB50...0xFDFF, 0xFE70...0xFEFE: isRightToLeft(scalar)
    default: false
    }
  }

  static func isArabicDigit(_ scalar: UInt32) -> Bool {
    (0x0660...0x0669).contains(scalar) || (0x06F0...0x06F9).contains(scalar)
  }

  static func isDigit(_ scalar: UInt32) -> Bool {
    (0x30...0x39).contains(scalar) || isArabicDigit(scalar)
  }

  /// Digits, and the separators that are parts of Arabic numbers alone.
  static func isPartOfNumber(_ scalar: UInt32) -> Bool {
    isDigit(scalar) || scalar == 0x66B || scalar == 0x66C
  }

  static func isLeftToRight(_ scalar: UInt32) -> Bool {
    switch scalar {
    case 0x41...0x5A, 0x61...0x7A, 0xAA, 0xB5, 0xBA, 0xC0...0xD6, 0xD8...0xF6, 0xF8...0x2B8: true
    case 0x370...0x58F, 0x900...0x1FFF, 0x2C00...0x2DFF, 0x3040...0xD7FF, 0xF900...0xFAFF: true
    case 0xFB00...0xFB17, 0xFF21...0xFF3A, 0xFF41...0xFF5A: true
    default: false
    }
  }

  /// Ideographs, kana, hangul and their punctuation: written without blanks.
  static func isWithoutBlanks(_ scalar: UInt32) -> Bool {
    switch scalar {
    case 0x2E80...0x312F, 0x3190...0x9FFF, 0xF900...0xFAFF, 0xFF00...0xFFEF, 0x20000...0x3FFFF: true
    default: false
    }
  }

  /// Whether nothing stands between two letters where a line's end parts them: so with ideographs and kana, not with
  /// Hangul, whose words have blanks.
  static func joinsOverLines(_ scalar: UInt32) -> Bool {
    isWithoutBlanks(scalar) && !(0x3130...0x318F).contains(scalar)
  }

  /// Whether a scalar is a letter; one that Unicode does not have is taken for one.
  static func isLetter(_ scalar: UInt32) -> Bool {
    scalar < 0x80
      ? (scalar | 0x20) >= 0x61 && (scalar | 0x20) <= 0x7A
      : Unicode.Scalar(scalar)?.properties.isAlphabetic ?? true
  }

  /// Returns whether a scalar is a letter in lower case, or nil if its script has none.
  static func isLowercase(_ scalar: UInt32) -> Bool? {
    guard let scalar = Unicode.Scalar(scalar) else { return nil }
    let properties = scalar.properties
    return properties.isAlphabetic && !properties.isCased ? nil : properties.isLowercase
  }

  /// Whether the first letter drawn of a segment is one from right to left; brackets, digits and stops tell nothing.
  static func readsRightToLeft(_ segment: Segment, _ run: GlyphRun) -> Bool {
    for glyph in segment.places(run).prefix(32) {
      let scalar = run.firstScalar(run.glyphs[Int(glyph)].text)
      if isRightToLeft(scalar) { return true }
      if isLeftToRight(scalar) { return false }
    }
    return false
  }

  /// Marks that stand on the letter before them.
  static func isCombining(_ scalar: UInt32) -> Bool {
    switch scalar {
    case 0x0300...0x036F, 0x0591...0x05BD, 0x05BF, 0x05C1...0x05C2, 0x05C4...0x05C5, 0x05C7,
      0x0610...0x061A, 0x064B...0x065F, 0x0670, 0x06D6...0x06DC, 0x06DF...0x06E4, 0x20D0...0x20FF,
      0xFE20...0xFE2F:
      true
    // The signs of India and its neighbors that take no place of their own.
    case 0x0900...0x1CFF: Unicode.Scalar(scalar)?.properties.generalCategory == .nonspacingMark
    default: false
    }
  }

  /// Returns whether a letter contains a mark that fonts draw as a separate glyph before it: SARA AM of Thai and Lao, by
  /// their decompositions in UnicodeData.txt.
  static func contains(_ letter: UInt32, mark: UInt32) -> Bool {
    (letter == 0xE33 && mark == 0xE4D) || (letter == 0xEB3 && mark == 0xECD)
  }

  /// The glyph-list name of an accent that stands alone, and its combining form.
  static func accent(_ scalar: UInt32) -> (name: String, combining: UInt32)? {
    switch scalar {
    case 0x60, 0x2CB: ("grave", 0x300)
    case 0xB4, 0x2CA: ("acute", 0x301)
    case 0x5E, 0x2C6: ("circumflex", 0x302)
    case 0x7E, 0x2DC: ("tilde", 0x303)
    case 0xAF, 0x2C9: ("macron", 0x304)
    case 0x2D8: ("breve", 0x306)
    case 0x2D9: ("dotaccent", 0x307)
    case 0xA8: ("dieresis", 0x308)
    case 0x2DA: ("ring", 0x30A)
    case 0x2DD: ("hungarumlaut", 0x30B)
    case 0x2C7: ("caron", 0x30C)
    case 0xB8: ("cedilla", 0x327)
    case 0x2DB: ("ogonek", 0x328)
    case negation: ("", negation)
    default: nil
    }
  }

  /// The stroke that is drawn before a relation and means its contrary: TeX's `\not`.
  static let negation: UInt32 = 0x338

  /// The contrary of a relation, where Unicode has it.
  private static let contraries: [UInt32: UInt32] = [
    0x3D: 0x2260, 0x3C: 0x226E, 0x3E: 0x226F, 0x2208: 0x2209, 0x220B: 0x220C, 0x2203: 0x2204,
    0x2261: 0x2262, 0x223C: 0x2241, 0x2243: 0x2244, 0x2248: 0x2249, 0x2264: 0x2270, 0x2265: 0x2271,
    0x227A: 0x2280, 0x227B: 0x2281, 0x2282: 0x2284, 0x2283: 0x2285, 0x2286: 0x2288, 0x2287: 0x2289,
    0x2190: 0x219A, 0x2192: 0x219B, 0x2194: 0x21AE, 0x21D2: 0x21CF, 0x2223: 0x2224, 0x2225: 0x2226,
  ]

  /// A Latin letter with an accent, or the contrary of a relation, as one scalar where Unicode has it.
  static func compose(_ letter: UInt32, _ accent: (name: String, combining: UInt32)) -> [UInt32] {
    if accent.combining == negation {
      return contraries[letter].map { [$0] } ?? [letter, negation]
    }
    var base = letter
    // Accents take the place of the dot.
    if letter == 0x131 { base = 0x69 }
    if base < 0x80, let scalar = Unicode.Scalar(base),
      let composed = GlyphList.scalars(String(Character(scalar)) + accent.name), composed.count == 1
    {
      return composed
    }
    return [base, accent.combining]
  }
}
