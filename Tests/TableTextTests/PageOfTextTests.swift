import PDFSyntax
import PDFText
import TestSupport
import Testing

@testable import TableText

/// What the text of the page around a table tells: columns of prose, lines set in block, the direction of reading.
struct PageOfTextTests {
  /// The lines of a column of prose, 11 points apart.
  private static let prose = [
    "You may be able to deduct up to an", "additional amount if you were in a",
    "plan at work and your employer was",
    "found to be in debt. The rate for the", "year is shown in the table below and",
    "in the notes. If you have an unused",
    "credit from the year before, see the", "form to find if you can take it. The",
    "number of months must be shown on",
    "the line below the name of the plan.",
  ]

  @Test func `columns of prose below lines across are no table`() throws {
    var page = DrawnPage()
    for top in [80.0, 230] {
      page.text(
        "The following sections tell what is new for this year, and which of the amounts are deducted:",
        40, top)
      for row in Self.prose.indices {
        for column in 0..<3 {
          page.text(
            Self.prose[(row + 3 * column) % Self.prose.count], 40 + 178 * Double(column),
            top + 20 + 11 * Double(row))
        }
      }
    }
    #expect(try DrawnPage.tables([page]).isEmpty)
  }

  @Test func `a list in two columns below a line across is no table`() throws {
    var page = DrawnPage()
    page.text("Updates of this version of the guidelines since the version before include:", 40, 80)
    for column in 0..<2 {
      for (row, line) in Self.prose.enumerated() {
        let text = row.isMultiple(of: 3) ? "Note \(row): " + line.dropLast(9) : line
        page.text(text, 40 + 270 * Double(column), 100 + 11 * Double(row))
      }
      page.text("Updates of the version before it include:", 40, 230)
    }
    #expect(try DrawnPage.tables([page]).isEmpty)
  }

  @Test func `a table in one of two columns of prose is read alone`() throws {
    var page = DrawnPage()
    for (row, line) in Self.prose.enumerated() {
      page.text(line, 40, 100 + 11 * Double(row))
      page.text(line, 320, 100 + 11 * Double(row))
      page.text(line, 320, 210 + 11 * Double(row))
    }
    for row in 0..<6 {
      let y = 232 + 11 * Double(row)
      page.text("District", 40, y)
      page.number("\(1200 + row)", endingAt: 150, y)
      page.number("\(30 + row).5", endingAt: 210, y)
    }
    let table = try #require(try DrawnPage.tables([page]).first)
    #expect(table.columns == 3)
    #expect(table.rows.map(\.cells).contains(["District", "1205", "35.5"]))
  }

  @Test func `between lines set in block a column close to figures is kept`() throws {
    var page = DrawnPage()
    for (row, line) in Self.prose.enumerated() where row != 3 {
      // Most blanks are stretched to 7 points, those of every third line are not.
      page.content += "\(row.isMultiple(of: 3) ? 0 : 4.5) Tw\n"
      page.text(line, 60, row < 3 ? 80 + 12 * Double(row) : 230 + 12 * Double(row))
      page.content += "0 Tw\n"
    }
    let words = ["no", "no", "planned", "yes", "open", "open"]
    page.row(["Country", "Supply", "Use", "State"], at: [60, 180, 262, 301], 130)
    for (row, word) in words.enumerated() {
      let y = 145 + 16 * Double(row)
      page.row(["Greece", "partly", "", word], at: [60, 180, 0, 301], y)
      page.number("3\(row).9", endingAt: 293, y)
    }
    let table = try #require(try DrawnPage.tables([page]).first)
    #expect(table.rows.map { $0.cells.last } == words)
  }

  @Test func `a right-to-left table begins with its right column`() throws {
    func reversed(_ text: String) -> String {
      String(String.UnicodeScalarView(text.unicodeScalars.reversed()))
    }
    var page = UnicodePage()
    page.show(reversed("סכום"), x: 400, y: 700)
    page.show(reversed("מספר"), x: 300, y: 700)
    page.show(reversed("חלק"), x: 200, y: 700)
    for row in 0..<4 {
      let y = 680 - 20 * Double(row)
      page.show(reversed("מחוז"), x: 400, y: y)
      page.show("\(7 + row)1", x: 300, y: y)
      page.show("%", x: 200, y: y)
      page.show("4.\(row)", x: 212, y: y)
    }
    let extractor = try TextExtractor(PDFFile(FileBytes(page.file)))
    var list = TableList()
    let tables = list.add(try #require(extractor.page(0))) + list.finish()
    let table = try #require(tables.first)
    #expect(table.names == ["סכום", "מספר", "חלק"])
    #expect(table.rows.map(\.cells)[1] == ["מחוז", "81", "4.1 %"])
    #expect(table.rows[0].box.x0 > 190 && table.rows[0].box.x1 < 430)
  }
}
