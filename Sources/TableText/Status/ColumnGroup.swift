import PDFText

/// Boxes that stand one below the other.
struct ColumnGroup {
  var range: ClosedRange<Double>
  var count: Int

  /// The groups of boxes from left to right.
  static func groups(_ boxes: [TextPage.Box]) -> [ColumnGroup] {
    var groups: [ColumnGroup] = []
    for box in boxes.sorted(by: { $0.middleX < $1.middleX }) {
      if let last = groups.last, box.middleX <= last.range.upperBound,
        box.x0 < last.range.upperBound - Measures.boxBeyond * box.width
      {
        let low = min(last.range.lowerBound, box.x0), high = max(last.range.upperBound, box.x1)
        groups[groups.count - 1] = ColumnGroup(range: low...high, count: last.count + 1)
      } else {
        groups.append(ColumnGroup(range: box.x0...max(box.x0, box.x1), count: 1))
      }
    }
    return groups
  }

  /// Whether an earlier page had a column here.
  func isFamiliar(_ known: [ClosedRange<Double>]) -> Bool {
    known.contains { ($0.lowerBound - range.lowerBound).magnitude < 12 }
  }
}

extension [ColumnGroup] {
  /// The groups with the most boxes, from left to right; where boxes are few, what earlier pages
  /// showed comes first.
  func fullest(_ most: Int, known: [ClosedRange<Double>]) -> [ColumnGroup] {
    guard count > most else { return self }
    let ranked = sorted { one, other in
      let (a, b) = (one.isFamiliar(known), other.isFamiliar(known))
      return a != b ? a : one.count > other.count
    }
    return ranked.prefix(most).sorted { $0.range.lowerBound < $1.range.lowerBound }
  }

  /// The columns among the groups: large ones, or those that an earlier page had.
  func chosen(atLeast: Int, known: [ClosedRange<Double>]) -> [ClosedRange<Double>] {
    let large = filter { $0.count >= atLeast }.map(\.range)
    if !known.isEmpty {
      let familiar = filter { $0.isFamiliar(known) }.map(\.range)
      if familiar.count >= large.count { return familiar }
    }
    return large.isEmpty && known.isEmpty ? map(\.range) : large
  }
}
