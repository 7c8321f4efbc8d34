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
    for index in lists.indices where !lists[index].isEmpty {
      lists[index].removeAll(keepingCapacity: true)
    }
    singles.removeAll(keepingCapacity: true)
    value.removeAll(keepingCapacity: true)
    bytes = 0
  }

  /// Appends the members of the object.
  func finish(into details: inout [UInt8]) {
    for list in List.allCases where !lists[list.rawValue].isEmpty {
      Self.name(list.name, isFirst: details.isEmpty, &details)
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

  mutating func text(_ list: List, _ text: [UInt8], language: [UInt8]) {
    guard !text.isEmpty else { return }
    object(in: list, ("language", language), ("text", text))
  }

  mutating func episode(_ text: [UInt8]) {
    guard !text.isEmpty else { return }
    object(in: .episodes, ("system", system), ("number", text))
  }

  mutating func credit(_ element: Element, _ name: [UInt8]) {
    guard !name.isEmpty else { return }
    object(in: .credits, ("job", Array(element.rawValue.utf8)), ("name", name), ("part", part))
  }

  mutating func rating(_ text: [UInt8]) { value = text }

  mutating func closeRating(isStars: Bool) {
    guard !value.isEmpty else { return }
    object(in: isStars ? .stars : .ratings, ("system", system), ("value", value))
    value.removeAll(keepingCapacity: true)
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
    Self.name("minutes", isFirst: singles.isEmpty, &singles)
    singles.append(contentsOf: "\(minutes)".utf8)
  }

  private mutating func single(_ name: String, _ text: [UInt8]) {
    guard !text.isEmpty, bytes + text.count < Limits.detailBytes else { return }
    bytes += text.count
    Self.name(name, isFirst: singles.isEmpty, &singles)
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

  private static func name(_ name: String, isFirst: Bool, _ json: inout [UInt8]) {
    if !isFirst { json.append(0x2C) }
    json.append(0x22)
    json.append(contentsOf: name.utf8)
    json.append(0x22)
    json.append(0x3A)
  }

  private typealias Member = (name: String, value: [UInt8])

  /// An object of those members that are not empty.
  private mutating func object(
    in list: List, _ first: Member, _ second: Member, _ third: Member = ("", [])
  ) {
    append(to: list) { json in
      json.append(0x7B)
      let from = json.count
      Self.member(first, from, &json)
      Self.member(second, from, &json)
      Self.member(third, from, &json)
      json.append(0x7D)
    }
  }

  private static func member(_ member: Member, _ from: Int, _ json: inout [UInt8]) {
    guard !member.value.isEmpty else { return }
    name(member.name, isFirst: json.count == from, &json)
    TextBytes.appendJSON(member.value, to: &json)
  }
}
