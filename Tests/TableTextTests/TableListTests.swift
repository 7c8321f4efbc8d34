import Bytes
import PDFText
import Testing

@testable import TableText

/// Tables over pages, tables where one was told, and how they are written.
struct TableListTests {
  private func page(_ numbers: Range<Int>, head: Bool = true, shift: Double = 0) -> DrawnPage {
    var page = DrawnPage()
    if head {
      page.row(["Code", "Item", "Price"], at: [60 + shift, 140 + shift, 300 + shift], 80)
    }
    for (line, number) in numbers.enumerated() {
      page.row(
        ["A\(100 + number)", "Part of a machine", "\(number).50"],
        at: [60 + shift, 140 + shift, 300 + shift], 100 + 15 * Double(line))
    }
    return page
  }

  @Test(arguments: [0.0, 25]) func `a table over pages is one, its head stands once`(
    shift: Double
  ) throws {
    let tables = try DrawnPage.tables([page(0..<20), page(20..<40, shift: shift), page(40..<44)])
    #expect(tables.count == 1)
    let table = try #require(tables.first)
    #expect(table.pages == 1...3 && table.names == ["Code", "Item", "Price"])
    #expect(table.rows.map { $0.cells[0] } == (0..<44).map { "A\(100 + $0)" })
    #expect(table.rows.last?.page == 3)
  }

  @Test func `pages without a head go on where their columns are the same`() throws {
    let tables = try DrawnPage.tables([page(0..<20), page(20..<30, head: false)])
    #expect(tables.map(\.rows.count) == [30])
  }

  @Test func `another head begins another table`() throws {
    var other = DrawnPage()
    other.row(["Stop", "Line", "Time"], at: [60, 140, 300], 80)
    for line in 0..<5 {
      other.row(["Hill", "\(line)", "10:0\(line)"], at: [60, 140, 300], 100 + 15 * Double(line))
    }
    let tables = try DrawnPage.tables([page(0..<20), other])
    #expect(tables.map(\.names) == [["Code", "Item", "Price"], ["Stop", "Line", "Time"]])
  }

  @Test func `a drawn row that a page break cuts above its figures is put together`() throws {
    var first = DrawnPage(), second = DrawnPage()
    first.grid([60, 120, 320, 380], [100, 120, 140, 160, 180, 200, 220])
    let rows = [
      ["No", "Text", "Sum"], ["1", "Bolts", "3"], ["2", "Nuts", "6"], ["3", "Screws", "9"],
      // The head once more above the beginning of the row.
      ["No", "Text", "Sum"], ["", "Nails of all kinds and", ""],
    ]
    for (index, row) in rows.enumerated() {
      first.row(row, at: [64, 124, 324], 114 + 20 * Double(index))
    }
    second.grid([60, 120, 320, 380], [100, 120, 140, 160])
    second.row(["No", "Text", "Sum"], at: [64, 124, 324], 114)
    second.row(["4", "sizes", "12"], at: [64, 124, 324], 134)
    second.row(["5", "Pins", "15"], at: [64, 124, 324], 154)
    let table = try #require(try DrawnPage.tables([first, second]).first)
    #expect(table.names == ["No", "Text", "Sum"])
    #expect(table.rows.map { $0.cells[0] } == ["1", "2", "3", "4", "5"])
    #expect(table.rows[3].cells == ["4", "Nails of all kinds and sizes", "12"])
  }

  @Test func `a cell that a page break cuts is put together`() throws {
    var first = page(0..<20)
    first.row(["A120", "A part with a name", "7.00"], at: [60, 140, 300], 400)
    var second = DrawnPage()
    second.row(["Code", "Item", "Price"], at: [60, 140, 300], 80)
    second.text("longer than the page", 140, 100)
    for line in 0..<4 {
      second.row(
        ["A\(121 + line)", "Part", "2.0\(line)"], at: [60, 140, 300], 120 + 15 * Double(line))
    }
    let table = try #require(try DrawnPage.tables([first, second]).first)
    #expect(table.rows.count == 25)
    #expect(table.rows[20].cells == ["A120", "A part with a name longer than the page", "7.00"])
  }

  @Test func `told places part the columns, an area leaves the rest out`() throws {
    var page = page(0..<5)
    page.text("Not wanted", 60, 700)
    let options = TableOptions(
      area: TextPage.Box(x0: 0, y0: 60, x1: 612, y1: 300), columnsAt: [180, 290])
    let table = try #require(try DrawnPage.tables([page], options).first)
    #expect(table.names == ["Code Item", "", "Price"])
    #expect(table.rows.last?.cells == ["A104 Part of a", "machine", "4.50"])
  }

  @Test func `texts are quoted, spreadsheets get semicolons`() throws {
    var table = TextTable(columns: 2, pages: 1...1, isRuled: false)
    table.names = ["a;b", "c"]
    table.rows = [
      TextTable.Row(
        cells: ["1,5", "say \"so\"\u{1E}"], page: 1, box: .init(x0: 0, y0: 1, x1: 2, y1: 3.5))
    ]
    func text(_ write: (inout ByteWriter) -> Void) -> String {
      var output = ByteWriter()
      write(&output)
      return String(decoding: output.bytes, as: UTF8.self)
    }
    #expect(text { table.write(csv: &$0) } == "a;b,c\r\n\"1,5\",\"say \"\"so\"\" \"\r\n")
    #expect(text { table.write(csv: &$0, .excel) } == "\"a;b\";c\r\n1,5;\"say \"\"so\"\" \"\r\n")
    let lines = text { table.write(json: &$0, number: 2) }.split(separator: "\n")
    #expect(lines.first?.hasPrefix("{\"table\":2,\"pages\":[1,1],\"ruled\":false,") == true)
    #expect(lines.last?.contains("\"box\":[0,1,2,3.5],\"cells\":[\"1,5\",") == true)
  }
}
