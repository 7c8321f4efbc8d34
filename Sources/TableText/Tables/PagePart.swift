public import PDFText

/// What a page consists of, in reading order.
public enum PagePart: Sendable {
  /// Lines of one block (indices in ``TextPage/lines``) of which no table has a word.
  case lines([Int], of: TextBlock)
  case table(PageTable)
  /// Words that stand on the lines of a table and are none of its own.
  case words([Int])
}

extension TextPage {
  /// The blocks of the page, and its tables where the first of their words is read. Every word is in exactly one part,
  /// but for dots that lead from a name to its figure.
  ///
  /// Tables need the lines that the page draws (``TextExtractor/notesRules``).
  public func parts() -> [PagePart] {
    let tables = PageTables().tables(self)
    guard !tables.isEmpty else { return blocks().map { .lines(Array($0.lines), of: $0) } }
    var owner = [Int?](repeating: nil, count: words.count)
    for (place, table) in tables.enumerated() {
      for row in table.rows {
        for word in row.words.joined() { owner[word] = place }
      }
    }
    var isWritten = [Bool](repeating: false, count: tables.count)
    var result: [PagePart] = []
    for block in blocks() {
      var own: [Int] = []
      func close() {
        if !own.isEmpty { result.append(.lines(own, of: block)) }
        own = []
      }
      for line in block.lines {
        let owners = lines[line].words.compactMap { owner[$0] }
        guard let first = owners.first else {
          own.append(line)
          continue
        }
        close()
        for table in [first] + owners where !isWritten[table] {
          isWritten[table] = true
          result.append(.table(tables[table]))
        }
        let rest = lines[line].words.filter { owner[$0] == nil && !isLeader($0) }
        if !rest.isEmpty { result.append(.words(rest)) }
      }
      close()
    }
    return result
  }

  /// Whether a word is dots that lead from a name to its figure.
  package func isLeader(_ word: Int) -> Bool { utf8[words[word].range].allSatisfy { $0 == 0x2E } }
}
