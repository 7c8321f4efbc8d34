public import Bytes

/// Writes a workbook of Excel (ISO/IEC 29500, transitional) row by row.
///
/// What is text stays text: no cell is ever a formula, and cells of text have the format `@`, so that editing one does
/// not make it a number or a formula either. Sheets that Excel cannot hold go on in a next sheet. The same calls give
/// the same bytes. ``takeBytes()`` hands out what was written so far, so that a long list need not be held in memory.
public final class WorkbookWriter {
  /// What a cell holds.
  public enum Cell: Sendable, Equatable {
    /// Text, whatever it looks like; an empty one leaves the cell empty.
    case text(String)
    /// A whole number, which a spreadsheet holds exactly up to 15 digits.
    case number(Int)
    /// A day, shown as `2012-05-07`; text where Excel has no such day, before 1900-03-01.
    case date(CalendarDate)
  }

  /// What Excel can hold.
  public struct Limits: Sendable {
    /// Rows of a sheet.
    public var rows = 1_048_576
    /// Columns of a sheet.
    public var columns = 16_384
    /// UTF-16 units of a cell.
    public var characters = 32_767
    /// Sheets of a workbook. Excel names no number.
    public var sheets = 1000
    /// Bytes of a sheet, behind which it goes on in a next one; ZIP knows 4 GiB.
    public var sheetBytes = 1 << 31
    /// Bytes of the file, behind which nothing is added; ZIP knows 4 GiB.
    public var fileBytes = 3 << 30

    /// Those of Excel.
    public init() {}
  }

  /// What did not fit.
  public struct Excess: Sendable, Equatable {
    /// Cells that were cut because their text is longer than Excel allows.
    public var cutCells = 0
    /// Cells in columns that Excel does not have.
    public var lostCells = 0
    /// Rows that are missing, because there are too many sheets or the file is too large.
    public var lostRows = 0
    /// Sheets that go on where another one was full.
    public var furtherSheets = 0

    /// What happened, a sentence each.
    public var sentences: [String] {
      [
        (cutCells, "cells were cut after 32,767 characters"),
        (lostCells, "cells are missing, as Excel has only 16,384 columns"),
        (lostRows, "rows are missing, as the workbook would be too large"),
        (furtherSheets, "sheets continue another one, as Excel has only 1,048,576 rows on a sheet"),
      ].filter { $0.0 > 0 }.map { "in the workbook, \($0.0) \($0.1)" }
    }
  }

  /// The media type of workbooks.
  public static let mime = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"

  /// What did not fit so far.
  public private(set) var excess = Excess()
  private let limits: Limits
  private let archive: ZipWriter
  /// The names of the sheets so far.
  private var names: [String] = []
  private var sheet: Sheet?
  private var pending = ByteWriter(reserving: 1 << 16)

  /// The sheet that is written.
  private struct Sheet {
    var name: String
    var head: [String]
    var widths: [Int]
    /// Rows so far.
    var rows = 0
    /// Columns in use so far.
    var columns = 0
    /// From 1, of the sheets that hold the same.
    var part = 1
    /// Whether there is no room for it.
    var isLost = false
  }

  /// A workbook without sheets; nil where there is no memory.
  public init?(limits: Limits = Limits()) {
    guard let archive = ZipWriter() else { return nil }
    (self.archive, self.limits) = (archive, limits)
    archive.begin("_rels/.rels")
    archive.write(WorkbookParts.packageRelations)
    archive.begin("xl/styles.xml")
    archive.write(WorkbookParts.styles)
  }

  /// Bytes so far, those that were taken included, as far as they are deflated.
  public var count: Int { archive.count }

  /// Hands out the bytes written since the last call.
  public func takeBytes() -> [UInt8] { archive.takeBytes() }

  /// Begins a sheet, and ends the one before.
  ///
  /// - Parameters:
  ///   - name: at most 24 letters, digits and blanks, and no other sheet's.
  ///   - head: the names of the columns, which stay in view; none leaves the row out.
  ///   - widths: of the columns in characters; the others have the usual width.
  public func begin(_ name: String, head: [String] = [], widths: [Int] = []) {
    end()
    open(Sheet(name: name, head: head, widths: widths))
  }

  /// Adds a row to the sheet.
  public func add(_ cells: [Cell]) {
    guard let full = sheet else { return }
    guard !full.isLost, archive.count < limits.fileBytes else {
      excess.lostRows += 1
      return
    }
    if full.rows >= limits.rows || archive.size + pending.count >= limits.sheetBytes {
      end()
      var next = Sheet(name: full.name, head: full.head, widths: full.widths)
      next.part = full.part + 1
      open(next)
      guard sheet?.isLost == false else { return excess.lostRows += 1 }
      excess.furtherSheets += 1
    }
    write(cells, style: .text)
    if pending.count >= 1 << 15 { flush() }
  }

