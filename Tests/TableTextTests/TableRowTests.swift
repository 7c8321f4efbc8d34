import Testing

@testable import TableText

/// Which lines are one row of a table without drawn lines, and which are no table.
struct TableRowTests {
  /// A head and some rows of three figures; a label has one line or several, around the height of its figures.
  private func page(_ rows: [(label: [String], cells: [String])]) -> DrawnPage {
    var page = DrawnPage()
    page.row(["Item", "May", "June", "July"], at: [60, 230, 300, 370], 100)
    var y = 118.0
    for (label, cells) in rows {
      for (index, line) in label.enumerated() { page.text(line, 60, y + 12 * Double(index)) }
      page.row(cells, at: [230, 300, 370], y + 6 * Double(label.count - 1))
      y += 12 * Double(label.count - 1) + 16
    }
    return page
  }

  @Test(arguments: [
    ["Pensions and", "other benefits"], ["Pensions and other", "benefits of former", "staff"],
  ])
  func `a label of several lines is of the row whose figures stand at its middle`(
    _ label: [String]
  ) throws {
    let rows = [
      (["Salaries"], ["10", "20", "30"]), (label, ["4", "5", "6"]), (["Travel"], ["7", "8", "9"]),
      (["Total"], ["21", "33", "45"]),
    ]
    let table = try #require(try DrawnPage.tables([page(rows)]).first)
    #expect(table.names == ["Item", "May", "June", "July"])
    #expect(table.rows.map(\.cells) == rows.map { [$0.0.joined(separator: " ")] + $0.1 })
  }

  @Test func `a row of words between rows of figures is a row`() throws {
    let rows = [
      (["Basic"], ["1", "10", "4.00"]), (["Trial"], ["one user", "see note 3", "free"]),
      (["Plus"], ["5", "50", "9.00"]), (["Team"], ["20", "200", "19.00"]),
      (["Enterprise"], ["unlimited", "unlimited", "on request"]),
    ]
    let table = try #require(try DrawnPage.tables([page(rows)]).first)
    #expect(table.rows.suffix(rows.count).map(\.cells) == rows.map { $0.0 + $0.1 })
  }

  @Test func `lines that are set in block with wide blanks are no table`() throws {
    let paragraph = [
      "Insurance with station for interest balance heating from the",
      "east and silver on forest supply with county for market and",
      "village timber of the central net at library to plastic garden",
      "western benefit training gross ticket new farming forest bridge",
      "silver cycling on engine general mining the repair budget of",
    ]
    var page = DrawnPage()
    for (index, line) in paragraph.enumerated() {
      // Blanks are wider than letters, and as wide as their line needs.
      page.content += "\([5.4, 4.8, 5.7, 4.6, 5.1][index]) Tw\n"
      page.text(line, 60, 100 + 14 * Double(index))
    }
    #expect(try DrawnPage.tables([page]).isEmpty)
  }
}
