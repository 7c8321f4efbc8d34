/// Joins segments of one line that were not drawn one behind the other: shuffled glyphs, accents,
/// right-to-left words, second draws of fake bold.
enum SegmentMerger {
  static func merged(_ segments: [Segment], _ run: inout GlyphRun) -> [Segment] {
    guard segments.count > 1 else { return segments }
    let order = segments.indices.sorted { left, right in
      let (a, b) = (segments[left], segments[right])
      let (directionA, directionB) = (direction(a), direction(b))
      if directionA != directionB { return directionA < directionB }
      return a.v < b.v
    }
    var parent = Array(segments.indices)
    func root(_ index: Int) -> Int {
      var at = index
      while parent[at] != at {
        parent[at] = parent[parent[at]]
        at = parent[at]
      }
      return at
    }
    var joined = false
    var first = 0
    while first < order.count {
      // One line of the page: all segments on about the same baseline.
      let head = segments[order[first]]
      var last = first + 1
      while last < order.count {
        let next = segments[order[last]]
        guard direction(next) == direction(head), next.v - head.v < 0.3 * max(head.size, next.size)
        else { break }
        last += 1
      }
      if last - first > 1 {
        let line = order[first..<last].sorted { segments[$0].start < segments[$1].start }
        var reach = line[0]
        for index in line.dropFirst() {
          if belongTogether(segments[reach], segments[index], run) {
            let (a, b) = (root(reach), root(index))
            if a != b {
              parent[max(a, b)] = min(a, b)
              joined = true
            }
          }
          if segments[index].end > segments[reach].end { reach = index }
        }
      }
      first = last
    }
    guard joined else { return segments }
    var result = segments
    var pieces: [Int: [Int]] = [:]
    var isGone = [Bool](repeating: false, count: segments.count)
    for index in segments.indices {
      let target = root(index)
      guard target != index else { continue }
      let piece = segments[index]
      pieces[target, default: []].append(index)
      result[target].isSorted = false
      if piece.size > result[target].size * 1.05 {
        result[target].size = piece.size
        result[target].v = piece.v
      }
      result[target].start = min(result[target].start, piece.start)
      result[target].end = max(result[target].end, piece.end)
      isGone[index] = true
    }
    for (target, indices) in pieces {
      let start = run.order.count
      for index in [target] + indices { run.order += run.order[segments[index].glyphs] }
      result[target].glyphs = start..<run.order.count
    }
    return result.indices.filter { !isGone[$0] }.map { result[$0] }
  }

  private static func direction(_ segment: Segment) -> Int {
    Int((segment.directionX * 50).rounded()) * 1000 + Int((segment.directionY * 50).rounded())
  }

  /// Whether `right`, which begins no further left, goes on where `left` ends, lies on it as an
  /// accent does, or repeats it.
  private static func belongTogether(_ left: Segment, _ right: Segment, _ run: GlyphRun) -> Bool {
    let size = max(left.size, right.size)
    guard (left.v - right.v).magnitude < 0.3 * size, !left.isCurved, !right.isCurved else {
      return false
    }
    let gap = right.start - left.end
    if gap > 0.42 * size { return false }
    if gap > -0.3 * size { return min(left.size, right.size) > 0.4 * size }
    // Overlapping: small pieces are accents or shuffled letters, equal ones are fake bold.
    if min(left.glyphs.count, right.glyphs.count) <= 2, min(left.size, right.size) > 0.6 * size {
      return true
    }
    return repeats(left, right, run) || repeats(right, left, run)
  }

  /// Whether all glyphs of one segment are drawn by the other at nearly the same place.
  private static func repeats(_ long: Segment, _ short: Segment, _ run: GlyphRun) -> Bool {
    guard short.glyphs.count <= long.glyphs.count else { return false }
    let others = long.places(run)
    var at = others.startIndex
    var found = 0
    var wanted = 0
    for index in short.places(run) {
      let glyph = run.glyphs[Int(index)]
      if glyph.text.isBlank { continue }
      wanted += 1
      let u = short.u(glyph.x, glyph.y)
      var probe = at
      while probe < others.endIndex {
        let other = run.glyphs[Int(others[probe])]
        if (long.u(other.x, other.y) - u).magnitude < 0.2 * short.size,
          run.firstScalar(other.text) == run.firstScalar(glyph.text)
        {
          found += 1
          at = probe + 1
          break
        }
        probe += 1
        if probe - at > 64 { break }
      }
    }
    return wanted > 0 && found * 10 >= wanted * 9
  }
}
