/// Finds the extents of columns: what the pieces of lines cover, cut where none does.
enum ColumnFinder {
  /// The columns of lines that belong to one table. A line whose pieces bridge a gap that all others
  /// leave free, as a head over several columns does, is not asked.
  static func columns(_ lines: [TextLine]) -> [ClosedRange<Double>] {
    let full = full(lines)
    var asked = lines.filter { $0.pieces.count * 5 >= full * 3 }
    let most = asked.count / 10
    var best = covered(asked, few: 0)
    // Each line is left out on trial; long tables are looked at as a whole.
    if asked.count <= 150 {
      for _ in 0..<max(1, min(6, most)) where asked.count > 2 {
        var gain: (index: Int, columns: [ClosedRange<Double>])?
        for index in asked.indices {
          var others = asked
          let line = others.remove(at: index)
          let columns = covered(others, few: 0)
          // Leaving a line out must open a gap that its pieces bridged.
          guard columns.count > (gain?.columns ?? best).count, bridges(line, columns) else {
            continue
          }
          gain = (index, columns)
        }
        guard let gain else { break }
        asked.remove(at: gain.index)
        best = gain.columns
      }
    } else {
      best = covered(asked, few: asked.count / 100)
    }
    return best
  }

  /// The number of pieces that a full row has: what at least a quarter of the lines reach.
  private static func full(_ lines: [TextLine]) -> Int {
    let counts = lines.map(\.pieces.count)
    return counts.sorted(by: >)[safe: max(0, min(counts.count - 1, counts.count / 4))] ?? 2
  }

  private static func bridges(_ line: TextLine, _ columns: [ClosedRange<Double>]) -> Bool {
    line.pieces.contains { touched($0, columns, by: 1).count > 1 }
  }

  /// What more than a few lines cover; gaps narrower than a point are none.
  private static func covered(_ lines: [TextLine], few: Int) -> [ClosedRange<Double>] {
    var edges: [(x: Double, step: Int)] = []
    for line in lines {
      for piece in line.pieces {
        edges.append((piece.start, 1))
        edges.append((piece.end, -1))
      }
    }
    edges.sort { $0.x != $1.x ? $0.x < $1.x : $0.step > $1.step }
    var result: [ClosedRange<Double>] = []
    var depth = 0
    var start: Double?
    for edge in edges {
      depth += edge.step
      if depth > few, start == nil {
        start = edge.x
      } else if depth <= few, let from = start {
        if let last = result.last, from - last.upperBound < Measures.columnGap {
          result[result.count - 1] = last.lowerBound...max(last.upperBound, edge.x)
        } else {
          result.append(from...max(from, edge.x))
        }
        start = nil
      }
    }
    return result
  }

  /// The columns that a piece stands in: those that it overlaps, else the nearest.
  static func span(_ piece: TextLine.Piece, _ columns: [ClosedRange<Double>]) -> ClosedRange<Int> {
    let touched = touched(piece, columns, by: 1)
    if let first = touched.first, let last = touched.last { return first...last }
    // The nearest is the column at its place or one of the two beside that.
    let place = columns.partitioningIndex { $0.upperBound >= piece.start }
    let near = max(0, place - 1)..<max(1, min(columns.count, place + 2))
    let nearest = near.max { overlap(piece, columns[safe: $0]) < overlap(piece, columns[safe: $1]) }
    return (nearest ?? 0)...(nearest ?? 0)
  }

  private static func overlap(_ piece: TextLine.Piece, _ column: ClosedRange<Double>?) -> Double {
    column.map { piece.overlap($0) } ?? -.infinity
  }

  /// The columns that a piece overlaps by more than some points; columns are apart, from left to right.
  static func touched(
    _ piece: TextLine.Piece, _ columns: [ClosedRange<Double>], by points: Double
  ) -> Range<Int> {
    let first = columns.partitioningIndex { $0.upperBound - piece.start > points }
    let end = columns.partitioningIndex { $0.lowerBound - piece.end >= -points }
    let all = first..<max(first, end)
    // A column may be narrower than what counts.
    let low = all.first { piece.overlap(columns[$0]) > points }
    let high = all.last { piece.overlap(columns[$0]) > points }
    return low.flatMap { low in high.map { low..<$0 + 1 } } ?? first..<first
  }
}

extension Array {
  /// The index of the first element for which something holds that holds for all behind it too.
  func partitioningIndex(where belongsBehind: (Element) -> Bool) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if belongsBehind(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }

  /// The element at an index, or nil beyond the ends.
  subscript(safe index: Int) -> Element? { indices.contains(index) ? self[index] : nil }
}
