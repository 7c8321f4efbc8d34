package import PluginKit

/// The conditions of a rule. Keys are joined by and, the values of one key by or.
package indirect enum Match: Sendable {
  case mime([String])
  case name([String], ignoresCase: Bool)
  case path([String], ignoresCase: Bool)
  case size(min: Int?, max: Int?)
  case modified(Modified)
  case text(TextQuestion)
  case any([Match])
  case all([Match])
  case not(Match)
}

extension Match {
  /// The media types that the conditions name; nil where they leave that open.
  var mediaTypes: [String]? {
    switch self {
    case .mime(let patterns): patterns
    case .all(let parts): parts.lazy.compactMap(\.mediaTypes).first
    case .any(let parts):
      parts.map(\.mediaTypes).reduce([]) { all, one in all.flatMap { all in one.map { all + $0 } } }
    default: nil
    }
  }

  /// Whether files of one of these types may be taken, as far as the conditions on the type tell.
  func mayTake(_ types: [String]) -> Bool {
    switch self {
    case .mime(let patterns):
      types.contains { type in patterns.contains { mediaType(type, matches: $0) } }
    case .all(let parts): parts.allSatisfy { $0.mayTake(types) }
    case .any(let parts):
      // Where one names types, the names beside it are how files of those types are called.
      (parts.contains(where: \.namesTypes) ? parts.filter(\.namesTypes) : parts)
        .contains { $0.mayTake(types) }
    default: true
    }
  }

  private var namesTypes: Bool {
    switch self {
    case .mime: true
    case .all(let parts), .any(let parts): parts.contains(where: \.namesTypes)
    default: false
    }
  }

  /// Whether a rule's conditions hold for what is known of a file, and why.
  enum Verdict {
    case yes(String)
    case no(String)
    /// What is known does not decide; with the question about the text that would, if one would.
    case unknown(TextQuestion?)
  }

  func verdict(_ file: RoutingFacts, _ answers: TextAnswers = [:]) -> Verdict {
    switch self {
    case .mime(let patterns):
      guard let mime = file.mime else { return .unknown(nil) }
      for type in file.candidates where patterns.contains(where: { mediaType(type, matches: $0) }) {
        return .yes("type is \(type)")
      }
      return .no("type is \(mime), not \(patterns.joined(separator: " or "))")
    case .name(let patterns, let ignoresCase):
      guard let name = file.name else { return Self.nameless(patterns) }
      return Self.verdict(of: name, called: "name", patterns, ignoresCase)
    case .path(let patterns, let ignoresCase):
      return Self.verdict(of: file.path, called: "path", patterns, ignoresCase)
    case .size(let min, let max):
      guard let size = file.size else { return .unknown(nil) }
      if let min, size < min { return .no("\(size) bytes, less than \(min)") }
      if let max, size > max { return .no("\(size) bytes, more than \(max)") }
      return .yes("\(size) bytes")
    case .modified(let wanted): return wanted.verdict(file)
    case .text(let question):
      guard let lines = answers[question] else { return .unknown(question) }
      let seen =
        "\(lines) \(lines == 1 ? "line matches" : "lines match") \(question.regex)"
        + " on page \(question.pages.description)"
      return lines >= question.lines ? .yes(seen) : .no("\(seen), \(question.lines) needed")
    case .not(let inner):
      switch inner.verdict(file, answers) {
      case .yes(let reason): return .no("excluded: \(reason)")
      case .no(let reason): return .yes("not excluded: \(reason)")
      case .unknown(let question): return .unknown(question)
      }
    case .any(let parts):
      let (yes, no, open) = Self.verdicts(parts, file, answers)
      if let reason = yes.first { return .yes(reason) }
      return open ?? .no(no.joined(separator: "; "))
    case .all(let parts):
      let (yes, no, open) = Self.verdicts(parts, file, answers)
      if let reason = no.first { return .no(reason) }
      return open ?? .yes(yes.isEmpty ? "takes every file" : yes.joined(separator: ", "))
    }
  }

  /// The verdicts of several conditions. All are asked for: a question about the text is put only where nothing that
  /// costs less decides.
  private static func verdicts(
    _ parts: [Match], _ file: RoutingFacts, _ answers: TextAnswers
  ) -> (yes: [String], no: [String], open: Verdict?) {
    var yes: [String] = [], no: [String] = []
    var isOpen = false, question: TextQuestion?
    for part in parts {
      switch part.verdict(file, answers) {
      case .yes(let reason): yes.append(reason)
      case .no(let reason): no.append(reason)
      case .unknown(let asked): (isOpen, question) = (true, question ?? asked)
      }
    }
    return (yes, no, isOpen ? .unknown(question) : nil)
  }

