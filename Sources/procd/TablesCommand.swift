import Bytes
import PDFSyntax
import PDFText
import PluginKit
import ReadingArguments
import Spreadsheets
import TableText

/// `procd tables`: the tables of PDF files as CSV or JSON Lines.
enum TablesCommand {
  static func run(_ arguments: TablesArguments) -> Int32 {
    let options = arguments.reading
    let form = CSVForm(excel: arguments.sheets.excel, noFormulas: arguments.sheets.noFormulas)
    var run = ReadingRun(
      options: options, fileExtension: options.json ? ".tables.jsonl" : ".tables.csv",
      header: options.json ? [] : form.start)
    // In a folder each table gets a file of its own.
    if arguments.isWorkbook {
      run.givesWorkbooks(".tables.xlsx")
    } else if let path = options.output, !options.json, !arguments.one,
      !ResultFolder.namesFile(path, fileExtension: run.fileExtension)
    {
      run.parts = ResultParts(
        fileExtension: ".csv", separator: partSeparator, start: form.start)
    }
    let isParted = run.parts != nil
    let area = arguments.area?.box
    let tableOptions = TableOptions(
      area: area.map { TextPage.Box(x0: $0.x0, y0: $0.y0, x1: $0.x1, y1: $0.y1) },
      columnsAt: arguments.columnsAt?.places ?? [])
    return run.run { extractor, source, output in
      var number = 0, sparse: [Int] = []
      func read(_ take: (TextTable) -> Void) {
        sparse = TableList.read(
          extractor, tableOptions, pages: { options.pages?.contains($0) ?? true }
        ) { tables, _ in
          for table in tables {
            number += 1
            take(table)
          }
        }
      }
      if arguments.isWorkbook {
        output.write(workbookOf: source) { workbook, output in
          read { table in
            table.write(to: workbook, number: number)
            output.write(workbook.takeBytes())
          }
        }
      } else {
        read { table in
          var text = ByteWriter()
          if options.json {
            table.write(json: &text, number: number)
          } else {
            // An empty line parts the tables of one file.
            if number > 1 { isParted ? text.append(partSeparator) : text.append("\r\n") }
            table.write(csv: &text, form)
          }
          output.write(text.bytes)
        }
      }
      let wanted = (0..<extractor.pageCount).filter { options.pages?.contains($0 + 1) ?? true }
      guard number == 0, !wanted.isEmpty else {
        return SourceReader.warnOfUnread(source, extractor, among: sparse)
      }
      let reason = wanted.contains(where: extractor.hasText) ? "" : ": \(SourceReader.noText)"
      Console.complain("\(source.name): no table was found\(reason.isEmpty ? "." : reason)")
    }
  }

  /// Between tables on their way to files of their own; no cell holds it.
  private static let partSeparator: UInt8 = 0x1E
}
