public import PDFText

/// One row of a status list.
public struct StatusRow: Sendable {
  /// The case number as printed.
  public var number: String
  /// The status, wrapped lines joined; empty where the list has none.
  public var status: String
  /// The date as printed; empty where the list has none.
  public var date: String
  /// The page the number stands on, from 1.
  public var page: Int
  /// Where the row is on the page as shown: points from the top left. On a page whose text runs along
  /// its side the box is in the frame of the text.
  public var box: TextPage.Box
  /// From 0 to 1: how well the row fits the geometry of its list.
  public var confidence: Double
}
