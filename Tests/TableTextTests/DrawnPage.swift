import PDFSyntax
import PDFText
import TestSupport

@testable import TableText

/// The content of a page drawn by hand, in points from its upper left corner (612 by 792).
struct DrawnPage {
  var content = ""

  /// Text whose baseline begins at a place.
  mutating func text(_ text: String, _ x: Double, _ y: Double, size: Double = 10) {
    content += "BT /F1 \(size) Tf \(x) \(792 - y) Td (\(text)) Tj ET\n"
  }

  /// Digits and stops that end at a place.
  mutating func number(_ text: String, endingAt x: Double, _ y: Double, size: Double = 10) {
    // In Helvetica a digit is 556 thousandths wide, a stop and a comma 278.
    let width = text.reduce(0.0) { $0 + ($1 == "." || $1 == "," ? 0.278 : 0.556) }
    self.text(text, x - width * size, y, size: size)
  }

  /// A row of texts, each at its place.
  mutating func row(_ cells: [String], at places: [Double], _ y: Double) {
    for (cell, x) in zip(cells, places) where !cell.isEmpty { text(cell, x, y) }
  }

  mutating func line(_ x0: Double, _ y0: Double, _ x1: Double, _ y1: Double) {
    content += "\(x0) \(792 - y0) m \(x1) \(792 - y1) l S\n"
  }

  /// The lines of a grid.
  mutating func grid(_ xs: [Double], _ ys: [Double]) {
    for x in xs { line(x, ys[0], x, ys[ys.count - 1]) }
    for y in ys { line(xs[0], y, xs[xs.count - 1], y) }
  }

  /// The tables of pages.
  static func tables(
    _ pages: [DrawnPage], _ options: TableOptions = TableOptions(), page: String = ""
  ) throws -> [TextTable] {
    let file = try PDFFile(FileBytes(PDFBuilder.pages(pages.map(\.content), page: page)))
    let extractor = try TextExtractor(file)
    extractor.notesRules = true
    var list = TableList(options)
    var tables: [TextTable] = []
    for index in 0..<extractor.pageCount {
      if let page = extractor.page(index) { tables += list.add(page) }
    }
    return tables + list.finish()
  }
}
