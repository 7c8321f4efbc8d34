import PDFSyntax
import TestSupport
import Testing

@testable import PDFText

/// Files made to cost much: each is read within bounds, and what is sound in it is read.
struct HostileFileTests {
  private func page(_ bytes: [UInt8], limits: WorkLimits = WorkLimits()) throws -> TextPage {
    let extractor = try TextExtractor(PDFFile(FileBytes(bytes)), limits: limits)
    return try #require(extractor.page(0))
  }

  /// A page with content, to whose resources more is added; further objects have numbers from 6 on.
  private func builder(_ content: String, resources: String = "", page: String = "") -> PDFBuilder {
    var builder = PDFBuilder()
    builder.add("<</Type/Catalog/Pages 2 0 R>>")
    builder.add("<</Type/Pages/Kids[3 0 R]/Count 1/MediaBox[0 0 612 792]>>")
    builder.add(
      "<</Type/Page/Parent 2 0 R/Contents 4 0 R"
        + "/Resources<</Font<</F1 5 0 R>>\(resources)>>\(page)>>")
    builder.addStream(Array(content.utf8))
    builder.add("<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>")
    return builder
  }

  private let line = "BT /F1 10 Tf 72 700 Td (text) Tj ET "

  // MARK: Structure

  @Test(arguments: ["[", "<</A ", "[<</A"])
  func `objects nested without end are cut`(piece: String) throws {
    var builder = builder(line, page: "/Extra 6 0 R")
    builder.add(String(repeating: piece, count: 50_000))
    let bytes = builder.file(root: 1)
    let file = try PDFFile(FileBytes(bytes))
    _ = file.object(6)
    #expect(try page(bytes).text == "text\n")
  }

  @Test func `a page tree tens of thousands of nodes deep ends`() throws {
    var builder = PDFBuilder()
    builder.add("<</Type/Catalog/Pages 2 0 R>>")
    let depth = 40_000
    for index in 0..<depth {
      builder.add("<</Type/Pages/Count 1/Kids[\(index + 3) 0 R]>>")
    }
    builder.add("<</Type/Page>>")
    let file = try PDFFile(FileBytes(builder.file(root: 1)))
    #expect(try PageTree(file).count == 1)
    #expect(file.diagnostics.isPartial)
  }

  @Test func `a page tree a hundred thousand kids wide is read`() throws {
    var builder = PDFBuilder()
    builder.add("<</Type/Catalog/Pages 2 0 R>>")
    let kids = String(repeating: "3 0 R ", count: 100_000)
    builder.add("<</Type/Pages/Count 100000/Kids[\(kids)]>>")
    builder.add("<</Type/Page>>")
    #expect(try PageTree(PDFFile(FileBytes(builder.file(root: 1)))).count == 100_000)
  }

  @Test func `no more pages are counted than the limit allows, and it is told`() throws {
    var limits = Limits()
    limits.pages = 5
    var builder = PDFBuilder()
    builder.add("<</Type/Catalog/Pages 2 0 R>>")
    builder.add("<</Type/Pages/Count 10/Kids[\(String(repeating: "3 0 R ", count: 10))]>>")
    builder.add("<</Type/Page>>")
    let file = try PDFFile(FileBytes(builder.file(root: 1)), limits: limits)
    #expect(try PageTree(file).count == 5)
    #expect(file.diagnostics.isPartial)
  }

  @Test func `a page tree that fans out ends`() throws {
    // Each node names the next one ten times: 10^20 pages.
    var builder = PDFBuilder()
    builder.add("<</Type/Catalog/Pages 2 0 R>>")
    for index in 0..<20 {
      let kids = String(repeating: "\(index + 3) 0 R ", count: 10)
      builder.add("<</Type/Pages/Count 9999999999/Kids[\(kids)]>>")
    }
    builder.add("<</Type/Page>>")
    #expect(try PageTree(PDFFile(FileBytes(builder.file(root: 1)))).count == 10)
  }

