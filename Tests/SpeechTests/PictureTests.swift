import Foundation
import PDFSyntax
import PDFText
import SystemPackage
import TestSupport
import Testing

@testable import procd_speech

/// The pictures of scanned pages on the listening page.
@Suite struct PictureTests {
  /// The header of a JPEG with a mark of its camera, and something for its pixels.
  private func jpeg(components: UInt8 = 1, pixels: Int = 20) -> [UInt8] {
    let exif: [UInt8] = [0xFF, 0xE1, 0, 8] + Array("Exif\0\0".utf8)
    let frame: [UInt8] =
      [0xFF, 0xC0, 0, 8 + 3 * components, 8, 0, 40, 0, 30, components]
      + (1...components).flatMap { [$0, 0x11, 0] }
    let scan: [UInt8] = [0xFF, 0xDA, 0, 8, 1, 1, 0, 0, 63, 0]
    return [0xFF, 0xD8] + exif + frame + scan + [UInt8](repeating: 7, count: pixels) + [0xFF, 0xD9]
  }

  /// A page whose picture fills it, with text over it: rendering mode 3 is not seen.
  private func scan(
    _ pictures: [[UInt8]], matrix: String = "612 0 0 792 0 0", mode: Int = 3, entries: String = "",
    more: String = ""
  ) -> [UInt8] {
    var builder = PDFBuilder()
    let catalog = builder.add(""), tree = builder.add("")
    let font = builder.add(
      "<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>")
    builder.replace(catalog, "<</Type/Catalog/Pages \(tree) 0 R>>")
    var kids = ""
    // Words that stand at the same height of all pages would be taken for their running heads.
    for (index, picture) in pictures.enumerated() {
      let text = ["Some words of a page.", "And these are others.", "The last of them."][index]
      let image = builder.addStream(
        picture,
        entries: "/Type/XObject/Subtype/Image/Width 30/Height 40/BitsPerComponent 8"
          + "/ColorSpace/DeviceGray/Filter/DCTDecode\(entries)")
      let content = builder.addStream(
        Array(
          "q \(matrix) cm /I Do Q \(more) BT /F1 12 Tf \(mode) Tr 61.2 \(713 - 200 * index) Td (\(text)) Tj ET"
            .utf8))
      let page = builder.add(
        "<</Type/Page/Parent \(tree) 0 R/Contents \(content) 0 R"
          + "/Resources<</Font<</F1 \(font) 0 R>>/XObject<</I \(image) 0 R>>>>>>")
      kids += "\(page) 0 R "
    }
    builder.replace(
      tree, "<</Type/Pages/Kids[\(kids)]/Count \(pictures.count)/MediaBox[0 0 612 792]>>")
    return builder.file(root: catalog)
  }

  @Test func `a scanned page is shown beside its words, and each word has its place in it`() throws
  {
    let page = try Narrated(bytes: scan([jpeg(), jpeg()])).page
    #expect(page.components(separatedBy: "<section class=\"sheet\">").count == 3)
    #expect(page.components(separatedBy: "</div>\n</section>").count == 3)
    #expect(page.contains("alt=\"Page 2 as it looks\" width=\"30\" height=\"40\""))
    #expect(page.contains("img-src data:"))
    let places = try #require(page.firstMatch(of: /data-b="([^"]*)"/)).1.split(separator: " ")
    #expect(places.count == 5)
    let first = places[0].split(separator: ",").compactMap { Int($0) }
    #expect(first.count == 4 && first[0] == 100 && (70...100).contains(first[1]), "\(first)")
    // What the camera said of the picture is not there.
    let copy = try #require(JPEGCopy(jpeg(), turn: 1))
    #expect(page.contains(Data(copy.bytes).base64EncodedString()))
    #expect(!String(decoding: copy.bytes, as: UTF8.self).contains("Exif"))
  }

  @Test func `headings of the page go down one step at a time`() throws {
    let page = try Narrated(
      "## Two\n\nText.\n\n#### Four\n\nText.\n\n# One\n\nText.\n\n### Three\n", isMarkdown: true
    )
    .page
    #expect(page.matches(of: /<h([2-9]) data-t/).map { String($0.1) } == ["2", "3", "2", "3"])
  }

