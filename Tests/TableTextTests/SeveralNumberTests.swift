import PDFSyntax
import PDFText
import TestSupport
import Testing

@testable import TableText

/// Status lists with more numbers than rows, numbers with additions, and statuses for several rows.
struct SeveralNumberTests {
  private func rows(_ pages: [DrawnPage]) throws -> [StatusRow] {
    let extractor = try TextExtractor(
      PDFFile(FileBytes(PDFBuilder.pages(pages.map(\.content)))))
    var list = StatusList()
    return list.rows(of: extractor)
  }

  private let statuses = ["approved", "refused", "under review"]

  /// A number of another case, the own one, a status and two dates.
  private func page(_ head: [String], _ indices: Range<Int>) -> DrawnPage {
    var page = DrawnPage()
    let places = [40.0, 140, 240, 340, 440]
    page.row(head, at: places, 80)
    for index in indices {
      page.row(
        [
          "2100000000\(index)", "2000000000\(index)", statuses[index % 3],
          "0\(index + 1).03.2024", "1\(index).06.2024",
        ], at: places, 100 + 18 * Double(index))
    }
    return page
  }

  @Test func `of two numbers in a row the case's own is that of the row`() throws {
    let head = ["Ref", "Application", "Status", "Received", "Decided"]
    // The second page has no head.
    let rows = try rows([page(head, 0..<6), page([], 6..<9)])
    #expect(rows.map(\.number) == (0..<9).map { "2000000000\($0)" })
    #expect(rows.map(\.status) == (0..<9).map { statuses[$0 % 3] })
    #expect(rows.map(\.date) == (0..<9).map { "1\($0).06.2024" })
    #expect(rows.allSatisfy { $0.doubt == nil })
  }

  @Test func `where no head tells which number is meant the first is taken and flagged`() throws {
    let rows = try rows([page(["", "", "Status", "", "Decided"], 0..<8)])
    #expect(rows.map(\.number) == (0..<8).map { "2100000000\($0)" })
    #expect(rows.map(\.status) == (0..<8).map { statuses[$0 % 3] })
    #expect(rows.allSatisfy { $0.doubt == .column })
  }

  @Test func `lists side by side have a number each, and numbers alone are numbers`() throws {
    var page = DrawnPage()
    for index in 0..<6 {
      page.row(
        ["2000000000\(index)", "approved", "2100000000\(index)", "refused"],
        at: [40, 140, 300, 400], 100 + 18 * Double(index))
    }
    #expect(
      try rows([page]).map { "\($0.number) \($0.status)" }
        == (0..<6).map { "2000000000\($0) approved" }
        + (0..<6).map { "2100000000\($0) refused" })
    page = DrawnPage()
    for index in 0..<6 {
      page.row(
        ["2000000000\(index)", "2100000000\(index)", "2200000000\(index)"], at: [40, 140, 240],
        100 + 18 * Double(index))
    }
    #expect(try rows([page]).count == 18)
  }

  @Test func `numbers with additions are rows, flagged`() throws {
    var page = DrawnPage()
    let additions = ["", "/1", "-A", "*", "(b)", "/123", "B", "-2000"]
    for (index, addition) in additions.enumerated() {
      page.row(
        ["2000000000\(index)\(addition)", "approved", "1\(index).06.2024"], at: [40, 160, 300],
        100 + 18 * Double(index))
    }
    let rows = try rows([page])
    // What is longer than an addition is another number.
    #expect(rows.map(\.number) == (0..<7).map { "2000000000\($0)" })
    #expect(
      rows.map(\.doubt)
        == [nil, .addition, .addition, nil, .addition, .addition, .addition])
  }

  /// Statuses stand once, in the middle of cells over four rows.
  @Test func `a merged cell's status is that of all its rows`() throws {
    var page = DrawnPage()
    page.text("List of 15 July 2024", 200, 60, size: 18)
    page.row(["Number", "Status", "Date"], at: [45, 145, 285], 93)
    for x in [40.0, 140, 280, 380] { page.line(x, 80, x, 100 + 12 * 18) }
    for row in -1...12 {
      let y = row < 0 ? 80 : 100 + 18 * Double(row)
      page.line(40, y, 140, y)
      page.line(280, y, 380, y)
      if row <= 0 || row % 4 == 0 { page.line(140, y, 280, y) }
    }
    for index in 0..<12 {
      let y = 113 + 18 * Double(index)
      page.row(["200000000\(10 + index)", "", "\(10 + index).06.2024"], at: [45, 145, 285], y)
      if index % 4 == 1 { page.text(statuses[index / 4], 145, y + 9) }
    }
    let rows = try rows([page])
    #expect(rows.map(\.number) == (0..<12).map { "200000000\(10 + $0)" })
    #expect(rows.map(\.status) == (0..<12).map { statuses[$0 / 4] })
    #expect(rows.allSatisfy { $0.doubt == nil })
  }
}
