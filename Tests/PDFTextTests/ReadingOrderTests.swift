import PDFSyntax
import TestSupport
import Testing

@testable import PDFText

/// In which order lines, columns and boxes are read.
struct ReadingOrderTests {
  private func line(_ text: String, _ x: Int, _ y: Int, size: Int = 10) -> String {
    "BT /F1 \(size) Tf \(x) \(y) Td (\(text)) Tj ET "
  }

  /// Prose of a column: lines that are longer than wide cells of a table.
  private func prose(_ name: String, _ row: Int) -> String {
    "\(name) column of prose, line \(row)"
  }

  private func expected(_ names: [String], rows: Int) -> String {
    names.map { name in (0..<rows).map { prose(name, $0) + "\n" }.joined() }.joined()
  }

  @Test func `two columns drawn line by line across the page are read one after another`() throws {
    var content = ""
    for row in 0..<12 {
      for (column, name) in ["left", "right"].enumerated() {
        content += line(prose(name, row), 40 + column * 260, 700 - row * 12)
      }
    }
    #expect(try shown(content) == expected(["left", "right"], rows: 12))
  }

  @Test func `columns that are close and drawn line by line are read one after another`() throws {
    let left = [
      "You may be able to deduct up to an", "additional amount if you were in a",
      "plan at work and your employer was", "found to be in debt. The rate for the",
      "year is shown in the table below and",
    ]
    let right = [
      "in the notes. If you have an unused", "credit from the year before, see the",
      "form to find if you can take it. The", "number of months must be shown on",
      "the line below the name of the plan.",
    ]
    var content = ""
    for row in 0..<20 {
      content += line(left[row % 5], 40, 700 - row * 11)
      // The widest line of the left column ends 12.5 points before.
      content += line(right[row % 5], 217, 700 - row * 11)
    }
    let expected = [left, right].flatMap { column in (0..<20).map { column[$0 % 5] + "\n" } }
    #expect(try shown(content) == expected.joined())
  }

  @Test func `a heading drawn before a smaller line of the next column is no part of it`() throws {
    var content = ""
    let heading = "General instructions for the year"
    for row in 0..<12 {
      // The gap behind the heading is that of a blank for its letters, but not for those of the line.
      let isHeading = row == 5
      content += line(
        isHeading ? heading : prose("left", row), 40, 700 - row * 12, size: isHeading ? 17 : 10)
      content += line(prose("right", row), 306, 700 - row * 12 - (isHeading ? 3 : 0))
    }
    let lines = (0..<12).map { $0 == 5 ? heading + "\n" : prose("left", $0) + "\n" }
    #expect(try shown(content) == lines.joined() + expected(["right"], rows: 12))
  }

  @Test(arguments: [["left", "right"], ["first", "second", "third"]])
  func `columns drawn one after another are read so`(names: [String]) throws {
    var content = ""
    for (column, name) in names.enumerated() {
      for row in 0..<12 { content += line(prose(name, row), 40 + column * 190, 700 - row * 12) }
    }
    #expect(try shown(content) == expected(names, rows: 12))
  }

  @Test func `columns whose lines are in disorder are put in order`() throws {
    var numbers = SeededNumbers(seed: 3)
    var content = ""
    for (column, name) in ["left", "right"].enumerated() {
      for row in (0..<12).shuffled(using: &numbers) {
        content += line(prose(name, row), 40 + column * 260, 700 - row * 12)
      }
    }
    #expect(try shown(content) == expected(["left", "right"], rows: 12))
  }

  @Test func `the rows of a table are read row by row`() throws {
    var content = ""
    for row in 0..<8 {
      for (column, cell) in ["item \(row)", "\(row * 7)", "EUR \(row).50"].enumerated() {
        content += line(cell, 72 + column * 150, 700 - row * 14)
      }
    }
    let rows = (0..<8).map { "item \($0) \($0 * 7) EUR \($0).50\n" }.joined()
    #expect(try shown(content) == rows)
  }

  @Test func `a cell that is drawn into the gap of its row is read there`() throws {
    var content = ""
    for row in 0..<8 {
      content +=
        line("item \(row)", 72, 700 - row * 28) + line("EUR \(row).50", 372, 700 - row * 28)
      content += line("for you", 222, 700 - row * 28) + line("and me", 222, 686 - row * 28)
    }
    let rows = (0..<8).map { "item \($0) for you EUR \($0).50\nand me\n" }.joined()
    #expect(try shown(content) == rows)
  }

