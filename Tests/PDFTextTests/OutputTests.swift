import Bytes
import Foundation
import PDFSyntax
import PDFText
import TestSupport
import Testing

/// The forms in which the text of a page is given.
struct OutputTests {
  private func page(_ content: String) throws -> TextPage {
    let extractor = try TextExtractor(PDFFile(FileBytes(PDFBuilder.pages([content]))))
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

  @Test func `divided words are put together where a small letter goes on`() throws {
    let content = PDFBuilder.lines([
      "the traf-", "fic of the North-", "South line, 20-", "30 trains",
    ])
    let joined = String(decoding: try page(content).joinedText(), as: UTF8.self)
    #expect(joined == "the traffic\nof the North-\nSouth line, 20-\n30 trains\n")
    #expect(try page(content).text.hasPrefix("the traf-\nfic of"))
  }

  @Test func `a hyphen that stands elsewhere on the page is kept`() throws {
    let content = PDFBuilder.lines(["a well-known thing is well-", "known"])
    let joined = String(decoding: try page(content).joinedText(), as: UTF8.self)
    #expect(joined == "a well-known thing is well-known\n")
  }

  @Test func `layout keeps columns and gaps`() throws {
    let content = table() + line("Behind", y: 644) + line("a gap", x: 72, y: 630)
    let text = String(decoding: try page(content).layoutText(), as: UTF8.self)
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    let counts = try ["Count", "121", "7"].map { wanted in
      let row = try #require(lines.first { $0.hasSuffix(wanted) })
      return row.distance(from: row.startIndex, to: try #require(row.range(of: wanted)).lowerBound)
    }
    #expect(Set(counts).count == 1)
    #expect(lines[1].hasPrefix("Lamp") && lines[3].isEmpty && lines[4] == "Behind")
  }

  @Test func `the JSON of a page is valid and tells blocks, lines, words and fonts`() throws {
    let page = try page(line("Two \\\"words\\\"", y: 700) + line("far below", y: 400, size: 20))
    var output = ByteWriter(reserving: 100)
    output.append("{")
    page.appendJSON(to: &output, withText: true)
    output.append("}")
    let json = try #require(
      JSONSerialization.jsonObject(with: Data(output.bytes)) as? [String: Any])
    let blocks = try #require(json["blocks"] as? [[String: Any]])
    let fonts = try #require(json["fonts"] as? [[String: Any]])
    #expect(blocks.count == 2 && json["rotation"] as? Int == 0)
    #expect(fonts.first?["name"] as? String == "Helvetica")
    let lines = try #require(blocks[0]["lines"] as? [[String: Any]])
    let words = try #require(lines.first?["words"] as? [[String: Any]])
    #expect(words.compactMap { $0["text"] as? String } == ["Two", "\"words\""])
    #expect(words.first?["font"] as? Int == 0 && words.first?["size"] as? Double == 10)
    let box = try #require(words.first?["box"] as? [Double])
    #expect(box[0] == 72 && box[1] < box[3] && box[3] > 92 && box[3] < 96)
  }

  @Test func `what the file says about itself is read in any encoding`() throws {
    var builder = PDFBuilder()
    builder.add("<</Type/Catalog/Pages 2 0 R/Lang(de-CH)>>")
    builder.add("<</Type/Pages/Kids[3 0 R]/Count 1/MediaBox[0 0 200 200]>>")
    builder.add("<</Type/Page/Parent 2 0 R>>")
    builder.add("<</Title<FEFF004100E4>/Producer(a \\200 b)>>")
    let file = try PDFFile(FileBytes(builder.file(root: 1, trailer: "/Info 4 0 R")))
    let information = DocumentInformation(file)
    #expect(information.title == "Aä" && information.language == "de-CH")
    #expect(information.producer == "a • b" && information.author == nil)
  }

  @Test func `characters without a meaning are counted`() throws {
    var builder = PDFBuilder()
    builder.add("<</Type/Catalog/Pages 2 0 R>>")
    builder.add("<</Type/Pages/Kids[3 0 R]/Count 1/MediaBox[0 0 200 200]>>")
    builder.add("<</Type/Page/Parent 2 0 R/Contents 4 0 R/Resources<</Font<</F1 5 0 R>>>>>>")
    builder.addStream(Array("BT /F1 9 Tf 20 20 Td <00010002> Tj ET".utf8))
    builder.add(
      "<</Type/Font/Subtype/Type0/BaseFont/Any/Encoding/Identity-H/DescendantFonts[6 0 R]>>")
    builder.add("<</Type/Font/Subtype/CIDFontType2/BaseFont/Any>>")
    let extractor = try TextExtractor(PDFFile(FileBytes(builder.file(root: 1))))
    let page = try #require(extractor.page(0))
    #expect(page.unknownCharacters == 2 && page.characters == 2)
  }

  @Test func `layout of words far apart on many rows stays small`() throws {
    var content = "BT /F1 0.1 Tf\n"
    for row in 0..<3000 {
      let y = 10 + Double(row) * 0.25
      content += "1 0 0 1 1 \(y) Tm (a) Tj 1 0 0 1 600 \(y) Tm (b) Tj\n"
    }
    let file = try PDFFile(FileBytes(PDFBuilder.pages([content + "ET"])))
    let page = try #require(try TextExtractor(file).page(0))
    #expect(page.layoutText().count < 1_100_000)
  }
}
