public import Bytes
internal import PDFText

extension StatusRow {
  /// The header of the CSV form.
  public static let csvHeader = Array("number,status,date,page\r\n".utf8)

  /// Writes the row as a line of CSV (RFC 4180).
  public func write(csv output: inout ByteWriter) {
    for text in [number, status, date] {
      output.append(csvField: text)
      output.append(0x2C)
    }
    output.append(decimal: page)
    output.append("\r\n")
  }

  /// Writes the row as a line of JSON, with box and confidence.
  public func write(json output: inout ByteWriter) {
    output.append("{\"number\":")
    output.append(json: number.utf8)
    output.append(",\"status\":")
    output.append(json: status.utf8)
    output.append(",\"date\":")
    output.append(json: date.utf8)
    output.append(",\"page\":")
    output.append(decimal: page)
    output.append(",\"box\":[")
    for (place, value) in [box.x0, box.y0, box.x1, box.y1].enumerated() {
      if place > 0 { output.append(0x2C) }
      output.append(fixed: value, digits: 2)
    }
    output.append("],\"confidence\":")
    output.append(fixed: confidence, digits: 3)
    output.append("}\n")
  }
}
