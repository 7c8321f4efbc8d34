public import Bytes

/// How CSV is written: RFC 4180 in UTF-8, or as spreadsheets open it by a double click.
public struct CSVForm: Sendable {
  /// Between the fields of a row.
  public var separator: UInt8
  /// What a file begins with.
  public var start: [UInt8]

  /// Commas, no mark.
  public static let standard = CSVForm(separator: 0x2C, start: [])
  /// Semicolons and a byte order mark.
  public static let excel = CSVForm(separator: 0x3B, start: [0xEF, 0xBB, 0xBF])
}

extension ByteWriter {
  /// Writes a field of RFC 4180, in quotes where it needs them.
  public mutating func append(csvField text: String, _ form: CSVForm = .standard) {
    let needsQuotes = text.utf8.contains {
      $0 == 0x22 || $0 == 0x0A || $0 == 0x0D || $0 == form.separator
    }
    guard needsQuotes else { return append(text) }
    append(0x22)
    for byte in text.utf8 {
      if byte == 0x22 { append(0x22) }
      append(byte)
    }
    append(0x22)
  }

  /// Writes a row with its end; control characters, which no cell needs, become blanks.
  public mutating func append(csvRow cells: [String], _ form: CSVForm = .standard) {
    for (index, cell) in cells.enumerated() {
      if index > 0 { append(form.separator) }
      let isClean = cell.utf8.allSatisfy { $0 >= 0x20 }
      append(
        csvField: isClean
          ? cell
          : String(
            String.UnicodeScalarView(cell.unicodeScalars.map { $0.value < 0x20 ? " " : $0 })),
        form)
    }
    append("\r\n")
  }
}
