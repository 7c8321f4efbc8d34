import PDFSyntax
import TestSupport
import Testing

@testable import PDFText

/// What pages are, in which order, and what they inherit.
struct PageTreeTests {
  private let font = "<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>"

  /// Object 1 is the catalog and object 2 the root of the tree; then come a font (3), and content
  /// streams that show "one", "two", "three" (4, 5, 6).
  private func builder(_ root: String) -> PDFBuilder {
    var builder = PDFBuilder()
    builder.add("<</Type/Catalog/Pages 2 0 R>>")
    builder.add(root)
    builder.add(font)
    for word in ["one", "two", "three"] {
      builder.addStream(Array("BT /F1 12 Tf 20 20 Td (\(word)) Tj ET".utf8))
    }
    return builder
  }

  private let resources = "/Resources<</Font<</F1 3 0 R>>>>"

  private func texts(_ bytes: [UInt8]) throws -> [String] {
    let extractor = try TextExtractor(PDFFile(FileBytes(bytes)))
    return (0..<extractor.pageCount).map { extractor.page($0)?.text ?? "-" }
  }

  @Test func `resources, boxes and rotation are inherited from any node above`() throws {
    var builder = builder(
      "<</Type/Pages/Count 1/Kids[7 0 R]\(resources)/MediaBox[0 0 300 400]/Rotate 90>>")
    builder.add("<</Type/Pages/Parent 2 0 R/Count 1/Kids[8 0 R]/CropBox[0 0 200 100]>>")
    builder.add("<</Type/Page/Parent 7 0 R/Contents 4 0 R>>")
    let file = try PDFFile(FileBytes(builder.file(root: 1)))
    let page = try #require(try PageTree(file).page(0))
    #expect(page.mediaBox == Rectangle(x0: 0, y0: 0, x1: 300, y1: 400))
    #expect(page.cropBox == Rectangle(x0: 0, y0: 0, x1: 200, y1: 100))
    #expect(page.rotation == 90 && page.width == 100 && page.height == 200)
    #expect(try texts(builder.file(root: 1)) == ["one\n"])
  }

  @Test func `a linearized file that ends early has its first page first`() throws {
    // The first page has the greatest number (Annex F); the tree is in the part that is lost.
    for (first, order) in [
      (9, ["three\n", "one\n", "two\n"]), (7, ["one\n", "two\n", "three\n"]),
    ] {
      var builder = PDFBuilder()
      builder.add("<</Linearized 1/L 5000/O \(first)/N 3/T 4000/H[1 2]/E 900>>")
      builder.add("<</Type/Catalog/Pages 90 0 R>>")
      builder.add(font)
      for word in ["one", "two", "three"] {
        builder.addStream(Array("BT /F1 12 Tf 20 20 Td (\(word)) Tj ET".utf8))
      }
      for content in 4...6 {
        builder.add(
          "<</Type/Page/Parent 90 0 R/MediaBox[0 0 300 400]\(resources)/Contents \(content) 0 R>>")
      }
      let whole = builder.file(root: 2)
      // Without the cross-references, and without the catalog as well.
      let mark = Array("xref\n0 ".utf8)
      let cut = try #require(whole.indices.last { whole[$0...].starts(with: mark) })
      let trailer = Array("trailer<</Root 2 0 R>>\n".utf8)
      #expect(try texts(Array(whole[..<cut]) + trailer) == order)
      builder.replace(2, "null")
      let other = builder.file(root: 2)
      #expect(try texts(Array(other[..<(other.count - 120)])) == order)
    }
  }

  @Test func `nodes that name one another twice do not multiply pages, a page named twice is two`()
    throws
  {
    var builder = builder("<</Type/Pages/Kids[7 0 R 7 0 R]\(resources)/MediaBox[0 0 300 400]>>")
    for number in 8...27 { builder.add("<</Type/Pages/Kids[\(number) 0 R \(number) 0 R]>>") }
    builder.add("<</Type/Pages/Kids 28 0 R>>")
    builder.add("[29 0 R 30 0 R 29 0 R 31 0 R]")
    builder.add("<</Type/Page/Contents 4 0 R>>")
    builder.add("<</Type/Page/Contents 5 0 R>>")
    // Another node with the same list of kids.
    builder.add("<</Type/Pages/Kids 28 0 R>>")
    let file = try PDFFile(FileBytes(builder.file(root: 1)))
    #expect(try PageTree(file).count == 3)
    #expect(file.diagnostics.list.contains { $0.message.contains("a part of it twice") })
    #expect(try texts(builder.file(root: 1)) == ["one\n", "two\n", "one\n"])
  }

  @Test func `what stands nearer to the page wins`() throws {
    var builder = builder(
      "<</Type/Pages/Count 2/Kids[7 0 R 8 0 R]\(resources)/MediaBox[0 0 300 400]/Rotate 90>>")
    builder.add("<</Type/Page/Parent 2 0 R/MediaBox[0 0 100 100]/Rotate 0>>")
    builder.add("<</Type/Page/Parent 2 0 R/Resources<<>>>>")
    let tree = try PageTree(PDFFile(FileBytes(builder.file(root: 1))))
    let first = try #require(tree.page(0))
    #expect(first.mediaBox.width == 100 && first.rotation == 0)
    let second = try #require(tree.page(1))
    #expect(second.resources.isEmpty && second.rotation == 90)
  }

