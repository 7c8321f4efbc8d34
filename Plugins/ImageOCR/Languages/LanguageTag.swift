/// The languages of the recognizer as document languages.
enum LanguageTag {
  private static let tags = [
    "eng": "en", "deu": "de", "fra": "fr", "ita": "it", "spa": "es", "por": "pt", "nld": "nl",
    "pol": "pl", "ces": "cs", "dan": "da", "swe": "sv", "nor": "no", "fin": "fi", "hun": "hu",
    "ron": "ro", "rus": "ru", "ukr": "uk", "tur": "tr", "ell": "el", "jpn": "ja", "kor": "ko",
    "chi_sim": "zh-Hans", "chi_tra": "zh-Hant", "ara": "ar", "heb": "he",
  ]

  /// The BCP 47 tag of one of Tesseract's languages, or nil where it is not in the list.
  static func tag(of language: String) -> String? { tags[language] }
}
