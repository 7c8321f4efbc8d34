internal import ArgumentParser

/// How rows and tables are written for spreadsheets.
package struct SheetOptions: ParsableArguments, Sendable {
  @Flag(
    help: "Write CSV that spreadsheets open with a double click: semicolons and a byte order mark.")
  package var excel = false

  @Flag(
    help:
      "Put an apostrophe before cells that a spreadsheet would run as formulas; --excel does so too."
  )
  package var noFormulas = false

  @Flag(
    help:
      "Write an Excel workbook for each PDF (of tables, with a sheet for each); -o NAME.xlsx does so too."
  )
  package var xlsx = false

  @Flag(
    help:
      "Write a copy of each PDF that has its rows or tables attached as CSV and JSON Lines; -o NAME.pdf does so too."
  )
  package var attach = false

  package init() {}

  /// Whether a workbook is written.
  package func isWorkbook(_ reading: ReadingOptions) -> Bool {
    xlsx || reading.output?.lowercased().hasSuffix(".xlsx") == true
  }

  /// Whether a copy of the PDF with files attached is written.
  package func isCopy(_ reading: ReadingOptions) -> Bool {
    attach || reading.output?.lowercased().hasSuffix(".pdf") == true
  }

  /// - Throws: where two forms are asked for at once.
  package func check(_ reading: ReadingOptions) throws {
    guard [reading.json, isWorkbook(reading), isCopy(reading)].count(where: { $0 }) <= 1 else {
      throw ValidationError("Take one of --json, --xlsx and --attach.")
    }
  }
}
