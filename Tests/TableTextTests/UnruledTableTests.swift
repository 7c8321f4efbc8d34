import PDFText
import Testing

@testable import TableText

/// Tables that only white gaps show.
struct UnruledTableTests {
  @Test func `numbers at the right and texts that wrap are rows`() throws {
    var page = DrawnPage()
    page.row(["Booked", "Purpose", "Debit", "Credit"], at: [60, 130, 330, 420], 100)
    let rows = [
      ("01.05.2024", ["Rent of the flat in Garden", "Street, May"], "812.00", ""),
      ("02.05.2024", ["Salary"], "", "2,310.55"), ("04.05.2024", ["Groceries"], "41.17", ""),
      ("06.05.2024", ["Transfer to Rudi and", "Ilse, a birthday gift"], "60.00", ""),
    ]
    var y = 118.0
    for (date, lines, debit, credit) in rows {
      page.text(date, 60, y)
      page.number(debit, endingAt: 360, y)
      page.number(credit, endingAt: 455, y)
      for (index, line) in lines.enumerated() { page.text(line, 130, y + 12 * Double(index)) }
      y += 12 * Double(lines.count) + 5
    }
    let table = try #require(try DrawnPage.tables([page]).first)
    #expect(table.names == ["Booked", "Purpose", "Debit", "Credit"])
    #expect(
      table.rows.map(\.cells) == rows.map { [$0.0, $0.1.joined(separator: " "), $0.2, $0.3] })
  }

  @Test func `names above figures and a row with a long figure need no wide blanks`() throws {
    var page = DrawnPage()
    page.row(["Settlementmonth", "Reading", "Use"], at: [46, 125, 166], 100)
    for (row, cells) in [
      ("January", "12345", "310"), ("Septembermonth", "212601", "256"), ("March", "12900", "299"),
      ("April", "13020", "120"),
    ].enumerated() {
      let y = 114 + 14 * Double(row)
      page.text(cells.0, 46, y)
      page.number(cells.1, endingAt: 160, y)
      page.number(cells.2, endingAt: 185, y)
    }
    let table = try #require(try DrawnPage.tables([page]).first)
    #expect(table.names == ["Settlementmonth", "Reading", "Use"])
    #expect(table.rows.map(\.cells).contains(["Septembermonth", "212601", "256"]))
    #expect(table.rows.count == 4)
  }

  /// A price list whose first column wraps: its pitch is the same between and within rows.
  private func prices(_ top: Double = 100) -> DrawnPage {
    var page = DrawnPage()
    page.row(["Description", "Pack", "Price"], at: [60, 260, 340], top)
    page.text("Beverages", 60, top + 12)
    page.row(
      ["Sparkling water in a glass bottle with", "6", "4.37"], at: [60, 260, 340], top + 24)
    page.text("a screw cap from the hills", 60, top + 36)
    page.row(["Orange juice", "12", "8.98"], at: [60, 260, 340], top + 48)
    page.text("Snacks", 60, top + 60)
    page.row(["Crackers", "24", "1.93"], at: [60, 260, 340], top + 72)
    return page
  }

  @Test func `categories are rows of their own, wrapped lines are not`() throws {
    let table = try #require(try DrawnPage.tables([prices()]).first)
    #expect(table.names == ["Description", "Pack", "Price"])
    #expect(
      table.rows.map(\.cells) == [
        ["Beverages", "", ""],
        ["Sparkling water in a glass bottle with a screw cap from the hills", "6", "4.37"],
        ["Orange juice", "12", "8.98"], ["Snacks", "", ""], ["Crackers", "24", "1.93"],
      ])
  }

  @Test func `a foot of the page is no row, and the last row is whole`() throws {
    var page = DrawnPage()
    page.row(["Item", "Description", "Price"], at: [100, 160, 480], 100)
    for row in 1...5 {
      let y = 100 + 36 * Double(row)
      page.row(
        ["R\(row)", "A description that goes on over two lines", "\(row).00"], at: [100, 160, 480],
        y)
      page.text("and has a second one with more than nine words in it", 160, y + 12)
    }
    page.text("Harbour office - confidential", 60, 345, size: 8)
    page.text("Page 1", 540, 345, size: 8)
    let table = try #require(try DrawnPage.tables([page]).first)
    #expect(table.names == ["Item", "Description", "Price"])
    #expect(
      table.rows.map(\.cells)
        == (1...5).map {
          [
            "R\($0)",
            "A description that goes on over two lines and has a second one with more than nine words in it",
            "\($0).00",
          ]
        })
  }

  @Test func `a name that begins where its figures do not end is that of their column`() throws {
    var page = DrawnPage()
    page.row(["Invoice", "Qty", "Paid"], at: [60, 160, 260], 100)
    for row in 1...6 {
      page.row(
        ["R-\(row)", "", row % 2 == 0 ? "yes" : "no"], at: [60, 160, 260], 100 + 14 * Double(row))
      page.number("\(row * 7)", endingAt: 240, 100 + 14 * Double(row))
    }
    let table = try #require(try DrawnPage.tables([page]).first)
    #expect(table.names == ["Invoice", "Qty", "Paid"])
    #expect(table.rows.map { $0.cells[1] } == (1...6).map { "\($0 * 7)" })
  }

  @Test func `sums below a column are rows, a note below the table is none`() throws {
    var page = DrawnPage()
    page.row(["Item", "Pack", "Price"], at: [60, 260, 340], 100)
    for row in 1...5 {
      page.row(
        ["Thing \(row)", "\(row)", "\(row).50"], at: [60, 260, 340], 100 + 18 * Double(row))
    }
    page.text("22.50", 340, 208)
    page.text("26.78", 340, 226)
    page.text("All prices in euros", 60, 244)
    let table = try #require(try DrawnPage.tables([page]).first)
    #expect(
      table.rows.map(\.cells) == (1...5).map { ["Thing \($0)", "\($0)", "\($0).50"] }
        + [["", "", "22.50"], ["", "", "26.78"]])
  }

  @Test func `a name of two lines between rows parts no table`() throws {
    var page = DrawnPage()
    page.row(["Degree", "Share", "Amount", "Loans"], at: [60, 260, 340, 420], 100)
    for row in 1...4 {
      page.row(
        ["Public \(row)", "4\(row).5", "31,20\(row)", "1\(row).1"], at: [60, 260, 340, 420],
        100 + 12 * Double(row))
    }
    page.text("Highest enrollment after", 60, 172)
    page.text("the degree by 2003", 60, 184)
    for row in 1...3 {
      page.row(
        ["Doctoral \(row)", "6\(row).5", "43,70\(row)", "2\(row).1"], at: [60, 260, 340, 420],
        184 + 12 * Double(row))
    }
    let tables = try DrawnPage.tables([page])
    #expect(tables.count == 1)
    let names = try #require(tables.first).rows.map(\.cells[0])
    #expect(
      names.filter { $0.contains("Public") || $0.contains("Doctoral") }.count == 7, "\(names)")
    #expect(
      names.joined(separator: " ").contains("Highest enrollment after the degree by 2003"),
      "\(names)")
  }

  @Test func `heads over several columns name each of them`() throws {
    var page = DrawnPage()
    page.row(["Morning", "Evening"], at: [187, 307], 100)
    page.row(["Station", "arr.", "dep.", "arr.", "dep."], at: [60, 170, 225, 290, 345], 114)
    for (index, stop) in ["Oak Hill", "River Park", "Old Mill"].enumerated() {
      let y = 128 + 14 * Double(index)
      page.row(
        [stop, "06:1\(index)", "06:2\(index)", "18:1\(index)", "18:2\(index)"],
        at: [60, 170, 225, 290, 345], y)
    }
    let table = try #require(try DrawnPage.tables([page]).first)
    #expect(
      table.names
        == ["Station", "Morning arr.", "Morning dep.", "Evening arr.", "Evening dep."])
    #expect(table.rows.map { $0.cells[0] } == ["Oak Hill", "River Park", "Old Mill"])
  }

  @Test func `tables side by side with other lines are two`() throws {
    var page = DrawnPage()
    page.row(["Month", "Rain"], at: [60, 130], 100)
    page.row(["Team", "Won", "Lost"], at: [300, 360, 410], 100)
    for (index, month) in ["January", "February", "March", "April", "May"].enumerated() {
      page.row([month, "\(40 + index)"], at: [60, 130], 114 + 14 * Double(index))
    }
    for (index, team) in ["Reds", "Blues", "Greens", "Whites"].enumerated() {
      page.row([team, "\(index)", "\(9 - index)"], at: [300, 360, 410], 118 + 18 * Double(index))
    }
    let tables = try DrawnPage.tables([page])
    #expect(tables.map(\.names) == [["Month", "Rain"], ["Team", "Won", "Lost"]])
    #expect(tables.map(\.rows.count) == [5, 4])
  }

  @Test func `one list set side by side is one table`() throws {
    var page = DrawnPage()
    for x in [60.0, 320] { page.row(["Code", "Item", "Price"], at: [x, x + 60, x + 140], 100) }
    for index in 0..<6 {
      let y = 114 + 14 * Double(index)
      page.row(["A\(index)", "Bolt", "1.0\(index)"], at: [60, 120, 200], y)
      if index < 4 { page.row(["B\(index)", "Lamp", "9.0\(index)"], at: [320, 380, 460], y) }
    }
    let tables = try DrawnPage.tables([page])
    #expect(tables.count == 1)
    #expect(
      tables.first?.rows.map { $0.cells[0] }
        == (0..<6).map { "A\($0)" } + (0..<4).map { "B\($0)" })
  }

  @Test func `tables below one another are told apart, text between them is left out`() throws {
    var page = prices()
    page.text("The following stops are served on weekdays and on Saturdays until noon.", 60, 210)
    for index in 0..<4 {
      page.row(
        ["Stop \(index)", "06:0\(index)", "07:0\(index)", "08:0\(index)"],
        at: [60, 130, 200, 310], 250 + 14 * Double(index))
    }
    let tables = try DrawnPage.tables([page])
    #expect(tables.map(\.columns) == [3, 4])
    #expect(tables.last?.rows.count == 4)
  }

  @Test func `running text in columns is no table`() throws {
    var page = DrawnPage()
    let words = [
      "the watchmaker measures the old map", "of the valley with nothing but a string",
      "and all the patience of a fisherman", "who waits for the last ferry of the day",
    ]
    for index in 0..<16 {
      page.text(words[index % 4], 60, 100 + 13 * Double(index))
      page.text(words[(index + 2) % 4], 320, 100 + 13 * Double(index))
    }
    #expect(try DrawnPage.tables([page]).isEmpty)
  }

  @Test func `dots that lead to a figure are none of a cell`() throws {
    var page = DrawnPage()
    for (index, name) in ["Topology", "Manifolds", "Curves", "Surfaces"].enumerated() {
      let y = 100 + 14 * Double(index)
      page.row([name, "........................", "\(12 * index + 2)"], at: [60, 150, 320], y)
    }
    let table = try #require(try DrawnPage.tables([page]).first)
    #expect(table.rows.first?.cells == ["Topology", "2"])
  }

  @Test
  func `a few lines of text in columns whose wide blanks stand below one another are no table`()
    throws
  {
    var page = DrawnPage()
    let words = [
      "the watchmaker measures the old map of", "the valley with nothing but a long string",
      "and all the patience of a fisherman who", "waits for the last ferry of the whole day",
    ]
    // The lines of the right column stand between those of the left one.
    for index in 0..<14 where !(6...7).contains(index) {
      page.text(words[index % 4], 60, 100 + 13 * Double(index))
      page.text(words[(index + 2) % 4], 320, 106.5 + 13 * Double(index))
    }
    page.text("the map.", 60, 178)
    page.text("Nothing but a string and patience", 107, 178)
    page.text("the ferry.", 320, 184.5)
    page.text("Nothing of the day was left there", 372, 184.5)
    page.text("a man.", 60, 191)
    page.text("All who wait for the ferry measure", 107, 191)
    #expect(try DrawnPage.tables([page]).isEmpty)
  }

  @Test func `single texts above and below the lines of a table are none of it, sums are`() throws {
    var page = DrawnPage()
    for y in [90.0, 106, 150] { page.line(58, y, 220, y) }
    // The lower limit of a sum in a formula, and a paragraph.
    page.text("i=1", 190, 84)
    page.row(["Year", "Ships", "Loads"], at: [60, 120, 190], 101)
    for (index, y) in [118.0, 130, 142].enumerated() {
      page.text("162\(index + 3)", 60, y)
      page.number("41\(index)", endingAt: 145, y)
      page.number("8210", endingAt: 215, y)
    }
    var summed = page
    page.text("The end of it", 60, 164)
    summed.number("24630", endingAt: 215, 162)
    let rows = [
      ["Year", "Ships", "Loads"], ["1623", "410", "8210"], ["1624", "411", "8210"],
      ["1625", "412", "8210"],
    ]
    #expect(try DrawnPage.tables([page]).map { [$0.names] + $0.rows.map(\.cells) } == [rows])
    #expect(
      try DrawnPage.tables([summed]).map { [$0.names] + $0.rows.map(\.cells) } == [
        rows + [["", "", "24630"]]
      ])
  }

  @Test func `lines at the head, and those of a table beside it, take no wrapped cell away`() throws
  {
    var page = DrawnPage()
    for y in [88.0, 104, 120] { page.line(58, y, 400, y) }
    page.row(["Item", "Group", "Remark"], at: [60, 160, 260], 100)
    page.row(["no", "code", "text"], at: [60, 160, 260], 116)
    for index in 0..<6 {
      page.row(
        ["10\(index)", "4\(index)2", "remark number \(index)"], at: [60, 160, 260],
        134 + 14 * Double(index))
    }
    page.text("continued on this line", 260, 216)
    #expect(
      try DrawnPage.tables([page]).first?.rows.last?.cells.last
        == "remark number 5 continued on this line")
    var beside = DrawnPage()
    for (index, row) in [
      ["Name", "Qty", "Note"], ["Apples", "12", "red ones"], ["Pears", "13", "green ones"],
      ["Plums", "14", "blue ones"], ["Figs", "15", "brown ones"],
      ["Limes", "17", "sour fruit that"],
    ].enumerated() {
      beside.row(row, at: [60, 120, 170], 100 + 14 * Double(index))
    }
    beside.text("goes on here", 170, 182)
    for y in [102.0, 118, 146] { beside.line(330, y, 560, y) }
    #expect(
      try DrawnPage.tables([beside]).first?.rows.last?.cells.last == "sour fruit that goes on here")
  }

  @Test func `what stands beside a table within its lines is none of it`() throws {
    var page = DrawnPage()
    page.text("On offices", 250, 60, size: 14)
    for (index, row) in [
      ["Ship", "Dues", "Days"], ["Albatros", "1,200.50", "3"], ["Baltic", "85.00", "12"],
      ["Cormorant", "17.25", "1"],
    ].enumerated() {
      page.row(row, at: [60, 130, 190], 100 + 14 * Double(index))
    }
    for y in [90.0, 104, 146] { page.line(58, y, 215, y) }
    page.text("0.1", 320, 100)
    page.text("Methods", 345, 100)
    page.text("The second thing, which is longer", 345, 114)
    page.text("than the others", 345, 128)
    page.text("and ends here", 345, 142)
    let table = try #require(try DrawnPage.tables([page]).first)
    #expect(table.names == ["Ship", "Dues", "Days"])
    #expect(table.rows.map { $0.cells[0] } == ["Albatros", "Baltic", "Cormorant"])
  }

  @Test func `lists and code below a table are none of its rows`() throws {
    var page = DrawnPage()
    for (index, row) in [
      ["Berth", "Ships", "Tonnage", "Remark"], ["A1", "12", "1.204,50", "closed"],
      ["A2", "7", "903,00", ""], ["B", "103", "10,00", "pipe"],
    ].enumerated() {
      page.row(row, at: [60, 190, 260, 330], 100 + 14 * Double(index))
    }
    for (index, item) in [("1.", "One"), ("2.", "Two"), ("3.", "Three")].enumerated() {
      page.row([item.0, item.1], at: [66, 90], 160 + 14 * Double(index))
    }
    page.text("code", 60, 202)
    page.text("with", 100, 202)
    page.text("spaces", 135, 202)
    let tables = try DrawnPage.tables([page])
    #expect(tables.map(\.names) == [["Berth", "Ships", "Tonnage", "Remark"]])
    #expect(tables.first?.rows.map { $0.cells[0] } == ["A1", "A2", "B"])
  }

  @Test func `small lines belong to the row above, as near as their size makes the next one seem`()
    throws
  {
    var page = DrawnPage()
    page.row(["Date", "Details", "Balance"], at: [60, 120, 300], 90)
    for index in 0..<6 {
      let y = 106 + 26 * Double(index)
      page.row(["0\(index + 1) Jul", "CARD PAYMENT", "\(index)7.50"], at: [60, 120, 300], y)
      // As recognized: letters a little too small.
      page.text("REF 49723632\(index) HARBOR", 120, y + 11, size: 6.3)
    }
    let table = try #require(try DrawnPage.tables([page]).first)
    #expect(
      table.rows.map { $0.cells[1] } == (0..<6).map { "CARD PAYMENT REF 49723632\($0) HARBOR" })
  }

  @Test func `the close columns of a printed spreadsheet are told apart by figures and names`()
    throws
  {
    var page = DrawnPage()
    page.row(["Invoice", "Qty"], at: [60, 124], 90)
    page.text("Unit price", 188, 90)
    page.text("VAT %", 236, 90)
    page.text("Paid", 306, 90)
    for index in 0..<8 {
      let y = 103 + 13 * Double(index)
      page.text("R-100\(index)", 60, y)
      page.number("\(index)", endingAt: 184, y)
      page.number("\(index * 12).5", endingAt: 234, y)
      page.number("19", endingAt: 302, y)
      page.text(index % 2 == 0 ? "no" : "yes", 306, y)
    }
    let table = try #require(try DrawnPage.tables([page]).first)
    #expect(table.names == ["Invoice", "Qty", "Unit price", "VAT %", "Paid"])
    #expect(table.rows[1].cells == ["R-1001", "1", "12.5", "19", "yes"])
    #expect(table.rows.count == 8)
  }

  @Test func `a number and its unit are one cell`() throws {
    var page = DrawnPage()
    page.row(["Item", "Weight", "Price"], at: [60, 180, 320], 90)
    for (index, unit) in ["kg", "g", "kg", "lb", "t", "kg"].enumerated() {
      let y = 103 + 13 * Double(index)
      page.text("Thing", 60, y)
      page.number("\(index + 3)", endingAt: 192, y)
      page.text(unit, 195, y)
      page.number("\(index).20", endingAt: 345, y)
    }
    let table = try #require(try DrawnPage.tables([page]).first)
    #expect(table.names == ["Item", "Weight", "Price"])
    #expect(table.rows[0].cells == ["Thing", "3 kg", "0.20"])
  }

  @Test func `years without a label above rows of words and figures are the head`() throws {
    var page = DrawnPage()
    page.row(["1994", "1997", "2003"], at: [185, 305, 430], 100)
    for (index, row) in [
      ["Lowest", "9,594 or less", "22,400 or less", "34,000 or less"],
      ["Lower middle", "9,595-17,992", "22,401-29,992", "34,001-48,000"],
      ["Upper middle", "17,993-25,771", "29,993-40,888", "48,001-66,900"],
      ["Highest", "More than 25,771", "More than 40,888", "More than 66,900"],
    ].enumerated() {
      page.row(row, at: [77, 185, 305, 430], 124 + 12 * Double(index))
    }
    let table = try #require(try DrawnPage.tables([page]).first)
    let cells = ([table.names] + table.rows.map(\.cells)).filter { !$0.isEmpty }
    #expect(cells.count == 5 && cells[0] == ["", "1994", "1997", "2003"], "\(cells)")
  }

  @Test func `prose that is read before a list beside it is none of its columns`() throws {
    var page = DrawnPage()
    for (index, line) in [
      "The ferry leaves the harbor at eight and", "comes back when the tide has turned. On",
      "Sundays it waits for the train, which is", "late more often than not, so that nobody",
      "hurries. The captain keeps a garden below", "the lighthouse and sells his beans to the",
      "cooks of the two hotels, who pay him with", "soup. In winter nothing moves at all here",
    ].enumerated() {
      page.text(line, 60, 100 + 12 * Double(index))
    }
    for index in 0..<8 {
      page.row(["\(index)", "step \(index)"], at: [330, 360], 100 + 12 * Double(index))
    }
    let cells = try DrawnPage.tables([page]).flatMap(\.rows).flatMap(\.cells)
    #expect(!cells.contains { $0.contains("ferry") || $0.contains("captain") }, "\(cells)")
  }
}
