import PDFSyntax
import TestSupport
import Testing

@testable import PDFText

/// Forms: content that other content draws.
struct FormXObjectTests {
  /// A page whose objects from 6 on are forms with a content and entries of their own.
  private func page(
    _ content: String, resources: String = "/XObject<</X 6 0 R/Y 7 0 R/Z 8 0 R>>",
    forms: [(content: String, entries: String)]
  ) throws -> TextPage {
    var builder = PDFBuilder()
    builder.add("<</Type/Catalog/Pages 2 0 R>>")
    builder.add("<</Type/Pages/Kids[3 0 R]/Count 1/MediaBox[0 0 612 792]>>")
    builder.add(
      "<</Type/Page/Parent 2 0 R/Contents 4 0 R"
        + "/Resources<</Font<</F1 5 0 R>>\(resources)>>>>")
    builder.addStream(Array(content.utf8))
    builder.add("<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>")
    for form in forms {
      builder.addStream(
        Array(form.content.utf8), entries: "/Type/XObject/Subtype/Form\(form.entries)")
    }
    let extractor = try TextExtractor(PDFFile(FileBytes(builder.file(root: 1))))
    return try #require(extractor.page(0))
  }

  private func line(_ text: String, _ y: Int) -> String {
    "BT /F1 10 Tf 72 \(y) Td (\(text)) Tj ET "
  }

  @Test func `forms are read where they are drawn`() throws {
    let page = try page(
      line("one", 700) + "/X Do " + line("three", 660), forms: [(line("two", 680), "")])
    #expect(page.text == "one\ntwo\nthree\n")
  }

  @Test func `forms in forms use what they have and else what is around them`() throws {
    let page = try page(
      "/X Do",
      forms: [
        (line("outer", 700) + "/Y Do", ""),
        (
          "/G Do BT /F2 10 Tf 72 660 Td <80> Tj ET",
          "/Resources<</Font<</F2<</Subtype/TrueType/BaseFont/Any>>>>/XObject<</G 8 0 R>>>>"
        ),
        ("BT /F2 10 Tf 72 680 Td <80> Tj ET", ""),
      ])
    #expect(page.text == "outer\n€\n€\n")
  }

  @Test func `the matrix of a form moves its text`() throws {
    let page = try page(
      "q 2 0 0 2 0 0 cm /X Do Q", forms: [(line("moved", 0), "/Matrix[1 0 0 1 -12 100]")])
    let box = try #require(page.words.first).box
    // (72 - 12) · 2 from the left, 100 · 2 from the bottom.
    #expect((box.x0 - 120).magnitude < 0.01)
    #expect((box.y1 - (792 - 200 + 4)).magnitude < 0.01)
    #expect((try #require(page.words.first).size - 20).magnitude < 0.01)
  }

  @Test func `a form may be drawn again and again`() throws {
    let page = try page(
      "/X Do 1 0 0 1 0 -20 cm /X Do 1 0 0 1 0 -20 cm /X Do", forms: [(line("stamp", 700), "")])
    #expect(page.text == "stamp\nstamp\nstamp\n")
  }

  @Test func `forms that draw each other end`() throws {
    let page = try page(
      "/X Do " + line("page", 600),
      forms: [(line("x", 700) + "/Y Do", ""), (line("y", 680) + "/X Do", "")])
    #expect(page.text == "x\ny\npage\n")
  }

  @Test func `what a form changes ends with it`() throws {
    let page = try page(
      "BT /F1 10 Tf 72 700 Td ET /X Do BT 72 680 Td (page) Tj ET",
      forms: [("q q /F1 40 Tf 5 Tc 1 0 0 1 300 300 cm Q 30 Tf 10 0 0 10 0 0 cm", "")])
    let word = try #require(page.words.first)
    #expect(word.size == 10 && (word.box.x0 - 72).magnitude < 0.01)
  }

  @Test func `a form has no hand on the states of its page`() throws {
    let page = try page(
      "q 1 0 0 1 100 0 cm /X Do " + line("in", 700) + "Q " + line("out", 680),
      forms: [("Q Q Q Q", "")])
    #expect(page.words.map { Int($0.box.x0.rounded()) } == [172, 72])
  }

  @Test func `a mark that a form leaves open ends with it`() throws {
    let page = try page(
      "/X Do " + line("page", 680),
      forms: [("/Span<</ActualText(form)>>BDC " + line("x", 700), "")])
    #expect(page.text == "form\npage\n")
  }

  @Test func `a form inside a text object does not move the text`() throws {
    let page = try page(
      "BT /F1 10 Tf 72 700 Td (one) Tj /X Do ( two) Tj ET",
      forms: [("BT 1 0 0 1 300 300 Tm ET", "")])
    #expect(page.text == "one two\n")
  }

  @Test func `objects that are missing, images or of no kind are passed over`() throws {
    let page = try page(
      "/X Do /Nowhere Do Do /Y Do " + line("page", 700), resources: "/XObject<</X 99 0 R/Y 6 0 R>>",
      forms: [("BT /F1 10 Tf 72 600 Td (image) Tj ET", "/Subtype/Image/Width 1/Height 1")])
    #expect(page.text == "page\n")
  }

  @Test func `patterns and glyph procedures are not run`() throws {
    var builder = PDFBuilder()
    builder.add("<</Type/Catalog/Pages 2 0 R>>")
    builder.add("<</Type/Pages/Kids[3 0 R]/Count 1/MediaBox[0 0 300 300]>>")
    builder.add(
      "<</Type/Page/Parent 2 0 R/Contents 4 0 R/Resources<</Pattern<</P 6 0 R>>"
        + "/Font<</F1 5 0 R/T 7 0 R>>>>>>")
    builder.addStream(
      Array("/Pattern cs /P scn 0 0 300 300 re f BT /T 9 Tf 20 90 Td (a) Tj ET".utf8))
    builder.add("<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>")
    let own = "/Pattern<</P 6 0 R>>/Font<</F1 5 0 R/T 7 0 R>>"
    builder.addStream(
      Array("/P scn 0 0 9 9 re f BT /F1 9 Tf (pattern) Tj ET".utf8),
      entries: "/PatternType 1/PaintType 1/BBox[0 0 9 9]/XStep 9/YStep 9/Resources<<\(own)>>")
    builder.add(
      "<</Type/Font/Subtype/Type3/FontMatrix[.01 0 0 .01 0 0]/FontBBox[0 0 100 100]/FirstChar 97"
        + "/Widths[50]/Encoding<</Differences[97/a]>>/CharProcs<</a 8 0 R>>/Resources<<\(own)>>>>")
    builder.addStream(Array("50 0 d0 BT /F1 50 Tf (glyph) Tj /T 9 Tf (a) Tj ET".utf8))
    #expect(try text(builder.file(root: 1)) == "a\n")
  }
}