  @Test func `labels that are drawn after their values are read before them`() throws {
    let pairs = [("Total", "118.00"), ("Tax", "18.84"), ("Customer no.", "123456")]
    var content = line("Invoice 4711", 72, 750)
    for (row, (label, value)) in pairs.enumerated() {
      content += line(value, 300, 700 - row * 20) + line(label, 72, 700 - row * 20)
    }
    content += line("Thank you for your order.", 72, 600)
    #expect(
      try shown(content) == "Invoice 4711\n" + pairs.map { "\($0) \($1)\n" }.joined()
        + "Thank you for your order.\n")
    // A label beside a paragraph is not torn into it.
    content = line("Figure 1", 400, 700)
    for (row, text) in [
      "A paragraph begins here and", "goes on in its second line and", "ends here.",
    ]
    .enumerated() {
      content += line(text, 72, 700 - row * 14)
    }
    #expect(
      try shown(content).contains(
        "A paragraph begins here and\ngoes on in its second line and\nends here.\n"))
  }

  @Test func `cells of a table drawn from its end are read row by row`() throws {
    var pieces: [String] = []
    for row in 0..<8 {
      for (column, cell) in ["item \(row)", "\(row * 7)", "EUR \(row).50"].enumerated() {
        pieces.append(line(cell, 72 + column * 150, 700 - row * 14))
      }
    }
    let rows = (0..<8).map { "item \($0) \($0 * 7) EUR \($0).50\n" }.joined()
    #expect(try shown(pieces.reversed().joined()) == rows)
  }

  @Test func `a header and a footer drawn around the text stay there`() throws {
    var content = line("the header", 72, 760)
    for row in 0..<10 { content += line(prose("only", row), 72, 700 - row * 12) }
    content += line("page 7", 300, 30)
    #expect(try shown(content) == "the header\n" + expected(["only"], rows: 10) + "page 7\n")
  }

  @Test func `a header and a footer drawn behind the text tear nothing`() throws {
    var content = ""
    for row in 0..<10 { content += line(prose("only", row), 72, 700 - row * 12) }
    content += line("the header", 72, 760) + line("page 7", 300, 30)
    let text = try shown(content)
    #expect(text.contains(expected(["only"], rows: 10)))
    #expect(text.contains("the header\n") && text.contains("page 7\n"))
  }

  @Test func `a heading across two columns is read before both`() throws {
    var content = line("A heading that stands across both of the columns", 72, 740, size: 16)
    for row in 0..<12 {
      for (column, name) in ["left", "right"].enumerated() {
        content += line(prose(name, row), 40 + column * 260, 700 - row * 12)
      }
    }
    #expect(
      try shown(content) == "A heading that stands across both of the columns\n"
        + expected(["left", "right"], rows: 12))
  }

  @Test func `a box beside the column that is drawn for itself is read for itself`() throws {
    var content = ""
    for row in 0..<10 { content += line(prose("main", row), 72, 700 - row * 12) }
    content += "400 600 150 80 re S "
    for row in 0..<3 { content += line("box \(row)", 410, 660 - row * 12) }
    for row in 10..<14 { content += line(prose("main", row), 72, 700 - row * 12) }
    let lines = try shown(content).split(separator: "\n").map(String.init)
    let main = (0..<14).map { prose("main", $0) }
    #expect(lines.filter { $0.hasPrefix("main") } == main)
    #expect(lines.filter { $0.hasPrefix("box") } == ["box 0", "box 1", "box 2"])
    let first = try #require(lines.firstIndex(of: "box 0"))
    #expect(lines[first...].prefix(3) == ["box 0", "box 1", "box 2"])
  }

  @Test func `lines drawn from the bottom up are turned round`() throws {
    let content = (0..<12).reversed().map { line(prose("only", $0), 72, 700 - $0 * 12) }.joined()
    #expect(try shown(content) == expected(["only"], rows: 12))
  }

  @Test func `code keeps its lines`() throws {
    let code = [(0, "func f\\(\\) {"), (1, "if x {"), (2, "return"), (1, "}"), (0, "}")]
    let content = code.enumerated()
      .map { row, part in line(part.1, 72 + part.0 * 12, 700 - row * 12) }.joined()
    #expect(try shown(content) == "func f() {\nif x {\nreturn\n}\n}\n")
  }

  @Test func `lines of different sizes on one height are one line`() throws {
    let content = line("Total", 72, 700, size: 10) + line("99.00", 150, 700, size: 14)
    #expect(try shown(content) == "Total 99.00\n")
  }

  @Test func `two columns drawn from the bottom up, row by row, are read one after another`() throws
  {
    var content = ""
    for row in (0..<12).reversed() {
      for (column, name) in ["left", "right"].enumerated() {
        content += line(prose(name, row), 40 + column * 260, 700 - row * 12)
      }
    }
    #expect(try shown(content) == expected(["left", "right"], rows: 12))
  }

  // MARK: - Drawn in another order than it is read

  /// Lines of prose of a column, each drawn for itself.
  private func lines(_ name: String, _ rows: Range<Int>, x: Int, top: Int = 700) -> [String] {
    rows.map { line(prose(name, $0), x, top - $0 * 12) }
  }

  @Test func `a headline that is drawn last is read first`() throws {
    let body = lines("first", 0..<10, x: 72) + lines("second", 12..<20, x: 72)
    let content = body.joined() + line("The headline", 72, 740, size: 18)
    #expect(try shown(content).hasPrefix("The headline\nfirst column of prose, line 0\n"))
  }

  @Test func `a right column that is drawn first is read last`() throws {
    let content =
      line("The headline", 40, 740, size: 18) + lines("right", 0..<12, x: 300).joined()
      + lines("left", 0..<12, x: 40).joined()
    #expect(try shown(content) == "The headline\n" + expected(["left", "right"], rows: 12))
  }

  @Test func `narrow columns below a headline are told apart by one another`() throws {
    let content =
      line("The headline of the page", 40, 740, size: 18) + lines("third", 0..<4, x: 322).joined()
      + lines("first", 0..<14, x: 40).joined() + lines("other", 0..<6, x: 172).joined()
    let columns = [("first", 14), ("other", 6), ("third", 4)]
    let body = columns.map { expected([$0.0], rows: $0.1) }.joined()
    #expect(try shown(content) == "The headline of the page\n" + body)
  }

  @Test func `lines that are drawn late go into the gap that was left for them`() throws {
    let body = lines("left", 0..<4, x: 40) + lines("left", 6..<12, x: 40)
    let content =
      body.joined() + lines("right", 0..<12, x: 300).joined()
      + lines("left", 4..<6, x: 40).joined()
    #expect(try shown(content) == expected(["left", "right"], rows: 12))
  }

  @Test func `a foot that is drawn first pulls no column away`() throws {
    let content =
      line("page 7", 380, 30) + lines("left", 0..<12, x: 40).joined()
      + lines("right", 0..<12, x: 300).joined()
    #expect(try shown(content) == expected(["left", "right"], rows: 12) + "page 7\n")
  }

  @Test func `marks of a list that are drawn behind its texts stand before them`() throws {
    let texts = (0..<4).map { line("what the item \($0) of the list says", 90, 700 - $0 * 14) }
    let marks = (0..<4).map { line("\($0 + 1).", 72, 700 - $0 * 14) }
    let wanted = (0..<4).map { "\($0 + 1). what the item \($0) of the list says\n" }.joined()
    #expect(try shown(texts.joined() + marks.joined()) == wanted)
  }

  @Test(arguments: 1...4)
  func `a page in random order is read as it stands`(seed: UInt64) throws {
    var numbers = SeededNumbers(seed: seed)
    var pieces = [line("A heading that stands across all of the three columns", 40, 740, size: 16)]
    for (column, name) in ["first", "second", "third"].enumerated() {
      pieces += lines(name, 0..<20, x: 40 + column * 190)
    }
    pieces.append(line("A note that stands below all of the columns and goes across them", 40, 400))
    let text = try shown(pieces.shuffled(using: &numbers).joined())
    #expect(
      text == "A heading that stands across all of the three columns\n"
        + expected(["first", "second", "third"], rows: 20)
        + "A note that stands below all of the columns and goes across them\n")
  }

  @Test func `what begins below two columns is not read with one of them`() throws {
    var numbers = SeededNumbers(seed: 7)
    var pieces = lines("left", 0..<14, x: 40) + lines("right", 0..<12, x: 300)
    pieces.append(line("Results", 40, 470, size: 14))
    pieces += (0..<5).map {
      line("what goes across the whole page below the two columns, line \($0)", 40, 452 - $0 * 12)
    }
    let text = try shown(pieces.shuffled(using: &numbers).joined())
    let left = (0..<14).map { prose("left", $0) + "\n" }.joined()
    let right = (0..<12).map { prose("right", $0) + "\n" }.joined()
    #expect(text.hasPrefix(left + right + "Results\nwhat goes across"), "\(text)")
  }

  @Test func `blocks that were drawn together stay together in disorder`() throws {
    func block(_ name: String, _ x: Int, _ y: Int) -> String {
      (0..<4).map { line("\(name) \($0)", x, y - $0 * 12) }.joined()
    }
    let content = [(300, 300), (72, 300), (300, 500), (72, 500), (300, 700), (72, 700)].enumerated()
      .map { block("block\($0)", $1.0, $1.1) }.joined()
    let text = try shown(content)
    for number in 0..<6 {
      let wanted = (0..<4).map { "block\(number) \($0)\n" }.joined()
      #expect(text.contains(wanted), "\(text)")
    }
    #expect(text.hasPrefix("block4") || text.hasPrefix("block5"), "\(text)")
  }

  @Test func `columns below others do not mix with them`() throws {
    var numbers = SeededNumbers(seed: 5)
    var pieces = lines("first", 0..<13, x: 40) + lines("second", 0..<12, x: 230)
    pieces += lines("third", 0..<10, x: 420)
    // The second column of the lower part starts next to the heading of the first.
    pieces += (0..<5).map { line("right column of the lower part, line \($0)", 310, 538 - $0 * 12) }
    pieces.append(line("Heading", 40, 529, size: 12))
    pieces += (0..<4).map {
      line("left column of the lower part, line number \($0)", 40, 510 - $0 * 12)
    }
    let text = try shown(pieces.shuffled(using: &numbers).joined())
    let lower =
      "Heading\n" + (0..<4).map { "left column of the lower part, line number \($0)\n" }.joined()
      + (0..<5).map { "right column of the lower part, line \($0)\n" }.joined()
    #expect(text.hasSuffix(lower), "\(text)")
  }

  @Test func `the end of an article at the top of the next column is read last`() throws {
    var numbers = SeededNumbers(seed: 11)
    let pieces = lines("left", 0..<14, x: 40) + lines("right", 0..<2, x: 300)
    let text = try shown(pieces.shuffled(using: &numbers).joined())
    let wanted = expected(["left"], rows: 14) + expected(["right"], rows: 2)
    #expect(text == wanted, "\(text)")
  }

  @Test(arguments: [true, false])
  func `a box that text flows around divides no sentence`(isAbove: Bool) throws {
    var numbers = SeededNumbers(seed: 2)
    let full = line(
      "one long line goes across the page, over the box and the text beside it", 40, 712)
    let last = line(
      "one long line goes across the page, below the box and the text beside it", 40, 604)
    // The box stands a little apart from the line across the page; the text beside it does not.
    var pieces = (0..<6).map { line("in the box of the page, \($0)", 40, 688 - $0 * 12) }
    pieces += (0..<8).map {
      line("text that flows around that box, line \($0)", 200, 700 - $0 * 12)
    }
    pieces.append(isAbove ? full : last)
    let text = try shown(pieces.shuffled(using: &numbers).joined())
    let box = (0..<6).map { "in the box of the page, \($0)\n" }.joined()
    #expect(text.hasPrefix(box) || text.hasSuffix(box), "\(text)")
  }

  @Test func `a mark that stands before a line and below it at once is read once`() throws {
    let text = try shown(
      line("Large", 72, 700, size: 20) + line("x", 73, 697, size: 4)
        + (0..<3).map { line("text below, \($0)", 72, 660 - $0 * 12) }.joined())
    #expect(text.contains("x") && text.contains("Large"), "\(text)")
  }
}