  /// Ends the workbook, and hands out what was not taken yet.
  public func finish() -> [UInt8] {
    // A workbook has at least one sheet.
    if sheet == nil { begin("Sheet 1") }
    end()
    archive.begin("xl/workbook.xml")
    archive.write(WorkbookParts.workbook(names))
    archive.begin("xl/_rels/workbook.xml.rels")
    archive.write(WorkbookParts.workbookRelations(sheets: names.count))
    archive.begin("[Content_Types].xml")
    archive.write(WorkbookParts.contentTypes(sheets: names.count))
    return archive.finish()
  }

  private func open(_ sheet: Sheet) {
    self.sheet = sheet
    guard names.count < limits.sheets else {
      self.sheet?.isLost = true
      return
    }
    names.append(sheet.part > 1 ? "\(sheet.name) (\(sheet.part))" : sheet.name)
    archive.begin("xl/worksheets/sheet\(names.count).xml")
    pending.append(WorkbookParts.start)
    pending.append("<worksheet xmlns=\"\(WorkbookParts.main)\">")
    if !sheet.head.isEmpty {
      pending.append(
        "<sheetViews><sheetView workbookViewId=\"0\"><pane ySplit=\"1\" topLeftCell=\"A2\"")
      pending.append(" activePane=\"bottomLeft\" state=\"frozen\"/></sheetView></sheetViews>")
    }
    let widths = sheet.widths.prefix(limits.columns)
    if !widths.isEmpty {
      pending.append("<cols>")
      for (index, width) in widths.enumerated() {
        pending.append("<col min=\"\(index + 1)\" max=\"\(index + 1)\"")
        pending.append(" width=\"\(max(1, min(width, 255)))\" customWidth=\"1\"/>")
      }
      pending.append("</cols>")
    }
    pending.append("<sheetData>")
    if !sheet.head.isEmpty { write(sheet.head.map { .text($0) }, style: .head) }
  }

  private func end() {
    guard let sheet else { return }
    self.sheet = nil
    guard !sheet.isLost else { return }
    pending.append("</sheetData>")
    if sheet.columns > 0 {
      // Numbers that are text are meant to be: no green corners.
      let last = "\(WorkbookParts.letters(ofColumn: sheet.columns - 1))\(sheet.rows)"
      pending.append("<ignoredErrors><ignoredError sqref=\"A1:\(last)\"")
      pending.append(" numberStoredAsText=\"1\"/></ignoredErrors>")
    }
    pending.append("</worksheet>")
    flush()
  }

  private func flush() {
    archive.write(pending.bytes)
    pending = ByteWriter(reserving: 1 << 16)
  }

  private func write(_ cells: [Cell], style: WorkbookParts.Style) {
    guard var sheet else { return }
    sheet.rows += 1
    let fitting = cells.prefix(limits.columns)
    excess.lostCells += cells.dropFirst(fitting.count).count { $0 != .text("") }
    sheet.columns = max(sheet.columns, fitting.count)
    pending.append("<row r=\"")
    pending.append(decimal: sheet.rows)
    pending.append("\">")
    for (column, cell) in fitting.enumerated() {
      let place = "\(WorkbookParts.letters(ofColumn: column))\(sheet.rows)"
      switch cell {
      case .text(let text): write(text, at: place, style)
      case .number(let number):
        write(number, at: place, .general)
      case .date(let date):
        // Days before March 1900 are counted wrong: Excel's 1900 is a leap year.
        let day = date.daysSince1970 + 25_569
        if date.exists, (61...2_958_465).contains(day) {
          write(day, at: place, .date)
        } else {
          write(date.iso, at: place, style)
        }
      }
    }
    pending.append("</row>")
    self.sheet = sheet
  }

  private func write(_ number: Int, at place: String, _ style: WorkbookParts.Style) {
    pending.append("<c r=\"\(place)\" s=\"\(style.rawValue)\"><v>")
    pending.append(decimal: number)
    pending.append("</v></c>")
  }

  private func write(_ text: String, at place: String, _ style: WorkbookParts.Style) {
    let (content, isCut) = WorkbookParts.content(of: text, limit: limits.characters)
    if isCut { excess.cutCells += 1 }
    guard !content.isEmpty else { return }
    pending.append("<c r=\"\(place)\" s=\"\(style.rawValue)\" t=\"inlineStr\">")
    pending.append("<is><t xml:space=\"preserve\">")
    pending.append(markup: content)
    pending.append("</t></is></c>")
  }
}
