/// Joins the lines of a cell. A hyphen at the end of a line belongs to the word or to the break; the rest of
/// the list tells which.
struct BrokenWords {
  /// The words of all lines; empty where no line ends with a hyphen.
  private var words: Set<Substring> = []

  init(_ pages: [StatusPage]) {
    let lines = pages.lazy.flatMap(\.lists).flatMap(\.lines).map(\.text)
    guard lines.contains(where: Self.isBroken) else { return }
    for line in lines { words.formUnion(line.split(whereSeparator: \.isWhitespace)) }
  }

  func joined(_ lines: [String]) -> String {
    guard !words.isEmpty, lines.dropLast().contains(where: Self.isBroken) else {
      return PlacedWord.joined(lines)
    }
    var parts: [String] = []
    for line in lines {
      if let above = parts.last, let whole = whole(above, line) {
        parts[parts.count - 1] = whole
      } else {
        parts.append(line)
      }
    }
    return PlacedWord.joined(parts)
  }

  /// Two lines as one without the hyphen; nil where no other line has the word whole.
  private func whole(_ above: String, _ below: String) -> String? {
    guard Self.isBroken(above), below.first?.isLowercase == true,
      let start = above.split(whereSeparator: \.isWhitespace).last,
      let end = below.split(whereSeparator: \.isWhitespace).first
    else { return nil }
    let word = start.dropLast() + end
    let compound = start + end
    guard words.contains(Substring(word)), !words.contains(Substring(compound)) else { return nil }
    return above.dropLast() + below
  }

  /// Whether a line ends with a letter and a hyphen.
  private static func isBroken(_ line: String) -> Bool {
    guard line.utf8.last == UInt8(ascii: "-") else { return false }
    return line.dropLast().last?.isLowercase ?? false
  }
}
