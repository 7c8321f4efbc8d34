/// Puts segments into reading order: form fields to their labels, then all of them by ``LinePrecedence``.
enum ReadingOrder {
  /// What tells how text was drawn; lengths in units of the size of the text.
  private enum Bound {
    /// Lines longer than this are long.
    static let longLine = 9.0
    /// The gap between two columns, and the step from one line of a paragraph to the next.
    static let columnGap = 1.2
    static let lineStep = 1.6
    /// How far apart the baselines of a field and its label are at most, how much more than white between them that
    /// counts, and how far one may begin before the other's end.
    static let fieldRise = 0.8
    static let riseWeight = 8.0
    static let fieldOverlap = 0.3
    /// What is no wider and has text behind it no further away than this is a mark before that text.
    static let mark = 2.2
    static let markGap = 3.0
    /// More pairs of fields and texts than this are not compared.
    static let fieldPairs = 4_000_000
  }

  /// - Parameter page: its gutters are noted, and its geometry unless that is nil.
  static func ordered(
    _ segments: [Segment], _ run: GlyphRun, page: inout TextPage
  ) -> [Segment] {
    var segments = segments.filter { segment in
      segment.places(run).contains { !run.glyphs[Int($0)].text.isBlank }
    }
    guard segments.count > 1 else { return segments }
    func isRightToLeft(_ segment: Segment) -> Bool {
      Scripts.readsRightToLeft(segment, run)
    }
    if !run.fields.isEmpty { segments = withFieldsAtLabels(segments, run, isRightToLeft) }
    return LinePrecedence.ordered(
      segments, run, isRightToLeft: isRightToLeft, page: &page)
  }

  /// Puts what form fields show behind the texts beside which they stand. All fields are drawn after the page, whatever
  /// they belong to, so that the order of drawing says nothing about them.
  private static func withFieldsAtLabels(
    _ segments: [Segment], _ run: GlyphRun, _ isRightToLeft: (Segment) -> Bool
  ) -> [Segment] {
    func field(of segment: Segment) -> Int? {
      let glyph = Int(run.order[segment.glyphs.lowerBound])
      var (low, high) = (0, run.fields.count)
      while low < high {
        let middle = (low + high) / 2
        if run.fields[middle].upperBound <= glyph { low = middle + 1 } else { high = middle }
      }
      return low < run.fields.count && run.fields[low].contains(glyph) ? low : nil
    }
    var texts: [Segment] = [], values: [[Segment]] = [], last: Int?
    for segment in segments {
      let field = field(of: segment)
      if field == nil {
        texts.append(segment)
      } else if field == last {
        values[values.count - 1].append(segment)
      } else {
        values.append([segment])
      }
      last = field
    }
    guard texts.count * values.count <= Bound.fieldPairs else { return segments }
    var placed: [Int: [(gap: Double, value: [Segment])]] = [:]
    var others: [Segment] = []
    for value in values {
      if let (place, gap) = place(of: value[0], to: value[value.count - 1].v, texts, isRightToLeft)
      {
        placed[place, default: []].append((gap, value))
      } else {
        others += value
      }
    }
    guard !placed.isEmpty else { return segments }
    var ordered: [Segment] = []
    ordered.reserveCapacity(segments.count)
    for index in 0...texts.count {
      for (_, value) in placed[index, default: []].sorted(by: { $0.gap < $1.gap }) {
        ordered += value
      }
      if index < texts.count { ordered.append(texts[index]) }
    }
    ordered += others
    for index in ordered.indices { ordered[index].order = index }
    return ordered
  }

  /// The place among texts where a field is read: behind the nearest one that comes before it on its line, or before
  /// the one that it marks; and how far it is from what it is read behind.
  ///
  /// - Parameters:
  ///   - value: its first line.
  ///   - bottom: the baseline of its last line.
  private static func place(
    of value: Segment, to bottom: Double, _ texts: [Segment], _ isRightToLeft: (Segment) -> Bool
  ) -> (place: Int, gap: Double)? {
    var nearest: (place: Int, gap: Double)?
    var least = Double.infinity
    let size = value.size
    let isNarrow = value.end - value.start < Bound.mark * size
    for (index, text) in texts.enumerated() {
      let rise = (text.v - value.v).magnitude
      guard rise < Bound.fieldRise * size, text.isParallel(value) else { continue }
      var (gap, behind) = (value.start - text.end, text.start - value.end)
      if isRightToLeft(text) { swap(&gap, &behind) }
      let isMark = isNarrow && behind > gap && behind < Bound.markGap * size
      let distance = (isMark ? behind : gap) + Bound.riseWeight * rise
      guard max(gap, behind) > -Bound.fieldOverlap * size, isMark || gap > behind, distance < least
      else { continue }
      if !isMark, gap > Bound.columnGap * size, index + 1 < texts.count,
        texts[index + 1].isParallel(text)
      {
        let next = texts[index + 1]
        let step = next.v - text.v
        // A line within a paragraph of another column, or one of several texts beside a long field.
        let isProse =
          min(text.end - text.start, next.end - next.start) > Bound.longLine * size
        if step > 0, step < Bound.lineStep * size ? isProse : next.v < bottom { continue }
      }
      least = distance
      nearest = isMark ? (index, .infinity) : (index + 1, gap)
    }
    return nearest
  }
}
