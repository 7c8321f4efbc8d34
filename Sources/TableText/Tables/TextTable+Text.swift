public import Bytes
internal import PDFText

extension TextTable {
  /// Writes the table as CSV, its head first.
  public func write(csv output: inout ByteWriter, _ form: CSVForm = .standard) {
    if !names.isEmpty { output.append(csvRow: names, form) }
    for row in rows { output.append(csvRow: row.cells, form) }
  }

  /// Writes the table as JSON Lines: a line about the table, then one for each row.
  ///
  /// - Parameter number: its place among the tables of the document, from 1.
  public func write(json output: inout ByteWriter, number: Int) {
    output.append("{\"table\":")
    output.append(decimal: number)
    output.append(",\"pages\":[")
    output.append(decimal: pages.lowerBound)
    output.append(",")
    output.append(decimal: pages.upperBound)
    output.append("],\"ruled\":")
    isRuled ? output.append("true") : output.append("false")
    output.append(",\"columns\":")
    output.append(decimal: columns)
    output.append(",\"rows\":")
    output.append(decimal: rows.count)
    output.append(",\"names\":")
    output.append(jsonArray: names)
    output.append("}\n")
    for row in rows {
      output.append("{\"table\":")
      output.append(decimal: number)
      output.append(",\"page\":")
      output.append(decimal: row.page)
      output.append(",\"box\":")
      output.append(box: row.box)
      output.append(",\"cells\":")
      output.append(jsonArray: row.cells)
      output.append("}\n")
    }
  }
}

extension ByteWriter {
  /// Writes texts as an array.
  mutating func append(jsonArray texts: [String]) {
    append("[")
    for (index, text) in texts.enumerated() {
      if index > 0 { append(",") }
      append(json: text.utf8)
    }
    append("]")
  }

  /// Writes a box as an array of its corners.
  mutating func append(box: TextPage.Box) {
    append("[")
    for (place, value) in [box.x0, box.y0, box.x1, box.y1].enumerated() {
      if place > 0 { append(",") }
      append(fixed: value, digits: 2)
    }
    append("]")
  }
}
