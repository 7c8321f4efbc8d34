public import PDFText

/// Reads the rows of a status list from the geometry of its pages.
///
/// Give it the pages in order, then ask for the rows: how numbers stand to wrapped statuses is found
/// out from all pages together.
///
/// ```swift
/// var list = StatusList()
/// for index in 0..<extractor.pageCount { extractor.page(index).map { list.add($0) } }
/// for row in list.rows() { print(row.number, row.status, row.date) }
/// ```
public struct StatusList {
  private var reader: StatusPageReader
  private var pages: [StatusPage] = []
  private let dateOrder: DateOrder?

  /// - Parameters:
  ///   - pattern: what a number looks like.
  ///   - columns: what the columns hold, from left to right; empty for what the pages show.
  ///   - dateOrder: how dates of digits are meant; nil for what the whole column says.
  public init(
    pattern: NumberPattern = NumberPattern(), columns: [StatusColumn] = [],
    dateOrder: DateOrder? = nil
  ) {
    reader = StatusPageReader(pattern: pattern, columns: columns)
    self.dateOrder = dateOrder
  }

  /// Takes the next page in. Pages without numbers in a column add nothing.
  public mutating func add(_ page: TextPage) {
    if let read = reader.read(page) { pages.append(read) }
  }

  /// All rows: page by page, lists side by side one after the other, from top to bottom.
  public func rows() -> [StatusRow] {
    let (alignment, rivals) = alignments()
    let furniture = repeatedLines()
    var dates = DateColumn(dateOrder)
    var result: [StatusRow] = []
    result.reserveCapacity(pages.reduce(0) { $0 + $1.lists.reduce(0) { $0 + $1.anchors.count } })
    for page in pages {
      for (index, list) in page.lists.enumerated() {
        let lines = list.columnLines
        let (cells, faults) = alignment.assign(lines)
        let others = rivals.map { $0.assign(lines).cells }
        let share = min(1, faults / Double(max(1, list.anchors.count)))
        if index == 0, page.number != pages.first?.number, let last = result.indices.last {
          continueRow(&result[last], list, cells, furniture)
        }
        for (place, (anchor, cell)) in zip(list.anchors, cells).enumerated() {
          var lines = list.lines[cell]
          if place == list.anchors.count - 1 { lines = list.lines[whole(cell, list, furniture)] }
          dates.add(anchor.date)
          var row = StatusRow(
            number: anchor.number, status: PlacedWord.joined(lines.map(\.text)),
            date: anchor.date, page: page.number,
            box: page.frame.shown(lines.reduce(anchor.box) { $0.union($1.box) }),
            confidence: 1 - 0.5 * share)
          if others.contains(where: { $0[place] != cell }) {
            row.doubt = .cell
          } else if anchor.isDateOdd {
            row.doubt = .date
          } else if list.isColumnOpen {
            row.doubt = .column
          } else if share > 0.4 {
            row.doubt = .geometry
          }
          result.append(row)
        }
      }
    }
    let order = dates.order
    for index in result.indices where !result[index].date.isEmpty {
      result[index].dateISO = dates.iso(result[index].date, order)
    }
    return result
  }

  /// The cell of the last row of a page with the lines right below it: where a page break cuts a
  /// status, its number does not stand as in whole rows.
  private func whole(
    _ cell: Range<Int>, _ list: StatusPage.List, _ furniture: Set<String>
  ) -> Range<Int> {
    var end = cell.upperBound
    while end > cell.lowerBound, end < list.lines.count,
      !furniture.contains(list.lines[end].text),
      list.lines[end].middle - list.lines[end - 1].middle < 1.4 * list.lines[end].size
    {
      end += 1
    }
    return cell.lowerBound..<end
  }

  /// A status that a page break has cut goes on above the first row of the next page.
  private func continueRow(
    _ row: inout StatusRow, _ list: StatusPage.List, _ cells: [Range<Int>],
    _ furniture: Set<String>
  ) {
    guard let first = cells.first, let anchor = list.anchors.first else { return }
    let end = list.lines[..<first.lowerBound].endIndex
    var bottom = first.isEmpty ? anchor.middle : list.lines[first.lowerBound].middle
    var start = end
    while start > 0 {
      let line = list.lines[start - 1]
      guard bottom - line.middle < 2.6 * line.size, !furniture.contains(line.text) else { break }
      bottom = line.middle
      start -= 1
    }
    guard start < end else { return }
    row.status = PlacedWord.joined([row.status] + list.lines[start..<end].map(\.text))
  }

  /// Texts that stand above or below the rows of more than half of the pages: heads and feet.
  private func repeatedLines() -> Set<String> {
    var counts: [String: Int] = [:]
    for page in pages {
      for list in page.lists {
        guard let first = list.anchors.first?.middle, let last = list.anchors.last?.middle else {
          continue
        }
        var seen: Set<String> = []
        for line in list.lines {
          let isOutside = line.middle < first - line.size || line.middle > last + line.size
          if isOutside, seen.insert(line.text).inserted { counts[line.text, default: 0] += 1 }
        }
      }
    }
    return Set(counts.filter { $0.value * 2 > pages.count && $0.value > 1 }.keys)
  }

  /// How cells are aligned, and which other alignments fit the pages as well.
  private func alignments() -> (best: CellAlignment, rivals: [CellAlignment]) {
    var faults: [(alignment: CellAlignment, count: Double)] = []
    let lists = pages.prefix(200).flatMap(\.lists).map(\.columnLines)
    for alignment in CellAlignment.allCases {
      faults.append((alignment, lists.reduce(0) { $0 + alignment.assign($1).faults }))
    }
    let best = faults.min { $0.count < $1.count } ?? (.middle, 0)
    return (
      best.alignment,
      faults.filter { $0.alignment != best.alignment && $0.count <= best.count }.map(\.alignment)
    )
  }
}
