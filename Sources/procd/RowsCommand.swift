import Bytes
import Dates
import PDFSyntax
import PDFText
import PluginKit
import ReadingArguments
import Spreadsheets
import TableText

/// `procd rows`: the rows of status lists as CSV or JSON Lines.
enum RowsCommand {
  static func run(_ arguments: RowsArguments) -> Int32 {
    let options = arguments.reading
    let form = CSVForm(excel: arguments.sheets.excel, noFormulas: arguments.sheets.noFormulas)
    // Rows of several files in one list say which file each is of.
    let namesFiles = options.files.count > 1 && options.output == nil
    var header = options.json ? [] : StatusRow.csvHeader(form)
    if namesFiles, !options.json {
      header.insert(contentsOf: Array("file".utf8) + [form.separator], at: form.start.count)
    }
    var run = ReadingRun(
      options: options, fileExtension: options.json ? ".rows.jsonl" : ".rows.csv",
      header: header)
    if !options.json { run.otherNames = ".jsonl with --json, .xlsx or .pdf" }
    if arguments.isWorkbook { run.givesWorkbooks(".rows.xlsx") }
    if arguments.isCopy { run.givesCopies(".rows.pdf") }
    let pattern = arguments.pattern.flatMap { try? NumberPattern($0.expression) } ?? NumberPattern()
    let columns = (arguments.columns?.names ?? []).compactMap { StatusColumn(rawValue: $0) }
    return run.run { extractor, source, output throws(ReadFailure) in
      var list = StatusList(
        pattern: pattern, columns: columns,
        dateOrder: arguments.dateOrder.flatMap { DateOrder(rawValue: $0.rawValue) })
      let rows = list.rows(of: extractor, pages: { options.pages?.contains($0) ?? true })
      let wanted = (0..<extractor.pageCount).contains { options.pages?.contains($0 + 1) ?? true }
      if !rows.isEmpty { SourceReader.warnOfUnread(source, extractor, among: list.sparsePages) }
      if arguments.isCopy {
        guard !rows.isEmpty else { throw ReadFailure(reason: reason(extractor, list)) }
        var csv = ByteWriter(), json = ByteWriter()
        csv.append(contentsOf: StatusRow.csvHeader(form))
        for row in rows {
          row.write(csv: &csv, form)
          row.write(json: &json)
        }
        return try output.write(
          extractor.file, of: source,
          attaching: RowFiles.ofStatusList(csv: csv.bytes, json: json.bytes))
      }
      if rows.isEmpty, wanted { Console.complain("\(source.name): \(reason(extractor, list)).") }
      if arguments.isWorkbook {
        return output.write(workbookOf: source) { workbook, output in
          StatusRow.beginSheet(in: workbook)
          for row in rows {
            row.write(to: workbook)
            output.write(workbook.takeBytes())
          }
        }
      }
      for row in rows {
        var line = ByteWriter()
        if options.json { row.write(json: &line) } else { row.write(csv: &line, form) }
        output.write(
          namesFiles ? naming(source, line.bytes, options.json ? nil : form) : line.bytes)
      }
    }
  }

  /// A row with its file before all else.
  ///
  /// - Parameter form: nil for JSON.
  private static func naming(_ source: Source, _ row: [UInt8], _ form: CSVForm?) -> [UInt8] {
    var line = ByteWriter()
    if let form {
      line.append(csvField: source.name, form)
      line.append(form.separator)
    } else {
      line.append("{")
      line.append(member: "file", text: source.name)
      line.append(",")
    }
    return line.bytes + row.dropFirst(form == nil ? 1 : 0)
  }

  /// Why there is no row, and what helps.
  private static func reason(_ extractor: TextExtractor, _ list: StatusList) -> String {
    if !list.hasText, extractor.pageCount > 0 {
      return "no row was found: \(SourceReader.noText)"
    }
    return "no row was found: no column of numbers that look as they should"
      + " (20000000000 to 28999999999, or what --pattern says)"
  }
}
