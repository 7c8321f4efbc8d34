public import Bytes
public import Spreadsheets

extension StatusRow {
  private static let columns = ["number", "status", "date", "page", "dateISO", "doubtful"]

  /// What a file of CSV begins with: its mark and the names of the columns.
  public static func csvHeader(_ form: CSVForm = .standard) -> [UInt8] {
    var output = ByteWriter()
    output.append(contentsOf: form.start)
    output.append(csvRow: columns, form)
    return output.bytes
  }

  /// Writes the row as a line of CSV (RFC 4180).
  public func write(csv output: inout ByteWriter, _ form: CSVForm = .standard) {
    for text in [number, status, date] {
      output.append(csvField: text, form)
      output.append(form.separator)
    }
    output.append(decimal: page)
    output.append(form.separator)
    if let dateISO { output.append(dateISO) }
    output.append(form.separator)
    if let doubt { output.append(doubt.rawValue) }
    output.append("\r\n")
  }

  /// Begins the sheet of the rows.
  public static func beginSheet(in workbook: WorkbookWriter) {
    workbook.begin("Rows", head: columns, widths: [14, 50, 16, 6, 12, 12])
  }

  /// Writes the row into the sheet of rows: number, status and date as printed are text, `dateISO` is a date.
  public func write(to workbook: WorkbookWriter) {
    workbook.add([
      .text(number), .text(status), .text(date), .number(page),
      dateISO.map { CalendarDate(iso: $0).map { .date($0) } ?? .text($0) } ?? .text(""),
      .text(doubt?.rawValue ?? ""),
    ])
  }

  /// Writes the row as a line of JSON, with box, confidence, and the reason of a doubt.
  public func write(json output: inout ByteWriter) {
    output.append("{")
    output.append(member: "number", text: number)
    output.append(member: "status", text: status)
    output.append(member: "date", text: date)
    output.append(member: "dateISO", text: dateISO)
    output.append(member: "page", integer: page)
    output.append(member: "box", box)
    output.append(member: "confidence", fixed: confidence, digits: 3)
    output.append(member: "doubtful")
    if let doubt {
      output.append("{")
      output.append(member: "code", text: doubt.rawValue)
      output.append(member: "reason", text: doubt.sentence)
      output.append("}")
    } else {
      output.append("null")
    }
    output.append("}\n")
  }
}
