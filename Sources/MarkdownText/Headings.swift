internal import PDFText

/// The headings of a document, and the level of each once all are known.
///
/// The outline is believed before structure tags, tags before numbers (`2.1`), numbers before size. Sizes count by rank:
/// the largest type of headings in the document is the first level, whatever it measures.
struct Headings {
  /// The type in which a heading is set.
  struct Style: Hashable {
    /// Tenths of a point.
    var size: Int
    /// Whether it is as large as the text, and told from it by weight alone (1), or by the outline alone (2).
    var kind: Int
  }

  private struct Heading {
    var offset: Int
    var style: Style
    var outlineLevel: Int?
    /// How many numbers it begins with: 2 for `2.1`.
    var depth: Int?
  }

  private var headings: [Heading] = []
  /// Levels in the outline and by tags, by page and text.
  private var outline: [Int: [String: Int]]

  private static let mostLevels = 6

  init(_ outline: [OutlineEntry]) {
    var levels: [Int: [String: Int]] = [:]
    for entry in outline {
      let key = Self.key(entry.title)
      if !key.isEmpty { levels[entry.page, default: [:]][key] = entry.level }
    }
    self.outline = levels
  }

  /// Takes what tags call headings on a page; what stands in the outline too has its level.
  mutating func add(_ tagged: [TextPage.Heading], page: Int) {
    for heading in tagged {
      let key = Self.key(heading.text)
      guard !key.isEmpty, key.utf8.count <= 300, outlineLevel(of: heading.text, onPage: page) == nil
      else { continue }
      outline[page, default: [:]][key] = heading.level
    }
  }

  /// The level that the outline gives a text on a page; a number before it may be left out there.
  func outlineLevel(of text: String, onPage page: Int) -> Int? {
    guard let entries = outline[page] else { return nil }
    var key = Self.key(text)[...]
    if let level = entries[String(key)] { return level }
    for _ in 0..<6 {
      guard let first = key.first, "0123456789ivxlc".contains(first), key.count > 3 else { break }
      key.removeFirst()
      if let level = entries[String(key)] { return level }
    }
    return nil
  }

  /// Whether the outline leads to a page at all.
  func hasOutline(forPage page: Int) -> Bool { outline[page] != nil }

  /// Notes a heading whose text begins at an offset of the output.
  mutating func add(at offset: Int, _ style: Style, _ text: String, page: Int) {
    headings.append(
      Heading(
        offset: offset, style: style, outlineLevel: outlineLevel(of: text, onPage: page),
        depth: Self.depth(text)))
  }

  /// The offsets of all headings, in order, with their levels from 1 to 6.
  func levels() -> [(offset: Int, level: Int)] {
    guard !headings.isEmpty else { return [] }
    let numbered = headings.count { $0.depth != nil } > 1
    func told(_ heading: Heading) -> Int? {
      heading.outlineLevel ?? (numbered ? heading.depth : nil)
    }
    // Styles from the largest on; those within a twentieth of one another are one.
    var ranks: [Style: Int] = [:]
    var toldOfRank: [Int: [Int]] = [:]
    var rank = -1
    var last: Style?
    for style in Set(headings.map(\.style)).sorted(by: {
      ($0.kind == 0 ? 0 : $0.kind, -$0.size) < ($1.kind == 0 ? 0 : $1.kind, -$1.size)
    }) {
      if last?.kind != style.kind || (last?.size ?? 0) * 19 > style.size * 20 { rank += 1 }
      last = style
      ranks[style] = rank
    }
    for heading in headings {
      guard let level = told(heading), let rank = ranks[heading.style] else { continue }
      toldOfRank[rank, default: []].append(level)
    }
    // What stands above the first style of which a level is told are titles.
    var levels: [Int] = []
    var shift: Int?
    for rank in 0...max(0, rank) {
      let before = levels.last ?? 0
      if let own = toldOfRank[rank]?.sorted() {
        if shift == nil { shift = before }
        levels.append(own[own.count / 2] + (shift ?? 0))
      } else {
        levels.append(before + 1)
      }
    }
    return headings.map { heading in
      let byRank = levels[ranks[heading.style] ?? 0]
      let level = told(heading).map { $0 + (shift ?? 0) } ?? byRank
      return (heading.offset, min(max(1, level), Self.mostLevels))
    }
  }

  /// Letters and digits alone, in small form.
  static func key(_ text: String) -> String {
    String(
      String.UnicodeScalarView(
        text.lowercased().unicodeScalars.filter {
          $0.properties.isAlphabetic || $0.properties.numericType != nil
        }))
  }

  private static func depth(_ text: String) -> Int? {
    guard let word = text.split(separator: " ", maxSplits: 1).first, word.count < text.count else {
      return nil
    }
    let numbers = (word.last == "." ? word.dropLast() : word).split(
      separator: ".", omittingEmptySubsequences: false)
    guard numbers.count <= mostLevels,
      numbers.allSatisfy({ (1...3).contains($0.count) && $0.allSatisfy(\.isNumber) })
    else { return nil }
    return numbers.count
  }
}
