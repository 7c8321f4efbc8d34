import PDFSyntax
import TestSupport
import Testing

@testable import PDFText

struct ExtractionTests {
  private func page(_ content: String, page: String = "") throws -> TextPage {
    let file = try PDFFile(FileBytes(PDFBuilder.pages([content], page: page)))
    return try #require(try TextExtractor(file).page(0))
  }

  @Test func `lines come in order with words and boxes`() throws {
    let page = try page(PDFBuilder.lines(["Hello World", "second line"]))
    #expect(page.text == "Hello World\nsecond line\n")
    #expect(page.words.count == 4 && page.lines.count == 2)
    let box = try #require(page.words.first).box
    #expect((71...73).contains(box.x0))
    // The baseline is 720 above the bottom, so 72 below the top.
    #expect(box.y0 < 72 && box.y1 > 72 && box.y1 < 76)
  }

  @Test func `the document of our own that workers read before they fork is in order`() throws {
    let extractor = try #require(TextExtractor.rehearsal())
    #expect(extractor.page(0)?.text == "First words, and more\nAÄ A\nin two lines\n")
    #expect(extractor.file.diagnostics.list.isEmpty && !extractor.file.wasRebuilt)
    #expect(DocumentInformation(extractor.file).title == "Sample")
  }

  @Test func `a gap in an array of strings is a blank, kerning is none`() throws {
    let page = try page("BT /F1 12 Tf 72 700 Td [(Ta) 80 (ble) -400 (two)] TJ ET")
    #expect(page.text == "Table two\n")
  }

  @Test func `letterspaced words stay whole`() throws {
    let page = try page("BT /F1 12 Tf 4 Tc 72 700 Td (WIDE WORDS) Tj ET")
    #expect(page.text == "WIDE WORDS\n")
  }

  @Test func `the raised number of a footnote is no part of its first word`() throws {
    let content = "BT /F1 6 Tf 72 703 Td (12) Tj /F1 9 Tf 6.7 -3 Td (Thus it was) Tj ET"
    #expect(try page(content).text == "12 Thus it was\n")
  }

  @Test func `a rotated page is read upright`() throws {
    let content = "BT 0 1 -1 0 300 100 Tm /F1 12 Tf (upright text) Tj ET"
    let page = try page(content, page: "/Rotate 90")
    #expect(page.text == "upright text\n")
    #expect(page.words.first?.angle == 0)
    #expect(page.width == 792 && page.height == 612)
  }

  @Test func `fake bold is printed once`() throws {
    let once = "BT /F1 12 Tf 72 700 Td (Bold heading) Tj ET "
    let again = "BT /F1 12 Tf 72.4 700 Td (Bold heading) Tj ET "
    #expect(try page(once + again + again).text == "Bold heading\n")
  }

  @Test func `text outside the crop box is left out`() throws {
    let content = "BT /F1 12 Tf 72 700 Td (inside) Tj 0 -650 Td (outside) Tj ET"
    #expect(try page(content, page: "/CropBox[0 400 612 792]").text == "inside\n")
  }

  @Test func `invisible text is kept`() throws {
    #expect(try page("BT 3 Tr /F1 12 Tf 72 700 Td (scanned) Tj ET").text == "scanned\n")
  }

  @Test func `replacement text takes the place of glyphs`() throws {
    let content = "BT /F1 12 Tf 72 700 Td /Span <</ActualText (fish)>> BDC (xyz) Tj EMC ET"
    #expect(try page(content).text == "fish\n")
  }

  @Test func `inline images are skipped whatever they hold`() throws {
    let content = "BI /W 4 /H 1 /BPC 8 /CS /G ID EI Q EI\nBT /F1 12 Tf 72 700 Td (after) Tj ET"
    #expect(try page(content).text == "after\n")
  }

  @Test func `accents are joined with their letters`() throws {
    let content =
      "BT /F1 12 Tf 72 700 Td (caf) Tj (\\264) Tj -5 0 Td ET "
      + "BT /F1 12 Tf 72 660 Td [(\\264) 400 (e)] TJ ET"
    let text = try page(content).text
    #expect(text.contains("é"))
  }

  @Test func `columns drawn one after another are read one after another`() throws {
    var content = ""
    for (x, name) in [(72, "left"), (320, "right")] {
      for line in 0..<5 {
        content += "BT /F1 10 Tf \(x) \(700 - line * 12) Td (\(name) column line \(line)) Tj ET "
      }
    }
    let words = try page(content).text.split(separator: "\n")
    #expect(words.count == 10 && words[4].hasPrefix("left") && words[5].hasPrefix("right"))
  }

  @Test func `lines drawn in any order are sorted`() throws {
    var content = ""
    for line in [4, 1, 7, 0, 3, 6, 2, 5] {
      content += "BT /F1 10 Tf 72 \(700 - line * 12) Td (line \(line)) Tj ET "
    }
    let text = try page(content).text
    #expect(text == (0..<8).map { "line \($0)\n" }.joined())
  }

  @Test func `a form that draws itself ends`() throws {
    var builder = PDFBuilder()
    let catalog = builder.add("<</Type/Catalog/Pages 2 0 R>>")
    builder.add("<</Type/Pages/Kids[3 0 R]/Count 1/MediaBox[0 0 200 200]>>")
    builder.add(
      "<</Type/Page/Parent 2 0 R/Contents 4 0 R/Resources<</XObject<</X 5 0 R>>/Font<</F1 6 0 R>>>>>>"
    )
    builder.addStream(Array("/X Do".utf8))
    builder.addStream(
      Array("BT /F1 9 Tf 20 20 Td (form) Tj ET /X Do".utf8), entries: "/Type/XObject/Subtype/Form")
    builder.add("<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>")
    let file = try PDFFile(FileBytes(builder.file(root: catalog)))
    #expect(try TextExtractor(file).page(0)?.text == "form\n")
  }

  @Test func `pages without text are told`() throws {
    let bytes = PDFBuilder.pages([PDFBuilder.lines(["text"]), "0 0 10 10 re f"])
    let extractor = try TextExtractor(PDFFile(FileBytes(bytes)))
    #expect(extractor.pagesWithoutText() == [1])
  }
}
