internal import Dates
internal import PDFText

/// Which column of dates is that of the status, where a list has several.
struct DateColumnChoice {
  /// From left to right, one for each list.
  var columns: [ColumnGroup]
  /// The others.
  var rest: [ClosedRange<Double>]
  /// Whether another one could be meant as well.
  var isOpen: Bool

  /// - Parameters:
  ///   - groups: columns of dates, from left to right.
  ///   - lists: how many lists stand side by side.
  /// - Returns: nil where there is no choice.
  init?(
    _ groups: [ColumnGroup], lists: Int, dates: [StatusPageReader.Span], _ head: ListHead
  ) {
    let most = groups.map(\.count).max() ?? 0
    // Dates inside statuses make columns of their own, which are not so full.
    let full = groups.filter { $0.count * 2 > most && $0.count > 2 }
    guard lists > 0, full.count > lists, full.count.isMultiple(of: lists) else { return nil }
    let each = full.count / lists
    let ranks = head.names(of: full.map(\.range)).prefix(each).map(HeadWords.dateRank)
    let best = ranks.max() ?? 0
    var places = ranks.indices.filter { ranks[$0] == best }
    isOpen = places.count > 1
    // The last that happened is what holds.
    if isOpen { places = [Self.latest(places.map { (place: $0, group: full[$0]) }, dates)] }
    guard let place = places.first else { return nil }
    columns = (0..<lists).map { full[$0 * each + place] }
    rest = full.indices.filter { $0 % each != place }.map { full[$0].range }
  }

  /// The place of the column whose dates are the latest in most rows.
  private static func latest(
    _ columns: [(place: Int, group: ColumnGroup)], _ dates: [StatusPageReader.Span]
  ) -> Int {
    var order = DateColumn(nil)
    for date in dates { order.add(date.text) }
    let meaning = order.order
    let values = columns.map { column in
      dates.filter { column.group.range.contains($0.box.middleX) }
        .compactMap { date in order.iso(date.text, meaning) }.sorted()
    }
    // The middle ones stand for all.
    let place = values.indices.max {
      (values[$0][safe: values[$0].count / 2] ?? "")
        < (values[$1][safe: values[$1].count / 2] ?? "")
    }
    return columns[place ?? 0].place
  }
}
