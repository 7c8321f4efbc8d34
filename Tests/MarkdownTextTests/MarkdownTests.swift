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

  private func markdown(_ contents: [String], outline: [OutlineEntry] = []) throws -> String {
    let extractor = try TextExtractor(PDFFile(FileBytes(PDFBuilder.pages(contents))))
    extractor.notesRules = true
    var writer = MarkdownWriter(outline: outline)
    for index in 0..<extractor.pageCount { writer.add(try #require(extractor.page(index))) }
    return String(decoding: writer.finish(), as: UTF8.self)
  }

  /// A page whose lines are marked content 0, 1, …, with a structure tree of these kids of the root.
  private func tagged(_ lines: [String], kids: String) throws -> String {
    var builder = PDFBuilder()
    let catalog = builder.add("")
    let tree = builder.add("")
    let font = builder.add(
      "<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>")
    let content = lines.enumerated().map { index, text in
      "/P <</MCID \(index)>> BDC \(line(text, y: 700 - 30 * index)) EMC "
    }
    let stream = builder.addStream(Array(content.joined().utf8))
    let page = builder.add(
      "<</Type/Page/Parent \(tree) 0 R/MediaBox[0 0 612 792]/Contents \(stream) 0 R/Resources<</Font<</F1 \(font) 0 R>>>>>>"
    )
    builder.replace(tree, "<</Type/Pages/Count 1/Kids[\(page) 0 R]>>")
    let root = builder.add(
      "<</Type/StructTreeRoot/RoleMap<</Chapter/H1>>/K<</S/Document/Pg \(page) 0 R/K[\(kids)]>>>>")
    builder.replace(
      catalog,
      "<</Type/Catalog/Pages \(tree) 0 R/StructTreeRoot \(root) 0 R/MarkInfo<</Marked true>>>>")
    let extractor = try TextExtractor(PDFFile(FileBytes(builder.file(root: catalog))))
    extractor.notesHeadings = true
    var writer = MarkdownWriter()
    writer.add(try #require(extractor.page(0)))
    return String(decoding: writer.finish(), as: UTF8.self)
  }

  @Test
  func `structure tags tell headings that look like the text, unless they call most of it so`()
    throws
  {
    let text = String(repeating: "It was long and it went on. ", count: 3)
    let lines = ["Harbours of the North", text, "The tides", text, "Year", text]
    let kids = """
      <</S/Chapter/K 0>> <</S/P/K 1>> <</S/Sect/K[<</S/H2/K[<</S/Span/K 2>>]>> <</S/P/K[<</Type/MCR/MCID 3>>]>>]>>
      <</S/Table/K<</S/TR/K<</S/TH/K<</S/H1/K 4>>>>>>>> <</S/P/K 5>>
      """
    #expect(headings(try tagged(lines, kids: kids)) == ["# Harbours of the North", "## The tides"])
    let all = (0..<6).map { "<</S/H1/K \($0)>>" }.joined(separator: " ")
    #expect(headings(try tagged(lines, kids: all)) == [])
    // A tree that leads back to itself ends.
    #expect(
      headings(try tagged(lines, kids: "6 0 R <</S/H1/K 0>> <</S/P/K 1>>")) == [
        "# Harbours of the North"
      ])
  }

  @Test func `sequences within one another do not multiply what is kept of a page`() throws {
    var builder = PDFBuilder()
    let catalog = builder.add("")
    let tree = builder.add("")
    let font = builder.add("<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>")
    let marks = (0..<4000).map { "/P <</MCID \($0)>> BDC " }.joined()
    let text = line(String(repeating: "x", count: 5000), y: 700, size: 1)
    let stream = builder.addStream(
      Array((marks + text + String(repeating: "EMC ", count: 4000)).utf8))
    let page = builder.add(
      "<</Type/Page/Parent \(tree) 0 R/MediaBox[0 0 612 792]/Contents \(stream) 0 R/Resources<</Font<</F1 \(font) 0 R>>>>>>"
    )
    builder.replace(tree, "<</Type/Pages/Count 1/Kids[\(page) 0 R]>>")
    let kids = (0..<4000).map { "<</S/H1/K \($0)>> <</S/P/K \($0)>>" }.joined()
    let root = builder.add("<</K<</S/Document/Pg \(page) 0 R/K[\(kids)]>>>>")
    builder.replace(catalog, "<</Type/Catalog/Pages \(tree) 0 R/StructTreeRoot \(root) 0 R>>")
    let extractor = try TextExtractor(PDFFile(FileBytes(builder.file(root: catalog))))
    extractor.notesHeadings = true
    let headings = try #require(extractor.page(0)).headings
    #expect(headings.count == 4000)
    // 20,000,000 letters without a bound.
    #expect(headings.reduce(0) { $0 + $1.text.utf8.count } <= 100_000)
  }

  private func headings(_ markdown: String) -> [String] {
    markdown.split(separator: "\n").filter { $0.hasPrefix("#") }.map(String.init)
  }

  @Test func `headings have the rank of their size in the document`() throws {
    let text = String(repeating: "It was long and it went on. ", count: 3)
    let first =
      line("Harbours", y: 760, size: 13) + line(text, y: 735) + line("Tides", y: 700, size: 12)
      + line(text, y: 680) + line("T", y: 600, size: 30) + line("4711", y: 500, size: 18)
    let second = line("The Survey", y: 760, size: 24) + line(text, y: 735)
    #expect(
      headings(try markdown([first, second]))
        == ["## Harbours", "### Tides", "# The Survey"])
  }

  @Test func `items and sentences are no headings, however large`() throws {
    let text = String(repeating: "It was long and it went on. ", count: 3)
    let content =
      line("\\225 An item of a list", y: 760, size: 13)
      + line("All that follows on these pages is what was seen on the coast.", y: 730, size: 13)
      + line(text, y: 700) + line(text, y: 688)
    #expect(headings(try markdown([content])).isEmpty)
  }

  @Test func `numbers of headings tell their level, also on neighboring lines`() throws {
    let text = String(repeating: "It was long and it went on. ", count: 3)
    let content =
      line("The Survey", y: 760, size: 24) + line("1 Harbours", y: 720, size: 13)
      + line("1.1 Tides", y: 705, size: 13) + line(text, y: 680)
    #expect(
      headings(try markdown([content])) == ["# The Survey", "## 1 Harbours", "### 1.1 Tides"])
  }

  @Test func `the outline tells headings that are set like the text`() throws {
    let content =
      line("I. Harbours", y: 720) + line("It was long and it", y: 708) + line("went on.", y: 696)
    let outline = [OutlineEntry(title: "Harbours", level: 2, page: 1)]
    #expect(
      try markdown([content], outline: outline)
        == "## I. Harbours\n\nIt was long and it went on.\n")
    #expect(headings(try markdown([content])).isEmpty)
  }

  @Test func `of titles that end alike the outline's own is taken, behind its number alone`() throws
  {
    let content = line("iv. Civil Harbours", y: 720) + line("It was long and it went on.", y: 690)
    let outline = [
      OutlineEntry(title: "Harbours", level: 3, page: 1),
      OutlineEntry(title: "Civil Harbours", level: 2, page: 1),
    ]
    #expect(headings(try markdown([content], outline: outline)) == ["## iv. Civil Harbours"])
    #expect(headings(try markdown([content], outline: [outline[0]])).isEmpty)
  }

  @Test func `a list within a list is indented`() throws {
    let content =
      line("1. first", y: 700) + line("a\\) inner", x: 90, y: 688)
      + line("\\(ii\\) innermost", x: 108, y: 676) + line("2. second", y: 664)
    #expect(
      try markdown([content])
        == "1. first\n    - a) inner\n        - (ii) innermost\n2. second\n")
  }

  @Test func `dots that lead to pages make a table of contents`() throws {
    let dots = String(repeating: ".", count: 30)
    let content =
      line("1 Harbours \(dots) 3", y: 700) + line("1.1 Tides \(dots) 4", y: 688)
      + line("Index \(dots) 17", y: 676)
    #expect(try markdown([content]) == "- 1 Harbours … 3\n  - 1.1 Tides … 4\n- Index … 17\n")
  }

  @Test func `exponents and indices stay above and below the line`() throws {
    let content =
      "BT /F1 10 Tf 72 700 Td (It is 2 x 10) Tj /F1 7 Tf 4 Ts (-5) Tj /F1 10 Tf 0 Ts ( of H) Tj "
      + "/F1 7 Tf -2 Ts (2) Tj /F1 10 Tf 0 Ts (O here) Tj ET"
    #expect(try markdown([content]) == "It is 2 x 10⁻⁵ of H₂O here\n")
  }

  @Test func `links lead where the page does, to the web and to mail alone`() throws {
    func links(_ address: String) throws -> String {
      var builder = PDFBuilder()
      builder.add("<</Type/Catalog/Pages 2 0 R>>")
      builder.add("<</Type/Pages/Kids[3 0 R]/Count 1/MediaBox[0 0 612 792]>>")
      builder.add(
        "<</Type/Page/Parent 2 0 R/Contents 4 0 R/Resources<</Font<</F1 5 0 R>>>>/Annots[<<"
          + "/Type/Annot/Subtype/Link/Rect[90 695 113 712]/A<</S/URI/URI(\(address))>>>>]>>")
      builder.addStream(Array(line("See the survey of it", y: 700).utf8))
      builder.add("<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>")
      let extractor = try TextExtractor(PDFFile(FileBytes(builder.file(root: 1))))
      extractor.notesLinks = true
      var writer = MarkdownWriter()
      writer.add(try #require(extractor.page(0)))
      return String(decoding: writer.finish(), as: UTF8.self)
    }
    #expect(try links("https://a.example/b_\\(c\\)").contains("](https://a.example/b_%28c%29)"))
    #expect(!(try links("javascript:alert\\(1\\)").contains("](")))
    #expect(!(try links("https://a.example/ x").contains("](")))
  }

  @Test func `code within a paragraph is verbatim`() throws {
    var builder = PDFBuilder()
    builder.add("<</Type/Catalog/Pages 2 0 R>>")
    builder.add("<</Type/Pages/Kids[3 0 R]/Count 1/MediaBox[0 0 612 792]>>")
    builder.add(
      "<</Type/Page/Parent 2 0 R/Contents 4 0 R/Resources<</Font<</F1 5 0 R/F2 6 0 R>>>>>>")
    builder.addStream(
      Array(
        "BT /F1 10 Tf 72 700 Td (Call ) Tj /F2 10 Tf (a*b_c) Tj /F2 10 Tf ( `x`, ) Tj /F1 10 Tf (then.) Tj ET"
          .utf8))
    builder.add("<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>")
    builder.add("<</Type/Font/Subtype/Type1/BaseFont/Courier/Encoding/WinAnsiEncoding>>")
    let extractor = try TextExtractor(PDFFile(FileBytes(builder.file(root: 1))))
    var writer = MarkdownWriter()
    writer.add(try #require(extractor.page(0)))
    #expect(String(decoding: writer.finish(), as: UTF8.self) == "Call ``a*b_c `x`,`` then.\n")
  }

  @Test func `lines of Japanese are joined without a blank, those of Korean with one`() throws {
    for (above, below, expected) in [("潮の話", "を聞く", "潮の話を聞く\n"), ("조석", "이야기", "조석 이야기\n")] {
      var page = UnicodePage()
      page.show(above, x: 72, y: 700)
      page.show(below, x: 72, y: 688)
      let extractor = try TextExtractor(PDFFile(FileBytes(page.file)))
      var writer = MarkdownWriter()
      writer.add(try #require(extractor.page(0)))
      #expect(String(decoding: writer.finish(), as: UTF8.self) == expected)
    }
  }

  @Test func `a hyphen that stands elsewhere in the document is kept`() throws {
    let pages = [
      line("It is a two-", y: 700) + line("stage plan.", y: 688),
      line("Each two-stage plan.", y: 700),
    ]
    #expect(try markdown(pages) == "It is a two-stage plan.\n\nEach two-stage plan.\n")
  }

  @Test func `notes and heads that run into their text begin paragraphs`() throws {
    let notes =
      "BT /F1 6 Tf 72 104 Td (1) Tj /F1 9 Tf 4 -3 Td (estimate of a year) Tj ET "
      + "BT /F1 6 Tf 72 94 Td (2) Tj /F1 9 Tf 4 -3 Td (another one) Tj ET "
    #expect(try markdown([notes]) == "¹ estimate of a year\n\n² another one\n")
  }
}
