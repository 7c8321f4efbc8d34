internal import Bytes

/// A filter in a typed query: `in:letters`, `from:anna`, `since:2026-05`, `before:2026-06-01`.
struct FindCondition: Sendable, Equatable {
  enum Kind: Sendable, Equatable {
    /// A rule, or a folder on the way from the inbox to the file, in lowercase; with `isPrefix` the beginning of one.
    case within(String, isPrefix: Bool)
    /// Words of the sender.
    case from(FindQuery.Term)
    /// Milliseconds since 1970: finished then or later.
    case since(Int64)
    /// Milliseconds since 1970: finished earlier.
    case before(Int64)
  }

  var kind: Kind
  /// Whether documents of which it is true are left out: `-in:letters`.
  var isUnwanted = false

  enum Name: String, CaseIterable { case within = "in", from, since, before }

  /// Returns the name of the filter with which a text begins, and the text behind its colon, or nil if it begins with
  /// no filter.
  static func name(of text: Substring) -> (name: Name, rest: Substring)? {
    let head = text.prefix { $0 != ":" && !$0.isWhitespace }
    let rest = text[head.endIndex...]
    guard rest.first == ":", rest.dropFirst().first?.isWhitespace != true,
      let name = Name(rawValue: head.lowercased())
    else { return nil }
    return (name, rest.dropFirst())
  }

  /// Returns the filter of a value, or nil if the value is none for it, such as `before:lunch`.
  ///
  /// - Parameter value: without its quotes.
  static func kind(_ name: Name, value: Substring, isPrefix: Bool) -> Kind? {
    switch name {
    case .within:
      let name = value.lowercased().split(separator: "/").joined(separator: "/")
      return name.isEmpty ? nil : .within(name, isPrefix: isPrefix)
    case .from:
      return FindQuery.Term(value, isPrefix: isPrefix).map { .from($0) }
    case .since: return beginning(ofTime: value).map { .since($0) }
    case .before: return beginning(ofTime: value).map { .before($0) }
    }
  }

  /// Returns the beginning of a day, a month or a year in UTC as milliseconds since 1970: `2026-05-01`, `2026-05`, `2026`.
  private static func beginning(ofTime text: Substring) -> Int64? {
    let rest = [4: "-01-01", 7: "-01"][text.utf8.count] ?? ""
    return CalendarDate(iso: text + rest).map { Int64($0.daysSince1970) * 86_400_000 }
  }

  /// Whether more letters may make a value of a text that is none.
  static func isUnfinished(_ text: Substring, of name: Name) -> Bool {
    switch name {
    case .within, .from: text.isEmpty
    case .since, .before:
      text.utf8.count < 10 && text.utf8.allSatisfy { (0x30...0x39).contains($0) || $0 == 0x2D }
    }
  }

  /// The rule and the folders of a document, each between slashes, as ``Kind/within(_:isPrefix:)`` is looked for in them.
  static func places(rule: String?, path: String) -> String {
    let folders = path.lowercased().split(separator: "/").dropLast().map { $0 + "/" }.joined()
    return "/\(rule?.lowercased() ?? "")/\n/" + folders
  }
}
