internal import PDFText

/// Which column of numbers is that of the rows, where a row has several: a reference beside the application, or the
/// number of an earlier case.
struct NumberColumnChoice {
  /// From left to right, one for each list.
  var columns: [ClosedRange<Double>] = []
  /// The others.
  var rest: [ClosedRange<Double>] = []
  /// Whether another one could be meant as well.
  var isOpen = false

  /// - Parameters:
  ///   - all: columns of numbers, from left to right.
  ///   - head: of the page, if it has one.
  /// - Returns: nil where no row has several.
  init?(
    _ all: [ClosedRange<Double>], numbers: [StatusPageReader.Span], _ lines: [[PlacedWord]],
    _ head: ListHead
  ) {
    var groups: [[ClosedRange<Double>]] = []
    for column in all {
      if let last = groups.last?.last, Self.shareRows(last, column, numbers, lines) {
        groups[groups.count - 1].append(column)
      } else {
        groups.append([column])
      }
    }
    guard groups.contains(where: { $0.count > 1 }), Self.haveText(numbers, all, lines) else {
      return nil
    }
    for group in groups {
      let ranks = head.names(of: group).map(HeadWords.numberRank)
      let best = ranks.max() ?? 0
      let place = ranks.firstIndex(of: best) ?? 0
      isOpen = isOpen || ranks.count { $0 == best } > 1
      columns.append(group[place])
      rest += group.indices.filter { $0 != place }.map { group[$0] }
    }
  }

  /// Whether numbers of two columns stand on the same lines with nothing between them. Lists side by side have their
  /// statuses there, or their dates.
  private static func shareRows(
    _ left: ClosedRange<Double>, _ right: ClosedRange<Double>, _ numbers: [StatusPageReader.Span],
    _ lines: [[PlacedWord]]
  ) -> Bool {
    let ours = numbers.filter { left.contains($0.box.middleX) }
    let theirs = numbers.filter { right.contains($0.box.middleX) }.map(\.box.middleY).sorted()
    let shared = ours.filter { theirs.hasRow(at: $0.box.middleY, $0.size) }.map(\.box.middleY)
      .sorted()
    guard shared.count * 10 >= 8 * min(ours.count, theirs.count), shared.count >= 3 else {
      return false
    }
    let filled = lines.count { line in
      guard let first = line.first, shared.hasRow(at: first.box.middleY, first.size) else {
        return false
      }
      return line.contains {
        $0.box.middleX > left.upperBound && $0.box.middleX < right.lowerBound
      }
    }
    return filled * 10 < shared.count
  }

  /// Whether most rows have anything besides numbers: tables of mere numbers are lists of as many columns.
  private static func haveText(
    _ numbers: [StatusPageReader.Span], _ columns: [ClosedRange<Double>], _ lines: [[PlacedWord]]
  ) -> Bool {
    let middles = numbers.map(\.box.middleY).sorted()
    let rows = lines.filter { line in
      line.first.map { middles.hasRow(at: $0.box.middleY, $0.size) } ?? false
    }
    let others = rows.count { line in
      line.contains { word in !columns.contains { $0.contains(word.box.middleX) } }
    }
    return others * 2 > rows.count
  }
}