  @Test func `object streams that hold themselves or each other give null`() throws {
    var file = FileAssembler()
    file.page()
    file.stream(4, line)
    file.objectStream(7, [(7, "<</N 1/First 4>>"), (8, "(inside)")])
    var entries = file.used([1, 2, 3, 4, 5])
    entries[7] = .compressed(stream: 7, index: 0)
    entries[9] = .compressed(stream: 10, index: 0)
    entries[10] = .compressed(stream: 9, index: 0)
    file.end(file.crossReferenceStream(11, entries, trailer: "/Size 12/Root 1 0 R"))
    let opened = try PDFFile(FileBytes(file.bytes))
    #expect(opened.object(9) == .null && opened.object(10) == .null)
    _ = opened.object(7)
    #expect(try page(file.bytes).text == "text\n")
  }

  @Test func `an object stream that extends itself ends`() throws {
    var file = FileAssembler()
    file.page()
    file.stream(4, line)
    file.stream(
      7, "8 0 (in)", entries: "/Type/ObjStm/N 99999999999/First 4/Extends 7 0 R")
    var entries = file.used([1, 2, 3, 4, 5, 7])
    entries[8] = .compressed(stream: 7, index: 0)
    file.end(file.crossReferenceStream(11, entries, trailer: "/Size 12/Root 1 0 R"))
    #expect(try PDFFile(FileBytes(file.bytes)).object(8) == .string(Array("in".utf8)))
  }

  @Test func `references that lead in a circle are null`() throws {
    var builder = builder(line)
    builder.add("7 0 R")
    builder.add("6 0 R")
    for index in 8..<80 { builder.add("\(index + 1) 0 R") }
    let file = try PDFFile(FileBytes(builder.file(root: 1)))
    #expect(file.resolve(.reference(PDFReference(6))) == .null)
    #expect(file.resolve(.reference(PDFReference(8))) == .null)
  }

  @Test(
    arguments: [
      "xref\n0 99999999999\n", "xref\n8388607 99999999999\n0000000009 00000 n \n",
      "xref\n-5 3\n", "xref\n0 1\n99999999999999999999 00000 n \n",
    ])
  func `tables with numbers out of bounds are no matter`(table: String) throws {
    var file = FileAssembler()
    file.page()
    file.stream(4, line)
    let start = file.bytes.count
    file.append(table + "trailer<</Root 1 0 R/Size 99999999999>>\n")
    file.end(start)
    #expect(try page(file.bytes).text == "text\n")
  }

  @Test(
    arguments: [
      "/W[8 8 8]/Index[0 99999999999]", "/W[1 99999999999 1]", "/W[-1 2 2]", "/W[0 0 0]",
      "/W[1 2 1]/Index[9223372036854775807 9223372036854775807]", "/W[1 2 1]/Index[8388600 100]",
    ])
  func `cross-reference streams with numbers out of bounds are no matter`(entries: String) throws {
    var file = FileAssembler()
    file.page()
    file.stream(4, line)
    let start = file.bytes.count
    file.stream(
      6, [UInt8](repeating: 0xFF, count: 240),
      entries: "/Type/XRef/Root 1 0 R/Size 99999999999\(entries)")
    file.end(start)
    #expect(try page(file.bytes).text == "text\n")
  }

  @Test func `a stream that inflates without end stops at the limit`() throws {
    let zeros = try #require(Deflate.compressed([UInt8](repeating: 0x20, count: 4 << 20)))
    let twice = try #require(Deflate.compressed(zeros))
    var file = FileAssembler()
    file.page()
    file.stream(4, twice, entries: "/Filter[/FlateDecode/FlateDecode]")
    file.end(file.table(file.used(1...5), trailer: "/Size 6/Root 1 0 R"))
    var limits = WorkLimits()
    limits.contentBytes = 1 << 20
    let opened = try PDFFile(FileBytes(file.bytes))
    let extractor = try TextExtractor(opened, limits: limits)
    #expect(extractor.page(0)?.isEmpty == true)
    #expect(opened.diagnostics.isPartial)
  }

