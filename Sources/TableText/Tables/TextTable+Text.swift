public import Bytes
internal import PDFText
public import Spreadsheets

extension TextTable {
  /// Writes the table as CSV, its head first.
  public func write(csv output: inout ByteWriter, _ form: CSVForm = .standard) {
    if !names.isEmpty { output.append(csvRow: names, form) }
    for row in rows { output.append(csvRow: row.cells, form) }
  }

  /// Writes the table as a sheet of its own, every cell as the text that the page has.
  ///
  /// - Parameter number: its place among the tables of the document, from 1.
  public func write(to workbook: WorkbookWriter, number: Int) {
    var widths = [Int](repeating: 8, count: columns)
    for cells in [names] + rows.prefix(200).map(\.cells) {
      for (column, cell) in cells.enumerated() where widths.indices.contains(column) {
        widths[column] = max(widths[column], min(60, cell.unicodeScalars.count + 2))
      }
    }
    workbook.begin("Table \(number)", head: names, widths: widths)
    for row in rows { workbook.add(row.cells.map { .text($0) }) }
  }

  /// Writes the table as JSON Lines: a line about the table, then one for each row.
  ///
  /// - Parameter number: its place among the tables of the document, from 1.
  public func write(json output: inout ByteWriter, number: Int) {
    output.append("{")
    output.append(member: "table", integer: number)
    output.append(member: "pages")
    output.append(array: [pages.lowerBound, pages.upperBound]) { $0.append(decimal: $1) }
    output.append(member: "ruled", flag: isRuled)
    output.append(member: "columns", integer: columns)
    output.append(member: "rows", integer: rows.count)
    output.append(member: "names")
    output.append(array: names) { $0.append(json: $1.utf8) }
    output.append("}\n")
    for row in rows {
      output.append("{")
      output.append(member: "table", integer: number)
      output.append(member: "page", integer: row.page)
      output.append(member: "box", row.box)
      output.append(member: "cells")
      output.append(array: row.cells) { $0.append(json: $1.utf8) }
      output.append("}\n")
    }
  }
}

extension ByteWriter {
  /// Writes a box as an array of its corners.
  mutating func append(member name: StaticString, _ box: TextPage.Box) {
    append(member: name)
    append(array: [box.x0, box.y0, box.x1, box.y1]) { $0.append(fixed: $1, digits: 2) }
  }
}
