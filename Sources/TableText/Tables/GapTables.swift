import PDFText

/// Finds tables whose columns nothing but white gaps show: by what gaps and rows are worth, held against running text.
///
/// Takes the place of ``TableRuns`` and what parts its runs when nothing is read worse by it. Until then it is asked only
/// if `PROCD_TABLES=gaps` is in the environment.
struct GapTables {
  /// The lines that the page draws.
  let rules: [TextPage.Rule]
  /// The lines of each table, and its columns.
  private(set) var found: [(lines: [TextLine], columns: [ClosedRange<Double>])] = []

  init(rules: [TextPage.Rule]) { self.rules = rules }

  /// Tables within columns of text are looked for in each of these, to this depth.
  private static let deepest = 3
  /// More lines are no page.
  private static let mostLines = 2000
  /// So many lines above and below a run may be rows of its table.
  private static let above = 4, below = 3
  /// Rows and gutters are found in turn so often.
  private static let mostRounds = 3

  mutating func find(_ words: [PlacedWord], depth: Int = 0) {
    let lines = TextLine.lines(words)
    guard lines.count > 1, lines.count <= Self.mostLines else { return }
    let profile = GapProfile(lines, rules: rules)
    let runs = profile.runs()
    for (index, run) in runs.enumerated() {
      let above = index > 0 ? runs[index - 1].upperBound : 0
      let below = index + 1 < runs.count ? runs[index + 1].lowerBound : lines.count
      read(run, within: above..<below, profile, depth)
    }
  }

  /// Reads a table from a run of lines: its gutters tell its rows, and these again its gutters, until they agree.
  ///
  /// - Parameter within: lines that no other run has.
  private mutating func read(
    _ run: Range<Int>, within: Range<Int>, _ profile: GapProfile, _ depth: Int
  ) {
    var run = run
    for round in 1...Self.mostRounds {
      let start = max(within.lowerBound, run.lowerBound - Self.above)
      let around = start..<min(within.upperBound, run.upperBound + Self.below)
      guard
        let candidate = TableCandidate(profile, around, profile.gutters(run), rules: rules)?
          .refined()
      else { return }
      if depth < Self.deepest, let (left, right) = candidate.withoutRunningText() {
        find(left, depth: depth + 1)
        find(right, depth: depth + 1)
        return
      }
      let own = start + candidate.table.lowerBound..<start + candidate.table.upperBound
      guard own == run || round == Self.mostRounds else {
        run = own
        continue
      }
      guard !candidate.isList else { return }
      let lines = Array(candidate.lines[candidate.table])
      let columns = TableCandidate.columns(lines, candidate.gutters)
      guard TableSize.holds(rows: lines.count, columns: columns.count) else { return }
      found.append((lines, columns))
      return
    }
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
    }.map(\.place)
  }
}
