/// A script that the recognizer's languages are written in.
enum WritingScript: Hashable {
  case latin, cyrillic, greek, arabic, hebrew, han, japanese, korean, thai, georgian, armenian
  case devanagari, bengali, tamil, telugu, kannada, malayalam, gujarati, gurmukhi, sinhala, khmer
  case lao, burmese, tibetan, ethiopic

  /// The script of one of Tesseract's languages. Those that are not in the table are in Latin letters,
  /// as most are.
  init(language: String) {
    self = Self.languages[language] ?? .latin
  }

  /// - Parameter name: as Tesseract's script detection tells it.
  init?(detected name: String) {
    guard let script = Self.names[name] else { return nil }
    self = script
  }

  private static let languages: [String: WritingScript] = [
    "rus": .cyrillic, "ukr": .cyrillic, "bel": .cyrillic, "bul": .cyrillic, "mkd": .cyrillic,
    "srp": .cyrillic, "kaz": .cyrillic, "kir": .cyrillic, "mon": .cyrillic, "tgk": .cyrillic,
    "tat": .cyrillic, "uzb_cyrl": .cyrillic, "aze_cyrl": .cyrillic,
    "ell": .greek, "grc": .greek,
    "ara": .arabic, "fas": .arabic, "urd": .arabic, "pus": .arabic, "uig": .arabic, "snd": .arabic,
    "kur_ara": .arabic,
    "heb": .hebrew, "yid": .hebrew,
    "chi_sim": .han, "chi_tra": .han, "jpn": .japanese, "kor": .korean,
    "tha": .thai, "kat": .georgian, "kat_old": .georgian, "hye": .armenian,
    "hin": .devanagari, "mar": .devanagari, "nep": .devanagari, "san": .devanagari,
    "ben": .bengali, "asm": .bengali, "tam": .tamil, "tel": .telugu, "kan": .kannada,
    "mal": .malayalam, "guj": .gujarati, "pan": .gurmukhi, "sin": .sinhala, "khm": .khmer,
    "lao": .lao, "mya": .burmese, "bod": .tibetan, "dzo": .tibetan, "amh": .ethiopic,
    "tir": .ethiopic,
  ]

  private static let names: [String: WritingScript] = [
    "Latin": .latin, "Fraktur": .latin, "Cyrillic": .cyrillic, "Greek": .greek, "Arabic": .arabic,
    "Hebrew": .hebrew, "Han": .han, "HanS": .han, "HanT": .han, "Japanese": .japanese,
    "Katakana": .japanese, "Hiragana": .japanese, "Korean": .korean, "Hangul": .korean,
    "Thai": .thai, "Georgian": .georgian, "Armenian": .armenian, "Devanagari": .devanagari,
    "Bengali": .bengali, "Tamil": .tamil, "Telugu": .telugu, "Kannada": .kannada,
    "Malayalam": .malayalam, "Gujarati": .gujarati, "Gurmukhi": .gurmukhi, "Sinhala": .sinhala,
    "Khmer": .khmer, "Lao": .lao, "Myanmar": .burmese, "Tibetan": .tibetan, "Ethiopic": .ethiopic,
  ]
}
