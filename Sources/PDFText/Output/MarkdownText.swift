import Bytes

/// Writes the text of a document as Markdown: headings by their size, lists, tables, code, and what is
/// bold or italic inside paragraphs.
///
/// Pages are added in order. The size of the body text is that of most letters seen so far, so the
/// first pages should be given first.
public struct MarkdownWriter {
  private var output = ByteWriter(reserving: 4096)
  /// Letters by size of type, in tenths of a point.
  private var letters: [Int: Int] = [:]
  private var isFirst = true
  /// Those of the page that is being added.
  private var wholeWords = WholeWords()

  /// A document without pages.
  public init() {}

  /// The document so far.
  public var bytes: [UInt8] { output.bytes }

  /// Adds a page.
  public mutating func add(_ page: TextPage) {
    for word in page.words {
      letters[Self.tenths(word.size), default: 0] += word.range.count
    }
    let body = Double(letters.max { ($0.value, -$0.key) < ($1.value, -$1.key) }?.key ?? 100) / 10
    wholeWords = WholeWords(page)
    let blocks = page.blocks()
    let tables = MarkdownTables(page)
    var index = 0
    var wasItem = false
    while index < blocks.count {
      let block = blocks[index]
      if let table = tables.table(at: block.lines.lowerBound) {
        startBlock()
        write(table, page)
        let end = table.lines.upperBound
        while index < blocks.count, blocks[index].lines.lowerBound < end { index += 1 }
        wasItem = false
        continue
      }
      index += 1
      guard let first = page.lines[block.lines].first else { continue }
      if isCode(block, page) {
        startBlock()
        writeCode(block, page)
        wasItem = false
      } else if let level = headingLevel(block, page, body: body) {
        startBlock()
        for _ in 0..<level { output.append(0x23) }
        output.append(0x20)
        write(page.words.indices(of: page.lines[block.lines]), page, emphasis: false)
        output.append(0x0A)
        wasItem = false
      } else if let mark = ListMark.begins(page.bytes(of: first)) {
        if !wasItem { startBlock() }
        writeItem(block, mark, page)
        wasItem = true
      } else {
        startBlock()
        var words = page.words.indices(of: page.lines[block.lines])
        // A paragraph that a column's end divides goes on in the next block.
        while index < blocks.count, goesOn(words, in: blocks[index], page) {
          words += page.words.indices(of: page.lines[blocks[index].lines])
          index += 1
        }
        write(words, page, emphasis: true)
        output.append(0x0A)
        wasItem = false
      }
    }
  }

  /// Whether a paragraph has no end of its own and a block of the same size begins in the middle of a
  /// sentence.
  private func goesOn(_ words: [Int], in block: TextBlock, _ page: TextPage) -> Bool {
    guard let last = words.last, let line = page.lines[block.lines].first,
      let first = page.words[line.words].first,
      (page.words[last].size - first.size).magnitude < 0.05 * first.size,
      page.face(last)?.isFixedPitch == page.face(line.words.lowerBound)?.isFixedPitch
    else { return false }
    let end = String(decoding: page.utf8[page.words[last].range].suffix(4), as: UTF8.self)
    let start = String(decoding: page.utf8[first.range].prefix(4), as: UTF8.self)
    guard let before = end.unicodeScalars.last, let after = start.unicodeScalars.first else {
      return false
    }
    return after.properties.isLowercase
      && (before.properties.isAlphabetic || before == "," || before == "-" || before == ";")
  }

  private static func tenths(_ size: Double) -> Int { Int((min(size, 1e4) * 10).rounded()) }

  private mutating func startBlock() {
    if !isFirst { output.append(0x0A) }
    isFirst = false
  }

  // MARK: Kinds of blocks

  /// The level of a heading, from 1, or nil for anything else.
  private func headingLevel(_ block: TextBlock, _ page: TextPage, body: Double) -> Int? {
    guard block.lines.count <= 3 else { return nil }
    let words = page.words.indices(of: page.lines[block.lines])
    guard words.count <= 30, let last = words.last else { return nil }
    let ratio = block.size / max(body, 0.1)
    if ratio >= 1.7 { return 1 }
    if ratio >= 1.3 { return 2 }
    if ratio >= 1.12 { return 3 }
    guard ratio > 0.9, block.lines.count == 1, words.allSatisfy({ page.face($0)?.isBold == true })
    else { return nil }
    let end = page.utf8[page.words[last].range].last
    return end == 0x2E || end == 0x2C || end == 0x3A || end == 0x3B ? nil : 4
  }