  // MARK: Fonts

  private func composite(_ descendant: String, font: String = "", map: String = "") throws
    -> TextPage
  {
    var page = FontPage.composite(
      encoding: "/Identity-H", font: font, descendant: "/Subtype/CIDFontType2\(descendant)",
      showing: "<00410042> Tj")
    page.addStream(map)
    return try self.page(page.file)
  }

  @Test(
    arguments: [
      "/W[0 9999999999 500]", "/W[-9999999999 9999999999 500]", "/W[9999999999 9999999999 500]",
      "/W[9223372036854775807[1 2 3]]", "/W[65 66 99999999999999999999]", "/DW 99999999999999",
      "/W[65[-99999999 99999999]]",
    ])
  func `widths out of bounds are no matter`(widths: String) throws {
    #expect(try composite(widths).characters <= 2)
  }

  @Test func `lists and ranges of widths without end stop at a bound`() throws {
    let list = String(repeating: "500 ", count: 200_000)
    #expect(try composite("/W[0[\(list)]]").characters == 2)
    let ranges = String(repeating: "0 65535 500 ", count: 20_000)
    #expect(try composite("/W[\(ranges)]").characters == 2)
  }

  @Test(
    arguments: [
      "1 beginbfrange <00000000> <FFFFFFFF> <0041> endbfrange",
      "1 beginbfrange <00000000> <FFFFFFFF> <00410042> endbfrange",
      "1 beginbfrange <0000> <FFFF> [<0041>] endbfrange",
      "1 beginbfrange <FFFFFFF0> <00000010> <0041> endbfrange",
      "1 beginbfrange <0041> <FFFFFFFF> <DBFFDFFF> endbfrange",
      "1 begincodespacerange <0000000000000000> <FFFFFFFFFFFFFFFF> endcodespacerange",
    ])
  func `ranges of billions of codes are no matter`(map: String) throws {
    #expect(try composite("", font: "/ToUnicode 7 0 R", map: map).characters >= 1)
  }

  @Test func `a map with ranges that repeat without end stops at a bound`() throws {
    let map =
      "1 beginbfrange " + String(repeating: "<0000> <FFFF> <00410042>\n", count: 5000)
      + "endbfrange"
    #expect(try composite("", font: "/ToUnicode 7 0 R", map: map).characters >= 1)
  }

  // MARK: Content

  @Test func `forms that fan out stop at the limit of work`() throws {
    // Each of twenty forms draws the next one four times: 4^20 draws.
    var names = ""
    for index in 0..<20 { names += "/X\(index) \(6 + index) 0 R" }
    var builder = builder(line + "/X0 Do", resources: "/XObject<<\(names)>>")
    for index in 0..<20 {
      let next = index < 19 ? String(repeating: "/X\(index + 1) Do ", count: 4) : line
      builder.addStream(Array(next.utf8), entries: "/Subtype/Form")
    }
    var limits = WorkLimits()
    limits.operators = 50_000
    let file = try PDFFile(FileBytes(builder.file(root: 1)))
    let page = try #require(try TextExtractor(file, limits: limits).page(0))
    #expect(page.text.hasPrefix("text\n"))
    #expect(file.diagnostics.isPartial)
  }

  @Test func `forms that fan out by their size stop at the limit of bytes`() throws {
    let blanks = String(repeating: " ", count: 100_000)
    var builder = builder(
      line + String(repeating: "/X Do ", count: 2000), resources: "/XObject<</X 6 0 R>>")
    builder.addStream(Array(blanks.utf8), entries: "/Subtype/Form")
    var limits = WorkLimits()
    limits.contentBytes = 1 << 20
    #expect(try page(builder.file(root: 1), limits: limits).text == "text\n")
  }

