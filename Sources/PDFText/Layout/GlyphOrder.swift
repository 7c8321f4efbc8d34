/// Puts the glyphs of a line in order where they were not drawn from left to right.
///
/// The place of a glyph decides, but for what lies over what was drawn just before it: vowel signs, kerned letters, and
/// text that runs over into the next cell stay in the order of drawing.
enum GlyphOrder {
  typealias Item = LineComposer.Item

  /// How much of the narrower of two glyphs must be covered for them to lie one over the other.
  private static let covered = 0.5
  /// A line drawn in more pieces than this goes by the places of its glyphs alone.
  private static let mostRuns = 64
  /// A glyph drawn over this part of what stands there runs over into it.
  private static let runOver = 0.25
  /// A blank with more than this part of it under letters is none.
  private static let coveredBlank = 0.6
  /// How far back, in units of the size, a blank goes that was drawn at the place of a letter.
  private static let takenBack = 0.02

  // MARK: - From left to right

  /// The glyphs of a line from left to right.
  static func rightwards(_ items: [Item]) -> [Item] {
    let runs = runs(items)
    guard runs.count > 1, var line = runs.first else { return dropCoveredBlanks(runs.first ?? []) }
    guard runs.count <= mostRuns else {
      let all = runs.flatMap { $0 }
      let order = all.indices.sorted { (all[$0].start, $0) < (all[$1].start, $1) }
      return dropCoveredBlanks(order.map { all[$0] })
    }
    for run in runs.dropFirst() {
      line = runsOver(line, run) ? line + run : merged(line, run)
    }
    return dropCoveredBlanks(line)
  }

  /// The glyphs cut where the next one was drawn further to the left, by the place of their first glyphs.
  private static func runs(_ items: [Item]) -> [[Item]] {
    var runs: [[Item]] = []
    for var item in items {
      guard let last = runs.last?.last else {
        runs.append([item])
        continue
      }
      if item.start < last.start, stays(item, behind: last) { item.start = last.start }
      if item.start >= last.start {
        runs[runs.count - 1].append(item)
      } else {
        runs.append([item])
      }
    }
    // A stable order: of runs that begin at one place, the first one drawn comes first.
    return runs.enumerated().sorted { one, other in
      (one.element[0].start, one.offset) < (other.element[0].start, other.offset)
    }.map(\.element)
  }

  /// Whether a glyph that begins to the left of the one drawn before it comes behind it all the same.
  private static func stays(_ item: Item, behind last: Item) -> Bool {
    guard !item.text.isBlank, !last.text.isBlank else { return false }
    if Scripts.isCombining(item.scalar) {
      // A combining mark goes with the letter drawn before it.
      let middle = (item.start + item.end) / 2, width = last.end - last.start
      return middle > last.start - width && middle < last.end + width
    }
    return overlap(item, last) > covered
  }

  /// What part of the narrower of two glyphs lies over the other.
  private static func overlap(_ one: Item, _ other: Item) -> Double {
    let narrower = min(one.end - one.start, other.end - other.start)
    guard narrower > 0 else { return 0 }
    return (min(one.end, other.end) - max(one.start, other.start)) / narrower
  }

  /// Whether a run was drawn over what stands before it: not into its gaps, and not once more.
  private static func runsOver(_ line: [Item], _ run: [Item]) -> Bool {
    var (place, over, repeats) = (0, 0, 0)
    var inside = 0
    let end = line.reduce(-Double.infinity) { $1.text.isBlank ? $0 : max($0, $1.end) }
    for item in run where !item.text.isBlank {
      guard item.start < end else { break }
      inside += 1
      while place < line.count, line[place].end <= item.start { place += 1 }
      var at = place
      while at < line.count, line[at].start < item.end {
        let other = line[at]
        at += 1
        guard !other.text.isBlank, overlap(item, other) > runOver else { continue }
        over += 1
        // A shadow lies beside its letter, that of a neighbor over the letter too.
        if other.scalar == item.scalar { repeats += 1 }
        break
      }
    }
    return over >= 2 && over * 2 >= inside && repeats * 3 < over
  }

  private static func merged(_ line: [Item], _ run: [Item]) -> [Item] {
    guard let last = line.last, run[0].start < last.start else { return line + run }
    var result: [Item] = []
    result.reserveCapacity(line.count + run.count)
    var (one, other) = (0, 0)
    while one < line.count, other < run.count {
      if line[one].start <= run[other].start {
        result.append(line[one])
        one += 1
      } else {
        result.append(run[other])
        other += 1
      }
    }
    result += line[one...]
    result += run[other...]
    return result
  }

  /// Leaves out blanks with letters over them: spreadsheets fill cells with blanks, and draw numbers into them. A blank
  /// that is taken back by the letter drawn next is kerned, and parts words.
  private static func dropCoveredBlanks(_ items: [Item]) -> [Item] {
    guard items.contains(where: \.text.isBlank) else { return items }
    // Where the next letter begins, seen from each place.
    var next = [Item?](repeating: nil, count: items.count + 1)
    for index in items.indices.reversed() {
      next[index] = items[index].text.isBlank ? next[index + 1] : items[index]
    }
    var reach = -Double.infinity
    var kept: [Item] = []
    kept.reserveCapacity(items.count)
    for (index, item) in items.enumerated() {
      guard item.text.isBlank else {
        reach = max(reach, item.end)
        kept.append(item)
        continue
      }
      let width = item.end - item.start
      let before = max(0, min(reach, item.end) - item.start)
      let letter = next[index + 1]
      let behind = max(0, item.end - max(letter?.start ?? .infinity, item.start))
      let isKerned = letter.map { $0.glyph == item.glyph + 1 } ?? false
      if width <= 0 || isKerned || before + behind <= coveredBlank * width { kept.append(item) }
    }
    return kept
  }

  // MARK: - From right to left

  /// The glyphs from left to right of a line in which letters run from right to left.
  static func leftwards(_ items: [Item], _ run: GlyphRun) -> [Item] {
    var keys = [Double](repeating: 0, count: items.count)
    for index in items.indices {
      let item = items[index]
      keys[index] = item.start
      if index > 0, Scripts.isCombining(item.scalar) {
        let last = items[index - 1]
        let middle = (item.start + item.end) / 2, width = last.end - last.start
        if middle > last.start - width, middle < last.end + width { keys[index] = keys[index - 1] }
      } else if item.text.isBlank {
        // A blank at the left end may have been taken back: the letter drawn over it goes behind it.
        keys[index] -= takenBack * run.glyphs[item.glyph].size
      }
    }
    let order = items.indices.sorted { (keys[$0], $0) < (keys[$1], $1) }
    return order.map { items[$0] }
  }
}