  private func isCode(_ block: TextBlock, _ page: TextPage) -> Bool {
    page.words.indices(of: page.lines[block.lines]).allSatisfy {
      page.face($0)?.isFixedPitch == true
    }
  }

  private mutating func writeCode(_ block: TextBlock, _ page: TextPage) {
    // A fence is longer than what stands between it and looks like one.
    var longest = 2
    for line in page.lines[block.lines] {
      var run = 0
      for byte in page.bytes(of: line) {
        run = byte == 0x60 ? run + 1 : 0
        longest = max(longest, run)
      }
    }
    let fence = String(repeating: "`", count: longest + 1)
    output.append("\(fence)\n")
    for line in page.lines[block.lines] {
      // Fixed pitch: the indent is a number of letters.
      let indent = Int(((line.box.x0 - block.box.x0) / max(0.6 * block.size, 0.1)).rounded())
      for _ in 0..<max(0, min(indent, 200)) { output.append(0x20) }
      output.append(contentsOf: page.bytes(of: line))
      output.append(0x0A)
    }
    output.append("\(fence)\n")
  }

  private mutating func writeItem(_ block: TextBlock, _ mark: ListMark, _ page: TextPage) {
    var words = page.words.indices(of: page.lines[block.lines])
    switch mark {
    case .bullet: output.append("- ")
    case .number(let bytes):
      output.append(contentsOf: page.bytes(of: page.lines[block.lines.lowerBound]).prefix(bytes))
      output.append(0x20)
    }
    if !words.isEmpty { words.removeFirst() }
    write(words, page, emphasis: true)
    output.append(0x0A)
  }

  private mutating func write(_ table: PageTable, _ page: TextPage) {
    for (number, row) in table.rows.enumerated() {
      output.append(0x7C)
      for cell in row {
        output.append(0x20)
        for (index, word) in cell.enumerated() {
          if index > 0 { output.append(0x20) }
          output.append(markdown: page.utf8[page.words[word].range], inTable: true)
        }
        output.append(" |")
      }
      output.append(0x0A)
      if number == 0 {
        output.append(0x7C)
        for _ in row { output.append(" --- |") }
        output.append(0x0A)
      }
    }
  }

  // MARK: Words

  /// Writes words one behind the other, those that a line's end divides put together.
  private mutating func write(_ words: [Int], _ page: TextPage, emphasis: Bool) {
    var open: [UInt8] = []
    var wasJoined = true
    for (place, index) in words.enumerated() {
      let style = emphasis ? Self.style(page.face(index)) : []
      let word = page.words[index]
      var text = page.utf8[word.range]
      var joins = false
      if place + 1 < words.count {
        let next = page.words[words[place + 1]]
        let isLineEnd = page.lineEnds(at: index)
        if isLineEnd, let hyphen = page.hyphen(word, next) {
          joins = true
          if !wholeWords.contain(text + page.utf8[next.range]) { text = text.dropLast(hyphen) }
        }
      }
      if style != open {
        output.append(contentsOf: open)
        if !wasJoined { output.append(0x20) }
        output.append(contentsOf: style)
        open = style
      } else if !wasJoined {
        output.append(0x20)
      }
      output.append(markdown: text, beginsBlock: place == 0, goesOn: place > 0 && wasJoined)
      wasJoined = joins
    }
    output.append(contentsOf: open)
  }

  private static func style(_ face: FontFace?) -> [UInt8] {
    guard let face, !face.isFixedPitch else { return face == nil ? [] : [0x60] }
    return [UInt8](repeating: 0x2A, count: (face.isBold ? 2 : 0) + (face.isItalic ? 1 : 0))
  }
}

extension TextPage {
  func face(_ word: Int) -> FontFace? {
    let font = words[word].font
    return fonts.indices.contains(font) ? fonts[font] : nil
  }

  /// Whether a word is the last one of its line.
  func lineEnds(at word: Int) -> Bool {
    let end = words[word].range.upperBound
    return end >= utf8.count || utf8[end] == 0x0A
  }
}

extension [TextPage.Word] {
  /// The places of the words of some lines.
  fileprivate func indices(of lines: ArraySlice<TextPage.Line>) -> [Int] {
    lines.flatMap { Array<Int>($0.words) }
  }
}
