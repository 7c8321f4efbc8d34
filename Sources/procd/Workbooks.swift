import Spreadsheets

// Workbooks as what a command gives of each file.

extension ReadingRun {
  /// Has it give a workbook for each file, with names that end so.
  mutating func givesWorkbooks(_ ending: String) {
    (fileExtension, header) = (ending, [])
    (document, isBinary) = ("a workbook", true)
  }
}

extension OutputFile {
  /// Writes a workbook that is filled by `fill`, and complains of what did not fit.
  mutating func write(
    workbookOf source: Source, _ fill: (WorkbookWriter, inout OutputFile) -> Void
  ) {
    guard let workbook = WorkbookWriter() else {
      return Console.complain("\(source.name): there is no memory for a workbook.")
    }
    fill(workbook, &self)
    write(workbook.finish())
    for sentence in workbook.excess.sentences { Console.complain("\(source.name): \(sentence).") }
  }
}
