import PDFText
import Testing

@testable import TableText

/// Tables whose cells are drawn.
struct RuledTableTests {
  @Test func `cells are what lines enclose, wrapped texts are one`() throws {
    var page = DrawnPage()
    page.grid([60, 160, 320, 400], [100, 120, 160, 180])
    page.row(["Item", "Text", "Price"], at: [64, 164, 324], 114)
    page.row(["Bolt", "made of steel, with", "1.20"], at: [64, 164, 324], 134)
    page.text("a square head", 164, 148)
    page.row(["Nut", "", "0.40"], at: [64, 164, 324], 174)
    let table = try #require(try DrawnPage.tables([page]).first)
    #expect(table.isRuled && table.names == ["Item", "Text", "Price"])
    #expect(
      table.rows.map(\.cells)
        == [["Bolt", "made of steel, with a square head", "1.20"], ["Nut", "", "0.40"]])
  }

  @Test func `heads of groups stand before the names of their columns`() throws {
    var page = DrawnPage()
    // The first column's head goes over two rows, the other over two columns.
    for x in [60.0, 140, 300] { page.line(x, 100, x, 180) }
    page.line(220, 120, 220, 180)
    for y in [100.0, 140, 160, 180] { page.line(60, y, 300, y) }
    page.line(140, 120, 300, 120)
    page.text("Region", 64, 124)
    page.text("Population", 190, 114)
    page.row(["2010", "2020"], at: [144, 224], 134)
    page.row(["North", "1,204", "1,310"], at: [64, 144, 224], 154)
    page.row(["South", "804", "790"], at: [64, 144, 224], 174)
    let table = try #require(try DrawnPage.tables([page]).first)
    #expect(table.names == ["Region", "Population 2010", "Population 2020"])
    #expect(table.rows.map(\.cells) == [["North", "1,204", "1,310"], ["South", "804", "790"]])
  }

  @Test func `names that are turned by a quarter are those of their columns`() throws {
    var page = DrawnPage()
    page.grid([60, 140, 200, 260], [60, 120, 140, 160])
    for (index, name) in ["Open on", "Closed"].enumerated() {
      page.content += "BT /F1 10 Tf 0 1 -1 0 \(174 + 60 * index) 680 Tm (\(name)) Tj ET\n"
    }
    page.row(["Shift 1", "3", "4"], at: [64, 164, 224], 134)
    page.row(["Shift 2", "5", "6"], at: [64, 164, 224], 154)
    let table = try #require(try DrawnPage.tables([page]).first)
    #expect(table.names == ["", "Open on", "Closed"])
    #expect(table.rows.map(\.cells) == [["Shift 1", "3", "4"], ["Shift 2", "5", "6"]])
  }

  /// The lines of the first column are drawn around two rows, those of the last around each.
  @Test func `a merged cell is repeated downward where that is asked for`() throws {
    var page = DrawnPage()
    for x in [60.0, 140, 220, 300] { page.line(x, 100, x, 200) }
    for y in [100.0, 120, 160, 200] { page.line(60, y, 300, y) }
    for y in [140.0, 180] { page.line(140, y, 300, y) }
    page.row(["Region", "Year", "Sum"], at: [64, 144, 224], 114)
    page.row(["North", "2010", "5"], at: [64, 144, 224], 134)
    page.row(["", "2011", ""], at: [64, 144, 224], 154)
    page.row(["South", "2010", "7"], at: [64, 144, 224], 174)
    page.row(["", "2011", "8"], at: [64, 144, 224], 194)
    let plain = try #require(try DrawnPage.tables([page]).first)
    #expect(plain.rows[1].cells == ["", "2011", ""])
    let filled = try #require(
      try DrawnPage.tables([page], TableOptions(fillsDown: true)).first)
    #expect(
      filled.rows.map(\.cells) == [
        ["North", "2010", "5"], ["North", "2011", ""], ["South", "2010", "7"],
        ["South", "2011", "8"],
      ])
  }

  @Test func `without lines the empty beginning of a row is what stands above`() throws {
    var page = DrawnPage()
    let places = [60.0, 160, 240, 320]
    for (index, row) in [
      ["Country", "Town", "Year", "People"], ["Norway", "Oslo", "2010", "600"],
      ["", "", "2011", "605"], ["", "Bergen", "2010", ""], ["", "", "2011", "260"],
      ["Chile", "Arica", "2010", "196"], ["", "", "2011", "198"],
    ].enumerated() {
      page.row(row, at: places, 100 + 16 * Double(index))
    }
    let filled = try #require(
      try DrawnPage.tables([page], TableOptions(fillsDown: true)).first)
    #expect(
      filled.rows.map(\.cells) == [
        ["Norway", "Oslo", "2010", "600"], ["Norway", "Oslo", "2011", "605"],
        ["Norway", "Bergen", "2010", ""], ["Norway", "Bergen", "2011", "260"],
        ["Chile", "Arica", "2010", "196"], ["Chile", "Arica", "2011", "198"],
      ])
  }

  @Test func `a merged cell's text stands in its first column and row`() throws {
    var page = DrawnPage()
    page.line(60, 100, 60, 180)
    page.line(300, 100, 300, 180)
    page.line(140, 120, 140, 180)
    page.line(220, 140, 220, 180)
    page.line(220, 100, 220, 120)
    page.line(140, 100, 140, 120)
    for y in [100.0, 120, 180] { page.line(60, y, 300, y) }
    page.line(140, 140, 300, 140)
    page.line(140, 160, 300, 160)
    page.row(["Day", "From", "To"], at: [64, 144, 224], 114)
    page.text("Monday", 64, 134)
    page.text("closed for works", 144, 134)
    page.row(["10:00", "12:00"], at: [144, 224], 154)
    page.row(["14:00", "18:00"], at: [144, 224], 174)
    let table = try #require(try DrawnPage.tables([page]).first)
    #expect(
      table.rows.map(\.cells)
        == [["Monday", "closed for works", ""], ["", "10:00", "12:00"], ["", "14:00", "18:00"]])
  }

  @Test func `lines between columns only leave rows to the text`() throws {
    var page = DrawnPage()
    page.grid([60, 130, 300, 400], [100, 118, 200])
    page.row(["Date", "Details", "Amount"], at: [64, 134, 304], 112)
    page.row(["01.03.2023", "Train ticket to", "84.00"], at: [64, 134, 304], 132)
    page.text("Brighton", 134, 144)
    page.row(["02.03.2023", "Lunch", "12.50"], at: [64, 134, 304], 158)
    page.row(["03.03.2023", "Postage", "3.10"], at: [64, 134, 304], 172)
    let table = try #require(try DrawnPage.tables([page]).first)
    #expect(
      table.rows.map(\.cells) == [
        ["01.03.2023", "Train ticket to Brighton", "84.00"], ["02.03.2023", "Lunch", "12.50"],
        ["03.03.2023", "Postage", "3.10"],
      ])
  }

  @Test func `a table on a page that is shown turned is the same`() throws {
    var page = DrawnPage()
    // Text that runs up the sheet, as landscape tables are drawn on upright paper.
    page = DrawnPage()
    var turned = "0 1 -1 0 612 0 cm\n"
    page.grid([60, 160, 260], [500, 520, 540, 560])
    page.row(["Stop", "Time"], at: [64, 164], 514)
    page.row(["Oak Hill", "10:05"], at: [64, 164], 534)
    page.row(["Mill Lane", "10:15"], at: [64, 164], 554)
    turned += page.content
    let table = try #require(
      try DrawnPage.tables([DrawnPage(content: turned)], page: "/Rotate 0").first)
    #expect(table.isRuled && table.rows.map(\.cells).last == ["Mill Lane", "10:15"])
    let box = try #require(table.rows.first?.box)
    #expect(box.height > box.width)
  }

  @Test func `boxes around paragraphs are no table`() throws {
    var page = DrawnPage()
    page.grid([60, 300, 540], [100, 400, 700])
    for (x, top) in [(64.0, 114.0), (304, 114), (64, 414)] {
      for line in 0..<18 {
        page.text("words of a paragraph that go on and on", x, top + 14 * Double(line))
      }
    }
    #expect(try DrawnPage.tables([page]).isEmpty)
  }
}
