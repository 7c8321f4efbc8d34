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

  public init(pattern: NumberPattern = NumberPattern()) {
    reader = StatusPageReader(pattern: pattern)
  }

  /// Takes the next page in. Pages without numbers in a column add nothing.
  public mutating func add(_ page: TextPage) {
    if let read = reader.read(page) { pages.append(read) }
  }

  /// All rows: page by page, lists side by side one after the other, from top to bottom.
  public func rows() -> [StatusRow] {
    let alignment = bestAlignment()
    var result: [StatusRow] = []
    for page in pages {
      for list in page.lists {
        let (cells, faults) = alignment.assign(list)
        let share = min(1, faults / Double(max(1, list.anchors.count)))
        let before = pages.first?.number == page.number ? nil : result.indices.last
        if let before, alignment == .top {
          continueRow(&result[before], list, cells)
        }
        for (anchor, cell) in zip(list.anchors, cells) {
          result.append(
            StatusRow(
              number: anchor.number, status: Self.joined(list.lines[cell].map(\.text)),
              date: anchor.date, page: page.number,
              box: list.lines[cell].reduce(anchor.box) { $0.union($1.box) },
              confidence: 1 - 0.5 * share))
        }
      }
    }
    return result
  }

  /// A status that a page break has cut goes on above the first number of the next page.
  private func continueRow(
    _ row: inout StatusRow, _ list: StatusPage.List, _ cells: [Range<Int>]
  ) {
    guard let first = cells.first, first.lowerBound > 0, let anchor = list.anchors.first else {
      return
    }
    let lines = list.lines[..<first.lowerBound].filter {
      anchor.middle - $0.middle < 3 * $0.size
    }
    guard !lines.isEmpty else { return }
    row.status = Self.joined([row.status] + lines.map(\.text))
  }

  private func bestAlignment() -> CellAlignment {
    var best = (alignment: CellAlignment.middle, faults: Double.infinity)
    for alignment in [CellAlignment.top, .middle, .bottom] {
      var faults = 0.0
      for page in pages.prefix(200) {
        for list in page.lists { faults += alignment.assign(list).faults }
      }
      if faults < best.faults { best = (alignment, faults) }
    }
    return best.alignment
  }

  /// Joins lines by blanks, without one behind a hyphen.
  static func joined(_ lines: [String]) -> String {
    var result = ""
    for line in lines where !line.isEmpty {
      if !result.isEmpty, result.utf8.last != 0x2D { result += " " }
      result += line
    }
    return result
  }
}
