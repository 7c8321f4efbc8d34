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

  /// The extents of the columns between gutters: of the pieces that are in one alone, in lines with most columns if there
  /// are such. A name over two columns may be in one gutter's reach.
  static func columns(
    _ lines: [TextLine], _ gutters: [GapProfile.Gutter]
  ) -> [ClosedRange<Double>] {
    let pieces = lines.flatMap(\.pieces), middles = gutters.map(\.middle)
    let full = lines.filter { $0.pieces.count * 5 > gutters.count * 3 }.flatMap(\.pieces)
    let first = min(middles[0], pieces.map(\.start).min() ?? 0)
    let last = max(middles[middles.count - 1], pieces.map(\.end).max() ?? 0)
    return zip([first] + middles, middles + [last]).map { low, high in
      func within(_ piece: TextLine.Piece) -> Bool {
        piece.start >= low - 0.5 && piece.end <= high + 0.5
      }
      let ofFull = full.filter(within)
      let own = ofFull.isEmpty ? pieces.filter(within) : ofFull
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
    guard table.count <= Self.mostLines else { return self }
    let strips = columns.flatMap { free(in: $0) }.sorted {
      $0.upperBound - $0.lowerBound > $1.upperBound - $1.lowerBound
    }
    for strip in strips.prefix(Self.mostStrips) {
      let gutters = (best.gutters + [GapProfile.Gutter(strip)]).sorted { $0.middle < $1.middle }
      if let other = TableCandidate(profile, around, gutters, rules: rules),
        other.cost < best.cost
      {
        best = other
      }
    }
    return best
  }

  /// Only the widest strips are tried.
  private static let mostStrips = 6

  /// The strips within a column that no word of the table covers, most of its cells being on one side.
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
    return result.filter { strip in
      pieces.count { $0.start < strip.lowerBound && $0.end > strip.upperBound } * 2 < pieces.count
    }
  }

  // MARK: Parts

  /// The words of two parts if these are not one table: halves with the same names, what is beside one another, what is
  /// below one another.
  func parts() -> (one: [PlacedWord], other: [PlacedWord])? {
    table.count <= Self.mostLines ? halves() ?? beside() ?? stacked() : nil
  }

  /// A table of more lines is taken as it is found first: its gutters are certain.
  static let mostLines = 1000

  /// Lines of one list that is set side by side, as the names show.
  private func halves() -> (one: [PlacedWord], other: [PlacedWord])? {
    guard columns.count >= 4, columns.count.isMultiple(of: 2) else { return nil }
    let half = columns.count / 2
    for line in lines[table].prefix(Self.mostLinesOfNames)
    where line.pieces.count == columns.count {
      let names = line.pieces.map(\.text)
      if names[..<half].elementsEqual(names[half...]),
        names.contains(where: { !TableHead.isFigure($0) })
      {
        return cut(at: gutters[half - 1].middle)
      }
    }
    return nil
  }

  private static let mostLinesOfNames = 6

  /// Words left and right of a gutter that cost less as two tables, or as a table and a column of running text.
  private func beside() -> (one: [PlacedWord], other: [PlacedWord])? {
    guard columns.count > 2 else {
      let place = gutters[0].middle
      return costs.runsOn(0) && costs.runsOn(1) && isReadApart(at: place) ? cut(at: place) : nil
    }
    for index in gutters.indices {
      let place = gutters[index].middle
      let isFirst = index == 0, isLast = index == gutters.count - 1
      if isFirst || isLast {
        guard costs.runsOn(isFirst ? 0 : columns.count - 1) else { continue }
      } else {
        // The rows of two tables are on other heights.
        guard lines[table].contains(where: { $0.end < place }),
          lines[table].contains(where: { $0.start > place })
        else { continue }
      }
      let left = cost(of: gutters[..<index]) { $0.box.middleX <= place }
      let right = cost(of: gutters[(index + 1)...]) { $0.box.middleX > place }
      guard let left, let right,
        left + right < cost || (isFirst || isLast) && isReadApart(at: place)
      else { continue }
      return cut(at: place)
    }
    return nil
  }

  /// Whether the page is read on one side of a place before the other, between lines that run across it: rows are read
  /// from side to side again and again.
  private func isReadApart(at place: Double) -> Bool {
    var sides: [(order: Int, isLeft: Bool?)] = []
    for piece in lines[table].flatMap(\.pieces) {
      let isLeft: Bool? = piece.end <= place ? true : piece.start >= place ? false : nil
      sides += piece.words.map { ($0.order, isLeft) }
    }
    sides.sort { $0.order < $1.order }
    let changes = zip(sides, sides.dropFirst()).filter { $0.isLeft != $1.isLeft }
    return changes.contains { $0.isLeft != nil && $1.isLeft != nil }
      && zip(changes, changes.dropFirst()).allSatisfy { first, second in
        first.0.isLeft == nil || second.0.isLeft == nil || second.1.isLeft == nil
      }
  }

  /// The cost of a table with some of the words and gutters, or nil if it is none. A single column costs nothing.
  private func cost(
    of gutters: ArraySlice<GapProfile.Gutter>, _ isKept: (PlacedWord) -> Bool
  ) -> Double? {
    guard !gutters.isEmpty else { return 0 }
    let part = profile.part(around, isKept)
    return TableCandidate(part, part.lines.indices, Array(gutters), rules: rules)?.cost
  }

  private func cut(at place: Double) -> (one: [PlacedWord], other: [PlacedWord]) {
    let words = lines.flatMap(\.words)
    return (words.filter { $0.box.middleX <= place }, words.filter { $0.box.middleX > place })
  }

  /// Lines above and below one of the widest steps that cost less as tables with columns of their own.
  private func stacked() -> (one: [PlacedWord], other: [PlacedWord])? {
    guard table.count > 3 else { return nil }
    func step(_ index: Int) -> Double { lines[index].middle - lines[index - 1].middle }
    let usual = table.dropFirst().map(step).sorted()[table.count / 2]
    let places = table.dropFirst(2).dropLast().filter { step($0) > Self.widerStep * usual }
      .sorted { step($0) > step($1) }
    var best: (cost: Double, place: Int)?
    for place in places.prefix(Self.mostBreaks) {
      let cost = [table.lowerBound..<place, place..<table.upperBound].reduce(0) { sum, part in
        let own = around.lowerBound + part.lowerBound..<around.lowerBound + part.upperBound
        return sum
          + (TableCandidate(profile, own, profile.gutters(own), rules: rules)?.cost ?? 0)
      }
      if cost < best?.cost ?? self.cost - RowCosts.table { best = (cost, place) }
    }
    guard let best else { return nil }
    return (lines[..<best.place].flatMap(\.words), lines[best.place...].flatMap(\.words))
  }

  private static let mostBreaks = 4
  private static let widerStep = 1.1
}
