/// The lowest lines so far, by place across the page.
struct Skyline {
  /// From left to right, without overlaps.
  private var parts: [(start: Double, end: Double, line: Int)] = []

  private func parts(_ start: Double, _ end: Double) -> Range<Int> {
    var (low, high) = (0, parts.count)
    while low < high {
      let middle = (low + high) / 2
      if parts[middle].end > start { high = middle } else { low = middle + 1 }
    }
    while high < parts.count, parts[high].start < end { high += 1 }
    return low..<high
  }

  func covered(_ start: Double, _ end: Double) -> Set<Int> {
    Set(parts[parts(start, end)].map(\.line))
  }

  mutating func cover(_ start: Double, _ end: Double, by line: Int) {
    guard start < end else { return }
    let range = parts(start, end)
    var new = [(start: start, end: end, line: line)]
    if let first = parts[range].first, first.start < start {
      new.insert((first.start, start, first.line), at: 0)
    }
    if let last = parts[range].last, last.end > end { new.append((end, last.end, last.line)) }
    parts.replaceSubrange(range, with: new)
  }
}
