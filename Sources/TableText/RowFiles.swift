public import PDFWriter

/// Rows and tables as files that the PDF carries of which they are.
public enum RowFiles {
  /// The most tables that get a file of their own.
  public static let mostTables = 1000

  private static let csv = "text/csv", json = "application/jsonl"

  /// The rows of a status list.
  public static func ofStatusList(csv: [UInt8], json: [UInt8]) -> [EmbeddedFile] {
    [
      EmbeddedFile(name: "rows.csv", mime: Self.csv, about: "The rows of the list", bytes: csv),
      EmbeddedFile(
        name: "rows.jsonl", mime: Self.json, about: "The rows of the list, with their places",
        bytes: json),
    ]
  }

  /// The tables of a document: a CSV for each, or one where there is one.
  ///
  /// - Parameters:
  ///   - tables: the CSV of each without its start.
  ///   - start: what each CSV begins with.
  ///   - json: the rows of all.
  public static func ofTables(
    _ tables: [[UInt8]], start: [UInt8], json: [UInt8]
  ) -> [EmbeddedFile] {
    let single = tables.count == 1
    return tables.prefix(mostTables).enumerated().map { index, table in
      EmbeddedFile(
        name: single ? "tables.csv" : self.name(ofTable: index + 1), mime: csv,
        about: single ? "The tables of the document" : "Table \(index + 1) of the document",
        bytes: start + table)
    } + [
      EmbeddedFile(
        name: "tables.jsonl", mime: Self.json,
        about: "The rows of all tables, with their places", bytes: json)
    ]
  }

  /// The name of a table's own file.
  ///
  /// - Parameter number: from 1.
  public static func name(ofTable number: Int) -> String { "table-t\(number).csv" }
}
