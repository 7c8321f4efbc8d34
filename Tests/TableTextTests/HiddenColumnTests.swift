import PDFText
import Testing

@testable import TableText

/// Ruled tables whose words say more than their lines, and drawings that are no tables.
struct HiddenColumnTests {
  @Test func `column lines that the head alone has part the rows below it too`() throws {
    var page = DrawnPage()
    let xs = [60.0, 160, 240, 320, 400]
    for x in xs { page.line(x, 100, x, 118) }
    page.line(60, 118, 60, 182)
    page.line(400, 118, 400, 182)
    for y in [100.0, 118, 134, 150, 166, 182] { page.line(60, y, 400, y) }
    page.row(["Country", "Domestic", "Imported", "Total"], at: xs.map { $0 + 4 }, 112)
    let rows = [
      ["Austria", "86.2", "13.8", "3,375"], ["Czech Republic", "98.6", "1.4", "17,655"],
      ["France", "0", "100.0", "5,510"], ["Italy", "0", "100.0", "4,499"],
    ]
    for (index, row) in rows.enumerated() {
      page.row(row, at: xs.map { $0 + 4 }, 130 + Double(index) * 16)
    }
    let table = try #require(try DrawnPage.tables([page]).first)
    #expect(table.names == ["Country", "Domestic", "Imported", "Total"])
    #expect(table.rows.map(\.cells) == rows)
  }

