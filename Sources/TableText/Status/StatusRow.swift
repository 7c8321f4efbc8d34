public import PDFText

/// One row of a status list.
public struct StatusRow: Sendable {
  /// Why a row may not be as it was meant.
  public enum Doubt: String, Sendable {
    /// Lines of the status may belong to a neighbour: the page fits more than one reading.
    case cell
    /// The number is printed with an addition, which is left out.
    case addition
    /// Several columns could be that of the status, or that of the number.
    case column
    /// What stands in the date column is no date.
    case date
    /// The status stands as a heading above a block of rows.
    case heading
    /// No number stands beside the row; the one above was taken.
    case number
    /// Several columns could be that of the date.
    case dateColumn
    /// The rows around it do not fit the geometry of the list.
    case geometry
    /// The page is damaged where the row stands or ends.
    case damage
    /// The row lacks a date or a status where most rows have one.
    case missing

    /// One sentence for people.
    public var sentence: String {
      switch self {
      case .cell: "lines of the status may belong to a neighbouring row"
      case .addition: "the number is printed with an addition, such as /1, which is left out"
      case .column: "another column could be that of the status or of the number"
      case .date: "what stands in the date column is no date"
      case .heading: "the status is the heading above a block of rows"
      case .number: "no number stands beside the row; the one above it was taken"
      case .dateColumn: "another column could be that of the date"
      case .damage: "the page is damaged, and the row may be cut"
      case .missing: "the row lacks a date or a status, and most rows have one"
      case .geometry: "the rows around it do not stand as those of the list do"
      }
    }
  }

  /// The case number in ASCII digits.
  public var number: String
  /// The status, wrapped lines joined; empty where the list has none.
  public var status: String
  /// The date as printed; empty where the list has none.
  public var date: String
  /// The date as `2012-05-07`; nil where it is none, or could be two and the column does not decide.
  public var dateISO: String?
  /// The page the number stands on, from 1.
  public var page: Int
  /// Where the row is on the page as shown: points from the top left.
  public var box: TextPage.Box
  /// From 0 to 1: how well the row fits the geometry of its list.
  public var confidence: Double
  /// Why the row is doubtful; nil where it is not.
  public var doubt: Doubt?
}
