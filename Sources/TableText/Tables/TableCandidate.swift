import PDFText

/// Lines cut at some gutters, and the cheapest table among them.
struct TableCandidate {
  let profile: GapProfile
  /// The lines of the profile that are looked at.
  let around: Range<Int>
  let gutters: [GapProfile.Gutter]
  /// The lines with a piece for each column.
  let lines: [TextLine]
  /// The extents of the columns.
  let columns: [ClosedRange<Double>]
  private let rules: [TextPage.Rule]
  private let costs: RowCosts
  /// The lines of the table, counted from the first one looked at.
  let table: Range<Int>
  /// The cost of the table, below 0. Running text costs 0.
  let cost: Double

  /// Nil if the lines are cheaper as running text.
  ///
  /// - Parameter rules: the lines that the page draws.
  init?(
    _ profile: GapProfile, _ around: Range<Int>, _ gutters: [GapProfile.Gutter],
    rules: [TextPage.Rule]
  ) {
    guard !gutters.isEmpty, around.count > 1 else { return nil }
    (self.profile, self.around, self.gutters, self.rules) = (profile, around, gutters, rules)
    lines = around.map { profile.cut($0, at: gutters) }
    columns = Self.columns(lines, gutters)
    let cells = zip(around, lines).map { [columns] in profile.cells($0, $1, columns) }
    costs = RowCosts(
      cells, columns, ColumnKinds(cells, columns.count),
      separators: GapTables.separators(lines, columns, rules))
    guard let best = costs.cheapestTable() else { return nil }
    (table, cost) = (best.lines, best.cost)
  }

  /// The extents of the columns between gutters: of the pieces that stand in one alone.
  static func columns(
    _ lines: [TextLine], _ gutters: [GapProfile.Gutter]
  ) -> [ClosedRange<Double>] {
    let pieces = lines.flatMap(\.pieces), middles = gutters.map(\.middle)
    let first = min(middles[0], pieces.map(\.start).min() ?? 0)
    let last = max(middles[middles.count - 1], pieces.map(\.end).max() ?? 0)
    return zip([first] + middles, middles + [last]).map { low, high in
      let own = pieces.filter { $0.start >= low - 0.5 && $0.end <= high + 0.5 }
      guard let start = own.map(\.start).min(), let end = own.map(\.end).max() else {
        return low...high
      }
      return start...max(start, end)
    }
  }

  /// The table with more columns if that is cheaper: a column with white in it that no word covers may be two, such as
  /// debit and credit, of which each row has one.
  func refined() -> TableCandidate {
    var best = self
    let strips = columns.flatMap { free(in: $0) }.sorted {
      $0.upperBound - $0.lowerBound > $1.upperBound - $1.lowerBound
    }
    for strip in strips.prefix(Self.mostStrips) {
      let gutter = GapProfile.Gutter(worth: 0, core: strip, outer: strip)
      let gutters = (best.gutters + [gutter]).sorted { $0.middle < $1.middle }
      if let other = TableCandidate(profile, around, gutters, rules: rules),
        other.cost < best.cost
      {
        best = other
      }
    }
    return best
  }

  /// Only the widest strips are tried.
  private static let mostStrips = 12

  /// The strips within a column that no word of the table covers.
  private func free(in column: ClosedRange<Double>) -> [ClosedRange<Double>] {
    let pieces = lines[table].flatMap(\.pieces).filter {
      $0.start >= column.lowerBound - 0.5 && $0.end <= column.upperBound + 0.5
    }
    let words: [TextPage.Box] = pieces.flatMap(\.words).map(\.box).sorted { $0.x0 < $1.x0 }
    var result: [ClosedRange<Double>] = [], reach = words.first?.x1 ?? 0
    for word in words {
      if word.x0 > reach + 2 { result.append(reach + 1...word.x0 - 1) }
      reach = max(reach, word.x1)
    }
    return result
  }

  /// The words left and right of the first or last gutter if the text beyond it runs on and the rest is a better table.
  func withoutRunningText() -> (left: [PlacedWord], right: [PlacedWord])? {
    guard columns.count > 2 else { return nil }
    for isFirst in [true, false] where costs.runsOn(isFirst ? 0 : columns.count - 1) {
      let place = isFirst ? gutters[0].middle : gutters[gutters.count - 1].middle
      let rest = profile.part(around) { ($0.box.middleX > place) == isFirst }
      let others = Array(isFirst ? gutters.dropFirst() : gutters.dropLast())
      if let other = TableCandidate(rest, rest.lines.indices, others, rules: rules),
        other.cost < cost - RowCosts.table
      {
        let words = lines.flatMap(\.words)
        return (
          words.filter { $0.box.middleX <= place }, words.filter { $0.box.middleX > place }
        )
      }
    }
    return nil
  }

  /// Whether most lines in pieces are a bullet or a number of a list, and a text.
  var isList: Bool {
    columns.count == 2 && TableRuns.isList(Array(lines[table]), columns.count)
  }
}
