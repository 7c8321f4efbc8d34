/// The lines of one column beside the places of the rows they belong to, both from top to bottom.
struct ColumnLines {
  struct Line {
    var middle: Double
    var size: Double
  }

  /// Where what begins each row stands, such as its number: the middles of its first and its last line, mostly one.
  var anchors: [ClosedRange<Double>]
  var lines: [Line]
}

/// How what begins a row stands to the lines of a cell that is wrapped: beside the first, the middle or the last of
/// them.
enum CellAlignment: CaseIterable {
  case top, middle, bottom

  /// The lines of each anchor, as the alignment with the fewest faults gives them out.
  static func cells(_ list: ColumnLines) -> [Range<Int>] {
    allCases.map { $0.assign(list) }.min { $0.faults < $1.faults }?.cells ?? []
  }

  /// Gives each line to a row, or to none.
  ///
  /// - Returns: for each anchor the indices of its lines, and the number of faults: lines close to
  ///   the rows that belong to none, rows whose number does not stand where it should, gaps between
  ///   rows that differ.
  func assign(_ list: ColumnLines) -> (cells: [Range<Int>], faults: Double) {
    let best = assign(list, from: 0)
    guard self == .middle, let first = list.anchors.first.map(place), best.faults > 0 else {
      return best
    }
    // Above the first number may stand the end of a cell that the page or column before has begun; with
    // it the first cell would reach as far down.
    func emptyCells(_ cells: [Range<Int>]) -> Int { cells.prefix(8).count { $0.isEmpty } }
    guard emptyCells(best.cells) > 0 else { return best }
    var result = best
    let above = list.lines.prefix { $0.middle < first }.count
    for start in stride(from: 1, through: min(above, Self.mostLeftOver), by: 1) {
      let other = assign(list, from: start)
      if emptyCells(other.cells) < emptyCells(result.cells), other.faults <= result.faults {
        result = other
      }
    }
    return result
  }

  /// The line of an anchor that stands beside a line of the cell, or beside its middle.
  private func place(_ anchor: ClosedRange<Double>) -> Double {
    switch self {
    case .top: anchor.lowerBound
    case .middle: (anchor.lowerBound + anchor.upperBound) / 2
    case .bottom: anchor.upperBound
    }
  }

  /// Lines of a cell that may stand above the first number.
  private static let mostLeftOver = 8

  private func assign(
    _ list: ColumnLines, from start: Int
  ) -> (cells: [Range<Int>], faults: Double) {
    let anchors = list.anchors.map(place)
    let lines = list.lines
    var cells: [Range<Int>] = []
    var faults = 0.0
    var next = start
    for (index, anchor) in anchors.enumerated() {
      let reach = tolerance(lines, next)
      let following = index + 1 < anchors.count ? anchors[index + 1] : .infinity
      switch self {
      case .top:
        while next < lines.count, lines[next].middle < anchor - reach {
          if index > 0 || anchor - lines[next].middle < Measures.nextLineOfHead * lines[next].size {
            faults += 1
          }
          next += 1
        }
        var end = next
        while end < lines.count, lines[end].middle < following - reach {
          if end == next {
            if lines[end].middle > anchor + reach { break }
          } else if !follows(lines[end - 1], lines[end]) {
            break
          }
          end += 1
        }
        cells.append(next..<end)
        next = end
      case .bottom:
        var end = next
        while end < lines.count, lines[end].middle <= anchor + reach { end += 1 }
        var start = end
        while start > next {
          if start == end {
            if lines[start - 1].middle < anchor - reach { break }
          } else if !follows(lines[start - 1], lines[start]) {
            break
          }
          start -= 1
        }
        faults += index > 0 ? Double(start - next) : 0
        cells.append(start..<end)
        next = end
      case .middle:
        // Lines far above are none of this row.
        while next < lines.count, following.isFinite || index == anchors.count - 1,
          let best = bestGroup(lines, from: next, around: anchor, before: following)
        {
          if best.isEmpty {
            break
          }
          if best.lowerBound > next { faults += index > 0 ? Double(best.lowerBound - next) : 0 }
          cells.append(best)
          next = best.upperBound
          break
        }
        if cells.count <= index { cells.append(next..<next) }
      }
    }
    // Lines right behind the last row are its own, if they are of the list at all.
    if let last = cells.last, next < lines.count, !last.isEmpty,
      follows(lines[last.upperBound - 1], lines[next])
    {
      faults += 1
    }
    faults += spread(cells, lines)
    return (cells, faults)
  }

  private func tolerance(_ lines: [ColumnLines.Line], _ index: Int) -> Double {
    guard !lines.isEmpty else { return 3 }
    return Measures.besideRow * lines[min(index, lines.count - 1)].size
  }

  /// Whether two lines may be one cell's: no blank line between them.
  private func follows(_ above: ColumnLines.Line, _ below: ColumnLines.Line) -> Bool {
    below.middle - above.middle < Measures.nextLine * max(above.size, below.size)
  }

  /// The lines whose middle is that of the number; empty where the row has none.
  private func bestGroup(
    _ lines: [ColumnLines.Line], from first: Int, around middle: Double, before: Double
  ) -> Range<Int>? {
    var best: (range: Range<Int>, distance: Double)?
    var start = first
    // On a first row, heads above are passed over.
    while start < lines.count, start - first < 12 {
      if lines[start].middle > middle + Measures.besideRow * lines[start].size { break }
      var end = start
      while end < lines.count, lines[end].middle < before, end - start < 40 {
        if end > start, !follows(lines[end - 1], lines[end]) { break }
        let center = (lines[start].middle + lines[end].middle) / 2
        let distance = (center - middle).magnitude
        if distance < Measures.cellMiddle * lines[start].size,
          distance < (best?.distance ?? .infinity) - Measures.equal
        {
          best = (start..<(end + 1), distance)
        }
        if center > middle + lines[start].size { break }
        end += 1
      }
      // Lines left over before a group are only right above the first row.
      if best != nil { break }
      start += 1
    }
    return best?.range
  }

  /// How many gaps between rows differ from the usual one.
  private func spread(_ cells: [Range<Int>], _ lines: [ColumnLines.Line]) -> Double {
    var gaps: [Double] = []
    for index in cells.indices.dropFirst() {
      guard let last = cells[index - 1].last, let first = cells[index].first else { continue }
      gaps.append((lines[first].middle - lines[last].middle) / max(1, lines[first].size))
    }
    guard gaps.count > 2 else { return 0 }
    let median = gaps.sorted()[gaps.count / 2]
    return Measures.weightOfFaults
      * Double(gaps.filter { ($0 - median).magnitude > Measures.gapDifference }.count)
  }
}
