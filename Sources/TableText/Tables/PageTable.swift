import PDFText

/// A table as one page shows it.
public struct PageTable: Sendable {
  /// A row with its cells as texts.
  public struct Row: Sendable {
    /// One text for each column, empty where the cell is.
    public var cells: [String]
    /// The words of each cell in reading order, indices in ``TextPage/words``.
    public var words: [[Int]]
    var box: TextPage.Box
    /// A title or the name of the rows below: one text over all columns.
    public var isCategory = false
    /// Whether all of its words are bold.
    var isBold = false
    /// In a head, over how many columns each cell runs; 0 for a column that another cell covers.
    var spans: [Int] = []
    /// Which cells are part of a merged cell of a row above; empty if nothing drawn tells.
    var covered: [Bool] = []
  }

  var page: Int
  /// The extents of its columns from left to right.
  var columns: [ClosedRange<Double>]
  /// Its rows, heads included, in the frame of the text.
  public var rows: [Row]
  /// How many of the first rows are its head.
  public var headRows = 0
  var isRuled: Bool
  var box: TextPage.Box
  /// How the page is turned.
  var frame: ReadingFrame

  /// The names of the columns: the texts of the head, from top to bottom.
  var names: [String] {
    guard headRows > 0 else { return [] }
    var names = [String](repeating: "", count: columns.count)
    for row in rows.prefix(headRows) where !row.isCategory {
      for (column, text) in row.cells.enumerated() where !text.isEmpty {
        let span = max(1, row.spans[safe: column] ?? 1)
        for place in column..<min(columns.count, column + span) {
          names[place] = PlacedWord.joined([names[place], text])
        }
      }
    }
    return names
  }
}
