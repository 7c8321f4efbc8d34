import MarkdownText
import PDFSyntax
import PDFText
import TestSupport
import Testing

/// The text of a document as Markdown.
struct MarkdownTests {
  private func page(_ content: String) throws -> TextPage {
    let extractor = try TextExtractor(PDFFile(FileBytes(PDFBuilder.pages([content]))))
    extractor.notesRules = true
    return try #require(extractor.page(0))
  }

  private func line(_ text: String, x: Int = 72, y: Int, size: Int = 10) -> String {
    "BT /F1 \(size) Tf \(x) \(y) Td (\(text)) Tj ET "
  }

  private func table() -> String {
    var content = ""
    for (row, cells) in [["Item", "Count"], ["Lamp", "121"], ["Tide gauge", "7"]].enumerated() {
      content += line(cells[0], y: 700 - 14 * row) + line(cells[1], x: 200, y: 700 - 14 * row)
    }
    return content
  }

  @Test func `markdown has headings, paragraphs, lists and tables`() throws {
    var content = line("The Survey", y: 760, size: 20)
    content += line("It was long and it", y: 735) + line("went on.", y: 723)
    content += table()
    content += line("- first", y: 640) + line("- second *", y: 628)
    var writer = MarkdownWriter()
    writer.add(try page(content))
    let markdown = writer.finish()
    #expect(
      String(decoding: markdown, as: UTF8.self) == """
        # The Survey

        It was long and it went on.

        | Item | Count |
        | --- | --- |
        | Lamp | 121 |
        | Tide gauge | 7 |

        - first
        - second \\*

        """)
  }

  @Test func `the mark of a list that stands apart makes no table`() throws {
    var content = ""
    for row in 0..<4 {
      content +=
        line("\(row + 1).", y: 700 - 14 * row) + line("entry \(row)", x: 100, y: 700 - 14 * row)
    }
    var writer = MarkdownWriter()
    writer.add(try page(content))
    let text = String(decoding: writer.finish(), as: UTF8.self)
    #expect(text == "1. entry 0\n2. entry 1\n3. entry 2\n4. entry 3\n")
  }

  @Test func `every word of a page is in its Markdown, those on the lines of a table too`() throws {
    var content = table()
    // Beside the table and on its lines, but none of it; dots that lead to a figure are no word.
    content += line("Beside it stands a note that is quite long", x: 330, y: 686)
    content += line("Chapter .................... 17", y: 600)
    content += line("A stamp", x: 500, y: 100, size: 30)
    let page = try page(content)
    var writer = MarkdownWriter()
    writer.add(page)
    let text = String(decoding: writer.finish(), as: UTF8.self)
    for word in page.words.map({ page.text($0) }) where !word.allSatisfy({ $0 == "." }) {
      #expect(text.contains(word), "\(word) in \(text)")
    }
  }

  @Test func `running heads and feet are left out, or kept`() throws {
    let contents = (1...6).map { number in
      line("The Survey of the Coast", y: 770) + line("It was page \(number) of it.", y: 500)
        // A title that stands on two pages alone is text.
        + (number < 3 ? line("Part one", y: 40) : "") + line("\(number + 10)", x: 300, y: 20)
    }
    let extractor = try TextExtractor(PDFFile(FileBytes(PDFBuilder.pages(contents))))
    for keeps in [false, true] {
      var writer = MarkdownWriter(keepsRunningLines: keeps)
      for index in 0..<6 { writer.add(try #require(extractor.page(index))) }
      let text = String(decoding: writer.finish(), as: UTF8.self)
      #expect(text.contains("The Survey of the Coast") == keeps)
      #expect(text.contains("11") == keeps && text.contains("16") == keeps)
      #expect(text.contains("Part one"))
      for number in 1...6 { #expect(text.contains("It was page \(number) of it.")) }
      #expect(writer.leftOut == (keeps ? 0 : 12))
    }
  }

  @Test func `rows of a head below the first are rows, and titles are paragraphs`() throws {
    var content = ""
    func rule(_ x0: Int, _ y0: Int, _ x1: Int, _ y1: Int) {
      content += "\(x0) \(y0) m \(x1) \(y1) l S "
    }
    for y in [720, 700, 680, 660, 640] { rule(60, y, 300, y) }
    for x in [60, 300] { rule(x, 720, x, 640) }
    for x in [140, 220] { rule(x, 700, x, 640) }
    content += line("Sales of all shops", x: 64, y: 706)
    content += line("Shop", x: 64, y: 686) + line("2021", x: 144, y: 686)
    content += line("2022", x: 224, y: 686)
    content += line("North", x: 64, y: 666) + line("1,204", x: 144, y: 666)
    content += line("1,310", x: 224, y: 666)
    content += line("South", x: 64, y: 646) + line("804", x: 144, y: 646)
    content += line("790", x: 224, y: 646)
    var writer = MarkdownWriter()
    writer.add(try page(content))
    let markdown = writer.finish()
    #expect(
      String(decoding: markdown, as: UTF8.self) == """
        Sales of all shops

        | Shop | 2021 | 2022 |
        | --- | --- | --- |
        | North | 1,204 | 1,310 |
        | South | 804 | 790 |

        """)
  }
}
