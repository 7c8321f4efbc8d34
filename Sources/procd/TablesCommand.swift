import Bytes
import PDFSyntax
import PDFText
import ReadingArguments
import TableText

/// `procd tables`: the tables of PDF files as CSV, or as JSON Lines with an array for each row.
enum TablesCommand {
  static func run(_ arguments: TablesArguments) -> Int32 {
    let options = arguments.reading
    let run = ReadingRun(
      options: options, fileExtension: options.json ? ".tables.jsonl" : ".tables.csv")
    return run.run { extractor, _, output in
      var head: [String]?
      for index in 0..<extractor.pageCount {
        guard options.pages?.contains(index + 1) ?? true, let page = extractor.page(index),
          let table = TableReader.table(page)
        else { continue }
        for row in table.rows {
          // The head that each page repeats is printed once.
          if head == nil {
            head = row
          } else if row == head {
            continue
          }
          output.write(options.json ? json(row, table.page) : csv(row))
        }
      }
    }
  }

  private static func csv(_ row: [String]) -> [UInt8] {
    var line = ByteWriter()
    for (index, cell) in row.enumerated() {
      if index > 0 { line.append(0x2C) }
      line.append(csvField: cell)
    }
    line.append("\r\n")
    return line.bytes
  }

  private static func json(_ row: [String], _ page: Int) -> [UInt8] {
    var line = ByteWriter()
    line.append("{\"page\":")
    line.append(decimal: page)
    line.append(",\"cells\":[")
    for (index, cell) in row.enumerated() {
      if index > 0 { line.append(0x2C) }
      line.append(json: cell.utf8)
    }
    line.append("]}\n")
    return line.bytes
  }
}
