internal import Bytes

/// Turns the lines of a text into passages.
struct TextPageReader {
  private let page: Int
  private let isMarkdown: Bool
  private var passages: [Passage] = []
  /// The passage whose lines are being gathered.
  private var kind = Passage.Kind.paragraph
  private var words: [PassageWord] = []
  /// The last word where it may be the first half of one that the line's end divides.
  private var isDivided = false
  private var fence: String?

  init(page: Int, isMarkdown: Bool) {
    self.page = page
    self.isMarkdown = isMarkdown
  }

  mutating func add(_ line: Substring) {
    let trimmed = line.trimmingBlanks
    if isMarkdown, handleFence(trimmed) { return }
    if fence != nil {
      let pieces = words(of: line)
      if !pieces.isEmpty { passages.append(Passage(kind: .code, page: page, words: pieces)) }
      return
    }
    guard !trimmed.isEmpty else { return end() }
    if isMarkdown, let level = headingLevel(trimmed) {
      end()
      kind = .heading(level)
      append(trimmed.drop { $0 == "#" })
      end()
    } else if let cells = cells(trimmed) {
      end()
      add(row: cells)
    } else {
      if let first = trimmed.split(separator: " ", maxSplits: 1).first, first.count < trimmed.count,
        ListMarks.isMark(String(first))
      {
        end()
        kind = .item
        append(ListMarks.isBullet(String(first)) ? trimmed.dropFirst(first.count) : trimmed)
      } else {
        append(isMarkdown ? trimmed.drop { $0 == ">" } : trimmed)
      }
    }
  }

  mutating func finish() -> [Passage] {
    end()
    return passages
  }

  // MARK: Marks

  private mutating func handleFence(_ line: Substring) -> Bool {
    if let open = fence {
      guard line.hasPrefix(open) else { return false }
      fence = nil
      return true
    }
    guard let mark = ["```", "~~~"].first(where: { line.hasPrefix($0) }) else { return false }
    end()
    fence = mark
    return true
  }

  private func headingLevel(_ line: Substring) -> Int? {
    let marks = line.prefix { $0 == "#" }.count
    guard (1...6).contains(marks), line.dropFirst(marks).first == " " else { return nil }
    return marks
  }

  /// The cells of a row: between bars in Markdown, between tabulators anywhere.
  private func cells(_ line: Substring) -> [Substring]? {
    if isMarkdown, line.hasPrefix("|"), line.utf8.count > 1 {
      return line.dropFirst().split(separator: "|").map(\.trimmingBlanks)
    }
    guard line.utf8.contains(0x09) else { return nil }
    let cells = line.split(separator: "\t").map(\.trimmingBlanks).filter { !$0.isEmpty }
    return cells.count > 1 ? cells : nil
  }

  private mutating func add(row cells: [Substring]) {
    // The line below the head of a table in Markdown.
    if cells.allSatisfy({ $0.allSatisfy { $0 == "-" || $0 == ":" || $0 == " " } }) { return }
    var row: [PassageWord] = []
    for cell in cells {
      let own = words(of: cell)
      guard !own.isEmpty else { continue }
      row += own
      row[row.count - 1].endsCell = true
    }
    guard !row.isEmpty else { return }
    row[row.count - 1].endsCell = false
    passages.append(Passage(kind: .row, page: page, words: row))
  }

  // MARK: Words

  private mutating func end() {
    if !words.isEmpty { passages.append(Passage(kind: kind, page: page, words: words)) }
    words = []
    kind = .paragraph
    isDivided = false
  }

  private mutating func append(_ line: Substring) {
    var pieces = words(of: line)
    guard let first = pieces.first else { return }
    if isDivided, let last = words.last, WordDivision.joins(last.text, first.text) {
      let joined = WordDivision.joined(last.text, first.text)
      words.removeLast()
      pieces.replaceSubrange(0..<1, with: WordCutting.words(joined, at: .init(page: page)))
    }
    words += pieces
    isDivided = WordDivision.endsOpen(words.last?.text ?? "")
  }

  private func words(of line: some StringProtocol) -> [PassageWord] {
    line.split(whereSeparator: \.isWhitespace).flatMap { raw in
      WordCutting.words(isMarkdown ? Self.withoutMarks(raw) : String(raw), at: .init(page: page))
    }
  }

  /// A word without the signs for emphasis around it.
  private static func withoutMarks(_ word: some StringProtocol) -> String {
    let signs: Set<Character> = ["*", "_", "`"]
    var bare = word[...]
    while let first = bare.first, signs.contains(first) { bare = bare.dropFirst() }
    var behind = ""
    while let last = bare.last, signs.contains(last) || ".,;:!?)".contains(last) {
      if !signs.contains(last) { behind = "\(last)\(behind)" }
      bare = bare.dropLast()
    }
    return bare.isEmpty ? String(word) : bare + behind
  }
}

extension Substring {
  fileprivate var trimmingBlanks: Substring {
    var text = self
    while let first = text.first, first.isWhitespace { text = text.dropFirst() }
    while let last = text.last, last.isWhitespace { text = text.dropLast() }
    return text
  }
}

/// Words that the end of a line divides.
enum WordDivision {
  /// Whether a word may go on in the next line.
  static func endsOpen(_ word: String) -> Bool {
    let scalars = word.unicodeScalars
    guard scalars.count > 1, let last = scalars.last,
      FoldedText.dividingHyphens.contains(last)
    else { return false }
    return scalars.dropLast().last?.properties.isAlphabetic == true
  }

  static func joins(_ first: String, _ second: String) -> Bool {
    endsOpen(first) && second.unicodeScalars.first?.properties.isLowercase == true
  }

  static func joined(_ first: String, _ second: String) -> String {
    String(first.unicodeScalars.dropLast()) + second
  }
}
