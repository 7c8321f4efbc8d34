/// Cuts glyphs in the order of drawing into segments.
enum SegmentBuilder {
  /// What tells glyphs of one segment; lengths in units of the larger size unless said otherwise.
  private enum Bound {
    /// Letters along a curve: the cosine of the turn from one to the next is at least this, and less than this if
    /// they turn at all; how far the next may be, as far as the next word, in units of the smaller size; how many
    /// times larger one may be than the other.
    static let leastTurn = 0.8
    static let turned = 0.9999
    static let curveReach = 0.9
    static let curveSizes = 1.3
    /// The least cosine between the directions of a glyph and its segment.
    static let parallel = 0.99
    /// Raised and lowered letters are smaller than this part of their neighbors and larger than that.
    static let raisedSize = (least: 0.4, most: 0.85)
    /// How far off its baseline a raised or lowered letter may be, and any other.
    static let raisedReach = 0.62
    static let reach = 0.36
    /// How far back a glyph may begin, and how far ahead, in units of the smaller size.
    static let back = 1.2
    static let ahead = 1.1
    /// What begins further back than this is not drawn from left to right.
    static let kerning = 0.05
    /// How far behind and before the start of text drawn from right to left the next glyph ends.
    static let leftwardsOver = 0.3
    static let leftwardsAhead = 0.6
    /// How far from the last glyph a number inside such text goes on, in units of the smaller size.
    static let numberGap = 0.3
    /// A glyph this many times larger than its segment gives it its size and baseline.
    static let larger = 1.05
  }

  static func segments(_ run: inout GlyphRun) -> [Segment] {
    var result: [Segment] = []
    result.reserveCapacity(run.glyphs.count / 16 + 1)
    var order: [Int32] = []
    order.reserveCapacity(run.glyphs.count)
    var current = Segment(directionX: 1, directionY: 0, start: 0, end: 0, v: 0, size: 0, order: 0)
    var last = -1
    func end() {
      current.glyphs = current.glyphs.lowerBound..<order.count
      if !current.glyphs.isEmpty { result.append(current) }
    }
    for index in run.glyphs.indices {
      let glyph = run.glyphs[index]
      // A glyph without any text is as good as not there.
      if let place = glyph.text.index, run.strings[place].isEmpty { continue }
      if last >= 0, continues(glyph, run.glyphs[last], &current) {
        order.append(Int32(truncatingIfNeeded: index))
        last = index
        continue
      }
      end()
      current = Segment(
        directionX: glyph.directionX, directionY: glyph.directionY, start: 0, end: 0, v: 0,
        size: glyph.size, order: result.count)
      current.glyphs = order.count..<order.count
      order.append(Int32(truncatingIfNeeded: index))
      last = index
      current.start = current.u(glyph.x, glyph.y)
      current.end = current.u(glyph.endX, glyph.endY)
      if current.end < current.start { swap(&current.start, &current.end) }
      current.v = current.v(glyph.x, glyph.y)
    }
    end()
    run.order = order
    return result
  }

  /// Whether a glyph begins where the last one ends and is turned a little against it, as letters along a curve are.
  private static func curves(_ glyph: Glyph, _ last: Glyph, _ segment: inout Segment) -> Bool {
    let turned = glyph.directionX * last.directionX + glyph.directionY * last.directionY
    // As far as the next word, where no blank is drawn.
    let reach = Bound.curveReach * min(glyph.size, last.size)
    guard turned > Bound.leastTurn, turned < Bound.turned || segment.isCurved, segment.isSorted,
      (glyph.x - last.endX).magnitude < reach, (glyph.y - last.endY).magnitude < reach,
      max(glyph.size, last.size) < Bound.curveSizes * min(glyph.size, last.size)
    else { return false }
    segment.isCurved = true
    segment.start = min(
      segment.start, segment.u(glyph.x, glyph.y), segment.u(glyph.endX, glyph.endY))
    segment.end = max(segment.end, segment.u(glyph.x, glyph.y), segment.u(glyph.endX, glyph.endY))
    return true
  }

  /// Whether a glyph stands behind (or, for text drawn from right to left, just before) a segment on
  /// its line; if so the segment's extent is widened.
  private static func continues(_ glyph: Glyph, _ last: Glyph, _ segment: inout Segment) -> Bool {
    let along =
      glyph.directionX * segment.directionX + glyph.directionY * segment.directionY
    guard along > Bound.parallel else { return curves(glyph, last, &segment) }
    let u = segment.u(glyph.x, glyph.y)
    let v = segment.v(glyph.x, glyph.y)
    let larger = max(glyph.size, segment.size)
    let smaller = min(glyph.size, segment.size)
    // Raised and lowered letters are smaller than their neighbours.
    let isRaised =
      smaller < larger * Bound.raisedSize.most && smaller > larger * Bound.raisedSize.least
    let reach = isRaised ? Bound.raisedReach : Bound.reach
    guard
      (v - segment.v).magnitude < reach
        * (smaller > larger * Bound.raisedSize.least ? larger : smaller)
    else {
      return curves(glyph, last, &segment)
    }
    let end = segment.u(glyph.endX, glyph.endY)
    let gap = u - segment.end
    if gap >= -Bound.back * smaller, gap <= Bound.ahead * smaller {
      if u < segment.end - Bound.kerning * larger { segment.isSorted = false }
    } else if end <= segment.start + Bound.leftwardsOver * larger,
      end >= segment.start - Bound.leftwardsAhead * larger
    {
      segment.isSorted = false
    } else if !segment.isSorted, end <= segment.end,
      (u - segment.u(last.endX, last.endY)).magnitude < Bound.numberGap * smaller
    {
      // A number inside text drawn from right to left runs back towards it.
    } else {
      return false
    }
    segment.start = min(segment.start, min(u, end))
    segment.end = max(segment.end, max(u, end))
    if glyph.size > segment.size * Bound.larger {
      segment.size = glyph.size
      segment.v = v
    }
    return true
  }
}
