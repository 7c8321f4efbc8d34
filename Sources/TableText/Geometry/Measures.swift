/// What distances and shares mean on a page of rows and columns. They were found on the lists and tables of the tests;
/// a value stands in one place for each meaning.
enum Measures {
  // MARK: Along a line, in sizes of its letters

  /// Words further apart than this are pieces of their own; blanks take about a quarter.
  static let pieceGap = 0.62
  /// Groups of digits further apart are no number.
  static let digitGroupGap = 0.6
  /// A number with this much room on both sides stands in a cell of its own.
  static let roomAroundNumber = 0.5
  /// Columns of texts are at least this far apart.
  static let textColumnGap = 0.9
  /// The widest blank of a line that is set in block.
  static let widestBlank = 1.2
  /// A blank.
  static let blank = 0.25
  /// Words below one another begin, end or have their middles within this distance.
  static let below = 0.5
  /// What is aligned begins, ends or has its middle within this distance.
  static let sameEdge = 0.15
  /// A block's lines begin within this distance.
  static let blockEdge = 1.5

  /// Letters that are this many times as large as those of the rows are those of titles.
  static let titleSize = 1.4

  // MARK: From line to line, in sizes of the letters

  /// Words whose middles are nearer are of one line.
  static let oneLine = 0.35
  /// A date whose middle is nearer to a line stands on it; stricter, where dates stand between lines too.
  static let onLineOfDate = 0.2
  /// A line of a status that is nearer to a date may be its row's.
  static let besideDate = 0.8
  /// A line beside a number stands within this distance of it.
  static let besideRow = 0.4
  /// What is further away stands on another line.
  static let otherLine = 0.5
  /// The middle of a wrapped cell is this near to what it stands beside.
  static let cellMiddle = 0.3
  /// A wrapped cell's next line is nearer than this, with no blank line between.
  static let nextLine = 1.75
  /// The same for the last line of a row, at which a page's foot may stand.
  static let nextLineAtFoot = 1.4
  /// The same for a head.
  static let nextLineOfHead = 1.6
  /// A line that is cut by the end of a page is this near to the row below.
  static let acrossPages = 2.6
  /// A head's line is drawn within this distance below it.
  static let ruleBelowHead = 1.4
  /// Drawn cells are cut at blank stretches higher than this.
  static let blankStretch = 0.7
  /// A head stands at most this far above the first row, and at least ``otherLine``.
  static let headAbove = 6.0
  /// Dates are looked for within this distance of a row.
  static let datesNear = 2.5
  /// Gaps between rows that differ more from the usual one are faults.
  static let gapDifference = 0.3

  // MARK: Shares of another length

  /// Blanks of a line that is set in block differ by no more than this factor.
  static let blockBlanks = 1.5
  /// A line nearer to the one below than to the one above by this factor belongs to it.
  static let nearerBelow = 1.15
  /// Tables whose heights overlap by more stand side by side.
  static let sideBySide = 0.5
  /// A line must be drawn along this much of a side to be a wall of the cell.
  static let wall = 0.6
  /// A rule that spans this much of a table belongs to it.
  static let ruleSpan = 0.6
  /// A box must lie beyond the column before by this much of its width.
  static let boxBeyond = 0.5
  /// A gap between blocks is larger than the usual one by this factor.
  static let blockGap = 1.3
  /// The same where blocks begin or end with a number.
  static let largeBlockGap = 2.5
  /// Rows beyond the first and the last number are no further apart than the widest step by this factor.
  static let pitchBeyond = 1.2
  /// Of the pitch: what it costs to leave a row to the page before.
  static let leavingRow = 0.05
  /// Another standing of numbers must cost less than that at the top by this factor.
  static let cheaperStanding = 0.5
  /// Of the pitch: how far numbers stand from their places on average, and at most.
  static let meanDistance = 0.15
  static let largestDistance = 0.8
  /// Rows with more faults than this share are in doubt.
  static let doubtfulShare = 0.4
  /// How much of the confidence faults can take.
  static let weightOfFaults = 0.5

  // MARK: Points

  /// Gaps between columns narrower than this are none.
  static let columnGap = 1.5
  /// A piece that begins or ends this near to a column's edge stands at it.
  static let atEdge = 1.5
  /// How far a word may reach over the edge of its column.
  static let overEdge = 0.5
  /// Distances that differ by less are equal.
  static let equal = 0.01
}
