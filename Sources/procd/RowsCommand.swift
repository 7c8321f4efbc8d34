import Bytes
import PDFSyntax
import PDFText
import ReadingArguments
import TableText

/// `procd rows`: the rows of status lists as CSV or JSON Lines.
enum RowsCommand {
  static func run(_ arguments: RowsArguments) -> Int32 {
    let options = arguments.reading
    let form = arguments.excel ? CSVForm.excel : .standard
    let run = ReadingRun(
      options: options, fileExtension: options.json ? ".rows.jsonl" : ".rows.csv",
      header: options.json ? [] : StatusRow.csvHeader(form))
    let pattern = arguments.pattern.flatMap { try? NumberPattern($0.expression) } ?? NumberPattern()
    let columns = (arguments.columns?.names ?? []).compactMap { StatusColumn(rawValue: $0) }
    return run.run { extractor, _, output in
      var list = StatusList(
        pattern: pattern, columns: columns,
        dateOrder: arguments.dateOrder.flatMap { DateOrder(rawValue: $0.rawValue) })
      for index in 0..<extractor.pageCount {
        guard options.pages?.contains(index + 1) ?? true, let page = extractor.page(index) else {
          continue
        }
        list.add(page)
      }
      for row in list.rows() {
        var line = ByteWriter()
        if options.json { row.write(json: &line) } else { row.write(csv: &line, form) }
        output.write(line.bytes)
      }
    }
  }
}
