import Bytes
import PDFSyntax
import PDFText
import ReadingArguments
import TableText

/// `procd rows`: the rows of status lists as CSV or JSON Lines.
enum RowsCommand {
  static func run(_ arguments: RowsArguments) -> Int32 {
    let options = arguments.reading
    let run = ReadingRun(
      options: options, fileExtension: options.json ? ".rows.jsonl" : ".rows.csv",
      header: options.json ? [] : StatusRow.csvHeader)
    return run.run { extractor, _, output in
      var list = StatusList()
      for index in 0..<extractor.pageCount {
        guard options.pages?.contains(index + 1) ?? true, let page = extractor.page(index) else {
          continue
        }
        list.add(page)
      }
      for row in list.rows() {
        var line = ByteWriter()
        if options.json { row.write(json: &line) } else { row.write(csv: &line) }
        output.write(line.bytes)
      }
    }
  }
}
