import PDFSyntax
import PDFText
import TestSupport
import Testing

@testable import TableText

/// Columns of status lists that are not as they usually are.
struct StatusColumnTests {
  private func rows(
    _ pages: [DrawnPage], _ list: StatusList = StatusList()
  ) throws -> [StatusRow] {
    let extractor = try TextExtractor(
      PDFFile(FileBytes(PDFBuilder.pages(pages.map(\.content)))))
    var list = list
    for index in 0..<extractor.pageCount { list.add(try #require(extractor.page(index))) }
    return list.rows()
  }

  private func list(_ rows: [[String]], at places: [Double], top: Double = 100) -> DrawnPage {
    var page = DrawnPage()
    for (index, row) in rows.enumerated() { page.row(row, at: places, top + 18 * Double(index)) }
    return page
  }

  private func plain(_ count: Int = 8, _ change: (Int, inout [String]) -> Void) -> [[String]] {
    (0..<count).map { index in
      var row = ["2000000000\(index)", "under review", "1\(index)-May-12"]
      change(index, &row)
      return row
    }
  }

  @Test func `a column of figures close to the statuses is told apart by its name`() throws {
    let usual = plain { _, _ in }
    var page = DrawnPage()
    page.row(["Date", "Batch", "Pages", "Status"], at: [60, 140, 231.6, 268], 82)
    let pages = ["17", "498,360", "5", "1,204", "88", "71,003", "9", "310"]
    for (index, row) in usual.enumerated() {
      let commas = pages[index].count { $0 == "," }
      let width = 5.56 * Double(pages[index].count - commas) + 2.78 * Double(commas)
      page.row(
        [row[2], row[0], pages[index], row[1]], at: [60, 140, 260 - width, 268],
        100 + 18 * Double(index))
    }
    #expect(try rows([page]).map(\.status) == usual.map { $0[1] })
  }

  @Test func `dates inside statuses do not make the date column`() throws {
    let page = list(
      plain { index, row in if index % 2 == 0 { row[1] = "letter sent on 12 May 2012" } },
      at: [60, 160, 400])
    let rows = try rows([page])
    #expect(rows.map(\.date) == (0..<8).map { "1\($0)-May-12" })
    #expect(rows[0].status == "letter sent on 12 May 2012" && rows[0].dateISO == "2012-05-10")
  }

  @Test func `rows of running text have no columns, and their words are told apart all the same`()
    throws
  {
    let statuses = ["refused", "interview required soon", "under review", "issued", "under review"]
    func page(_ first: Int, _ text: (Int) -> String, count: Int = 12) -> DrawnPage {
      list((first..<(first + count)).map { [text($0)] }, at: [60])
    }
    func number(_ index: Int) -> String { "200000000\(10 + index)" }
    func day(_ index: Int) -> String { "\(10 + index).05.2026" }
    let usual = { (index: Int) in "\(number(index)) \(statuses[index % 5]) \(day(index))" }
    // The second page has one row alone.
    var found = try rows([page(0, usual), page(12, usual, count: 1)])
    #expect(found.map(\.number) == (0..<13).map(number))
    #expect(found.map(\.status) == (0..<13).map { statuses[$0 % 5] })
    #expect(found.map(\.date) == (0..<13).map(day))
    #expect(found.allSatisfy { $0.doubt == nil && $0.dateISO != nil })
    found = try rows([page(0) { "\(day($0)) \(number($0)) \(statuses[$0 % 5])" }])
    #expect(found.map(\.status) == (0..<12).map { statuses[$0 % 5] })
    #expect(found.map(\.date) == (0..<12).map(day) && found.allSatisfy { $0.doubt == nil })
    // Few rows, whose statuses are nearly as long.
    found = try rows([
      list(
        ["under review", "refused", "issued", "issued"].enumerated()
          .map { ["\(number($0)) \($1) \(day($0))"] }, at: [60])
    ])
    #expect(found.map(\.status) == ["under review", "refused", "issued", "issued"])
    for statuses in [
      ["interview required soon", "interview required soon", "issued", "interview required soon"],
      ["issued", "under review"],
    ] {
      found = try rows([
        list(statuses.enumerated().map { ["\(number($0)) \($1) \(day($0))"] }, at: [60])
      ])
      #expect(found.map(\.status) == statuses)
    }
    // A date inside a status is part of it, and a row that has come to no date goes on.
    var wrapped = DrawnPage()
    for index in 0..<6 {
      let top = 100 + 28 * Double(index)
      wrapped.row(["\(number(index)) letter of 3.4.2026 sent to the"], at: [60], top)
      wrapped.row(
        ["\(index % 2 == 0 ? "office in the capital" : "office") \(day(index))"], at: [60], top + 14
      )
    }
    found = try rows([wrapped])
    #expect(found.map(\.date) == (0..<6).map(day))
    #expect(found[0].status == "letter of 3.4.2026 sent to the office in the capital")
    #expect(found[1].status == "letter of 3.4.2026 sent to the office" && found[1].doubt == nil)
    // The date first, and a remark behind it.
    found = try rows([page(0) { "\(number($0)) \(day($0)) \(statuses[$0 % 5])" }])
    #expect(found.map(\.status) == (0..<12).map { statuses[$0 % 5] })
    found = try rows([page(0) { "\(usual($0)) room \($0 % 3)" }])
    #expect(found.map(\.status) == (0..<12).map { statuses[$0 % 5] })
    #expect(found.allSatisfy { $0.doubt == .column })
  }

  @Test func `what is no date in the date column is kept and flagged`() throws {
    let page = list(
      plain { index, row in
        if index == 2 { row[2] = "n/a" }
        if index == 3 { row[2] = "-" }
        if index == 4 { row[2] = "" }
      }, at: [60, 160, 400])
    let rows = try rows([page])
    #expect(rows.map(\.status) == Array(repeating: "under review", count: 8))
    #expect(rows[2].date == "n/a" && rows[2].dateISO == nil && rows[2].doubt == .date)
    #expect(rows[3].date == "-" && rows[3].doubt == nil)
    #expect(rows[4].date == "" && rows[4].doubt == .missing)
    #expect(rows.count { $0.doubt != nil } == 2)
  }

  @Test func `a date that goes on over lines is one`() throws {
    var page = DrawnPage()
    page.row(["Case", "Status", "Date"], at: [60, 160, 400], 80)
    for index in 0..<6 {
      let y = 100 + 40 * Double(index)
      page.text("2000000000\(index)", 60, y + 6)
      page.text(index == 3 ? "documents are" : "ready", 160, index == 3 ? y : y + 6)
      if index == 3 { page.text("missing", 160, y + 12) }
      page.text(index == 3 ? "16 September" : "1\(index) May 2012", 400, index == 3 ? y : y + 6)
      if index == 3 { page.text("2012", 400, y + 12) }
    }
    let rows = try rows([page])
    #expect(rows[3].date == "16 September 2012" && rows[3].dateISO == "2012-09-16")
    #expect(rows[3].status == "documents are missing")
  }

  @Test func `numbers in groups, with marks, of a declared kind`() throws {
    let grouped = list(
      plain { index, row in
        row[0] = index == 1 ? "20000000001*" : "200 0000 000\(index)"
      }, at: [60, 180, 400])
    #expect(try rows([grouped]).map(\.number) == (0..<8).map { "2000000000\($0)" })
    let declared = list(plain { index, row in row[0] = "BER-\(index)/12" }, at: [60, 180, 400])
    #expect(try rows([declared]).isEmpty)
    let pattern = try NumberPattern("BER-[0-9]+/[0-9]{2}")
    let found = try rows([declared], StatusList(pattern: pattern))
    #expect(found.map(\.number) == (0..<8).map { "BER-\($0)/12" })
    #expect(found.allSatisfy { $0.status == "under review" })
  }

  @Test(arguments: ["\u{2010}", "\u{2011}", "\u{2013}", "\u{AD}", "\u{2212}"])
  func `numbers are found however their hyphens are printed`(hyphen: String) throws {
    var page = UnicodePage()
    for (index, status) in ["approved", "rejected", "in process", "approved"].enumerated() {
      let y = 700 - Double(index) * 16
      page.show("OAM\(hyphen)0471\(index)\u{2044}DP\(hyphen)2026", x: 60, y: y)
      page.show(status, x: 220, y: y)
      page.show("0\(index + 1).03.2026", x: 400, y: y)
    }
    let pattern = try NumberPattern(#"OAM-\d{5}/DP-2026"#)
    var list = StatusList(pattern: pattern)
    list.add(try #require(TextExtractor(PDFFile(FileBytes(page.file))).page(0)))
    let found = list.rows()
    #expect(found.map(\.number) == (0..<4).map { "OAM\(hyphen)0471\($0)\u{2044}DP\(hyphen)2026" })
    #expect(found.map(\.status) == ["approved", "rejected", "in process", "approved"])
  }

  @Test func `numbers are from 20000000000 to 28999999999`() {
    let pattern = NumberPattern()
    #expect(pattern.matches("20000000000") && pattern.matches("28999999999"))
    #expect(!pattern.matches("29000000000") && !pattern.matches("19999999999"))
    #expect(!pattern.matches("2000000000") && !pattern.matches("200000000000"))
  }

  @Test func `of several texts the named one is the status`() throws {
    let rows = plain { index, row in
      row = [
        "\(index + 1)", row[0], "M. Castillo", row[1], row[2], index % 2 == 0 ? "call" : "wait",
      ]
    }
    let places = [40.0, 70, 160, 260, 400, 470]
    var named = list(rows, at: places)
    named.row(["No", "Case", "Applicant", "Status", "Date", "Remarks"], at: places, 80)
    let found = try self.rows([named])
    #expect(found.allSatisfy { $0.status == "under review" && $0.doubt == nil })
    // Without a head it is not certain, unless the columns are declared.
    #expect(try self.rows([list(rows, at: places)]).allSatisfy { $0.doubt == .column })
    let columns: [StatusColumn] = [.other, .number, .status, .other, .date, .other]
    let declared = try self.rows([list(rows, at: places)], StatusList(columns: columns))
    #expect(declared.allSatisfy { $0.status == "M. Castillo" && $0.doubt == nil })
  }

  @Test func `a row that fits two readings is flagged`() throws {
    var page = DrawnPage()
    // A line half way between two rows may be the end of one or the beginning of the other.
    for index in 0..<3 {
      let y = 100 + 24 * Double(index)
      page.row(["2000000000\(index)", "ready", "1\(index)-May-12"], at: [60, 160, 400], y)
    }
    page.text("or not", 160, 136)
    let rows = try rows([page])
    #expect(rows.map(\.doubt) == [nil, .cell, .cell])
    #expect(rows.map(\.status).joined(separator: " ") == "ready ready or not ready")
  }

  @Test func `a number that begins a line of a disclaimer is no row`() throws {
    var page = list(plain { _, _ in }, at: [60, 160, 400])
    page.text("To ask about your case, quote its number, for example", 60, 70)
    page.text("20123456789 in the subject of your letter.", 60, 82)
    #expect(try rows([page]).count == 8)
  }

  @Test func `boxes are on the page as shown`() throws {
    let page = list(plain { _, _ in }, at: [60, 160, 400])
    let turned = DrawnPage(content: "0 1 -1 0 612 0 cm\n" + page.content)
    let row = try #require(try rows([turned]).first)
    #expect(row.status == "under review")
    #expect(row.box.height > 300 && row.box.width < 20)
  }

  // MARK: - Heads

  private static let types = ["National (D)", "Schengen (C)"]

  /// Rows of number, type, status and date.
  private func typed(_ head: [String], _ title: String) -> DrawnPage {
    var page = list(
      plain { index, row in row.insert(Self.types[index % 2], at: 1) }, at: [60, 160, 260, 420])
    page.text(title, 180, 70)
    page.row(head, at: [60, 160, 260, 420], 82)
    return page
  }

  @Test(arguments: ["Visa status list", "Status list", "Visa list      Status of 3 May", "Embassy"])
  func `a title names no column`(title: String) throws {
    let rows = try rows([typed(["Number", "Visa type", "Status", "Date"], title)])
    #expect(rows.allSatisfy { $0.status == "under review" && $0.doubt == nil })
  }

  @Test func `a head over two lines names its column`() throws {
    var page = list(
      plain { index, row in row.insert(Self.types[index % 2], at: 1) }, at: [60, 160, 260, 420])
    page.row(["Number", "Type of", "Present", "Date of"], at: [60, 160, 260, 420], 70)
    page.row(["visa", "status", "decision"], at: [160, 260, 420], 82)
    #expect(try rows([page]).allSatisfy { $0.status == "under review" && $0.doubt == nil })
  }

  /// Rows of number, one date, status and another date.
  private func dated(_ head: [String]) -> DrawnPage {
    var page = list(
      plain { index, row in row.insert("0\(index + 1)-Feb-12", at: 1) }, at: [60, 160, 260, 420])
    if !head.isEmpty { page.row(head, at: [60, 160, 260, 420], 82) }
    return page
  }

  @Test(arguments: [
    ["Number", "Received", "Status", "Date"], ["Nummer", "Eingang", "Status", "Entscheidung"],
    ["Número", "Fecha de solicitud", "Estado", "Fecha"], ["Number", "Received", "Status", ""],
  ])
  func `of two dates the head names that of the status`(head: [String]) throws {
    let rows = try rows([dated(head)])
    #expect(rows.map(\.date) == (0..<8).map { "1\($0)-May-12" })
    #expect(rows.allSatisfy { $0.doubt == nil && $0.status == "under review" })
  }

  @Test func `of two dates without names the later one is taken and flagged`() throws {
    let rows = try rows([dated([])])
    #expect(rows.map(\.date) == (0..<8).map { "1\($0)-May-12" })
    #expect(rows.allSatisfy { $0.doubt == .dateColumn })
  }

  @Test func `the column that the first page named holds on the next`() throws {
    let rows = try rows([dated(["Number", "Received", "Status", "Date"]), dated([])])
    #expect(rows.count == 16)
    #expect(rows.allSatisfy { $0.date.hasSuffix("May-12") && $0.doubt == nil })
  }

  // MARK: - Cells over lines

  @Test func `numbers that begin lines of wrapped statuses are no rows`() throws {
    var page = DrawnPage()
    for index in 0..<8 {
      let y = 100 + 40 * Double(index)
      page.row(
        ["2000000000\(index)", "appeal lodged, file", "1\(index)-May-12"], at: [60, 160, 400], y)
      page.text("2012345999\(index) with the court", 160, y + 12)
    }
    let rows = try rows([page])
    #expect(rows.map(\.number) == (0..<8).map { "2000000000\($0)" })
    #expect(rows[3].status == "appeal lodged, file 20123459993 with the court")
  }

  @Test func `dates over three lines make a column where all are`() throws {
    var page = DrawnPage()
    for index in 0..<6 {
      let y = 100 + 40 * Double(index)
      page.row(["2000000000\(index)", "ready"], at: [60, 160], y)
      for (place, part) in ["1\(index)", "December", "2012"].enumerated() {
        page.text(part, 300, y + 12 * Double(place))
      }
    }
    let rows = try rows([page])
    #expect(rows.map(\.dateISO) == (0..<6).map { "2012-12-1\($0)" })
    #expect(rows.allSatisfy { $0.status == "ready" })
  }

  @Test func `a status cut by the end of a page goes on below the next head, however long`() throws
  {
    var first = DrawnPage(), second = DrawnPage()
    for (page, start) in [(0, 0), (1, 4)] {
      for index in start..<(start + 4) {
        let y = 220 + 18 * Double(index - start)
        let row = ["2000000000\(index)", "please bring", "1\(index)-May-12"]
        if page == 0 { first.row(row, at: [60, 160, 400], y) }
        if page == 1 { second.row(row, at: [60, 160, 400], y) }
      }
    }
    // The same words stand below the last row of the first page.
    for line in 0..<3 { first.text("your papers \(line)", 160, 286 + 12 * Double(line)) }
    second.row(["Case", "Status", "Date"], at: [60, 160, 400], 100)
    for line in 0..<8 {
      second.text(
        line < 3 ? "your papers \(line)" : "and more \(line)", 160, 120 + 12 * Double(line))
    }
    let rows = try rows([first, second])
    #expect(
      rows[3].status
        == "please bring " + (0..<3).map { "your papers \($0) " }.joined()
        + (0..<8).map { $0 < 3 ? "your papers \($0)" : "and more \($0)" }.joined(separator: " "))
    #expect(rows[4].status == "please bring")
  }

  @Test func `a number printed once beside several rows has them all, flagged`() throws {
    var page = DrawnPage()
    for index in 0..<4 {
      let y = 100 + 36 * Double(index)
      page.row(["2000000000\(index)", "received", "0\(index + 1)-May-12"], at: [60, 160, 400], y)
      if index.isMultiple(of: 2) {
        page.row(["approved", "1\(index)-May-12"], at: [160, 400], y + 18)
      }
    }
    let rows = try rows([page])
    #expect(rows.map(\.number.last) == ["0", "0", "1", "2", "2", "3"])
    #expect(rows.map(\.status.first) == ["r", "a", "r", "r", "a", "r"])
    #expect(rows.map(\.doubt) == [nil, .number, nil, nil, .number, nil])
  }

  @Test func `rows at the top of a page go on with the number of the page before`() throws {
    func page(_ first: Int, over: Int) -> DrawnPage {
      var page = DrawnPage()
      page.text("Decisions", 60, 40)
      page.text("printed 02-Jun-12", 400, 40)
      for (place, title) in ["Number", "Status", "Date"].enumerated() {
        page.text(title, [60, 160, 400][place], 76)
      }
      for index in 0..<over {
        page.row(["reopened", "2\(index)-May-12"], at: [160, 400], 100 + 18 * Double(index))
      }
      for index in 0..<4 {
        page.row(
          ["2000000000\(first + index)", "received", "0\(index + 1)-May-12"], at: [60, 160, 400],
          100 + 18 * Double(over + index))
      }
      return page
    }
    let rows = try rows([page(0, over: 0), page(4, over: 2)])
    #expect(rows.map(\.number.last) == ["0", "1", "2", "3", "3", "3", "4", "5", "6", "7"])
    #expect(rows[4].status == "reopened" && rows[4].date == "20-May-12" && rows[4].page == 2)
    #expect(rows.map { $0.doubt == .number } == (0..<10).map { $0 == 4 || $0 == 5 })
  }

  @Test func `rows below the last number have their statuses, and a foot with a date is none`()
    throws
  {
    let pages = ["Jan", "Feb", "Mar"].enumerated().map { number, month in
      var page = DrawnPage()
      for index in 0..<3 {
        let y = 100 + 20 * Double(index)
        page.row(
          ["2000000000\(3 * number + index)", "received", "0\(index + 1)-May-12"],
          at: [60, 160, 400], y)
      }
      // Four rows of the last number, two lines each: the last one is far below it.
      for index in 0..<4 {
        let y = 160 + 24 * Double(index)
        page.row(["called, see our", "1\(index)-\(month)-12"], at: [160, 400], y)
        page.text("letter \(index)", 160, y + 12)
      }
      page.row(["page \(number + 1), put up on", "21-May-12"], at: [160, 400], 256)
      return page
    }
    let rows = try rows(pages)
    #expect(rows.count == 3 * 7)
    #expect(
      rows.filter { $0.date.hasPrefix("13-") }.map(\.status)
        == [String](repeating: "called, see our letter 3", count: 3))
    #expect(!rows.contains { $0.date == "21-May-12" })
  }

  // MARK: - Blocks and damage

  @Test func `headings above blocks of numbers are their status, flagged`() throws {
    var page = DrawnPage()
    page.text("Decisions of 3 April", 220, 60)
    for (block, heading) in ["Ready for collection", "Documents requested"].enumerated() {
      let top = 90 + 120 * Double(block)
      page.text(heading, 60, top)
      for line in 0..<4 {
        page.row(
          (0..<3).map { "20000000\(block)\(line * 3 + $0 < 10 ? "0" : "")\(line * 3 + $0)" },
          at: [80, 200, 320], top + 20 + 14 * Double(line))
      }
    }
    let rows = try rows([page])
    #expect(rows.count == 24)
    for row in rows {
      #expect(
        row.status
          == (row.number.hasPrefix("200000000") ? "Ready for collection" : "Documents requested"))
      #expect(row.doubt == .heading)
    }
  }

  @Test func `a title over nothing but numbers is no status`() throws {
    var page = DrawnPage()
    page.text("Decisions of 3 April", 220, 60)
    for line in 0..<6 { page.text("2000000000\(line)", 80, 90 + 14 * Double(line)) }
    #expect(try rows([page]).allSatisfy { $0.status.isEmpty && $0.doubt == nil })
  }

  @Test func `titles of pages over nothing but numbers are no statuses`() throws {
    let pages = (0..<2).map { number in
      var page = DrawnPage()
      page.text("Decisions of \(number == 0 ? "April" : "May")", 220, 60)
      for line in 0..<6 { page.text("200000000\(number)\(line)", 80, 90 + 14 * Double(line)) }
      return page
    }
    #expect(try rows(pages).allSatisfy { $0.status.isEmpty && $0.doubt == nil })
  }

  @Test func `where a page is damaged its last row is flagged`() throws {
    let page = list(
      plain { index, row in if index == 7 { row.removeLast(2) } }, at: [60, 160, 400])
    let extractor = try TextExtractor(PDFFile(FileBytes(PDFBuilder.pages([page.content]))))
    let drawn = try #require(extractor.page(0))
    var whole = StatusList(), damaged = StatusList()
    whole.add(drawn)
    damaged.add(drawn, isDamaged: true)
    #expect(whole.rows().map(\.doubt) == Array(repeating: nil, count: 7) + [.missing])
    #expect(damaged.rows().map(\.doubt) == Array(repeating: nil, count: 7) + [.damage])
  }
}
