/// The elements of XMLTV that mean something here.
enum Element: UInt8, CaseIterable {
  case other, tv, channel, displayName, icon, url, programme, title, subTitle, desc, credits
  case date, category, keyword, language, origLanguage, length, country, episodeNum, value
  case previouslyShown, premiere, lastChance, new, rating, starRating
  case actor, director, writer, adapter, producer, composer, editor, presenter, commentator, guest

  /// As it is written.
  var name: String { Self.names[Int(rawValue)] }
  var bytes: [UInt8] { Self.bytes[Int(rawValue)] }

  private static let bytes = names.map { Array($0.utf8) }
  private static let names = [
    "", "tv", "channel", "display-name", "icon", "url", "programme", "title", "sub-title", "desc",
    "credits", "date", "category", "keyword", "language", "orig-language", "length", "country",
    "episode-num", "value", "previously-shown", "premiere", "last-chance", "new", "rating",
    "star-rating", "actor", "director", "writer", "adapter", "producer", "composer", "editor",
    "presenter", "commentator", "guest",
  ]

  /// Whether its text is a name in the credits.
  var isCredit: Bool { rawValue >= Element.actor.rawValue }
}

/// The attributes of XMLTV that mean something here.
enum Attribute: UInt8, CaseIterable {
  case other, id, start, stop, channel, lang, src, system, role, units

  var name: String { "\(self)" }
}

/// Finds the meaning of a name by a hash of its bytes.
struct NameTable {
  private var keys = [UInt64](repeating: 0, count: 256)
  private var values = [UInt8](repeating: 0, count: 256)

  init(_ names: [(name: String, value: UInt8)]) {
    for (name, value) in names {
      let key = name.utf8.reduce(Self.start, Self.key)
      var slot = Self.slot(key)
      while keys[slot] != 0 { slot = (slot + 1) & 255 }
      (keys[slot], values[slot]) = (key, value)
    }
  }

  subscript(key: UInt64) -> UInt8 {
    var slot = Self.slot(key)
    while keys[slot] != 0 {
      if keys[slot] == key { return values[slot] }
      slot = (slot + 1) & 255
    }
    return 0
  }

  private static func slot(_ key: UInt64) -> Int { Int(truncatingIfNeeded: key >> 32) & 255 }

  /// FNV-1a: two names that are not the same have the same key only where somebody sought for them,
  /// and gains an element that is read as another.
  static func key(_ key: UInt64, _ byte: UInt8) -> UInt64 {
    (key ^ UInt64(byte)) &* 0x100_0000_01B3
  }

  /// The key of no name.
  static let start: UInt64 = 0xCBF2_9CE4_8422_2325

  static let elements = NameTable(
    Element.allCases.filter { $0 != .other }.map { ($0.name, $0.rawValue) })
  static let attributes = NameTable(
    Attribute.allCases.filter { $0 != .other }.map { ($0.name, $0.rawValue) })
}
