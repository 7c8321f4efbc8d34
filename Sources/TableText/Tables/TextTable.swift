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

/// How tables are looked for.
public struct TableOptions: Sendable, Equatable {
  /// Only what lies in this box of each page as shown, in points from its top left.
  public var area: TextPage.Box?
  /// Where columns are parted, in points from the left of the page as shown; what is drawn and what
  /// words leave free is not asked then.
  public var columnsAt: [Double]

  /// The whole page, with columns found by what it shows, unless more is said.
  public init(area: TextPage.Box? = nil, columnsAt: [Double] = []) {
    self.area = area
    self.columnsAt = columnsAt
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
