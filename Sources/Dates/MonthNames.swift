/// The months by name, in the languages of Europe and around it.
package enum MonthNames {
  /// The month, from 1, that a word names or shortens; nil for other words.
  ///
  /// - Parameter word: in small letters, without full stop.
  static func month(_ word: String) -> Int? {
    let scalars = Array(word.unicodeScalars)
    guard (2...14).contains(scalars.count) else { return nil }
    // The longest known beginning counts: `marras` is no March.
    for length in stride(from: min(scalars.count, 8), through: 2, by: -1) {
      if let month = beginnings[String(String.UnicodeScalarView(scalars[..<length]))] {
        return length == 2 && scalars.count > 3 ? nil : month
      }
    }
    return nil
  }

  /// Whether a word is the name of a month or a short form of it, and does not only begin like one, as `decisions` does.
  ///
  /// - Parameter word: in small letters, without full stop.
  package static func isName(_ word: String) -> Bool {
    beginnings[word] != nil || names.contains(word)
      // Words of other scripts end in too many ways, and hardly any but months begin so.
      || !word.unicodeScalars.contains { $0.value < 0x250 } && month(word) != nil
  }

  /// Whether it is one of English, where the month may stand first.
  package static func isEnglish(_ word: String) -> Bool {
    word.count >= 3 && english.contains { $0.hasPrefix(word) }
  }

  private static let english = [
    "january", "february", "march", "april", "may", "june", "july", "august", "september",
    "october", "november", "december",
  ]

  /// Names in Latin letters, as dates have them.
  private static let names = Set(
    (english
      + [
        "januar januari janvier enero janeiro gennaio jänner stycznia styczeń ledna január ianuarie ocak",
        "februar februari février febrero fevereiro febbraio feber lutego luty února február februarie şubat",
        "märz maart marts mars marzo março marca marzec března március martie mart",
        "avril abril aprile kwietnia kwiecień dubna április aprilie nisan",
        "maggio mayo maio mai maja května május mayıs",
        "juni juin junio junho giugno czerwca czerwiec června június iunie haziran",
        "juli juillet julio julho luglio lipca lipiec července július iulie temmuz",
        "augustus augusti août agosto sierpnia sierpień srpna augusztus ağustos",
        "septembre septiembre setembro settembre września wrzesień září szeptember septembrie eylül",
        "oktober octobre octubre outubro ottobre października październik října október octombrie ekim",
        "novembre noviembre novembro listopada listopad listopadu noiembrie kasım",
        "dezember décembre diciembre dezembro dicembre desember grudnia grudzień prosince decembrie aralık",
      ]).flatMap { $0.split(separator: " ").map(String.init) })

  /// Beginnings of names by month, from January on; where a name could be two, enough of it to tell.
  private static let list: [String] = [
    // English, German, Dutch, Danish, Swedish, French, Spanish, Italian, Portuguese, Romanian …
    "jan jän ene gen ian ιαν янв яну січ ocak oca sty led tamm يناير كانون ינו janu",
    "feb fév fev fevr févr febr φεβ фев лют şub lut úno helm فبراير شباط פבר vas",
    "mar mär mrz mrt maa mär μαρ мар бер mart břez bře маар مارس آذار מרץ márc märz kov",
    "apr avr abr απρ апр кві nis kwi dub huht أبريل ابريل إبريل نيسان אפר ápr",
    "may mai mag maj mei μαΐ μαϊ μάι май мая тра maj kvě touk مايو أيار מאי máj geg",
    "jun juin giu iun ιουν ιούν июн юни чер haz cze červ čer kesä يونيو يونية حزيران יונ jún bir",
    "jul juil lug iul ιουλ ιούλ июл юли лип tem lip červenc červene heinä يوليو تموز יול júl lie",
    "aug aoû aou ago αυγ αύγ авг сер ağu sie srp elo أغسطس اغسطس آب אוג rug",
    "sep set sept σεπ сен вер eyl wrz zář syys سبتمبر أيلول ספט szept rgs",
    "oct okt out ott οκτ окт жов eki paź říj loka أكتوبر اكتوبر אוק spa",
    "nov noi noe νοε νοέ ноя ное лис kas lis marr نوفمبر נוב lap",
    "dec déc dez dic des dis δεκ дек гру ara gru pros ديسمبر דצמ gruo",
  ]

  private static let beginnings: [String: Int] = {
    var result: [String: Int] = [:]
    for (month, names) in list.enumerated() {
      for name in names.split(separator: " ") where result[String(name)] == nil {
        result[String(name)] = month + 1
      }
    }
    return result
  }()
}
