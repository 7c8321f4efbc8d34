internal import Bytes
public import PDFText
import TableText

/// Writes the text of a document as Markdown: headings by their rank, lists, tables, code, links, and what is
/// bold, italic, raised or lowered inside paragraphs.
///
/// Pages are added in order. The size of the body text is that of most letters seen so far, so the
/// first pages should be given first.
public struct MarkdownWriter {
  var output = ByteWriter(reserving: 4096)
  /// Letters by size of type, in tenths of a point.
  private var letters: [Int: Int] = [:]
  private var isFirst = true
  /// Those of the pages that were added.
  private(set) var wholeWords = WholeWords()
  private var headings: Headings
  /// The links of the page that is written, by word: places in ``TextPage/links``, of several that lead to one address the
  /// first.
  var linkOfWord: [Int: Int] = [:]
  /// The text of the heading before.
  private var lastHeading = ""
  /// The places where the marks of open lists begin, and how far their items are indented.
  private var lists: [(x: Double, indent: Int)] = []

  /// Whether running heads and feet stay.
  private let keepsRunningLines: Bool
  private var running = RunningLines()
  /// Pages that are not written yet: what runs shows on those that follow.
  private var waiting: [TextPage] = []
  /// How many running lines were left out.
  public private(set) var leftOut = 0

  /// A document without pages.
  ///
  /// - Parameters:
  ///   - keepsRunningLines: whether what recurs at the head or foot of pages stays.
  ///   - outline: what tells headings and their levels (``TextExtractor/outline()``).
  public init(keepsRunningLines: Bool = false, outline: [OutlineEntry] = []) {
    self.keepsRunningLines = keepsRunningLines
    headings = Headings(outline)
  }

  /// A document whose pages an extractor reads from now on: they note what Markdown needs.
  public init(reading extractor: TextExtractor, keepsRunningLines: Bool = false) {
    extractor.notesRules = true
    extractor.notesLinks = true
    extractor.notesHeadings = true
    self.init(keepsRunningLines: keepsRunningLines, outline: extractor.outline())
  }

  /// How many bytes were written so far.
  public var count: Int { output.count }

  /// Adds a page.
  public mutating func add(_ page: TextPage) {
    for word in page.words {
      letters[Self.tenths(word.size), default: 0] += word.range.count
    }
    headings.add(page.headings, page: page.number)
    wholeWords.add(page)
    if !keepsRunningLines { running.add(page) }
    waiting.append(page)
    if keepsRunningLines || waiting.count > RunningLines.reach { writeFirst() }
  }

  /// The document.
  public mutating func finish() -> [UInt8] {
    while !waiting.isEmpty { writeFirst() }
    var document = ByteWriter(reserving: output.count + 4096)
    var start = 0
    for heading in headings.levels() {
      document.append(contentsOf: output.bytes[start..<heading.offset])
      for _ in 0..<heading.level { document.append(0x23) }
      document.append(0x20)
      start = heading.offset
    }
    document.append(contentsOf: output.bytes[start...])
    return document.bytes
  }

  private mutating func writeFirst() {
    let page = waiting.removeFirst()
    let body = Double(letters.max { ($0.value, -$0.key) < ($1.value, -$1.key) }?.key ?? 100) / 10
    let left = keepsRunningLines ? [] : running.repeatedLines(onPage: page.number, bodySize: body)
    leftOut += left.count
    write(page, without: left, body: body)
  }

