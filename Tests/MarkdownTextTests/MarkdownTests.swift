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
    #expect(
      String(decoding: writer.bytes, as: UTF8.self) == """
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
    let text = String(decoding: writer.bytes, as: UTF8.self)
    #expect(text == "1. entry 0\n2. entry 1\n3. entry 2\n4. entry 3\n")
  }
}
