public import Bytes
internal import PDFText

extension StatusRow {
  /// The header of the CSV form.
  public static let csvHeader = Array("number,status,date,page\r\n".utf8)

  /// Writes the row as a line of CSV (RFC 4180).
  public func write(csv output: inout ByteWriter) {
    for text in [number, status, date] {
      Self.append(csvField: text, to: &output)
      output.append(0x2C)
    }
    output.append(decimal: page)
    output.append("\r\n")
  }

  /// Writes the row as a line of JSON, with box and confidence.
  public func write(json output: inout ByteWriter) {
    output.append("{\"number\":")
    Self.append(json: number, to: &output)
    output.append(",\"status\":")
    Self.append(json: status, to: &output)
    output.append(",\"date\":")
    Self.append(json: date, to: &output)
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

  private static func append(csvField text: String, to output: inout ByteWriter) {
    let needsQuotes = text.utf8.contains { [0x22, 0x2C, 0x0A, 0x0D].contains($0) }
    guard needsQuotes else { return output.append(text) }
    output.append(0x22)
    for byte in text.utf8 {
      if byte == 0x22 { output.append(0x22) }
      output.append(byte)
    }
    output.append(0x22)
  }

  private static func append(json text: String, to output: inout ByteWriter) {
    output.append(0x22)
    for byte in text.utf8 {
      switch byte {
      case 0x22, 0x5C:
        output.append(0x5C)
        output.append(byte)
      case 0..<0x20:
        output.append("\\u00")
        output.append(hexadecimal: CollectionOfOne(byte))
      default: output.append(byte)
      }
    }
    output.append(0x22)
  }
}
