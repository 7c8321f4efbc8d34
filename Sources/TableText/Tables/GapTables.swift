import PDFText

/// Finds tables whose columns nothing but white gaps show: by what gaps and rows are worth, held against running text.
struct GapTables {
  /// The lines that the page draws.
  let rules: [TextPage.Rule]
  /// The lines of each table, and its columns.
  private(set) var found: [(lines: [TextLine], columns: [ClosedRange<Double>])] = []

  init(rules: [TextPage.Rule]) { self.rules = rules }

  /// Words are parted this often: tables in columns of text, beside or below one another.
  private static let deepest = 4
  /// More lines are no page.
  private static let mostLines = 12_000
  /// So many lines above and below a run may be rows of its table.
  private static let above = 4, below = 3
  /// Rows and gutters are found in turn so often.
  private static let mostRounds = 3

  /// - Parameter gutters: the white strips between columns of prose. What is on one side of one is in no row with what is
  ///   on the other.
  mutating func find(_ words: [PlacedWord], besides gutters: [TextPage.Box]) {
    guard let gutter = gutters.first, !words.isEmpty else { return find(words) }
    let others = Array(gutters.dropFirst())
    find(words.filter { $0.box.middleY < gutter.y0 }, besides: others)
    let beside = words.filter { $0.box.middleY >= gutter.y0 && $0.box.middleY <= gutter.y1 }
    find(beside.filter { $0.box.middleX < gutter.middleX }, besides: others)
    find(beside.filter { $0.box.middleX >= gutter.middleX }, besides: others)
    find(words.filter { $0.box.middleY > gutter.y1 }, besides: others)
  }

  private mutating func find(_ words: [PlacedWord], depth: Int = 0) {
    let lines = TextLine.lines(words)
    guard lines.count > 1, lines.count <= Self.mostLines else { return }
    if depth < Self.deepest, let (framed, others) = RuledFrame.parted(lines, rules) {
      find(framed, depth: depth + 1)
      find(others, depth: depth + 1)
      return
    }
    let profile = GapProfile(lines, rules: rules)
    let runs = profile.runs()
    var taken = 0
    for (index, run) in runs.enumerated() {
      let below = index + 1 < runs.count ? runs[index + 1].lowerBound : lines.count
      taken = read(run, within: taken..<below, profile, depth) ?? run.upperBound
    }
  }

  /// Reads a table from a run of lines: its gutters tell its rows, and these again its gutters, until they agree.
  ///
  /// - Parameter within: lines that no other run or table has.
  /// - Returns: the end of the lines that are read, or nil if no table is found.
  private mutating func read(
    _ run: Range<Int>, within: Range<Int>, _ profile: GapProfile, _ depth: Int
  ) -> Int? {
    var run = run
    for round in 1...Self.mostRounds {
      let start = max(within.lowerBound, run.lowerBound - Self.above)
      let around = start..<min(within.upperBound, run.upperBound + Self.below)
      guard
        var candidate = TableCandidate(profile, around, profile.gutters(run), rules: rules)
      else { return nil }
      var own = start + candidate.table.lowerBound..<start + candidate.table.upperBound
      guard own == run || round == Self.mostRounds || own.count > TableCandidate.mostLines else {
        run = own
        continue
      }
      candidate = candidate.refined()
      if depth < Self.deepest, let (one, other) = candidate.parts() {
        find(one, depth: depth + 1)
        find(other, depth: depth + 1)
        return around.upperBound
      }
      own = start + candidate.table.lowerBound..<start + candidate.table.upperBound
      var gutters = candidate.gutters, lines = Array(candidate.lines[candidate.table])
      var columns = TableCandidate.columns(lines, gutters)
      guard TableSize.holds(rows: lines.count, columns: columns.count) else { return nil }
      let close = CloseColumns.gutters(lines, columns)
      if !close.isEmpty {
        gutters = (gutters + close).sorted { $0.middle < $1.middle }
        lines = own.map { profile.cut($0, at: gutters) }
        columns = TableCandidate.columns(lines, gutters)
      }
      found.append((lines, CloseColumns.named(columns, lines)))
      return own.upperBound
    }
    return nil
  }

  /// Returns the places of the rules that are drawn across most of a table, from top to bottom.
  static func separators(
    _ lines: [TextLine], _ columns: [ClosedRange<Double>], _ rules: [TextPage.Rule]
  ) -> [Double] {
    guard let first = columns.first?.lowerBound, let last = columns.last?.upperBound,
      let top = lines.first, let bottom = lines.last
    else { return [] }
    return rules.filter { rule in
      let shared = min(rule.extent.upperBound, last) - max(rule.extent.lowerBound, first)
      return rule.isHorizontal && shared > Measures.ruleSpan * (last - first)
        && rule.place > top.middle - 2 * top.size
        && rule.place < bottom.middle + 2 * bottom.size
    }.map(\.place).sorted()
  }
}
