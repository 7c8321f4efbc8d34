extension PassageWord {
  /// Whether a sentence ends with the word.
  ///
  /// - Parameter next: the word behind it, if there is one.
  func endsSentence(before next: PassageWord?) -> Bool {
    var scalars = Array(text.unicodeScalars)
    // Closing quotes and brackets behind the stop.
    while let last = scalars.last, "\"')]»”’".unicodeScalars.contains(last) {
      scalars.removeLast()
    }
    guard let last = scalars.last else { return false }
    guard last == ".", let start = next?.text.unicodeScalars.first else {
      return ".!?…。！？؟।:;".unicodeScalars.contains(last)
    }
    return !start.properties.isLowercase && start.properties.numericType == nil
      && !Self.isAbbreviation(scalars.dropLast())
  }

  /// Whether letters before a stop are an abbreviation or a number in an order (`15.`, `II.`), behind which the sentence
  /// goes on as a rule. An opening bracket or quote before them does not count.
  private static func isAbbreviation(_ scalars: ArraySlice<Unicode.Scalar>) -> Bool {
    let letters = scalars.drop { "\"'([«„“‘".unicodeScalars.contains($0) }
    guard !letters.isEmpty else { return false }
    // Years and amounts are longer.
    if letters.allSatisfy({ $0.properties.numericType != nil }) { return letters.count < 3 }
    if letters.count == 1 || letters.contains(".") { return true }
    if letters.allSatisfy({ "IVXLC".unicodeScalars.contains($0) }) { return true }
    var word = String.UnicodeScalarView()
    word.append(contentsOf: letters)
    return abbreviations.contains(String(word).lowercased())
  }

  /// Those that a name, a number or a noun follows, in the languages of which procd knows the words of dates best. Those
  /// that often end a sentence (`etc.`, `usw.`) are left out.
  private static let abbreviations: Set<String> = Set(
    """
    abb abs abt adm anm art aufl ausg bd betr bspw bzgl bzw ca capt cf ch cmdr col cpl dept dir dott dr \
    dra einschl est evtl fam fig fr frl gen ggf gov hbf hl hon hr hrn hrsg ing inkl insb jh jr kap lic \
    lit lt max med mgr min mio mlle mme mr mrd mrs ms msgr no nos nr num pag par pfr pkt pos pp prof rd \
    rev röm sec sgt sig sog sr sra srta st sta std ste str stv tab tel urspr vgl vol vs ziff zit zzgl
    """.split(separator: " ").map(String.init))
}
