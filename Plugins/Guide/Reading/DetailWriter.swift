/// Gathers the less common parts of a programme as JSON, written as they come.
struct DetailWriter {
  /// Attributes of the element that is open.
  var system: [UInt8] = []
  var units: [UInt8] = []
  var part: [UInt8] = []
  private var value: [UInt8] = []

  /// The lists of the object, in the order in which they are written.
  enum List: Int, CaseIterable {
    case titles, subtitles, descriptions, categories, keywords, countries, credits, episodes,
      ratings
    case stars, icons, links

    var name: String { Self.names[rawValue] }

    private static let names = [
      "titles", "subtitles", "descriptions", "categories", "keywords", "countries", "credits",
      "episodes", "ratings", "stars", "icons", "links",
    ]
  }
  private var lists = [[UInt8]](repeating: [], count: List.allCases.count)
  private var singles: [UInt8] = []
  private var bytes = 0

  mutating func clear() {
    for index in lists.indices { lists[index].removeAll(keepingCapacity: true) }
    singles.removeAll(keepingCapacity: true)
    value.removeAll(keepingCapacity: true)
    bytes = 0
  }

  /// Appends the members of the object.
  func finish(into details: inout [UInt8]) {
    for list in List.allCases where !lists[list.rawValue].isEmpty {
      Self.name(list.name, &details)
      details.append(0x5B)
      details.append(contentsOf: lists[list.rawValue])
      details.append(0x5D)
    }
    if !singles.isEmpty {
      if !details.isEmpty { details.append(0x2C) }
      details.append(contentsOf: singles)
    }
  }

  mutating func word(_ list: List, _ text: [UInt8]) {
    guard !text.isEmpty else { return }
    append(to: list) { TextBytes.appendJSON(text, to: &$0) }
  }

  mutating func icon(_ address: [UInt8]) { word(.icons, address) }

  mutating func text(_ list: List, _ text: [UInt8], language: [UInt8]) {
    guard !text.isEmpty else { return }
    append(to: list) { Self.object([("language", language), ("text", text)], &$0) }
  }

  mutating func episode(_ text: [UInt8]) {
    guard !text.isEmpty else { return }
    let system = system
    append(to: .episodes) { Self.object([("system", system), ("number", text)], &$0) }
  }

  mutating func credit(_ element: Element, _ name: [UInt8]) {
    guard !name.isEmpty else { return }
    let part = part
    append(to: .credits) {
      Self.object([("job", Array(element.name.utf8)), ("name", name), ("part", part)], &$0)
    }
  }

  mutating func rating(_ text: [UInt8]) { value = text }

  mutating func closeRating(isStars: Bool) {
    guard !value.isEmpty else { return }
    let members: [(String, [UInt8])] = [("system", system), ("value", value)]
    append(to: isStars ? .stars : .ratings) { Self.object(members, &$0) }
    value = []
  }

  mutating func single(_ element: Element, _ text: [UInt8]) {
    switch element {
    case .date: single("date", text)
    case .language: single("language", text)
    case .origLanguage: single("originalLanguage", text)
    default: word(.links, text)
    }
  }

  /// The length in minutes, whatever it was given in.
  mutating func length(_ text: [UInt8]) {
    guard let number = Int(String(decoding: text, as: UTF8.self)), (0...1_000_000).contains(number)
    else { return }
    let minutes =
      switch String(decoding: units, as: UTF8.self) {
      case "seconds": number / 60
      case "hours": number * 60
      default: number
      }
    Self.name("minutes", &singles)
    singles.append(contentsOf: "\(minutes)".utf8)
  }

  private mutating func single(_ name: String, _ text: [UInt8]) {
    guard !text.isEmpty, bytes + text.count < Limits.detailBytes else { return }
    bytes += text.count
    Self.name(name, &singles)
    TextBytes.appendJSON(text, to: &singles)
  }

  private mutating func append(to list: List, _ write: (inout [UInt8]) -> Void) {
    // What is beyond the limit is left out whole, so that the rest stays JSON.
    guard bytes < Limits.detailBytes else { return }
    let place = list.rawValue
    let before = lists[place].count
    if before > 0 { lists[place].append(0x2C) }
    write(&lists[place])
    bytes += lists[place].count - before
  }

  private static func name(_ name: String, _ json: inout [UInt8]) {
    if !json.isEmpty { json.append(0x2C) }
    json.append(0x22)
    json.append(contentsOf: name.utf8)
    json.append(0x22)
    json.append(0x3A)
  }

  private static func object(_ members: [(String, [UInt8])], _ json: inout [UInt8]) {
    json.append(0x7B)
    var isFirst = true
    for (name, value) in members where !value.isEmpty {
      if !isFirst { json.append(0x2C) }
      isFirst = false
      json.append(0x22)
      json.append(contentsOf: name.utf8)
      json.append(0x22)
      json.append(0x3A)
      TextBytes.appendJSON(value, to: &json)
    }
    json.append(0x7D)
  }
}
