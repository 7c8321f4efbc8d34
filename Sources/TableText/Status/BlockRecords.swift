import PDFText

/// Lists that are no tables: number, status and date of each case stand on lines of their own, one below the other,
/// with names before them or without.
///
/// What a block is shows in the gaps between blocks or, where there are none, in that each has one number and one
/// date. A page is read so only where its lines of numbers hold nothing else; otherwise it is a table.
struct BlockRecords {
  /// The rows of the page, with their lines.
  private(set) var list = StatusPage.List()

  private struct Line {
    var words: [PlacedWord]
    /// The name before the value, in small letters.
    var label: String
    var value: String
    /// The number that is the value.
    var number: StatusPageReader.Span?
    var isDate: Bool

    var middle: Double { words[0].box.middleY }
    var size: Double { words[0].size }
    var box: TextPage.Box { PlacedWord.box(words) ?? words[0].box }
  }

  /// Nil where a page is no list of blocks.
  ///
  /// - Parameter isKnown: whether an earlier page was one: then few blocks are enough.
  init?(
    _ lines: [[PlacedWord]], numberFinder: NumberFinder, _ dateFinder: inout DateFinder,
    isKnown: Bool
  ) {
    let all = lines.compactMap { Self.line($0, numberFinder, &dateFinder) }
    let starts = all.lazy.filter { $0.number != nil }.map { $0.words[0].box.x0 }.sorted()
    guard starts.count >= (isKnown ? 1 : 3), let first = starts.first, let last = starts.last,
      let start = starts[safe: starts.count / 2]
    else { return nil }
    // Lists side by side are another matter.
    guard last - first < 3 * all[0].size else { return nil }
    let own = all.filter { ($0.words[0].box.x0 - start).magnitude < Measures.blockEdge * $0.size }
    guard let blocks = Self.blocks(own, isKnown: isKnown) else { return nil }
    var cells: [Range<Int>] = []
    for block in blocks {
      guard let number = block.first(where: { $0.number != nil }), let span = number.number else {
        continue
      }
      let date = block.first(where: \.isDate)
      var anchor = StatusPage.Anchor(
        number: span.text, date: date?.value ?? "", box: number.box, lines: span.lines)
      anchor.hasAddition = span.hasAddition
      anchor.box = block.reduce(anchor.box) { $0.union($1.box) }
      list.anchors.append(anchor)
      var rest = block.filter { $0.number == nil && !$0.isDate }
      let named = rest.filter { HeadWords.isStatus($0.label) }
      if !named.isEmpty { rest = named }
      let begin = list.lines.count
      list.lines += rest.map {
        StatusPage.StatusLine(text: $0.value, middle: $0.middle, size: $0.size, box: $0.box)
      }
      cells.append(begin..<list.lines.count)
    }
    list.cells = cells
  }

  /// A line of the page with what it says; nil for lines of several pieces, which are those of a table.
  private static func line(
    _ words: [PlacedWord], _ numbers: NumberFinder, _ dates: inout DateFinder
  ) -> Line? {
    guard !words.isEmpty else { return nil }
    // A name ends with a colon.
    let end = words.prefix(5).firstIndex { $0.text.utf8.last == 0x3A }.map { $0 + 1 } ?? 0
    let value = Array(words[end...])
    let label = PlacedWord.text(words[..<end]).lowercased()
    var line = Line(
      words: words, label: label, value: PlacedWord.text(value), number: nil, isDate: false)
    guard !value.isEmpty else { return end > 0 ? line : nil }
    if let number = numbers.number(value, at: 0) {
      // A line with more than the number is one of a table or of a text.
      guard number.length == value.count else { return nil }
      line.number = StatusPageReader.Span(value, text: number.text)
      line.number?.hasAddition = number.hasAddition
    } else {
      line.isDate = dates.isDate(line.value)
    }
    return line
  }

  /// The blocks of lines; nil where no way to part them leaves most with one number and one date.
  private static func blocks(_ lines: [Line], isKnown: Bool) -> [ArraySlice<Line>]? {
    let gaps = zip(lines, lines.dropFirst()).map { $1.middle - $0.middle }
    let usual = gaps.sorted()[safe: gaps.count / 2] ?? 0
    func split(_ begins: (Int) -> Bool) -> [ArraySlice<Line>] {
      var result: [ArraySlice<Line>] = []
      var start = 0
      for index in lines.indices.dropFirst() where begins(index) {
        result.append(lines[start..<index])
        start = index
      }
      result.append(lines[start...])
      return result.filter { block in block.contains { $0.number != nil } }
    }
    let ways = [
      split { gaps[$0 - 1] > Measures.blockGap * usual },
      split { lines[$0].number != nil || gaps[$0 - 1] > Measures.largeBlockGap * usual },
      split { lines[$0 - 1].number != nil || gaps[$0 - 1] > Measures.largeBlockGap * usual },
    ]
    func whole(_ blocks: [ArraySlice<Line>]) -> Int {
      blocks.count { block in
        block.count { $0.number != nil } == 1 && block.count(where: \.isDate) == 1
      }
    }
    let numbers = lines.count { $0.number != nil }
    guard let best = ways.max(by: { whole($0) < whole($1) }), whole(best) >= (isKnown ? 1 : 3),
      whole(best) * 10 >= numbers * 8
    else { return nil }
    return ways.first { whole($0) == whole(best) }
  }
}
