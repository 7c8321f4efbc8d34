public import PDFText

/// Reads the tables of a document; those that go on over pages are put together, and a head that each
/// page repeats is given once.
///
/// Pages go in in order, with their lines noted (``TextExtractor/notesRules``): each table comes as soon as no page can
/// add to it any more.
public struct TableList {
  private let reader: PageTables
  private var joiner = TableJoiner()

  private let fillsDown: Bool

  init(_ options: TableOptions = TableOptions()) {
    reader = PageTables(options: options)
    fillsDown = options.fillsDown
  }

  /// Takes the next page in.
  ///
  /// - Returns: the tables that are whole now.
  mutating func add(_ page: TextPage) -> [TextTable] {
    filled(joiner.add(reader.tables(page), page: page.number))
  }

  private func filled(_ tables: [TextTable]) -> [TextTable] {
    guard fillsDown else { return tables }
    var tables = tables
    for index in tables.indices { tables[index].fillDown() }
    return tables
  }

  /// The tables that still waited for a next page.
  mutating func finish() -> [TextTable] { filled(joiner.finish()) }

  /// Reads the tables of a document.
  ///
  /// - Parameters:
  ///   - isWanted: which pages are read, by their numbers from 1.
  ///   - take: gets the tables that are whole behind each page, and its number; nil at the end.
  /// - Returns: the indices of the pages that were read and have little text, from 0.
  public static func read<Failure: Error>(
    _ extractor: TextExtractor, _ options: TableOptions,
    pages isWanted: (Int) -> Bool = { _ in true },
    take: (_ tables: [TextTable], _ page: Int?) throws(Failure) -> Void
  ) throws(Failure) -> [Int] {
    extractor.notesRules = true
    var list = TableList(options), sparse: [Int] = []
    for index in 0..<extractor.pageCount where isWanted(index + 1) {
      let page = extractor.page(index)
      if page?.hasLittleText ?? true { sparse.append(index) }
      try take(page.map { list.add($0) } ?? [], index + 1)
    }
    try take(list.finish(), nil)
    return sparse
  }
}

/// Puts the parts of a table on several pages together.
struct TableJoiner {
  /// A table that may go on, and the part on its last page. There is one of it, so that a page adds to its rows in place.
  private final class Open {
    var table: TextTable
    /// What the first page's head says, row by row.
    var head: [[String]]
    var last: PageTable
    /// How many rows have text in each column: a long table has many pages, and they all ask.
    private(set) var filled: [Int]

    init(_ table: TextTable, head: [[String]], last: PageTable) {
      (self.table, self.head, self.last) = (table, head, last)
      filled = [Int](repeating: 0, count: table.columns)
      for row in table.rows { count(row) }
    }

    func append(_ row: TextTable.Row) {
      table.rows.append(row)
      count(row)
    }

    private func count(_ row: TextTable.Row) {
      for (column, text) in row.cells.enumerated() where !text.isEmpty { filled[column] += 1 }
    }

    /// Whether the first row of the next page is the rest of the last row: only cells that go on are filled, and what
    /// each other row has is missing.
    func isContinued(by row: PageTable.Row) -> Bool {
      guard !row.isCategory, table.rows.count >= 3, let last = table.rows.last else { return false }
      let own = row.cells.indices.filter { !row.cells[$0].isEmpty }
      guard !own.isEmpty, own.allSatisfy({ !last.cells[$0].isEmpty }) else { return false }
      let always = row.cells.indices.filter { filled[$0] * 10 >= table.rows.count * 9 }
      let missing = always.filter { row.cells[$0].isEmpty }
      return missing.count >= max(1, always.count / 2) && own.count <= 2
        && !own.contains { TableHead.isFigure(row.cells[$0]) }
    }

    /// Whether the first row of the next page is the end of the last row, which has a text alone that goes on there.
    func isEnded(by row: PageTable.Row) -> Bool {
      guard table.rows.count >= 3, let last = table.rows.last else { return false }
      let own = last.cells.indices.filter { !last.cells[$0].isEmpty }
      guard own.count == 1, let text = own.first, text > 0,
        row.cells[text].unicodeScalars.first?.properties.isLowercase == true
      else { return false }
      return row.cells.indices.contains { column in
        last.cells[column].isEmpty && !row.cells[column].isEmpty
          && filled[column] * 10 >= (table.rows.count - 1) * 9
      }
    }

    /// Joins cells to those of the last row.
    func goOn(with cells: [String]) {
      guard let last = table.rows.indices.last else { return }
      for (column, text) in cells.enumerated() where !text.isEmpty {
        let before = table.rows[last].cells[column]
        if before.isEmpty { filled[column] += 1 }
        table.rows[last].cells[column] = PlacedWord.joined([before, text])
      }
    }
  }

  private var open: Open?

  /// Takes the tables of the next page in.
  ///
  /// - Returns: the tables that are whole now.
  mutating func add(_ tables: [PageTable], page: Int) -> [TextTable] {
    var done: [TextTable] = []
    for (place, table) in tables.enumerated() {
      // A second column of the same list on this page, or the next page of the last table.
      if let open, Self.goesOn(table, beside: open) {
        Self.append(table, to: open, shift: true)
      } else if place == 0, let open, let map = Self.columnMap(table, open) {
        Self.append(table, to: open, map: map)
      } else {
        done += finish()
        open = Self.opened(table)
      }
    }
    return open?.last.page == page ? done : done + finish()
  }

