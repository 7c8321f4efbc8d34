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
      header: options.json ? [] : Array("number,status,date,page\r\n".utf8))
    return run.run { extractor, _, output in
      var list = StatusList()
      for index in 0..<extractor.pageCount {
        guard options.pages?.contains(index + 1) ?? true, let page = extractor.page(index) else {
          continue
        }
        list.add(page)
      }
      for row in list.rows() { output.write(options.json ? json(row) : csv(row)) }
    }
  }

  private static func csv(_ row: StatusRow) -> [UInt8] {
    var line = ByteWriter()
    for text in [row.number, row.status, row.date] {
      line.append(csvField: text)
      line.append(0x2C)
    }
    line.append(decimal: row.page)
    line.append("\r\n")
    return line.bytes
  }

  private static func json(_ row: StatusRow) -> [UInt8] {
    var line = ByteWriter()
    line.append("{\"number\":")
    line.append(json: row.number.utf8)
    line.append(",\"status\":")
    line.append(json: row.status.utf8)
    line.append(",\"date\":")
    line.append(json: row.date.utf8)
    line.append(",\"page\":")
    line.append(decimal: row.page)
    line.append(",\"box\":[")
    for (place, value) in [row.box.x0, row.box.y0, row.box.x1, row.box.y1].enumerated() {
      if place > 0 { line.append(0x2C) }
      line.append(fixed: value, digits: 2)
    }
    line.append("],\"confidence\":")
    line.append(fixed: row.confidence, digits: 3)
    line.append("}\n")
    return line.bytes
  }
}
