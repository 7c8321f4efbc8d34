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
    if !options.json { run.otherNames = ".jsonl with --json, .xlsx or .pdf" }
    // In a folder each table gets a file of its own.
    if arguments.isWorkbook {
      run.givesWorkbooks(".tables.xlsx")
    } else if arguments.isCopy {
      run.givesCopies(".tables.pdf")
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
      columnsAt: arguments.columnsAt?.places ?? [], fillsDown: arguments.fillDown)
    return run.run { extractor, source, output throws(ReadFailure) in
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
      if arguments.isCopy {
        var tables: [[UInt8]] = [], json = ByteWriter()
        read { table in
          var csv = ByteWriter()
          table.write(csv: &csv, form)
          tables.append(csv.bytes)
          table.write(json: &json, number: number)
        }
        guard number > 0 else { throw ReadFailure(reason: reason(extractor, options)) }
        if arguments.one { tables = [Array(tables.joined(separator: [0x0D, 0x0A]))] }
        if tables.count > RowFiles.mostTables {
          Console.complain(
            "\(source.name): only the first \(RowFiles.mostTables) tables have files of their own;"
              + " tables.jsonl has all.")
        }
        try output.write(
          extractor.file, of: source,
          attaching: RowFiles.ofTables(tables, start: form.start, json: json.bytes))
      } else if arguments.isWorkbook {
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
      guard number == 0, !wanted(extractor, options).isEmpty else {
        return SourceReader.warnOfUnread(source, extractor, among: sparse)
      }
      Console.complain("\(source.name): \(reason(extractor, options)).")
    }
  }

  /// The pages that are looked at, from 0.
  private static func wanted(_ extractor: TextExtractor, _ options: ReadingOptions) -> [Int] {
    (0..<extractor.pageCount).filter { options.pages?.contains($0 + 1) ?? true }
  }

  /// Why there is no table, and what helps.
  private static func reason(_ extractor: TextExtractor, _ options: ReadingOptions) -> String {
    let pages = wanted(extractor, options)
    let hasText = pages.isEmpty || pages.contains(where: extractor.hasText)
    return "no table was found\(hasText ? "" : ": \(SourceReader.noText)")"
  }

  /// Between tables on their way to files of their own; no cell holds it.
  private static let partSeparator: UInt8 = 0x1E
}
