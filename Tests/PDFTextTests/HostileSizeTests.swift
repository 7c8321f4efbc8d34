import TestSupport
import Testing

@testable import PDFSyntax
@testable import PDFText

/// Files whose cost once grew with the square of their size, or far beyond it. What is held is counted work:
/// twice the file, about twice the work.
struct HostileSizeTests {
  @Test func `trailers that are never closed are read once, not once for each`() {
    for count in [1000, 40_000] {
      let bytes = Array(
        (String(repeating: "trailer <<", count: count) + "\n1 0 obj null endobj").utf8)
      let scan = ObjectScan(bytes.span, limits: .standard)
      #expect(scan.readForTrailers <= 2 * bytes.count + 2 << 20)
      #expect(scan.objects.count == 1)
    }
  }

  @Test func `streams without an end are searched for within bounds`() throws {
    var spent: [Int] = []
    for count in [4000, 8000, 16_000] {
      var file = FileAssembler()
      file.page()
      file.append("4 0 obj <</Length 3>> stream\nq Q\nendstream endobj\n")
      for number in 10..<10 + count { file.append("\(number) 0 obj <</Length 9>> stream\n") }
      let opened = try PDFFile(FileBytes(file.bytes))
      for number in 10..<10 + count { _ = opened.object(number) }
      spent.append(opened.search.spent)
      #expect(opened.search.spent <= 65 << 20 + 9 * file.bytes.count)
      #expect(try TextExtractor(opened).pageCount == 1)
    }
    #expect(spent[2] < 3 * max(spent[1], 64 << 20), "\(spent)")
  }

  @Test func `lengths that stand in streams whose lengths do end`() throws {
    var file = FileAssembler()
    file.page()
    file.append("4 0 obj <</Length 10 0 R>> stream\nq Q\nendstream endobj\n")
    for number in 10..<12_000 {
      file.append("\(number) 0 obj <</Length \(number + 1) 0 R>> stream\nx\nendstream endobj\n")
    }
    let opened = try PDFFile(FileBytes(file.bytes))
    #expect(opened.object(10).dictionary != nil)
    #expect(try TextExtractor(opened).page(0) != nil)
  }

  @Test func `a text for many codes is kept once`() throws {
    let target = String(repeating: "0041", count: 300)
    for ranges in [1, 6] {
      let map = String(
        repeating: "1 beginbfrange <0000> <FFFF> <\(target)> endbfrange\n", count: ranges)
      let parsed = CharacterMapParser.parse(Array(map.utf8).span, unicode: true)
      #expect(parsed.count == ranges)
      #expect(parsed.scalars(0x1234)?.count == 300)
      #expect(parsed.scalars(0x1234)?.last == UInt32(0x41 + 0x1234))
      #expect(parsed.scalars(0x1234)?.first == UInt32(0x41))
    }
  }

  @Test func `a map that many fonts share is read once`() throws {
    var builder = PDFBuilder()
    builder.add("<</Type/Catalog/Pages 2 0 R>>")
    builder.add("<</Type/Pages/Kids[3 0 R]/Count 1/MediaBox[0 0 612 792]>>")
    let fonts = 300
    let names = (0..<fonts).map { "/F\($0) \(6 + $0) 0 R" }.joined()
    builder.add("<</Type/Page/Parent 2 0 R/Contents 4 0 R/Resources<</Font<<\(names)>>>>>>")
    let shown = (0..<fonts).map { "BT /F\($0) 10 Tf 72 \(700 - $0) Td (a) Tj ET " }.joined()
    builder.addStream(Array(shown.utf8))
    builder.addStream(Array("1 beginbfrange <00> <FF> <0041> endbfrange".utf8))
    for _ in 0..<fonts {
      builder.add("<</Type/Font/Subtype/Type1/BaseFont/Any/ToUnicode 5 0 R>>")
    }
    let file = try PDFFile(FileBytes(builder.file(root: 1)))
    #expect(try TextExtractor(file).page(0)?.text.contains("\u{A2}") == true)
    #expect(file.derivations == 1)
  }

  /// A PDF of 1.3 kB had a reader busy for 91 s.
  @Test func `groups of a font's map that overlap are read within bounds`() {
    let group = (first: 0x20, last: 0x30000, glyph: 1)
    let whole = [(first: 0x41, last: 0x41, glyph: 7)] + [group]
    func glyph(_ groups: [(first: Int, last: Int, glyph: Int)]) -> UInt32? {
      let map = FontPrograms.cmap([(3, 10, FontPrograms.format12(groups))])
      let bytes = FontPrograms.trueType(["cmap": map])
      return TrueTypeProgram(bytes.span)?.unicode[0x41]
    }
    // The last one counts, until the map is read no further.
    #expect(glyph(whole.reversed()) == 7)
    let repeated = [(first: Int, last: Int, glyph: Int)](repeating: group, count: 1000)
    #expect(glyph(repeated + whole.prefix(1)) == 0x22)
  }

  @Test func `widths that come again and again are read within bounds`() throws {
    // Each pair sets the same codes by an array that stands once in the file; the last would set one of them anew.
    func width(_ pairs: Int) throws -> Double? {
      var page = FontPage.composite(
        encoding: "/Identity-H",
        descendant: "/Subtype/CIDFontType2/W[\(String(repeating: "0 7 0 R ", count: pairs))1[700]]",
        showing: "<0001> Tj")
      page.add("[\(String(repeating: "300 ", count: 60_000))]")
      let file = try PDFFile(FileBytes(page.file))
      let word = try TextExtractor(file).page(0)?.words.first
      return word.map { $0.box.x1 - $0.box.x0 }
    }
    #expect(try abs((width(2) ?? 0) - 7) < 0.01)
    #expect(try abs((width(40) ?? 0) - 3) < 0.01)
  }

