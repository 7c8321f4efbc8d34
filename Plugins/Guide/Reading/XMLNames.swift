/// The elements of XMLTV that mean something here.
enum Element: String, CaseIterable {
  case other = ""
  case tv, channel, icon, url, programme, title, desc, credits, date, category, keyword, language
  case length, country, value, premiere, new, rating
  case displayName = "display-name"
  case subTitle = "sub-title"
  case origLanguage = "orig-language"
  case episodeNum = "episode-num"
  case previouslyShown = "previously-shown"
  case lastChance = "last-chance"
  case starRating = "star-rating"
  case actor, director, writer, adapter, producer, composer, editor, presenter, commentator, guest

  /// Whether its text is a name in the credits.
  var isCredit: Bool {
    switch self {
    case .actor, .director, .writer, .adapter, .producer, .composer, .editor, .presenter,
      .commentator, .guest:
      true
    default: false
    }
  }

  /// Whether it stands by itself below the root: what is wrong in one does no harm to the next.
  var isEntry: Bool { self == .programme || self == .channel }

  /// By their names; a table is much faster than the initializer, which compares with one after another.
  static let named = Dictionary(uniqueKeysWithValues: allCases.map { ($0.rawValue, $0) })
}

/// The attributes of XMLTV that mean something here.
enum Attribute: String, CaseIterable {
  case id, start, stop, channel, lang, src, system, role, units

  static let named = Dictionary(uniqueKeysWithValues: allCases.map { ($0.rawValue, $0) })
}