  @Test(
    arguments: [
      ("-90", 270), ("450", 90), ("91", 90), ("180.0", 180), ("(x)", 0), ("1e40", 0),
    ])
  func `a rotation is brought to a quarter`(rotation: String, expected: Int) throws {
    let bytes = PDFBuilder.pages([""], page: "/Rotate \(rotation)")
    #expect(try PageTree(PDFFile(FileBytes(bytes))).page(0)?.rotation == expected)
  }

  @Test(
    arguments: [
      "[0 0 0 0]", "[0 0 612]", "(x)", "[a b c d]", "[0 0 99999999999 99999999999]", "99 0 R",
    ])
  func `a box that is none is letter`(box: String) throws {
    let bytes = PDFBuilder.pages([PDFBuilder.lines(["text"])], page: "/MediaBox \(box)")
    let page = try #require(try PageTree(PDFFile(FileBytes(bytes))).page(0))
    #expect(page.width == 612 && page.height == 792)
  }

  @Test func `the corners of a box may come in any order`() throws {
    let bytes = PDFBuilder.pages([""], page: "/MediaBox[612 792 0 0]")
    let page = try #require(try PageTree(PDFFile(FileBytes(bytes))).page(0))
    #expect(page.width == 612 && page.height == 792)
  }

  @Test func `a crop box outside the media box is ignored`() throws {
    let bytes = PDFBuilder.pages(
      [PDFBuilder.lines(["text"])], page: "/CropBox[1000 1000 1100 1100]")
    #expect(try texts(bytes) == ["text\n"])
  }

  @Test func `nodes that tell no type are known by their kids`() throws {
    var builder = builder("<</Count 2/Kids[7 0 R 8 0 R]\(resources)>>")
    builder.add("<</Parent 2 0 R/Count 1/Kids[9 0 R]>>")
    builder.add("<</Parent 2 0 R/Contents 5 0 R>>")
    builder.add("<</Parent 7 0 R/Contents 4 0 R>>")
    #expect(try texts(builder.file(root: 1)) == ["one\n", "two\n"])
  }

  @Test func `kids that are null, numbers or missing are passed over`() throws {
    var builder = builder(
      "<</Type/Pages/Count 6/Kids[null 7 0 R 42 99 0 R (text) 8 0 R]\(resources)>>")
    builder.add("<</Type/Page/Parent 2 0 R/Contents 4 0 R>>")
    builder.add("<</Type/Page/Parent 2 0 R/Contents 5 0 R>>")
    let bytes = builder.file(root: 1)
    #expect(try texts(bytes) == ["one\n", "two\n"])
    let file = try PDFFile(FileBytes(bytes))
    _ = try PageTree(file)
    #expect(file.diagnostics.isPartial)
  }

  @Test func `pages that are direct objects are read`() throws {
    let builder = builder(
      "<</Type/Pages/Count 1/Kids[<</Type/Page/Contents 4 0 R>>]\(resources)>>")
    #expect(try texts(builder.file(root: 1)) == ["one\n"])
  }

  @Test func `an empty node among others gives no page`() throws {
    var builder = builder("<</Type/Pages/Count 2/Kids[7 0 R 8 0 R 9 0 R]\(resources)>>")
    builder.add("<</Type/Pages/Parent 2 0 R/Count 0/Kids[]>>")
    builder.add("<</Type/Pages/Parent 2 0 R/Count 0>>")
    builder.add("<</Type/Page/Parent 2 0 R/Contents 6 0 R>>")
    #expect(try texts(builder.file(root: 1)) == ["three\n"])
  }

  @Test func `a page that the tree names twice is there twice`() throws {
    var builder = builder("<</Type/Pages/Count 2/Kids[7 0 R 7 0 R]\(resources)>>")
    builder.add("<</Type/Page/Parent 2 0 R/Contents 4 0 R>>")
    #expect(try texts(builder.file(root: 1)) == ["one\n", "one\n"])
  }

  @Test func `a wrong Count is not believed`() throws {
    for count in ["0", "-1", "999999999999", "(x)"] {
      var builder = builder("<</Type/Pages/Count \(count)/Kids[7 0 R]\(resources)>>")
      builder.add("<</Type/Page/Parent 2 0 R/Contents 4 0 R>>")
      #expect(try texts(builder.file(root: 1)) == ["one\n"], "\(count)")
    }
  }

  @Test func `a catalog that leads straight to a page has one page`() throws {
    let builder = builder("<</Type/Page/Contents 4 0 R\(resources)>>")
    #expect(try texts(builder.file(root: 1)) == ["one\n"])
  }

  @Test func `pages that a broken tree has lost are found, with what they inherit`() throws {
    var builder = builder("<</Type/Pages/Count 2/Kids[99 0 R]\(resources)/Rotate 180>>")
    builder.add("<</Type/Page/Parent 2 0 R/Contents 4 0 R>>")
    builder.add("<</Type/Page/Parent 2 0 R/Contents 5 0 R>>")
    let bytes = builder.file(root: 1)
    #expect(try texts(bytes) == ["one\n", "two\n"])
    #expect(try PageTree(PDFFile(FileBytes(bytes))).page(0)?.rotation == 180)
  }

  @Test func `a document without any page says so`() throws {
    let file = try PDFFile(FileBytes(builder("<</Type/Pages/Count 0/Kids[]>>").file(root: 1)))
    #expect(throws: PDFError.noPages) { _ = try PageTree(file) }
  }
}
