/// Joins segments of one line that were not drawn one behind the other: shuffled glyphs, accents,
/// right-to-left words, second draws of fake bold.
enum SegmentMerger {
  /// What tells segments that belong together; lengths in units of the larger size unless said otherwise.
  private enum Bound {
    /// How far apart the baselines of one line are at most.
    static let baseline = 0.3
    /// A piece this many times larger gives the whole its size and baseline.
    static let larger = 1.05
    /// Steps of a direction's cosine and sine that are told apart.
    static let directions = 50.0
    /// What begins no further behind an end than this goes on there, and no further before it than that.
    static let gap = 0.42
    static let overlap = 0.3
    /// The least part of the larger size that the smaller one has: of what goes on, and of a small piece laid over it.
    static let nextSize = 0.4
    static let overSize = 0.6
    /// A small piece has no more glyphs.
    static let smallPiece = 2
    /// A glyph drawn again is no further away than this, in units of its own size; so many others are looked at.
    static let repeatDistance = 0.2
    static let repeatsLookedAt = 64
  }

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
        guard direction(next) == direction(head),
          next.v - head.v < Bound.baseline * max(head.size, next.size)
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
      if piece.size > result[target].size * Bound.larger {
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
    Int((segment.directionX * Bound.directions).rounded()) * 1000
      + Int((segment.directionY * Bound.directions).rounded())
  }

  /// Whether `right`, which begins no further left, goes on where `left` ends, lies on it as an
  /// accent does, or repeats it.
  private static func belongTogether(_ left: Segment, _ right: Segment, _ run: GlyphRun) -> Bool {
    let size = max(left.size, right.size)
    guard (left.v - right.v).magnitude < Bound.baseline * size, !left.isCurved, !right.isCurved
    else {
      return false
    }
    let gap = right.start - left.end
    if gap > Bound.gap * size { return false }
    if gap > -Bound.overlap * size { return min(left.size, right.size) > Bound.nextSize * size }
    // Overlapping: small pieces are accents or shuffled letters, equal ones are fake bold.
    if min(left.glyphs.count, right.glyphs.count) <= Bound.smallPiece,
      min(left.size, right.size) > Bound.overSize * size
    {
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
        if (long.u(other.x, other.y) - u).magnitude < Bound.repeatDistance * short.size,
          run.firstScalar(other.text) == run.firstScalar(glyph.text)
        {
          found += 1
          at = probe + 1
          break
        }
        probe += 1
        if probe - at > Bound.repeatsLookedAt { break }
      }
    }
    return wanted > 0 && found * 10 >= wanted * 9
  }
}
