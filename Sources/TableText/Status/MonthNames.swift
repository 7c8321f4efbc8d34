/// The months by name, in the languages of Europe and around it.
enum MonthNames {
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
