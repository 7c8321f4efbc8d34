import PDFSyntax
import PDFText
import TestSupport
import Testing

@testable import TableText

struct StatusListTests {
  private func rows(_ content: String) throws -> [StatusRow] {
    let file = try PDFFile(FileBytes(PDFBuilder.pages([content])))
    var list = StatusList()
    list.add(try #require(try TextExtractor(file).page(0)))
    return list.rows()
  }

  private func text(_ text: String, x: Int, y: Int) -> String {
    "BT /F1 10 Tf \(x) \(y) Td (\(text)) Tj ET "
  }

  /// Rows of two lines each but the first, with the number beside a line chosen by `place`.
  private func list(place: Int) -> String {
    var content =
      text("Number", x: 72, y: 740) + text("Status", x: 180, y: 740)
      + text("Date", x: 420, y: 740)
    var top = 716
    for index in 0..<6 {
      let lines = index % 3 == 0 ? ["ready"] : ["documents are", "missing today"]
      let height = (lines.count - 1) * 12
      let y = place == 0 ? top : place == 2 ? top - height : top - height / 2
      content +=
        text("2000000000\(index)", x: 72, y: y) + text("0\(index + 1)-May-12", x: 420, y: y)
      for (line, words) in lines.enumerated() { content += text(words, x: 180, y: top - 12 * line) }
      top -= height + 24
    }
    return content
  }

  @Test(arguments: [0, 1, 2])
  func `wrapped statuses find their row however cells are aligned`(place: Int) throws {
    let rows = try rows(list(place: place))
    #expect(rows.count == 6)
    #expect(
      rows.map(\.status)
        == [0, 1, 2, 3, 4, 5].map { $0 % 3 == 0 ? "ready" : "documents are missing today" })
    #expect(rows.first?.date == "01-May-12" && rows.last?.number == "20000000005")
  }

  @Test func `a bracket tells to which row a line belongs where all lines are as far apart`() throws
  {
    var content = text("Number", x: 72, y: 740) + text("Status", x: 180, y: 740)
    var y = 720, expected: [String] = []
    for index in 0..<8 {
      let lines = index % 3 == 1 ? ["granted \\(the letter", "is on its way\\)"] : ["ready"]
      for line in lines {
        content += text(line, x: 180, y: y)
        y -= 13
      }
      content += text("2000000000\(index)", x: 72, y: y + 13)
      content += text("0\(index + 1)-May-12", x: 420, y: y + 13)
      expected.append(index % 3 == 1 ? "granted (the letter is on its way)" : "ready")
    }
    #expect(try rows(content).map(\.status) == expected)
  }

  /// Numbers with two, three and one row, each number printed once: beside the first, in the middle of
  /// or beside the last of its rows, of which every second has two lines.
  private func shared(place: Int) -> (content: String, rows: [String]) {
    var content = "", rows: [String] = []
    var top = 740
    for index in 0..<9 {
      let number = "2000000000\(index)"
      var middles: [Int] = [], first = 0, last = 0
      for row in 0...((index + 1) % 3) {
        let lines = (index + row) % 2 == 0 ? ["ready"] : ["documents are", "missing today"]
        let height = (lines.count - 1) * 12
        if row == 0 { first = top }
        last = top - height
        middles.append(top - height / 2)
        for (line, words) in lines.enumerated() {
          content += text(words, x: 180, y: top - 12 * line)
        }
        let date = "1\(row)-0\(index + 1)-2012"
        content += text(date, x: 420, y: top - height / 2)
        rows.append("\(number) \(lines.joined(separator: " ")) \(date)")
        top -= height + 24
      }
      let y = place == 0 ? middles[0] : place == 2 ? middles[middles.count - 1] : (first + last) / 2
      content += text(number, x: 72, y: y)
    }
    return (content, rows)
  }

  @Test(arguments: [0, 1, 2])
  func `a number that is printed once for several rows has them all`(place: Int) throws {
    let (content, expected) = shared(place: place)
    let rows = try rows(content)
    #expect(rows.map { "\($0.number) \($0.status) \($0.date)" } == expected)
    // Rows without a number of their own are flagged; those beside one are not.
    #expect(rows.contains { $0.doubt == .number } && rows.contains { $0.doubt == nil })
  }

  @Test func `a number in the foot of all pages is no row`() throws {
    var pages: [String] = []
    for page in 0..<4 {
      var content = text("PROC 20110000000 EXAMPLE PAGE \(page + 1)", x: 72, y: 40)
      for index in 0..<6 {
        let y = 700 - index * 20
        content +=
          text("200000\(page)000\(index)", x: 72, y: y) + text("visa issued", x: 200, y: y)
          + text("0\(index + 1)/06/2012", x: 400, y: y)
      }
      pages.append(content)
    }
    var list = StatusList()
    let extractor = try TextExtractor(PDFFile(FileBytes(PDFBuilder.pages(pages))))
    for index in 0..<4 { list.add(extractor, page: index) }
    #expect(list.rows().count == 24)
    #expect(list.rows().allSatisfy { $0.status == "visa issued" })
  }

  @Test func `a word that is divided in one place and whole in another is whole`() throws {
    var content = ""
    for (index, lines) in [
      ["sent again en-", "tro June"], ["sent entro May"], ["a non-", "resident"],
    ]
    .enumerated() {
      let y = 700 - index * 40
      content +=
        text("2000000000\(index)", x: 72, y: y) + text("0\(index + 1)/06/2012", x: 400, y: y)
      for (line, words) in lines.enumerated() { content += text(words, x: 200, y: y - 12 * line) }
    }
    let rows = try rows(content)
    #expect(
      rows.map(\.status) == ["sent again entro June", "sent entro May", "a non-resident"])
  }

  @Test func `numbers in running text are no rows`() throws {
    let disclaimer = text("Write to us quoting number 29999999999 in your letter.", x: 72, y: 60)
    #expect(try rows(list(place: 0) + disclaimer).count == 6)
  }

  @Test func `columns may stand in any order`() throws {
    var content = ""
    for index in 0..<4 {
      let y = 700 - index * 20
      content +=
        text("0\(index + 1)/06/2012", x: 72, y: y) + text("visa issued", x: 200, y: y)
        + text("2111111111\(index)", x: 400, y: y)
    }
    let rows = try rows(content)
    #expect(rows.count == 4)
    #expect(rows.allSatisfy { $0.status == "visa issued" && $0.date.hasSuffix("/06/2012") })
  }

  @Test func `two lists side by side are two lists`() throws {
    var content = ""
    for index in 0..<4 {
      for (side, x) in [(0, 40), (1, 320)] {
        let y = 700 - index * 20
        content +=
          text("2000000\(side)00\(index)", x: x, y: y) + text("under review", x: x + 90, y: y)
          + text("1\(side)-Jan-12", x: x + 190, y: y)
      }
    }
    let rows = try rows(content)
    #expect(rows.count == 8)
    #expect(rows[3].number == "20000000003" && rows[4].number == "20000001000")
    #expect(rows.allSatisfy { $0.status == "under review" })
  }
}