  mutating func finish() -> [TextTable] {
    defer { open = nil }
    return open.map { [$0.table] } ?? []
  }

  private static func opened(_ part: PageTable) -> Open {
    var table = TextTable(
      columns: part.columns.count, pages: part.page...part.page, isRuled: part.isRuled)
    table.names = part.names
    let titles = part.rows.prefix(part.headRows).filter(\.isCategory)
    let head = part.rows.prefix(part.headRows).filter { !$0.isCategory }.map(\.cells)
    table.rows = (titles + body(part, part.headRows, head)).map { row($0, part) }
    return Open(
      table, head: part.rows.prefix(max(1, part.headRows)).map(\.cells), last: part)
  }

  /// The rows below the first ones, without those that repeat the head: where a row is broken by the end of a page, some
  /// programs write the head once more above its beginning.
  private static func body(
    _ part: PageTable, _ first: Int, _ head: [[String]]
  ) -> [PageTable.Row] {
    part.rows.dropFirst(first).filter { part.headRows == 0 || [$0.cells] != head }
  }

  private static func row(_ row: PageTable.Row, _ part: PageTable) -> TextTable.Row {
    TextTable.Row(
      cells: row.cells, page: part.page, box: part.frame.shown(row.box), covered: row.covered,
      isCategory: row.isCategory)
  }

  private static func goesOn(_ table: PageTable, beside open: Open) -> Bool {
    let other = open.last
    return table.page == other.page && table.box.x0 >= other.box.x1 - 2
      && min(table.box.y1, other.box.y1) > max(table.box.y0, other.box.y0)
      && hasHead(table, open) && table.columns.count == other.columns.count
  }

  /// Whether a part begins with the head of an open table.
  private static func hasHead(_ part: PageTable, _ open: Open) -> Bool {
    if beginsWithHead(part, open) { return true }
    if open.last.headRows > 0, part.headRows > 0 {
      return open.table.names.filter { !$0.isEmpty } == part.names.filter { !$0.isEmpty }
    }
    return false
  }

  /// Whether the first rows of a part are those of the head, row by row.
  private static func beginsWithHead(_ part: PageTable, _ open: Open) -> Bool {
    part.rows.count >= open.head.count
      && zip(part.rows, open.head).allSatisfy {
        $0.cells.filter { !$0.isEmpty } == $1.filter { !$0.isEmpty }
      }
  }

  /// Which column of an open table each column of a part on the next page is; nil where the part is
  /// a table of its own.
  private static func columnMap(_ part: PageTable, _ open: Open) -> [Int]? {
    guard open.table.pages.upperBound == part.page - 1 else { return nil }
    let count = part.columns.count, known = open.last.columns
    let repeats = hasHead(part, open)
    if repeats, count == known.count { return Array(0..<count) }
    // Another head begins another table.
    if part.headRows > 0, !repeats { return nil }
    guard part.isRuled == open.last.isRuled, !known.isEmpty else { return nil }
    if part.isRuled {
      // Drawn columns have the same widths.
      guard count == known.count,
        zip(part.columns, known).allSatisfy({
          (($0.upperBound - $0.lowerBound) - ($1.upperBound - $1.lowerBound)).magnitude < 3
        })
      else { return nil }
      return Array(0..<count)
    }
    // The margins of left and right pages may differ.
    for shift in [0, known[0].lowerBound - part.columns[0].lowerBound] {
      var map: [Int] = []
      for column in part.columns {
        let moved = (column.lowerBound + shift)...(column.upperBound + shift)
        let touched = known.indices.filter { known[$0].overlaps(moved) }
        guard touched.count == 1, touched[0] > map.last ?? -1 else { break }
        map.append(touched[0])
      }
      if map.count == count { return map }
    }
    return nil
  }

  private static func append(
    _ part: PageTable, to open: Open, map: [Int]? = nil, shift: Bool = false
  ) {
    let map = map ?? Array(0..<part.columns.count)
    let head = beginsWithHead(part, open) ? open.head.count : part.headRows
    for (place, row) in body(part, head, open.head).enumerated() {
      var moved = row
      moved.cells = [String](repeating: "", count: open.table.columns)
      for (column, text) in row.cells.enumerated() {
        if let place = map[safe: column], moved.cells.indices.contains(place) {
          moved.cells[place] = text
        }
      }
      if place == 0, !shift, open.isContinued(by: moved) || part.isRuled && open.isEnded(by: moved)
      {
        open.goOn(with: moved.cells)
      } else {
        open.append(Self.row(moved, part))
      }
    }
    open.table.pages = open.table.pages.lowerBound...part.page
    let columns = open.last.columns
    open.last = part
    // The columns of the first page stay known where this one shows fewer.
    if part.columns.count != columns.count || shift { open.last.columns = columns }
  }
}