  private static func verdict(
    of text: String, called what: String, _ patterns: [String], _ ignoresCase: Bool
  ) -> Verdict {
    func holds(_ ignoresCase: Bool) -> Bool {
      patterns.contains { glob($0, matches: text, ignoresCase: ignoresCase) }
    }
    if holds(ignoresCase) { return .yes("\(what) matches") }
    let why = !ignoresCase && holds(true) ? " in upper and lower case" : ""
    return .no("\(what) is not like \(patterns.joined(separator: " or "))\(why)")
  }

  /// Of files whose names are not known yet: any may come, but none that stays the same.
  private static func nameless(_ patterns: [String]) -> Verdict {
    let areFixed = patterns.allSatisfy { !$0.contains { "*?0123456789".contains($0) } }
    return areFixed ? .no("name is not like \(patterns.joined(separator: " or "))") : .unknown(nil)
  }

  /// Whether a file may be taken as far as what is known of it tells.
  func mayHold(_ file: RoutingFacts) -> Bool {
    if case .no = verdict(file) { false } else { true }
  }
}

/// When a file must have been changed last.
package struct Modified: Sendable, Equatable {
  /// The first and the last day that it may be, in the configured zone: `2026-11-25`.
  package var from: String?
  package var until: String?
  /// How long ago it must be, or may be at most, when the file is taken; milliseconds.
  package var olderThan: Int?
  package var newerThan: Int?

  fileprivate func verdict(_ file: RoutingFacts) -> Match.Verdict {
    guard let modified = file.modified, let arrived = file.arrived else { return .unknown(nil) }
    let day = day(of: modified), age = arrived - modified
    let seen = "changed \(day)"
    if let from, day < from { return .no("\(seen), before \(from)") }
    if let until, day > until { return .no("\(seen), after \(until)") }
    if let olderThan, age < olderThan { return .no("\(seen), too short a time ago") }
    if let newerThan, age > newerThan { return .no("\(seen), too long ago") }
    return .yes(seen)
  }
}

/// A question about the text of a file that only a worker can answer.
package struct TextQuestion: Sendable, Hashable {
  package var pages: PageSelection
  package var regex: String
  /// In how many lines the expression must match.
  package var lines: Int
  package init(pages: PageSelection, regex: String, lines: Int) {
    self.pages = pages
    self.regex = regex
    self.lines = lines
  }
}

/// Shell-like patterns over characters: `*` any run without a slash, `**` any run, `?` one character.
///
/// - Parameter ignoresCase: whether letters are alike in both cases.
package func glob(_ pattern: String, matches text: String, ignoresCase: Bool = false) -> Bool {
  if pattern.utf8.allSatisfy({ $0 < 0x80 }), text.utf8.allSatisfy({ $0 < 0x80 }) {
    func bytes(_ text: String) -> [UInt8] {
      text.utf8.map { ignoresCase && (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }
    }
    return globs(
      bytes(pattern), bytes(text), star: UInt8(ascii: "*"), one: UInt8(ascii: "?"),
      slash: UInt8(ascii: "/"))
  }
  // As Unicode sees them, two characters are the same however they are composed: names from macOS are decomposed. What
  // has a meaning of its own stays that, whatever a name puts behind it.
  func characters(_ text: String) -> [Character] {
    (ignoresCase ? text.lowercased() : text).flatMap { character -> [Character] in
      guard let first = character.unicodeScalars.first, first.isASCII,
        !first.properties.isAlphabetic
      else { return [character] }
      return character.unicodeScalars.map { Character($0) }
    }
  }
  return globs(characters(pattern), characters(text), star: "*", one: "?", slash: "/")
}

/// Whether elements match those of a pattern.
private func globs<Element: Equatable>(
  _ pattern: [Element], _ text: [Element], star any: Element, one: Element, slash: Element
) -> Bool {
  // The two-pointer walk: on a mismatch the last star takes one more; where that would be a slash,
  // the last double star does, and all behind it begins anew.
  var p = 0, t = 0
  var star: (pattern: Int, text: Int)?, doubleStar: (pattern: Int, text: Int)?
  while t < text.count {
    if p < pattern.count, pattern[p] == any {
      let isDouble = p + 1 < pattern.count && pattern[p + 1] == any
      p += isDouble ? 2 : 1
      if isDouble {
        doubleStar = (p, t)
        star = nil
      } else {
        star = (p, t)
      }
    } else if p < pattern.count, pattern[p] == one || pattern[p] == text[t] {
      p += 1
      t += 1
    } else if let last = star, text[last.text] != slash {
      star = (last.pattern, last.text + 1)
      (p, t) = (last.pattern, last.text + 1)
    } else if let last = doubleStar {
      star = nil
      doubleStar = (last.pattern, last.text + 1)
      (p, t) = (last.pattern, last.text + 1)
    } else {
      return false
    }
  }
  while p < pattern.count, pattern[p] == any { p += 1 }
  return p == pattern.count
}
