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
  /// A table of more lines is taken at once: its gutters are certain.
  private static let mostLinesInTurn = 1000

  mutating func find(_ words: [PlacedWord], depth: Int = 0) {
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
      guard own == run || round == Self.mostRounds || own.count > Self.mostLinesInTurn else {
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

/// The space between the first and the last of at least three lines that are drawn across, all of one width.
struct RuledFrame {
  private let top, bottom, start, end: Double
  /// More lines are a drawing.
  private static let mostRules = 300

  /// Returns the words in such a frame and the others, or nil if all words beside one another are in it.
  static func parted(
    _ lines: [TextLine], _ rules: [TextPage.Rule]
  ) -> (framed: [PlacedWord], others: [PlacedWord])? {
    let rules = rules.filter(\.isHorizontal)
    guard rules.count <= mostRules else { return nil }
    for rule in rules {
      guard let frame = RuledFrame(rule, among: rules), frame.isTable(beside: lines) else {
        continue
      }
      let words = lines.flatMap(\.words)
      return (words.filter(frame.holds), words.filter { !frame.holds($0) })
    }
    return nil
  }

  /// Nil if the rule is not the first of three.
  private init?(_ rule: TextPage.Rule, among rules: [TextPage.Rule]) {
    let places = rules.filter {
      ($0.extent.lowerBound - rule.extent.lowerBound).magnitude < 2
        && ($0.extent.upperBound - rule.extent.upperBound).magnitude < 2
    }.map(\.place)
    guard places.count >= 3, let last = places.max(), rule.place == places.min() else { return nil }
    (top, bottom) = (rule.place, last)
    (start, end) = (rule.extent.lowerBound - 2, rule.extent.upperBound + 2)
  }

  private func holds(_ word: PlacedWord) -> Bool {
    word.box.middleY > top && word.box.middleY < bottom && word.box.middleX > start
      && word.box.middleX < end
  }

  /// Whether there are rows between the rules, and other pieces beside them.
  private func isTable(beside lines: [TextLine]) -> Bool {
    let between = lines.filter { $0.middle > top && $0.middle < bottom }
    func isWithin(_ piece: TextLine.Piece) -> Bool { piece.start > start && piece.end < end }
    func isBeside(_ piece: TextLine.Piece) -> Bool { piece.start > end || piece.end < start }
    return between.contains { $0.pieces.contains(where: isBeside) }
      && between.allSatisfy { $0.pieces.allSatisfy { isWithin($0) || isBeside($0) } }
      && between.count { $0.pieces.count(where: isWithin) >= 2 } >= 2
  }
}
