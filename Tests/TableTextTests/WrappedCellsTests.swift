import PDFSyntax
import PDFText
import TestSupport
import Testing

@testable import TableText

/// Status lists whose cells go on over lines, and lists that are no tables.
struct WrappedCellsTests {
  private func rows(_ pages: [DrawnPage]) throws -> [StatusRow] {
    let extractor = try TextExtractor(PDFFile(FileBytes(PDFBuilder.pages(pages.map(\.content)))))
    var list = StatusList()
    for index in 0..<extractor.pageCount { list.add(try #require(extractor.page(index))) }
    return list.rows()
  }

  private static let statuses = ["under review", "approved", "documents are missing"]

  /// Rows with cells of several lines, 40 points apart.
  private func list(_ count: Int = 9, cells: (Int) -> [[String]]) -> DrawnPage {
    var page = DrawnPage()
    page.row(["Batch No", "Status", "Date"], at: [60, 180, 400], 70)
    for index in 0..<count {
      for (lines, x) in zip(cells(index), [60.0, 180, 400]) {
        for (line, text) in lines.enumerated() {
          page.text(text, x, 100 + 40 * Double(index) + 12 * Double(line))
        }
      }
    }
    return page
  }

  @Test(arguments: [
    (["03-", "May-12"], "03-May-12", "2012-05-03"),
    (["23 Apr 201", "2"], "23 Apr 2012", "2012-04-23"),
    (["23/05/", "2012"], "23/05/2012", "2012-05-23"),
    (["03-", "May-", "12"], "03-May-12", "2012-05-03"),
  ])
  func `dates of a narrow column are put together`(
    lines: [String], text: String, iso: String
  ) throws {
    let rows = try rows([
      list { ["2000000000\($0)"].map { [$0] } + [[Self.statuses[$0 % 3]], lines] }
    ])
    #expect(rows.map(\.number) == (0..<9).map { "2000000000\($0)" })
    #expect(rows.map(\.date) == Array(repeating: text, count: 9))
    #expect(rows.map(\.dateISO) == Array(repeating: iso, count: 9))
    #expect(rows.map(\.status) == (0..<9).map { Self.statuses[$0 % 3] })
    #expect(rows.allSatisfy { $0.doubt == nil })
  }

  @Test func `some dates go on over lines and some do not`() throws {
    let rows = try rows([
      list {
        [["2000000000\($0)"], ["ready"], $0 % 2 == 0 ? ["1\($0)-", "May-12"] : ["1\($0)-May-12"]]
      }
    ])
    #expect(rows.map(\.date) == (0..<9).map { "1\($0)-May-12" })
    #expect(rows.allSatisfy { $0.doubt == nil && $0.status == "ready" })
  }

  @Test func `numbers of a narrow column are put together`() throws {
    let rows = try rows([
      list { [["200000", "0000\($0)"], [Self.statuses[$0 % 3]], ["1\($0)-May-12"]] }
    ])
    #expect(rows.map(\.number) == (0..<9).map { "2000000000\($0)" })
    #expect(rows.map(\.status) == (0..<9).map { Self.statuses[$0 % 3] })
    #expect(rows.map(\.date) == (0..<9).map { "1\($0)-May-12" })
  }

  @Test func `all three cells of a row go on over lines`() throws {
    let rows = try rows([
      list { [["200000", "0000\($0)"], ["documents", "are missing"], ["1\($0)-", "May-12"]] }
    ])
    #expect(rows.map(\.number) == (0..<9).map { "2000000000\($0)" })
    #expect(rows.allSatisfy { $0.status == "documents are missing" })
    #expect(rows.map(\.date) == (0..<9).map { "1\($0)-May-12" })
  }

  /// Blocks of lines, one below the other.
  private func blocks(_ count: Int = 9, lines: Int = 3, gap: Double, _ text: (Int, Int) -> String)
    -> DrawnPage
  {
    var page = DrawnPage()
    for index in 0..<count {
      for line in 0..<lines {
        let y = 80 + (Double(lines) * 14 + gap) * Double(index) + 14 * Double(line)
        page.text(text(index, line), 60, y)
      }
    }
    return page
  }

  @Test(arguments: [0.0, 12], [[0, 1, 2], [0, 2, 1], [2, 0, 1]])
  func `blocks of number, status and date are rows`(gap: Double, order: [Int]) throws {
    // Without a gap and without names, what stands first in a block is its number.
    guard gap > 0 || order[0] == 0 else { return }
    for names in [["", "", ""], ["Batch No: ", "Status: ", "Date: "]] {
      let page = blocks(gap: gap) { index, line in
        let cell = order[line]
        let value = ["2000000000\(index)", Self.statuses[index % 3], "1\(index)-May-12"][cell]
        return names[cell] + value
      }
      let rows = try rows([page])
      #expect(rows.map(\.number) == (0..<9).map { "2000000000\($0)" })
      #expect(rows.map(\.status) == (0..<9).map { Self.statuses[$0 % 3] })
      #expect(rows.map(\.date) == (0..<9).map { "1\($0)-May-12" })
      #expect(rows.allSatisfy { $0.doubt == nil })
    }
  }

  @Test func `a block without its date is flagged and takes no neighbor's`() throws {
    let page = blocks(gap: 12) { index, line in
      if index == 4, line == 2 { return "" }
      return ["2000000000\(index)", "under review", "1\(index)-May-12"][line]
    }
    let rows = try rows([page])
    #expect(rows.count == 9 && rows[4].date == "" && rows[4].doubt == .missing)
    #expect(rows[5].date == "15-May-12" && rows[3].date == "13-May-12")
    #expect(rows.count { $0.doubt != nil } == 1)
  }

  @Test func `blocks go on over pages`() throws {
    let pages = (0..<3).map { part in
      blocks(part == 2 ? 1 : 6, gap: 12) { index, line in
        ["200000000\(part)\(index)", "under review", "1\(index)-May-12"][line]
      }
    }
    let rows = try rows(pages)
    #expect(rows.count == 13 && rows[12].number == "20000000020")
    #expect(rows.allSatisfy { $0.status == "under review" && $0.doubt == nil })
  }
}
