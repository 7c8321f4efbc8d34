/// How Tesseract calls languages, and what Debian's packages of their data are called.
package enum TesseractLanguage {
  /// What people call languages, by what Tesseract calls them (ISO 639-2/T): codes of two letters, the other
  /// codes of three, English names.
  private static let otherNames: [String: String] = {
    let names = [
      "ara": "ar arabic", "ces": "cs cze czech", "chi_sim": "zh chi chinese zho",
      "dan": "da danish",
      "deu": "de ger german deutsch", "ell": "el gre greek", "eng": "en english",
      "fin": "fi finnish",
      "fra": "fr fre french", "heb": "he hebrew", "hin": "hi hindi", "hun": "hu hungarian",
      "ita": "it italian", "jpn": "ja japanese", "kor": "ko korean", "nld": "nl dut dutch",
      "nor": "no nb norwegian", "pol": "pl polish", "por": "pt portuguese",
      "ron": "ro rum romanian",
      "rus": "ru russian", "slk": "sk slo slovak", "spa": "es spanish", "sqi": "sq alb albanian",
      "swe": "sv swedish", "tur": "tr turkish", "ukr": "uk ukrainian",
    ]
    var found: [String: String] = [:]
    for (code, others) in names {
      for other in others.split(separator: " ") { found[String(other)] = code }
    }
    return found
  }()

  /// Whether a name has the form of Tesseract's: three letters, or these with an addition, `chi_sim`.
  private static func isName(_ name: String) -> Bool {
    let parts = name.split(separator: "_", omittingEmptySubsequences: false)
    return parts[0].count == 3 && parts.allSatisfy { $0.allSatisfy { $0.isASCII && $0.isLetter } }
  }

  /// How the data of a language is installed.
  ///
  /// - Parameter name: what Tesseract calls it.
  package static func package(_ name: String) -> String {
    "on Debian: apt install tesseract-ocr-\(name.lowercased().replacing("_", with: "-"))"
  }

  /// What to do where there is no data of this name.
  ///
  /// - Parameter isInstalled: whether there is data of another name.
  package static func cure(_ name: String, isInstalled: (String) -> Bool) -> String {
    if name.contains(where: { ",; ".contains($0) }) {
      return "several languages are written with a plus sign: eng+deu"
    }
    let meant = otherNames[name.lowercased()] ?? name
    guard isName(meant) else {
      return
        "Tesseract knows no language of that name; `tesseract --list-langs` shows those that are installed, and"
        + " on Debian `apt list 'tesseract-ocr-*'` those that there are"
    }
    let install = package(meant)
    guard meant != name else { return install }
    let call = "Tesseract calls it \"\(meant)\""
    return isInstalled(meant) ? "\(call): write that" : "\(call); \(install)"
  }
}
