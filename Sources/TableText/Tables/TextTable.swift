public import PDFText

/// A table of a document; one that goes on over pages is one table.
public struct TextTable: Sendable {
  /// A row below the head.
  public struct Row: Sendable {
    /// One text for each column, empty where the cell is; a merged cell's text stands in its first.
    public var cells: [String]
    /// The page it begins on, from 1.
    public var page: Int
    /// Where it is on the page as shown: points from the top left.
    public var box: TextPage.Box
    /// Which cells are part of a merged cell of a row above; empty if nothing drawn tells.
    var covered: [Bool] = []
    /// Whether it is the name of the rows below.
    var isCategory = false
  }

  /// The names of the columns, those of groups before those of their parts; empty where the table has
  /// no head.
  public var names: [String] = []
  /// Its rows below the head, those of all its pages one after another.
  public var rows: [Row] = []
  /// How many columns it has.
  public var columns: Int
  /// The pages it stands on, from 1.
  public var pages: ClosedRange<Int>
  /// Whether drawn lines show its cells.
  public var isRuled: Bool
}

extension TextTable {
  /// Repeats the text of a merged cell in each row that it belongs to. Drawn lines tell which cells are merged; without
  /// them, the empty cells before the first text of a row are taken for it, as in lists that name a group once.
  mutating func fillDown() {
    for index in rows.indices.dropFirst()
    where !rows[index].isCategory && !rows[index - 1].isCategory {
      let row = rows[index], above = rows[index - 1].cells
      let first = row.cells.firstIndex { !$0.isEmpty } ?? 0
      for column in row.cells.indices where row.cells[column].isEmpty {
        let isMerged = row.covered.isEmpty ? column < first : row.covered[safe: column] == true
        if isMerged, let text = above[safe: column] { rows[index].cells[column] = text }
      }
    }
  }
}

/// How tables are looked for.
public struct TableOptions: Sendable, Equatable {
  /// Only what lies in this box of each page as shown, in points from its top left.
  public var area: TextPage.Box?
  /// Where columns are parted, in points from the left of the page as shown; what is drawn and what
  /// words leave free is not asked then.
  public var columnsAt: [Double]
  /// Whether the text of a merged cell is repeated in each row that it belongs to.
  public var fillsDown: Bool

  /// The whole page, with columns found by what it shows, unless more is said.
  public init(
    area: TextPage.Box? = nil, columnsAt: [Double] = [], fillsDown: Bool = false
  ) {
    self.area = area
    self.columnsAt = columnsAt
    self.fillsDown = fillsDown
  }
}

/// How large a table of one page may be: what a page shows beyond that is a drawing.
enum TableSize {
  private static let mostColumns = 2000
  private static let mostCells = 400_000

  static func holds(rows: Int, columns: Int) -> Bool {
    columns <= mostColumns && rows <= mostCells / max(1, columns)
  }
}