  @Test func `a font program that many fonts share is read once`() throws {
    var builder = PDFBuilder()
    builder.add("<</Type/Catalog/Pages 2 0 R>>")
    builder.add("<</Type/Pages/Kids[3 0 R]/Count 1/MediaBox[0 0 612 792]>>")
    let fonts = 200
    let names = (0..<fonts).map { "/F\($0) \(6 + $0) 0 R" }.joined()
    builder.add("<</Type/Page/Parent 2 0 R/Contents 4 0 R/Resources<</Font<<\(names)>>>>>>")
    let shown = (0..<fonts).map { "BT /F\($0) 10 Tf 72 \(700 - $0) Td <02> Tj ET " }.joined()
    builder.addStream(Array(shown.utf8))
    builder.addStream(FontPrograms.type1([2: "eacute"]))
    for number in 0..<fonts {
      builder.add(
        "<</Type/Font/Subtype/Type1/BaseFont/Any\(number)"
          + "/FontDescriptor<</Type/FontDescriptor/Flags 4/FontFile 5 0 R>>>>")
    }
    let file = try PDFFile(FileBytes(builder.file(root: 1)))
    #expect(try TextExtractor(file).page(0)?.text.contains("é") == true)
    #expect(file.derivations == 1)
  }

  /// What stands before the page's text, and is gone through for each page, while nobody gets to see anything of it.
  private static let unseen = [
    // Blanks that are no hexadecimal digits; what an image filter would make of them; nothing, very often.
    (filters: "[/RunLengthDecode/ASCIIHexDecode]", bytes: 60_000, times: 1),
    (filters: "[/RunLengthDecode/DCTDecode]", bytes: 60_000, times: 1),
    (filters: "/ASCIIHexDecode", bytes: 0, times: 200),
  ]

  @Test(arguments: unseen)
  func `what filters make and throw away counts as well`(
    unseen: (filters: String, bytes: Int, times: Int)
  ) throws {
    var builder = PDFBuilder()
    let pages = 50
    builder.add("<</Type/Catalog/Pages 2 0 R>>")
    let kids = (0..<pages).map { "\(6 + $0) 0 R" }.joined(separator: " ")
    builder.add("<</Type/Pages/Kids[\(kids)]/Count \(pages)/MediaBox[0 0 612 792]>>")
    builder.add("<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>")
    builder.addStream(Array("BT /F1 10 Tf 72 700 Td (text) Tj ET ".utf8))
    let blanks = [[UInt8]](repeating: [129, 0x20], count: unseen.bytes / 128).flatMap { $0 }
    builder.addStream(blanks + [128], entries: "/Filter\(unseen.filters)")
    let parts = String(repeating: "5 0 R ", count: unseen.times) + "4 0 R"
    for _ in 0..<pages {
      builder.add(
        "<</Type/Page/Parent 2 0 R/Contents[\(parts)]/Resources<</Font<</F1 3 0 R>>>>>>")
    }
    let bytes = builder.file(root: 1)
    var limits = Limits()
    limits.decodedFile = 600_000 - 64 * bytes.count
    let file = try PDFFile(FileBytes(bytes), limits: limits)
    let extractor = try TextExtractor(file)
    let read = (0..<pages).filter { extractor.page($0)?.text == "text\n" }.count
    #expect((5...20).contains(read), "\(read)")
    #expect(file.diagnostics.list.contains { $0.message.contains("too large") })
    let whole = try TextExtractor(PDFFile(FileBytes(bytes)))
    #expect((0..<pages).allSatisfy { whole.page($0)?.text == "text\n" })
  }

  /// One stream that all pages show: each is within its own limits, all together are not.
  @Test func `a document has a budget, and says where it ended`() throws {
    var builder = PDFBuilder()
    let pages = 50
    builder.add("<</Type/Catalog/Pages 2 0 R>>")
    let kids = (0..<pages).map { "\(5 + $0) 0 R" }.joined(separator: " ")
    builder.add("<</Type/Pages/Kids[\(kids)]/Count \(pages)/MediaBox[0 0 612 792]>>")
    builder.add("<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>")
    let line = "BT /F1 10 Tf 72 700 Td (text) Tj ET "
    builder.addStream(Array((line + String(repeating: "q Q ", count: 5000)).utf8))
    for _ in 0..<pages {
      builder.add("<</Type/Page/Parent 2 0 R/Contents 4 0 R/Resources<</Font<</F1 3 0 R>>>>>>")
    }
    let bytes = builder.file(root: 1)
    for change in [
      { (limits: inout WorkLimits) in limits.operatorsOfDocument = 100_000 },
      { limits in limits.contentBytesOfDocument = 200_000 - 64 * bytes.count },
    ] {
      var limits = WorkLimits()
      change(&limits)
      let file = try PDFFile(FileBytes(bytes))
      let extractor = try TextExtractor(file, limits: limits)
      let read = (0..<pages).filter { extractor.page($0)?.text == "text\n" }.count
      #expect((5...20).contains(read), "\(read)")
      #expect(file.diagnostics.list.contains { $0.message.contains("too large") })
    }
    // No honest document comes near.
    let file = try PDFFile(FileBytes(bytes))
    let extractor = try TextExtractor(file)
    #expect((0..<pages).allSatisfy { extractor.page($0)?.text == "text\n" })
    #expect(!file.diagnostics.isPartial)
  }
}