  private mutating func write(_ page: TextPage, without left: Set<Int>, body: Double) {
    linkOfWord = page.linksOfWords()
    var parts = page.parts()
    if !left.isEmpty {
      parts = parts.compactMap { part in
        guard case .lines(let lines, let block) = part else { return part }
        let rest = lines.filter { !left.contains($0) }
        return rest.isEmpty ? nil : .lines(rest, of: block)
      }
    }
    parts = parts.flatMap { separated($0, page, body: body) }
    lists = []
    var index = 0
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
        self.lists = []
        continue
      }
      if isCode(lines, page) {
        startBlock()
        writeCode(lines, block, page)
        self.lists = []
      } else if let style = headingStyle(lines, block, page, body: body) {
        startBlock()
        lastHeading = page.text(lines)
        headings.add(at: output.count, style, lastHeading, page: page.number)
        write(page.words(of: lines), page, emphasis: false)
        output.append(0x0A)
        self.lists = []
      } else if isContents(lines, page) {
        startBlock()
        for line in lines { writeEntry(Array(page.lines[line].words), page) }
        self.lists = []
      } else if let mark = ListMark.begins(page.bytes(of: page.lines[first])) {
        if self.lists.isEmpty { startBlock() }
        writeItem(lines, mark, block, page)
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
        self.lists = []
      }
    }
  }

  /// Blocks in which a heading stands right before other text, or before the next heading, cut there.
  private func separated(_ part: PagePart, _ page: TextPage, body: Double) -> [PagePart] {
    guard case .lines(let lines, let block) = part, lines.count > 1 else { return [part] }
    if headings.hasOutline(forPage: page.number) {
      for count in 1...min(3, lines.count - 1) {
        let text = page.text(lines.prefix(count))
        guard headings.outlineLevel(of: text, onPage: page.number) != nil else { continue }
        return [.lines(Array(lines.prefix(count)), of: block)]
          + separated(.lines(Array(lines.dropFirst(count)), of: block), page, body: body)
      }
    }
    guard lines.count <= 3, block.size >= 1.12 * body else { return [part] }
    // Headings of one size, each with its number.
    func hasNumber(_ line: Int) -> Bool {
      page.bytes(of: page.lines[line]).first.map { (0x31...0x39).contains($0) } ?? false
    }
    guard lines.allSatisfy(hasNumber) else { return [part] }
    return lines.map { .lines([$0], of: block) }
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

  /// How a heading is set, or nil for anything else.
  private func headingStyle(
    _ lines: [Int], _ block: TextBlock, _ page: TextPage, body: Double
  ) -> Headings.Style? {
    guard lines.count <= 3 else { return nil }
    let words = page.words(of: lines)
    // A number, an initial, or what is stamped along the edge, is no heading.
    guard words.count <= 30, let last = words.last, page.words[last].angle == 0,
      Headings.key(page.text(lines)).unicodeScalars.count(where: \.properties.isAlphabetic) > 1
    else { return nil }
    // Large as it may be, an item is one, and a sentence that has its end.
    if let first = lines.first, ListMark.begins(page.bytes(of: page.lines[first])).isBullet {
      return nil
    }
    let end = page.utf8[page.words[last].range].last
    if words.count > 12, end == 0x2E || end == 0x3A || end == 0x3B { return nil }
    let ratio = block.size / max(body, 0.1)
    let size = Self.tenths(block.size)
    if ratio >= 1.12 { return Headings.Style(size: size, kind: 0) }
    if headings.hasOutline(forPage: page.number),
      headings.outlineLevel(of: page.text(lines), onPage: page.number) != nil
    {
      let isBold = words.allSatisfy { page.face($0)?.isBold == true }
      return Headings.Style(size: size, kind: isBold ? 1 : 2)
    }
    guard ratio > 0.9, lines.count == 1, words.count <= 15,
      words.allSatisfy({ page.face($0)?.isBold == true })
    else { return nil }
    return end == 0x2E || end == 0x2C || end == 0x3A || end == 0x3B
      ? nil : Headings.Style(size: size, kind: 1)
  }

  private func isCode(_ lines: [Int], _ page: TextPage) -> Bool {
    page.words(of: lines).allSatisfy {
      page.face($0)?.isFixedPitch == true
    }
  }

  private mutating func writeCode(_ lines: [Int], _ block: TextBlock, _ page: TextPage) {
    let code = lines.map { page.bytes(of: page.lines[$0]) }.joined(separator: [0x0A])
    let fence = Self.fence(around: code, atLeast: 3)
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

  private mutating func writeItem(
    _ lines: [Int], _ mark: ListMark, _ block: TextBlock, _ page: TextPage
  ) {
    var words = page.words(of: lines)
    let x = words.first.map { page.words[$0].box.x0 } ?? 0
    // A mark further to the right begins a list within an item; far to the right it stands in another column.
    while let last = lists.last, x < last.x - 0.5 * block.size || x > last.x + 8 * block.size {
      lists.removeLast()
    }
    if let last = lists.last, x > last.x + 0.8 * block.size {
      lists.append((x, last.indent + 4))
    } else if lists.isEmpty {
      lists.append((x, 0))
    }
    for _ in 0..<min(lists.last?.indent ?? 0, 32) { output.append(0x20) }
    switch mark {
    case .bullet, .letter: output.append("- ")
    case .number(let bytes):
      output.append(contentsOf: page.bytes(of: page.lines[lines[0]]).prefix(bytes))
      output.append(0x20)
    }
    if case .letter = mark {} else if !words.isEmpty { words.removeFirst() }
    write(words, page, emphasis: true)
    output.append(0x0A)
  }

  // MARK: Tables of contents

  /// Whether each of some lines leads by dots to a number.
  private func isContents(_ lines: [Int], _ page: TextPage) -> Bool {
    lines.count > 1
      && lines.allSatisfy { line in
        let words = page.lines[line].words
        guard let last = words.last, RunningLines.number(page.text(page.words[last])) != nil else {
          return false
        }
        return words.contains { page.isLeader($0) && page.words[$0].range.count > 2 }
      }
  }

  /// Whether a table is one of contents: each row ends with the number of a page that is no less than the one before,
  /// behind dots that lead to it or below a heading that says so.
  private func isContents(_ table: PageTable, _ page: TextPage) -> Bool {
    guard table.rows.count > 2 else { return false }
    var last = 0
    var led = 0
    for row in table.rows {
      let words = row.words.flatMap { $0 }
      guard words.count > 1, let end = words.last, row.words.last?.count == 1,
        let number = RunningLines.number(page.text(page.words[end])), number >= last,
        page.hasLetters(words: words.dropLast())
      else { return false }
      last = number
      // Dots stand right before the number.
      if end > 0, page.isLeader(end - 1) { led += 1 }
    }
    return led * 2 > table.rows.count || Self.titlesOfContents.contains(Headings.key(lastHeading))
  }

  private static let titlesOfContents: Set<String> = [
    "contents", "tableofcontents", "inhalt", "inhaltsverzeichnis", "tabledesmatières", "sommaire",
    "índice", "indice", "contenido", "inhoud", "inhoudsopgave", "spistreści", "obsah", "innehåll",
    "содержание", "оглавление", "目次", "目录",
  ]

  /// An entry of a table of contents: an item, as deep as its number is.
  private mutating func writeEntry(_ words: [Int], _ page: TextPage) {
    let words = words.filter { !page.isLeader($0) }
    guard let first = words.first, let last = words.last else { return }
    let depth = page.text(page.words[first]).split(separator: ".").count
    if page.text(page.words[first]).first?.isNumber == true {
      for _ in 1..<max(1, min(depth, 6)) { output.append("  ") }
    }
    output.append("- ")
    write(Array(words.dropLast()), page, emphasis: false)
    output.append(" … ")
    write([last], page, emphasis: false)
    output.append(0x0A)
  }

  /// Titles above the columns and notes below them stand as paragraphs.
  private mutating func write(_ table: PageTable, _ page: TextPage) {
    if isContents(table, page) {
      for row in table.rows { writeEntry(row.words.flatMap { $0 }, page) }
      return
    }
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
}

extension ListMark? {
  /// Whether it is no number: headings have those too.
  fileprivate var isBullet: Bool {
    if case .bullet = self { return true }
    return false
  }
}

extension TextPage {
  /// The words of some lines, a blank between each two.
  fileprivate func text(_ lines: some Sequence<Int>) -> String {
    lines.map { String(decoding: bytes(of: self.lines[$0]), as: UTF8.self) }.joined(separator: " ")
  }

  /// The places of the links that words stand in.
  fileprivate func linksOfWords() -> [Int: Int] {
    var result: [Int: Int] = [:]
    var places: [String: Int] = [:]
    for (place, link) in links.prefix(Self.mostLinks).enumerated() {
      let first = places[link.address] ?? place
      places[link.address] = first
      for (index, word) in words.enumerated()
      where word.box.middleX > link.box.x0 && word.box.middleX < link.box.x1
        && word.box.middleY > link.box.y0 && word.box.middleY < link.box.y1
      {
        result[index] = first
      }
    }
    return result
  }

  /// Each is compared with all words.
  private static let mostLinks = 1000

  fileprivate func hasLetters(words: some Sequence<Int>) -> Bool {
    words.contains { text(self.words[$0]).unicodeScalars.contains { $0.properties.isAlphabetic } }
  }

  /// The places of the words of some lines.
  fileprivate func words(of lines: [Int]) -> [Int] { lines.flatMap { Array(self.lines[$0].words) } }
}
