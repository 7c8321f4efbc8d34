package import PluginKit

/// The conditions of a rule. Keys are joined by and, the values of one key by or.
package indirect enum Match: Sendable {
  case mime([String])
  case name([String])
  case path([String])
  case size(min: Int?, max: Int?)
  case text(TextQuestion)
  case any([Match])
  case all([Match])
  case not(Match)
}

extension Match {
  /// The conditions without those on the size, which for these purposes hold.
  var withoutSize: Match {
    switch self {
    case .size: .all([])
    case .any(let parts): .any(parts.map(\.withoutSize))
    case .all(let parts): .all(parts.map(\.withoutSize))
    case .not(let inner): .not(inner.withoutSize)
    default: self
    }
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

/// Shell-like patterns over bytes: `*` any run without a slash, `**` any run, `?` one character.
package func glob(_ pattern: String, matches text: String) -> Bool {
  let pattern = Array(pattern.unicodeScalars), text = Array(text.unicodeScalars)
  // The two-pointer walk: on a mismatch the last star takes one more; where that would be a slash,
  // the last double star does, and all behind it begins anew.
  var p = 0, t = 0
  var star: (pattern: Int, text: Int)?, doubleStar: (pattern: Int, text: Int)?
  while t < text.count {
    if p < pattern.count, pattern[p] == "*" {
      let isDouble = p + 1 < pattern.count && pattern[p + 1] == "*"
      p += isDouble ? 2 : 1
      if isDouble {
        doubleStar = (p, t)
        star = nil
      } else {
        star = (p, t)
      }
    } else if p < pattern.count, pattern[p] == "?" || pattern[p] == text[t] {
      p += 1
      t += 1
    } else if let last = star, text[last.text] != "/" {
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
  while p < pattern.count, pattern[p] == "*" { p += 1 }
  return p == pattern.count
}