  @Test func `forms a thousand deep are drawn to some depth`() throws {
    var names = ""
    for index in 0..<1000 { names += "/X\(index) \(6 + index) 0 R" }
    var builder = builder(line + "/X0 Do", resources: "/XObject<<\(names)>>")
    for index in 0..<1000 {
      builder.addStream(Array("/X\(index + 1) Do".utf8), entries: "/Subtype/Form")
    }
    #expect(try page(builder.file(root: 1)).text == "text\n")
  }

  @Test func `states saved without end are no matter`() throws {
    let content = String(repeating: "q ", count: 300_000) + line
    #expect(try shown(content) == "text\n")
    let paired =
      String(repeating: "q ", count: 100_000) + String(repeating: "Q ", count: 100_000) + line
    #expect(try shown(paired) == "text\n")
  }

  @Test func `marks opened without end are no matter`() throws {
    let content = String(repeating: "/Span BMC ", count: 100_000) + line
    #expect(try shown(content) == "text\n")
    let replaced =
      "BT /F1 9 Tf 72 600 Td " + String(repeating: "/Span<</ActualText(a)>>BDC ", count: 4000)
      + "(x) Tj ET"
    #expect(try shown(replaced) == "a\n")
  }

  @Test(
    arguments: [
      "1 0 0 1 99999999999999999999999999999999999999999 700 Tm",
      "99999999999999999999999999999999999999999 0 0 1 0 0 Tm", "0 0 0 0 0 0 Tm",
      "0.0000000000000000000000000000000000000001 0 0 1 0 0 Tm", "1 0 0 1 -- 5.5.5 Tm",
      "99999999999999999999 Tz", "99999999999999999999 Tc", "-99999999999999999999 TL T*",
      "/F1 99999999999999999999999999999999999999999999 Tf", "99999999999999999999 Ts",
    ])
  func `numbers out of bounds lose no more than their text`(operators: String) throws {
    let content = line + "BT /F1 10 Tf 72 600 Td \(operators) (lost) Tj (more) Tj ET"
    #expect(try shown(content).hasPrefix("text\n"))
  }

  @Test func `matrices multiplied without end are no trap`() throws {
    let grows = String(repeating: "1000 0 0 1000 1 1 cm ", count: 500) + line
    #expect(try shown(line + "q " + grows + " Q") == "text\n")
    let shrinks = String(repeating: "0.0001 0 0 0.0001 0 0 cm ", count: 500) + line
    #expect(try shown(line + "q " + shrinks + " Q").hasPrefix("text"))
  }

  @Test func `glyphs stop at their limit`() throws {
    var limits = WorkLimits()
    limits.glyphs = 1000
    let bytes = PDFBuilder.pages([
      "BT /F1 1 Tf 72 700 Td (\(String(repeating: "x", count: 5000))) Tj ET"
    ])
    #expect(try page(bytes, limits: limits).characters <= 1000)
  }

  @Test func `a hundred thousand glyphs on one place are read in time`() throws {
    let content =
      "BT /F1 1 Tf " + String(repeating: "1 0 0 1 72 700 Tm (a) Tj ", count: 100_000) + "ET"
    #expect(try page(PDFBuilder.pages([content])).characters >= 1)
  }

  @Test func `glyphs scattered over the page are read in time`() throws {
    var numbers = SeededNumbers(seed: 5)
    var content = "BT /F1 3 Tf "
    for _ in 0..<30_000 {
      let x = Int.random(in: 0..<612, using: &numbers)
      let y = Int.random(in: 0..<792, using: &numbers)
      content += "1 0 0 1 \(x) \(y) Tm (ab) Tj "
    }
    #expect(try page(PDFBuilder.pages([content + "ET"])).words.count > 1000)
  }

  @Test func `annotations without end stop at their limit`() throws {
    var limits = WorkLimits()
    limits.annotations = 10
    let note = "<</Subtype/FreeText/Rect[72 600 172 620]/Contents(note)>>"
    let notes = String(repeating: note, count: 1000)
    let builder = builder(line, page: "/Annots[\(notes)]")
    #expect(try page(builder.file(root: 1), limits: limits).text.hasPrefix("text\n"))
  }
}
