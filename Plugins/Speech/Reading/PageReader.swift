internal import PDFText
internal import TableText

/// Turns one page of a PDF into passages.
struct PageReader {
  private let page: TextPage
  private let leftOut: Set<Int>
  private let bodySize: Double
  private let divided: [Int: Int]

  /// - Parameters:
  ///   - lines: indices of lines that are passed over.
  ///   - bodySize: the size of most letters of the document, in points.
  init(_ page: TextPage, leavingOut lines: Set<Int>, bodySize: Double) {
    self.page = page
    leftOut = lines
    self.bodySize = bodySize
    divided = page.dividedWords()
  }

  func passages() -> [Passage] {
    var passages: [Passage] = []
    for part in page.parts() {
      switch part {
      case .lines(let lines, let block):
        add(block, lines: lines.filter { !leftOut.contains($0) }, to: &passages)
      case .table(let table): passages += rows(table)
      case .words(let words): append(.paragraph, words.filter { !isLeftOut($0) }, to: &passages)
      }
    }
    return passages
  }

  private func add(_ block: TextBlock, lines: [Int], to passages: inout [Passage]) {
    // Code may stand close to the text around it.
    let isCode = lines.map(isCode)
    var start = 0
    while start < lines.count {
      var end = start + 1
      while end < lines.count, isCode[end] == isCode[start] { end += 1 }
      add(block, run: Array(lines[start..<end]), isCode: isCode[start], to: &passages)
      start = end
    }
  }

  /// Adds lines of a block that are all code, or all none.
  private func add(_ block: TextBlock, run lines: [Int], isCode: Bool, to passages: inout [Passage])
  {
    if isCode {
      for line in lines { append(.code, Array(page.lines[line].words), to: &passages) }
      return
    }
    let words = lines.flatMap { Array(page.lines[$0].words) }
    if let level = headingLevel(block, lines, words) {
      append(.heading(level), words, to: &passages)
    } else {
      append(beginsItem(lines[0]) ? .item : .paragraph, words, to: &passages)
    }
  }

  // MARK: Kinds

  private func isCode(_ line: Int) -> Bool {
    page.lines[line].words.allSatisfy { page.face(page.words[$0])?.isFixedPitch == true }
  }

  private func headingLevel(_ block: TextBlock, _ lines: [Int], _ words: [Int]) -> Int? {
    guard lines.count <= 3, words.count <= 30, let last = words.last else { return nil }
    guard
      words.contains(where: { index in
        page.text(page.words[index]).unicodeScalars.contains { $0.properties.isAlphabetic }
      })
    else { return nil }
    let ratio = block.size / max(bodySize, 0.1)
    if ratio >= 1.7 { return 1 }
    if ratio >= 1.3 { return 2 }
    if ratio >= 1.12 { return 3 }
    guard ratio > 0.9, lines.count == 1,
      words.allSatisfy({ page.face(page.words[$0])?.isBold == true })
    else { return nil }
    let end = page.text(page.words[last]).last
    return end == "." || end == "," || end == ":" || end == ";" ? nil : 4
  }

  private func beginsItem(_ line: Int) -> Bool {
    guard let first = page.words[page.lines[line].words].first, page.lines[line].words.count > 1
    else { return false }
    return ListMarks.isMark(page.text(first))
  }

  // MARK: Words

  private func rows(_ table: PageTable) -> [Passage] {
    var passages: [Passage] = []
    for row in table.rows {
      var words: [PassageWord] = []
      for cell in row.words {
        let kept = cell.filter { !isLeftOut($0) }
        words += self.words(kept)
        if !words.isEmpty { words[words.count - 1].endsCell = true }
      }
      guard !words.isEmpty else { continue }
      words[words.count - 1].endsCell = false
      passages.append(Passage(kind: .row, page: page.number, words: words))
    }
    return passages
  }

  private func isLeftOut(_ word: Int) -> Bool {
    !leftOut.isEmpty && leftOut.contains { page.lines[$0].words.contains(word) }
  }

  private func append(_ kind: Passage.Kind, _ indices: [Int], to passages: inout [Passage]) {
    var words = self.words(indices)
    if kind == .item, words.count > 1, ListMarks.isBullet(words[0].text) { words.removeFirst() }
    guard !words.isEmpty else { return }
    passages.append(Passage(kind: kind, page: page.number, words: words))
  }

  /// Words with their places; those that a line's end divides are put together.
  private func words(_ indices: [Int]) -> [PassageWord] {
    var words: [PassageWord] = []
    words.reserveCapacity(indices.count)
    var place = 0
    while place < indices.count {
      let word = page.words[indices[place]]
      let own = PassageWord.Place(page: page.number, box: word.box)
      if let hyphen = divided[indices[place]], place + 1 < indices.count,
        indices[place + 1] == indices[place] + 1
      {
        let rest = page.words[indices[place + 1]]
        let text =
          String(decoding: page.utf8[word.range].dropLast(hyphen), as: UTF8.self) + page.text(rest)
        var whole = WordCutting.words(text, at: own)
        if !whole.isEmpty { whole[0].rest = .init(page: page.number, box: rest.box) }
        words += whole
        place += 2
      } else {
        words += WordCutting.words(page.text(word), at: own)
        place += 1
      }
    }
    return words
  }
}

extension TextPage {
  fileprivate func face(_ word: Word) -> FontFace? {
    fonts.indices.contains(word.font) ? fonts[word.font] : nil
  }
}

/// What begins an item of a list.
enum ListMarks {
  static func isBullet(_ word: String) -> Bool {
    ["•", "‣", "◦", "▪", "▸", "●", "○", "■", "–", "—", "-", "*", "+", "·"].contains(word)
  }

  /// A bullet, or a number with its stop.
  static func isMark(_ word: String) -> Bool {
    if isBullet(word) { return true }
    guard let stop = word.last, stop == "." || stop == ")", word.utf8.count <= 4 else {
      return false
    }
    let number = word.dropLast()
    return !number.isEmpty && number.utf8.allSatisfy { (0x30...0x39).contains($0) }
  }
}
