/// Ink that looks like text, whether it was read or not: marks of about one height that stand side by side in rows.
enum TextMarks {
  /// The picture is looked at in about this resolution, in pixels per inch.
  private static let lookedAt = 110.0
  /// More marks than this are a drawing, a photograph or noise.
  private static let most = 30_000
  /// How high letters may be, in inches.
  private static let heights = 0.05...0.4
  /// A row has at least this many of them.
  private static let leastInRow = 5

  /// How many letters a page seems to have.
  ///
  /// - Parameters:
  ///   - pixels: bilevel, or in grey with its paper made even; its lines level.
  ///   - resolution: pixels per inch.
  static func count(in pixels: borrowing Pixels, resolution: Double) -> Int {
    guard
      let ink = InkMarks(in: pixels, resolution: resolution, lookedAt: lookedAt, most: most)
    else { return 0 }
    let range = heights.lowerBound * ink.resolution...heights.upperBound * ink.resolution
    return inRows(ink.boxes.filter { range.contains($0.height) && $0.width < 4 * $0.height })
  }

  /// How many marks stand in rows: beside the next one, on one line, of about one height.
  static func inRows(_ marks: [PixelBox]) -> Int {
    /// A row that may go on to the right.
    struct Row {
      var last: PixelBox
      var count: Int
    }
    var count = 0
    // By the place of their feet, so that only rows that may go on are looked at.
    var rows: [Int: [Row]] = [:]
    func end(_ row: Row) { if row.count >= leastInRow { count += row.count } }
    for mark in marks.sorted(by: { $0.left < $1.left }) {
      let band = Int(mark.bottom / 8)
      var place: (band: Int, index: Int)?
      for near in band - 1...band + 1 {
        for (index, row) in (rows[near] ?? []).enumerated() {
          let other = row.last, high = max(mark.height, other.height)
          guard (mark.bottom - other.bottom).magnitude <= 0.35 * high,
            min(mark.height, other.height) * 2.2 >= high, mark.left - other.right <= 2 * high,
            mark.left >= other.left + 0.3 * min(other.width, high)
          else { continue }
          place = (near, index)
        }
      }
      var row = Row(last: mark, count: 1)
      if let place, let known = rows[place.band]?.remove(at: place.index) {
        row.count += known.count
      }
      // What lies behind goes on no more.
      func hasEnded(_ row: Row) -> Bool { row.last.right + 3 * row.last.height < mark.left }
      let known = rows[band] ?? []
      known.filter(hasEnded).forEach(end)
      rows[band] = known.filter { !hasEnded($0) } + [row]
    }
    rows.values.joined().forEach(end)
    return count
  }
}