  @Test func `figures that share a drawn column are columns of their own under their group`() throws
  {
    var page = DrawnPage()
    page.grid([60, 140, 300], [100, 136, 200])
    page.text("Age", 64, 114)
    page.text("Population of the region", 164, 114)
    page.row(["Male", "Female"], at: [164, 244], 130)
    let rows = [["0-19", "1,204", "1,310"], ["20-59", "804", "790"], ["60+", "311", "402"]]
    for (index, row) in rows.enumerated() {
      let y = 150 + Double(index) * 16
      page.text(row[0], 64, y)
      page.number(row[1], endingAt: 190, y)
      page.number(row[2], endingAt: 280, y)
    }
    let table = try #require(try DrawnPage.tables([page]).first)
    #expect(
      table.names == [
        "Age", "Population of the region Male", "Population of the region Female",
      ])
    #expect(table.rows.map(\.cells) == rows)
  }

  @Test func `blank lines through a drawn row part it`() throws {
    var page = DrawnPage()
    page.grid([60, 140, 300], [100, 118, 230])
    page.row(["Source", "Definition"], at: [64, 144], 112)
    page.text("Stationary:", 64, 132)
    page.row(["Major", "Emissions of ten tons"], at: [70, 144], 160)
    page.text("or more of one toxic", 144, 172)
    page.row(["Area", "Emissions of less than"], at: [70, 144], 200)
    page.text("ten tons of any one", 144, 212)
    let table = try #require(try DrawnPage.tables([page]).first)
    let cells = table.rows.map(\.cells)
    #expect(cells.contains(["Major", "Emissions of ten tons or more of one toxic"]), "\(cells)")
    #expect(cells.contains(["Area", "Emissions of less than ten tons of any one"]), "\(cells)")
  }

  @Test func `the axes and bars of a chart are no table`() throws {
    var page = DrawnPage()
    let xs = (0...12).map { 60 + Double($0) * 30 }
    page.grid(xs, [100, 130, 160, 190, 220, 250])
    for (index, label) in ["1980s", "1990s", "2000s", "2010s", "2020s"].enumerated() {
      page.text(label, 62 + Double(index * 2) * 30, 118 + Double(index) * 30, size: 8)
    }
    let tables = try DrawnPage.tables([page])
    #expect(tables.isEmpty, "\(tables.map { $0.rows.map(\.cells) })")
  }

  @Test func `running text with wide blanks and prose beside a list make no table`() throws {
    var page = DrawnPage()
    for row in 0..<8 {
      page.text("the left column goes on as a sentence does \(row)", 60, 100 + Double(row) * 12)
    }
    for row in 0..<8 {
      page.text("\(row)", 330, 100 + Double(row) * 12)
      page.text("step \(row)", 360, 100 + Double(row) * 12)
    }
    let tables = try DrawnPage.tables([page])
    #expect(
      tables.allSatisfy { $0.rows.allSatisfy { $0.cells.allSatisfy { !$0.contains("sentence") } } },
      "\(tables.map { $0.rows.map(\.cells) })")
  }

  @Test func `prose beside a list of items with bullets is no column of it`() throws {
    var page = DrawnPage()
    let prose: [(y: Double, text: String)] = [
      (36.1, "Average upper service by old"),
      (102.1, "Median of timber meter the market revenue account capital."),
      (112.9, "Paper annual interest software parking airport station expense"),
      (123.7, "gross printing balance village the traffic leather over 716."),
      (134.5, "Water general and winter traffic engine harbor the interest from"),
      (145.3, "license harbor of average copper."),
      (162.5, "Regular repair private fishing on meter island research winter"),
      (173.3, "district leather other over 20. Student subsidy southern for"),
      (184.1, "garden winter at eastern by public total at median eastern"),
      (194.9, "copper. Southern service railway by software leather upper on"),
      (205.7, "silver leather hardware survey water central western. Account"),
    ]
    let items: [(y: Double, text: String)] = [
      (80.5, "Special mining of harbor western net subsidy old on"),
      (91.3, "supply border the special expense weekly general training"),
      (102.1, "capital other"),
      (114.9, "Special special southern and leather on upper winter"),
      (127.7, "Training service paper and signal for weekly letter annual"),
      (138.5, "old station ticket"),
      (151.3, "Upper parking eastern plastic daily pension farming signal"),
      (162.1, "textile report leather budget mining license county rental"),
      (172.9, "repair private project museum"),
      (185.7, "Regular district daily regular supply farming at island the"),
      (196.5, "budget airport"),
    ]
    page.text("Railway mining expense revenue", 60, 68.6, size: 14)
    page.text("leather farming", 60, 85.9, size: 14)
    page.text("the paper revenue.", 307, 63.2, size: 8.6)
    page.text("Eastern student letter permit copper to mining subsidy at", 307, 209.3, size: 8.6)
    for line in prose { page.text(line.text, 60, line.y, size: 8.6) }
    for line in items { page.text(line.text, 325, line.y, size: 8.6) }
    for y in [80.3, 114.7, 127.5, 151.1, 185.5] { page.text("*", 311, y, size: 8.6) }
    let tables = try DrawnPage.tables([page])
    #expect(tables.isEmpty, "\(tables.map { $0.rows.map(\.cells) })")
  }

  /// Short lines end paragraphs and headings stand alone: hardly more than half of the lines are full.
  @Test
  func `prose of short paragraphs beside a box of facts that is read first is no column of it`()
    throws
  {
    var page = DrawnPage()
    let facts = [
      ["Author", "Ann Other"], ["Maker", "The Works"], ["First", "2 July 2011"],
      ["State", "4.0.379 of"], ["", "December"], ["Written in", "Scheme, Forth"],
      ["Runs on", "most engines"], ["Size", "3.94 MB"], ["Kind", "viewer"],
      ["Licence", "Public 2.0"],
    ]
    for (index, fact) in facts.enumerated() {
      page.row(fact, at: [330, 410], 100 + Double(index) * 15)
    }
    let prose = [
      "Of what the pages of a book hold, most is", "shown.", "", "Behaviour", "",
      "It is quick for the most common pages, and", "is slow where drawings of many parts stand",
      "in them.", "", "Most of what pages may hold is shown by it,",
      "forms and notes among them; what is not yet", "there may change how.",
    ]
    for (index, line) in prose.enumerated() where !line.isEmpty {
      page.text(line, 60, 101 + Double(index) * 13)
    }
    let tables = try DrawnPage.tables([page])
    let cells = tables.flatMap { $0.rows.map(\.cells) }
    #expect(
      cells.contains(["Maker", "The Works"]) && cells.contains(["Kind", "viewer"]), "\(cells)")
    #expect(cells.allSatisfy { $0.count == 2 }, "\(cells)")
  }

  @Test func `lines with blanks stretched alike are no table`() throws {
    var page = DrawnPage()
    // Set to a width of 230 points.
    let lines: [(words: [String], xs: [Double])] = [
      (
        ["support", "or", "forms,", "but", "some", "have", "not", "been"],
        [60, 102.5, 120.5, 157.4, 180.4, 213.9, 244.7, 267.8]
      ),
      (
        ["given", "yet,", "which", "may", "change", "how", "it", "looks"],
        [60, 93.3, 118.9, 153.9, 182.2, 224.4, 252.2, 266.7]
      ),
      (
        ["depending", "on", "what", "a", "document", "uses."],
        [60, 109.5, 123.4, 147.3, 155.6, 202.3]
      ),
    ]
    for (row, line) in lines.enumerated() {
      page.row(line.words, at: line.xs, 100 + Double(row) * 13)
    }
    let tables = try DrawnPage.tables([page])
    #expect(tables.isEmpty, "\(tables.map { $0.rows.map(\.cells) })")
  }
}