  @Test func `pages that are more than one picture stay as they are`() throws {
    for bytes in [
      scan([jpeg()], mode: 0), scan([jpeg()], matrix: "200 0 0 200 0 0"),
      scan([jpeg()], matrix: "500 300 -300 500 300 0"), scan([jpeg(components: 4)]),
      scan([jpeg()], entries: "/Decode[1 0]"), scan([[0xFF, 0xD8, 0xFF]]), scan([[]]),
      PDFBuilder.pages([PDFBuilder.lines(["A page of a letter."])]),
    ] {
      let page = try Narrated(bytes: bytes).page
      #expect(!page.contains("class=\"sheet\"") && !page.contains("data-b"))
    }
  }

  @Test func `pages of text are drawn, and words have their places in the drawing`() throws {
    let bytes = PDFBuilder.pages([
      PDFBuilder.lines(["A page of a letter."]), PDFBuilder.lines(["And another one of it."]),
    ])
    let page = try Narrated(bytes: bytes, isFile: true).page
    let pictures = page.matches(of: /<img alt="Page (\d) as it looks" width="900" height="(\d+)"/)
    #expect(pictures.map { String($0.1) } == ["1", "2"])
    #expect(page.contains("data-b=\""))
    // A page that stands askew, or whose picture no browser shows alike, is drawn too.
    let drawn = try Narrated(bytes: scan([jpeg()], mode: 0), isFile: true).page
    #expect(drawn.contains("width=\"900\""))
    // What the program cannot draw has none.
    let folder = TemporaryFolder()
    try folder.write(Data("%PDF-1.4 and no more".utf8), to: "b.pdf")
    let drawing = PageDrawing(of: folder("b.pdf").string, scratch: folder.path.string)
    let size = TextPage.Box(x0: 0, y0: 0, x1: 600, y1: 800)
    #expect(drawing.picture(1, size: size, most: 1 << 20) == nil)
    #expect(!folder.exists("page.jpg"))
  }

  @Test func `pictures are embedded up to a limit`() throws {
    let large = jpeg(pixels: SpeechLimits.pictures / 2)
    let page = try Narrated(bytes: scan([large, large, jpeg()])).page
    #expect(page.contains("Picture of page 1<") && !page.contains("Picture of page 2<"))
    #expect(page.contains("Picture of page 3<"))
  }

  @Test(arguments: [
    ("1 0 0 1", 4), ("1 0 0 -1", 1), ("-1 0 0 -1", 2), ("-1 0 0 1", 3), ("0 1 -1 0", 5),
    ("0 1 1 0", 6),
    ("0 -1 1 0", 7), ("0 -1 -1 0", 8), ("1 1 -1 1", 0), ("0 0 0 0", 0),
  ])
  func `a picture is turned as its page turns it`(numbers: String, turn: Int) throws {
    let n = numbers.split(separator: " ").compactMap { Double($0) }
    #expect((PagePicture.turn(Matrix(n[0], n[1], n[2], n[3], 0, 0)) ?? 0) == turn)
    guard turn > 1 else { return }
    let copy = try #require(JPEGCopy(jpeg(components: 3), turn: turn))
    #expect(Array(copy.bytes[4..<12]) == [0, 0x22] + Array("Exif\0\0".utf8))
    #expect(copy.bytes[31] == UInt8(turn) && copy.width == 30 && copy.height == 40)
  }

  @Test func `no bytes break the reading of a picture's header`() {
    let whole = jpeg(components: 3)
    for end in 0..<whole.count { _ = JPEGCopy(Array(whole[..<end]), turn: 6) }
    for index in whole.indices {
      for value: UInt8 in [0, 1, 0x7F, 0xFF] {
        var broken = whole
        broken[index] = value
        _ = JPEGCopy(broken, turn: 1)
      }
    }
    #expect(JPEGCopy(Array(whole[..<30]), turn: 1) == nil)
  }
}
