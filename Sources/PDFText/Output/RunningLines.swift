/// Finds what recurs at the head or foot of pages: running titles and page numbers, which nobody wants
/// to hear, or to read, in the middle of a sentence.
///
/// A line is one where a page nearby has a line at the same height, among its outermost, that says
/// the same apart from numbers, or begins or ends with a number that counts as the pages do. Rows of
/// figures at the head of tables do neither; numbered headings are larger than the text.
package struct RunningLines: Sendable {
  /// A line among the outermost of its page.
  private struct Candidate: Sendable {
    /// The index of the line in its page.
    var line: Int
    /// Tenths of a point from the top of the page.
    var height: Int
    /// The letters in small form, with one sign for each number.
    var pattern: Int
    var hasLetters: Bool
    /// Whether one of its numbers is a Roman one.
    var hasRoman: Bool
    /// The number that it begins and the one that it ends with, less that of the page: equal on pages
    /// that are counted.
    var leading: Int?
    var trailing: Int?
    /// In points.
    var size: Double
    var isRunning = false
  }

  private var pages: [Int: [Candidate]] = [:]
  package private(set) var count = 0

  package init() {}

  /// Lines from the head and from the foot of a page that can be running ones. Titles, dates and a
  /// rule with the page number are rarely more.
  private static let depth = 3
  /// Pages to either side that are compared. Titles of left and right pages differ, and a chapter
  /// begins on a page without one.
  package static let reach = 3
  /// Tenths of a point by which heights may differ.
  private static let tolerance = 40

  /// Notes the outermost lines of a page.
  package mutating func add(_ page: TextPage) {
    func isUpright(_ line: Int) -> Bool { page.words[page.lines[line].words].first?.angle == 0 }
    let upright = page.lines.indices.filter(isUpright)
    let sorted = upright.sorted { page.lines[$0].box.middleY < page.lines[$1].box.middleY }
    // Only what stands in the outer parts of the page: a short page has its text in the middle.
    let head = sorted.prefix(Self.depth)
      .filter { page.lines[$0].box.y1 < 0.2 * page.height }
    let foot = sorted.suffix(Self.depth)
      .filter { page.lines[$0].box.y0 > 0.8 * page.height }
    // Stamps along the edge of a page that is upright otherwise.
    let turned = page.lines.indices.filter { !isUpright($0) }
    let stamps = turned.count < upright.count ? Array(turned.prefix(Self.depth)) : []
    pages[page.number] = Set(head + foot + stamps).sorted().map { Self.candidate($0, page) }
  }

  /// Compares all pages; afterwards ``lines(onPage:)`` has the result.
  ///
  /// - Parameter bodySize: the size of most letters, in points.
  package mutating func decide(bodySize: Double) {
    for (number, candidates) in pages {
      for (place, candidate) in candidates.enumerated() {
        let recurs =
          recurrences(of: candidate, from: number) { Self.match(candidate, $0, bodySize) } > 0
        // A lone page has nothing to compare: a bare number that is its own.
        let isOwnNumber =
          pages.count == 1 && !candidate.hasLetters && candidate.leading == 0
          && candidate.trailing == 0
        if recurs || isOwnNumber {
          pages[number]?[place].isRunning = true
          count += 1
        }
      }
    }
  }

  /// The indices of the lines of a page that are to be left out.
  package func lines(onPage number: Int) -> Set<Int> {
    Set((pages[number] ?? []).filter(\.isRunning).map(\.line))
  }

  /// On how many pages nearby a line recurs.
  private func recurrences(
    of candidate: Candidate, from number: Int, _ matches: (Candidate) -> Bool
  ) -> Int {
    (number - Self.reach...number + Self.reach).count { other in
      other != number && pages[other]?.contains(where: matches) == true
    }
  }

  /// The indices of the lines of a page that can be left out without losing a word: page numbers, and what two pages
  /// nearby or more say too, apart from numbers, among those that were added so far.
  package func repeatedLines(onPage number: Int, bodySize: Double) -> Set<Int> {
    let repeated = (pages[number] ?? []).filter { candidate in
      !candidate.hasRoman
        && recurrences(of: candidate, from: number) {
          Self.match(candidate, $0, bodySize) && candidate.pattern == $0.pattern
        } > 1
    }
    return Set(repeated.map(\.line))
  }

  private static func match(_ one: Candidate, _ other: Candidate, _ bodySize: Double) -> Bool {
    guard (one.height - other.height).magnitude <= tolerance else { return false }
    if one.pattern == other.pattern, one.hasLetters { return true }
    // The title of a section may change while the number beside it counts on.
    let isHeading = one.hasLetters && max(one.size, other.size) >= 1.12 * bodySize
    guard !isHeading else { return false }
    return one.leading != nil && one.leading == other.leading
      || one.trailing != nil && one.trailing == other.trailing
  }

  private static func candidate(_ index: Int, _ page: TextPage) -> Candidate {
    let line = page.lines[index]
    var hasher = Hasher()
    var hasLetters = false
    var leading: Int?, trailing: Int?
    var size = 0.0
    var isFirst = true, hasRoman = false
    for word in page.words[line.words].prefix(60) {
      let text = page.text(word).lowercased()
      size = max(size, word.size)
      // Dashes around a page number.
      guard text.unicodeScalars.contains(where: isPartOfNumber) else { continue }
      defer { isFirst = false }
      trailing = nil
      if let number = number(text) {
        hasher.combine("#")
        if !text.utf8.contains(where: { (0x30...0x39).contains($0) }) { hasRoman = true }
        trailing = number - page.number
        if isFirst { leading = trailing }
      } else {
        hasher.combine(text)
        hasLetters = hasLetters || text.unicodeScalars.contains { $0.properties.isAlphabetic }
      }
    }
    return Candidate(
      line: index, height: Int((min(max(line.box.y1, 0), 1e5) * 10).rounded()),
      pattern: hasher.finalize(), hasLetters: hasLetters, hasRoman: hasRoman, leading: leading,
      trailing: trailing,
      size: size)
  }

  /// The number that a word is, in digits or Roman ones, with the dashes and dots around it.
  package static func number(_ word: String) -> Int? {
    let bare = word.unicodeScalars.drop { !isPartOfNumber($0) }
    var scalars = Array(bare)
    while let last = scalars.last, !isPartOfNumber(last) { scalars.removeLast() }
    guard (1...6).contains(scalars.count), word.unicodeScalars.count <= scalars.count + 4 else {
      return nil
    }
    var text = String.UnicodeScalarView()
    text.append(contentsOf: scalars)
    if let number = Int(String(text)) { return number }
    return roman(String(text))
  }

  private static func isPartOfNumber(_ scalar: Unicode.Scalar) -> Bool {
    scalar.properties.isAlphabetic || scalar.properties.numericType != nil
  }

  /// Roman numbers up to 399, as pages before the first are counted.
  private static func roman(_ text: String) -> Int? {
    let values: [Character: Int] = ["i": 1, "v": 5, "x": 10, "l": 50, "c": 100]
    var sum = 0, previous = 0
    for letter in text.reversed() {
      guard let value = values[letter] else { return nil }
      sum += value < previous ? -value : value
      previous = max(previous, value)
    }
    return sum > 0 && sum < 400 ? sum : nil
  }
}
