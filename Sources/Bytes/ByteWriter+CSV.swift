/// How CSV is written: RFC 4180 in UTF-8, or as spreadsheets open it by a double click.
public struct CSVForm: Sendable {
  /// Between the fields of a row.
  public var separator: UInt8
  /// What a file begins with.
  public var start: [UInt8]
  /// Whether cells that a spreadsheet would run as formulas are made text.
  public var defuses: Bool

  init(separator: UInt8, start: [UInt8], defuses: Bool) {
    (self.separator, self.start, self.defuses) = (separator, start, defuses)
  }

  /// Commas, no mark, every cell as it is.
  public static let standard = CSVForm(separator: 0x2C, start: [], defuses: false)
  /// Semicolons and a byte order mark; for spreadsheets, so without formulas.
  public static let excel = CSVForm(separator: 0x3B, start: [0xEF, 0xBB, 0xBF], defuses: true)

  /// What options ask for.
  public init(excel: Bool, noFormulas: Bool) {
    self = excel ? .excel : .standard
    if noFormulas { defuses = true }
  }
}

extension ByteWriter {
  /// Writes a field of RFC 4180, in quotes where it needs them. By bytes: an accent upon a quote makes one
  /// Character of both, and the quote ends the field all the same.
  public mutating func append(csvField text: String, _ form: CSVForm = .standard) {
    let isFormula = form.defuses && Self.isFormula(text)
    let needsQuotes = text.utf8.contains {
      $0 == 0x22 || $0 == 0x0A || $0 == 0x0D || $0 == form.separator
    }
    guard needsQuotes || isFormula || form.defuses && Self.hidesFormula(text) else {
      return append(text)
    }
    append(0x22)
    if isFormula { append(0x27) }
    for byte in text.utf8 {
      if byte == 0x22 { append(0x22) }
      append(byte)
    }
    append(0x22)
  }

  /// Whether a spreadsheet would run a cell: it begins with `=`, `+`, `-`, `@`, one of these in full width, a tab or
  /// a line end (OWASP, CSV Injection), and is no number.
  private static func isFormula(_ text: String) -> Bool {
    guard let first = text.unicodeScalars.first(where: { $0 != " " }) else { return false }
    switch first {
    case "=", "@", "\t", "\r", "\n", "\u{FF1D}", "\u{FF20}": return true
    case "+", "-", "\u{FF0B}", "\u{FF0D}":
      // Digits with their signs: a number, a date, a telephone. Nothing that could be called stands in them.
      return !text.unicodeScalars.dropFirst().allSatisfy {
        ("0"..."9").contains($0) || " .,:/()-%\u{A0}\u{202F}".unicodeScalars.contains($0)
      }
    default: return false
    }
  }

  /// Whether a spreadsheet that takes a file for one with other separators would find a formula in the cell.
  private static func hidesFormula(_ text: String) -> Bool {
    text.unicodeScalars.split { [",", ";", "\t", "|"].contains($0) }.dropFirst()
      .contains { isFormula(String($0)) }
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
