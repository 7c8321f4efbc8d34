import PDFSyntax
import TestSupport
import Testing

@testable import PDFText

struct CharacterMapTests {
  @Test func `a map to Unicode is read tolerantly`() {
    let text = """
      1 begincodespacerange <00> <FF> endcodespacerange
      3 beginbfchar <01> <0041> <02> <00660066> <03> <D83DDE00> endbfchar
      9 beginbfrange <10> <12> <0061> <20> <21> [<0078> <0079>] endbfrange
      """
    let map = CharacterMapParser.parse(Array(text.utf8).span, unicode: true)
    #expect(map.scalars(1) == [0x41])
    #expect(map.scalars(2) == [0x66, 0x66])
    #expect(map.scalars(3) == [0x1F600])
    #expect(map.scalars(0x12) == [0x63])
    #expect(map.scalars(0x21) == [0x79])
    #expect(map.scalars(0x30) == nil)
  }

  @Test(
    arguments: [
      ("90ms-RKSJ-H", [0x82, 0xA0], "あ"), ("90ms-RKSJ-H", [0xB1], "ｱ"),
      ("90msp-RKSJ-V", [0x81, 0x41], "、"), ("EUC-H", [0x8E, 0xB1], "ｱ"),
      ("H", [0x24, 0x22], "あ"), ("GBK-EUC-H", [0xC7, 0xB3], "浅"), ("GBK-EUC-H", [0x41], "A"),
      ("GBK2K-H", [0x81, 0x39, 0xEF, 0x30], "\u{3401}"), ("GBpc-EUC-H", [0x41], "A"),
      ("ETen-B5-H", [0xA4, 0xA4], "中"), ("ETen-B5-H", [0x41], "A"), ("ETenms-B5-V", [0x41], "A"),
      ("CNS-EUC-H", [0x8E, 0xA2, 0xA1, 0xA1], "乂"), ("KSCms-UHC-H", [0xB0, 0xA1], "가"),
      ("KSC-EUC-H", [0x41], "A"), ("KSC-Johab-H", [0x88, 0x61], "가"),
      ("UniJIS-UTF16-H", [0xD8, 0x40, 0xDC, 0x0B], "𠀋"), ("UniGB-UTF8-H", [0xE4, 0xB8, 0xAD], "中"),
      ("UniKS-UTF32-H", [0, 0, 0xAC, 0], "가"),
    ] as [(String, [UInt8], String)])
  func `codes of predefined maps lead to Unicode`(
    name: String, code: [UInt8], text: String
  ) throws {
    let map = PredefinedCMap(name: name)
    #expect(map.length(code, 0) == code.count)
    let value = code.reduce(0) { $0 << 8 | UInt32($1) }
    let scalars =
      map.isUnicode
      ? map.unicode(value)
      : try #require(
        map.textCID(value).flatMap {
          CIDCollections.unicode($0, ordering: map.ordering ?? "")
        })
    #expect(scalars == text.unicodeScalars.map(\.value))
  }

  @Test func `a code that no range has is as long as its first byte says`() {
    let map = PredefinedCMap(name: "90ms-RKSJ-H")
    #expect(map.length([0x81, 0x20], 0) == 2)
    #expect(map.length([0xFF, 0x20], 0) == 1)
    #expect(map.length([0x81], 0) == 2)
  }

  /// The file of a page that shows codes with a Type 0 font without ToUnicode.
  private func file(
    _ content: String, encoding: String, ordering: String, descendant: String = "",
    extra: (inout PDFBuilder) -> Void = { _ in }
  ) -> [UInt8] {
    var builder = PDFBuilder()
    builder.add("<</Type/Catalog/Pages 2 0 R>>")
    builder.add("<</Type/Pages/Kids[3 0 R]/Count 1/MediaBox[0 0 612 792]>>")
    builder.add(
      "<</Type/Page/Parent 2 0 R/Contents 4 0 R/Resources<</Font<</F1 5 0 R>>>>>>")
    builder.addStream(Array(content.utf8))
    builder.add(
      "<</Type/Font/Subtype/Type0/BaseFont/Any/Encoding \(encoding)/DescendantFonts[6 0 R]>>")
    builder.add(
      "<</Type/Font/Subtype/CIDFontType2/BaseFont/Any/CIDSystemInfo<</Registry(Adobe)"
        + "/Ordering(\(ordering))/Supplement 2>>\(descendant)>>")
    extra(&builder)
    return builder.file(root: 1)
  }

  private func text(_ file: [UInt8]) throws -> String {
    try #require(try TextExtractor(PDFFile(FileBytes(file))).page(0)).text
  }

  @Test func `widths of letters are found through maps that start from Unicode`() throws {
    // Two words with a gap that is one only where the letters are half an em wide.
    let content = """
      BT /F1 10 Tf 72 700 Td <00480061> Tj ET
      BT /F1 10 Tf 85 700 Td <00480061> Tj ET
      """
    let file = file(
      content, encoding: "/UniJIS-UCS2-H", ordering: "Japan1", descendant: "/W[1 94 500]")
    #expect(try text(file) == "Ha Ha\n")
  }

  @Test func `half widths are those of the map`() throws {
    let content = """
      BT /F1 10 Tf 72 700 Td (Ha) Tj ET
      BT /F1 10 Tf 85 700 Td (Ha) Tj ET
      """
    for (name, widths) in [("90ms-RKSJ-H", "231 325 500"), ("90msp-RKSJ-H", "1 94 500")] {
      let file = file(
        content, encoding: "/" + name, ordering: "Japan1", descendant: "/W[\(widths)]")
      #expect(try text(file) == "Ha Ha\n")
    }
  }

  @Test func `a map in the file goes on in the predefined one that it uses`() throws {
    let map = """
      /GBK-EUC-H usecmap
      1 begincodespacerange <00> <80> endcodespacerange
      1 begincodespacerange <8140> <FEFE> endcodespacerange
      1 begincidchar <F0> 34 endcidchar
      1 begincidrange <61> <62> 35 endcidrange
      """
    let file = file(
      "BT /F1 10 Tf 72 700 Td <61C7B362> Tj ET", encoding: "7 0 R", ordering: "GB1"
    ) { $0.addStream(Array(map.utf8)) }
    #expect(try text(file) == "B浅C\n")
  }

  @Test func `a map in the file goes on in another map in the file`() throws {
    let own = "1 begincidchar <0001> 34 endcidchar"
    let other =
      "1 begincodespacerange <0000> <FFFF> endcodespacerange\n"
      + "1 begincidrange <0001> <0005> 44 endcidrange"
    let file = file(
      "BT /F1 10 Tf 72 700 Td <000100020003> Tj ET", encoding: "7 0 R", ordering: "Japan1"
    ) {
      $0.addStream(Array(own.utf8), entries: "/UseCMap 8 0 R")
      $0.addStream(Array(other.utf8), entries: "/UseCMap 7 0 R")
    }
    #expect(try text(file) == "ALM\n")
  }

  @Test func `a ToUnicode map that names a collection leads into it`() throws {
    var builder = PDFBuilder()
    builder.add("<</Type/Catalog/Pages 2 0 R>>")
    builder.add("<</Type/Pages/Kids[3 0 R]/Count 1/MediaBox[0 0 612 792]>>")
    builder.add("<</Type/Page/Parent 2 0 R/Contents 4 0 R/Resources<</Font<</F1 5 0 R>>>>>>")
    builder.addStream(Array("BT /F1 10 Tf 72 700 Td <002200230024> Tj ET".utf8))
    builder.add(
      "<</Type/Font/Subtype/Type0/BaseFont/Any/Encoding/Identity-H/ToUnicode 7 0 R"
        + "/DescendantFonts[<</Type/Font/Subtype/CIDFontType0/BaseFont/Any/CIDSystemInfo"
        + "<</Registry(Adobe)/Ordering(Identity)/Supplement 0>>>>]>>")
    builder.add("null")
    builder.addStream(Array("/Adobe-Japan1-UCS2 usecmap".utf8))
    #expect(try text(builder.file(root: 1)) == "ABC\n")
  }
}
