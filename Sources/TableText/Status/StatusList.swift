public import Dates
internal import PDFSyntax
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
  /// Whether some page had a word.
  public private(set) var hasText = false
  /// The indices of the pages with little text, from 0.
  public private(set) var sparsePages: [Int] = []

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
  ///
  /// - Parameter isDamaged: whether part of its content could not be read.
  public mutating func add(_ page: TextPage, isDamaged: Bool = false) {
    if !page.words.isEmpty { hasText = true }
    if page.hasLittleText { sparsePages.append(page.number - 1) }
    guard var read = reader.read(page) else { return }
    read.isDamaged = isDamaged
    if !page.rules.isEmpty { read.takeMergedCells(page.rules) }
    pages.append(read)
  }

  /// Takes a page of a document in, by its index from 0.
  public mutating func add(_ extractor: TextExtractor, page index: Int) {
    let before = extractor.file.diagnostics.losses
    guard let page = extractor.page(index) else { return }
    let count = pages.count
    add(page, isDamaged: extractor.file.diagnostics.losses > before)
    // The lines of a page are noted for the few that need them.
    guard pages.count > count, page.rules.isEmpty, pages[count].sharesStatuses else { return }
    let notesRules = extractor.notesRules
    defer { extractor.notesRules = notesRules }
    extractor.notesRules = true
    if let rules = extractor.page(index)?.rules { pages[count].takeMergedCells(rules) }
  }

  /// The rows of a document.
  ///
  /// - Parameters:
  ///   - isWanted: which pages are read, by their numbers from 1.
  ///   - progress: told the number of each page that is done.
  public mutating func rows(
    of extractor: TextExtractor, pages isWanted: (Int) -> Bool = { _ in true },
    progress: (Int) -> Void = { _ in }
  ) -> [StatusRow] {
    for index in 0..<extractor.pageCount where isWanted(index + 1) {
      add(extractor, page: index)
      progress(index + 1)
    }
    return rows()
  }

  /// All rows: page by page, lists side by side one after the other, from top to bottom.
  public func rows() -> [StatusRow] {
    let (alignment, rivals) = alignments()
    let furniture = repeatedLines()
    let feet = repeatedRows(alignment)
    let numbersOfFeet = repeatedNumbers()
    let vocabulary = BrokenWords(pages)
    var dates = DateColumn(dateOrder)
    var result: [StatusRow] = []
    result.reserveCapacity(pages.reduce(0) { $0 + $1.lists.reduce(0) { $0 + $1.anchors.count } })
    for page in pages {
      for (index, list) in page.lists.enumerated() {
        let lines = list.columnLines
        let (cells, faults) = list.cells.map { ($0, 0) } ?? alignment.assign(lines)
        let others = list.cells == nil ? rivals.map { $0.assign(lines).cells } : []
        let share = min(1, faults / Double(max(1, list.anchors.count)))
        var isTorn = false
        if let last = result.indices.last {
          isTorn =
            continueRow(&result[last], list, cells, furniture, isSamePage: index > 0)
            && index > 0 && alignment == .middle
          if isTorn, result[last].doubt == nil { result[last].doubt = .cell }
        }
        for (place, (anchor, cell)) in zip(list.anchors, cells).enumerated() {
          var lines = list.lines[cell]
          var number = anchor.number
          if numbersOfFeet.contains(PageFurniture(numberOf: anchor)) { continue }
          if anchor.isNumberAbove, feet.contains(PageFurniture(anchor, list.lines[cell])) {
            continue
          }
          if number.isEmpty {
            // Above the first number of the page: it goes on with the last one of the page before.
            guard let last = result.last?.number else { continue }
            number = last
          }
          if place == list.anchors.count - 1 { lines = list.lines[whole(cell, list, furniture)] }
          dates.add(anchor.date)
          var row = StatusRow(
            number: number, status: vocabulary.joined(lines.map(\.text)),
            date: anchor.date, page: page.number,
            box: page.frame.shown(lines.reduce(anchor.box) { $0.union($1.box) }),
            confidence: 1 - Measures.weightOfFaults * share)
          let isCut =
            page.isDamaged
            && (place == list.anchors.count - 1 || row.status.isEmpty || row.date.isEmpty)
          if isCut {
            row.doubt = .damage
          } else if anchor.isNumberAbove {
            row.doubt = .number
          } else if isTorn && place < 3 && cell.count > 1
            || others.contains(where: { Self.differ($0[place], cell) })
          {
            row.doubt = .cell
          } else if anchor.hasAddition {
            row.doubt = .addition
          } else if anchor.isDateOdd {
            row.doubt = .date
          } else if list.isColumnOpen {
            row.doubt = .column
          } else if list.isDateColumnOpen {
            row.doubt = .dateColumn
          } else if share > Measures.doubtfulShare {
            row.doubt = .geometry
          }
          result.append(row)
        }
      }
    }
    if !reader.isDeclared, result.allSatisfy({ $0.status.isEmpty }) {
      BlockHeadings(pages)?.fill(&result)
    }
    let order = dates.order
    for index in result.indices where !result[index].date.isEmpty {
      result[index].dateISO = dates.iso(result[index].date, order)
    }
    Self.doubtIncomplete(&result)
    return result
  }

  /// Marks rows that lack what most have: it may not have been found.
  private static func doubtIncomplete(_ rows: inout [StatusRow]) {
    let wants: [(has: (StatusRow) -> Bool, doubt: StatusRow.Doubt)] = [
      ({ !$0.date.isEmpty }, .missing), ({ !$0.status.isEmpty }, .missing),
      // A dash stands for no date.
      ({ $0.dateISO != nil || !$0.date.contains(where: \.isNumber) }, .date),
    ]
    for want in wants where rows.count(where: want.has) * 2 > rows.count {
      for index in rows.indices where rows[index].doubt == nil && !want.has(rows[index]) {
        rows[index].doubt = want.doubt
      }
    }
  }

  private static func differ(_ one: Range<Int>, _ other: Range<Int>) -> Bool {
    one != other && !(one.isEmpty && other.isEmpty)
  }

  /// The cell of the last row of a page with the lines right below it: where a page break cuts a
  /// status, its number does not stand as in whole rows.
  private func whole(
    _ cell: Range<Int>, _ list: StatusPage.List, _ furniture: Set<PageFurniture>
  ) -> Range<Int> {
    var end = cell.upperBound
    while end > cell.lowerBound, end < list.lines.count,
      !furniture.contains(PageFurniture(list.lines[end])),
      list.lines[end].middle - list.lines[end - 1].middle < Measures.nextLineAtFoot
        * list.lines[end].size
    {
      end += 1
    }
    return cell.lowerBound..<end
  }

  /// A status that a page break has cut goes on above the first row of the next page. One that was cut by
  /// the end of a column goes on above the next column, where it does not look like a head.
  private func continueRow(
    _ row: inout StatusRow, _ list: StatusPage.List, _ cells: [Range<Int>],
    _ furniture: Set<PageFurniture>, isSamePage: Bool
  ) -> Bool {
    guard let first = cells.first, let anchor = list.anchors.first else { return false }
    let end = list.lines[..<first.lowerBound].endIndex
    var bottom = first.isEmpty ? anchor.middle : list.lines[first.lowerBound].middle
    var start = end
    while start > 0 {
      let line = list.lines[start - 1]
      guard bottom - line.middle < Measures.acrossPages * line.size,
        !furniture.contains(PageFurniture(line))
      else {
        break
      }
      bottom = line.middle
      start -= 1
    }
    guard start < end,
      !isSamePage || list.lines[start].text.first.map({ $0.isLowercase }) ?? false
    else { return false }
    row.status = PlacedWord.joined([row.status] + list.lines[start..<end].map(\.text))
    return true
  }

  /// What stands above or below the rows at the same place of more than half of the pages: heads and
  /// feet.
  private func repeatedLines() -> Set<PageFurniture> {
    var counts: [PageFurniture: Int] = [:]
    for page in pages {
      for list in page.lists {
        let numbers = list.anchors.filter { !$0.isNumberAbove }.map(\.middle)
        guard let first = numbers.first, let last = numbers.last else { continue }
        var seen: Set<PageFurniture> = []
        for line in list.lines {
          let isOutside = line.middle < first - line.size || line.middle > last + line.size
          let piece = PageFurniture(line)
          if isOutside, seen.insert(piece).inserted { counts[piece, default: 0] += 1 }
        }
      }
    }
    return Set(counts.filter { $0.value * 2 > pages.count && $0.value > 1 }.keys)
  }

  /// What looks like a row without a number, with the same date and words at the same place of more than
  /// half of the pages: heads and feet that tell when the list was made.
  private func repeatedRows(_ alignment: CellAlignment) -> Set<PageFurniture> {
    var counts: [PageFurniture: Int] = [:]
    for list in pages.lazy.flatMap(\.lists) where list.anchors.contains(where: \.isNumberAbove) {
      for (anchor, cell) in zip(list.anchors, alignment.assign(list.columnLines).cells)
      where anchor.isNumberAbove {
        counts[PageFurniture(anchor, list.lines[cell]), default: 0] += 1
      }
    }
    return Set(counts.filter { $0.value * 2 > pages.count && $0.value > 1 }.keys)
  }

  /// Numbers that stand first or last at the same place of more than half of the pages: of the form, or of
  /// the office.
  private func repeatedNumbers() -> Set<PageFurniture> {
    guard pages.count > 2 else { return [] }
    var counts: [PageFurniture: Int] = [:]
    for page in pages {
      var seen: Set<PageFurniture> = []
      for anchors in page.lists.lazy.map(\.anchors) {
        for anchor in [anchors.first, anchors.last] {
          guard let anchor, !anchor.isNumberAbove else { continue }
          let piece = PageFurniture(numberOf: anchor)
          if seen.insert(piece).inserted { counts[piece, default: 0] += 1 }
        }
      }
    }
    return Set(counts.filter { $0.value * 2 > pages.count }.keys)
  }

  /// How cells are aligned, and which other alignments fit the pages as well.
  private func alignments() -> (best: CellAlignment, rivals: [CellAlignment]) {
    let lists = pages.prefix(200).flatMap(\.lists).filter { $0.cells == nil }
    let columns = lists.map(\.columnLines)
    let faults = CellAlignment.allCases.map { alignment in
      let tries = columns.map(alignment.assign)
      let torn = zip(lists, tries).reduce(0) { $0 + $1.0.tornCells($1.1.cells) }
      return (alignment: alignment, count: tries.reduce(Double(torn)) { $0 + $1.faults })
    }
    let best = faults.min { $0.count < $1.count } ?? (.middle, 0)
    return (
      best.alignment,
      faults.filter { $0.alignment != best.alignment && $0.count <= best.count }.map(\.alignment)
    )
  }
}

/// A text and its height on the page: words of a status repeat, but not at one place.
private struct PageFurniture: Hashable {
  private let text: String
  private let height: Int

  init(_ line: StatusPage.StatusLine) {
    text = line.text
    height = Int((line.middle / 4).rounded())
  }

  /// A row by its number alone.
  init(numberOf anchor: StatusPage.Anchor) {
    text = anchor.number
    height = Int((anchor.middle / 4).rounded())
  }

  /// A row by its date and its status, in which the number of the page may be another one.
  init(_ anchor: StatusPage.Anchor, _ lines: ArraySlice<StatusPage.StatusLine>) {
    let status = lines.map(\.text).joined(separator: " ").map { $0.isNumber ? "0" : $0 }
    text = "\(anchor.date)\n\(String(status))"
    height = Int((anchor.middle / 4).rounded())
  }
}
