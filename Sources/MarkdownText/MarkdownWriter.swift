internal import Bytes
public import PDFText
import TableText

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

  /// Whether running heads and feet stay.
  private let keepsRunningLines: Bool
  private var running = RunningLines()
  /// Pages that are not written yet: what runs shows on those that follow.
  private var waiting: [TextPage] = []
  /// How many running lines were left out.
  public private(set) var leftOut = 0

  /// A document without pages.
  ///
  /// - Parameter keepsRunningLines: whether what recurs at the head or foot of pages stays.
  public init(keepsRunningLines: Bool = false) { self.keepsRunningLines = keepsRunningLines }

  /// How many bytes were written so far.
  public var count: Int { output.count }

  /// Adds a page.
  public mutating func add(_ page: TextPage) {
    for word in page.words {
      letters[Self.tenths(word.size), default: 0] += word.range.count
    }
    if !keepsRunningLines { running.add(page) }
    waiting.append(page)
    if keepsRunningLines || waiting.count > RunningLines.reach { writeFirst() }
  }

  /// The document.
  public mutating func finish() -> [UInt8] {
    while !waiting.isEmpty { writeFirst() }
    return output.bytes
  }

  private mutating func writeFirst() {
    let page = waiting.removeFirst()
    let body = Double(letters.max { ($0.value, -$0.key) < ($1.value, -$1.key) }?.key ?? 100) / 10
    let left = keepsRunningLines ? [] : running.repeatedLines(onPage: page.number, bodySize: body)
    leftOut += left.count
    write(page, without: left, body: body)
  }

  private mutating func write(_ page: TextPage, without left: Set<Int>, body: Double) {
    wholeWords = WholeWords(page)
    var parts = page.parts()
    if !left.isEmpty {
      parts = parts.compactMap { part in
        guard case .lines(let lines, let block) = part else { return part }
        let rest = lines.filter { !left.contains($0) }
        return rest.isEmpty ? nil : .lines(rest, of: block)
      }
    }
    var index = 0
    var wasItem = false
    while index < parts.count {
      defer { index += 1 }
      guard case .lines(let lines, let block) = parts[index], let first = lines.first else {
        startBlock()
        switch parts[index] {
        case .table(let table): write(table, page)
        case .words(let words):
          write(words, page, emphasis: true)
          output.append(0x0A)
        case .lines: break
        }
        wasItem = false
        continue
      }
      if isCode(lines, page) {
        startBlock()
        writeCode(lines, block, page)
        wasItem = false
      } else if let level = headingLevel(lines, block, page, body: body) {
        startBlock()
        for _ in 0..<level { output.append(0x23) }
        output.append(0x20)
        write(page.words(of: lines), page, emphasis: false)
        output.append(0x0A)
        wasItem = false
      } else if let mark = ListMark.begins(page.bytes(of: page.lines[first])) {
        if !wasItem { startBlock() }
        writeItem(lines, mark, page)
        wasItem = true
      } else {
        startBlock()
        var words = page.words(of: lines)
        // A paragraph that a column's end divides goes on in the next block.
        while index + 1 < parts.count, case .lines(let next, _) = parts[index + 1],
          goesOn(words, in: next, page)
        {
          words += page.words(of: next)
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
  private func goesOn(_ words: [Int], in lines: [Int], _ page: TextPage) -> Bool {
    guard let last = words.last, let line = lines.first.map({ page.lines[$0] }),
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
  private func headingLevel(
    _ lines: [Int], _ block: TextBlock, _ page: TextPage, body: Double
  ) -> Int? {
    guard lines.count <= 3 else { return nil }
    let words = page.words(of: lines)
    guard words.count <= 30, let last = words.last else { return nil }
    let ratio = block.size / max(body, 0.1)
    if ratio >= 1.7 { return 1 }
    if ratio >= 1.3 { return 2 }
    if ratio >= 1.12 { return 3 }
    guard ratio > 0.9, lines.count == 1, words.allSatisfy({ page.face($0)?.isBold == true })
    else { return nil }
    let end = page.utf8[page.words[last].range].last
    return end == 0x2E || end == 0x2C || end == 0x3A || end == 0x3B ? nil : 4
  }

  private func isCode(_ lines: [Int], _ page: TextPage) -> Bool {
    page.words(of: lines).allSatisfy {
      page.face($0)?.isFixedPitch == true
    }
  }

  private mutating func writeCode(_ lines: [Int], _ block: TextBlock, _ page: TextPage) {
    // A fence is longer than what stands between it and looks like one.
    var longest = 2
    for line in lines.map({ page.lines[$0] }) {
      var run = 0
      for byte in page.bytes(of: line) {
        run = byte == 0x60 ? run + 1 : 0
        longest = max(longest, run)
      }
    }
    let fence = String(repeating: "`", count: longest + 1)
    output.append("\(fence)\n")
    for line in lines.map({ page.lines[$0] }) {
      // Fixed pitch: the indent is a number of letters.
      let indent = Int(((line.box.x0 - block.box.x0) / max(0.6 * block.size, 0.1)).rounded())
      for _ in 0..<max(0, min(indent, 200)) { output.append(0x20) }
      output.append(contentsOf: page.bytes(of: line))
      output.append(0x0A)
    }
    output.append("\(fence)\n")
  }

  private mutating func writeItem(_ lines: [Int], _ mark: ListMark, _ page: TextPage) {
    var words = page.words(of: lines)
    switch mark {
    case .bullet: output.append("- ")
    case .number(let bytes):
      output.append(contentsOf: page.bytes(of: page.lines[lines[0]]).prefix(bytes))
      output.append(0x20)
    }
    if !words.isEmpty { words.removeFirst() }
    write(words, page, emphasis: true)
    output.append(0x0A)
  }

  /// Titles above the columns and notes below them stand as paragraphs.
  private mutating func write(_ table: PageTable, _ page: TextPage) {
    var rows = table.rows[...]
    let above = rows.prefix { $0.isCategory }.count
    for row in rows.prefix(above) {
      write(row.words.flatMap { $0 }, page, emphasis: true)
      output.append("\n\n")
    }
    rows = rows.dropFirst(above)
    for (number, row) in rows.enumerated() {
      output.append(0x7C)
      for cell in row.cells {
        output.append(0x20)
        output.append(markdown: Array(cell.utf8)[...], inTable: true)
        output.append(cell.isEmpty ? "|" : " |")
      }
      output.append(0x0A)
      if number == 0 {
        output.append(0x7C)
        for _ in row.cells { output.append(" --- |") }
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
  /// The places of the words of some lines.
  fileprivate func words(of lines: [Int]) -> [Int] { lines.flatMap { Array(self.lines[$0].words) } }
}
