/// Cuts glyphs in the order of drawing into segments.
enum SegmentBuilder {
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
    let reach = 0.9 * min(glyph.size, last.size)
    guard turned > 0.8, turned < 0.9999 || segment.isCurved, segment.isSorted,
      (glyph.x - last.endX).magnitude < reach, (glyph.y - last.endY).magnitude < reach,
      max(glyph.size, last.size) < 1.3 * min(glyph.size, last.size)
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
    guard along > 0.99 else { return curves(glyph, last, &segment) }
    let u = segment.u(glyph.x, glyph.y)
    let v = segment.v(glyph.x, glyph.y)
    let larger = max(glyph.size, segment.size)
    let smaller = min(glyph.size, segment.size)
    // Raised and lowered letters are smaller than their neighbours.
    let reach = smaller < larger * 0.85 && smaller > larger * 0.4 ? 0.62 : 0.36
    guard (v - segment.v).magnitude < reach * (smaller > larger * 0.4 ? larger : smaller) else {
      return curves(glyph, last, &segment)
    }
    let end = segment.u(glyph.endX, glyph.endY)
    let gap = u - segment.end
    if gap >= -1.2 * smaller, gap <= 1.1 * larger {
      if u < segment.end - 0.05 * larger { segment.isSorted = false }
    } else if end <= segment.start + 0.3 * larger, end >= segment.start - 0.6 * larger {
      segment.isSorted = false
    } else if !segment.isSorted, end <= segment.end,
      (u - segment.u(last.endX, last.endY)).magnitude < 0.3 * smaller
    {
      // A number inside text drawn from right to left runs back towards it.
    } else {
      return false
    }
    segment.start = min(segment.start, min(u, end))
    segment.end = max(segment.end, max(u, end))
    if glyph.size > segment.size * 1.05 {
      segment.size = glyph.size
      segment.v = v
    }
    return true
  }
}
