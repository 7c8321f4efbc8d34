/// A page with one font, whose dictionary and whatever belongs to it a test writes itself.
public struct FontPage {
  private var builder = PDFBuilder()

  /// - Parameters:
  ///   - font: the font's dictionary; objects added later have the numbers from 6 on.
  ///   - showing: operators between `BT` and `ET`; the font is set at 10 points, at 100, 700.
  public init(_ font: String, showing: String) {
    builder.add("<</Type/Catalog/Pages 2 0 R>>")
    builder.add("<</Type/Pages/Kids[3 0 R]/Count 1/MediaBox[0 0 612 792]>>")
    builder.add("<</Type/Page/Parent 2 0 R/Contents 4 0 R/Resources<</Font<</F1 5 0 R>>>>>>")
    builder.addStream(Array("BT /F1 10 Tf 100 700 Td \(showing) ET".utf8))
    builder.add(font)
  }

  /// Adds an object by its text and answers its number, from 6.
  @discardableResult
  public mutating func add(_ text: String) -> Int { builder.add(text) }

  /// Adds a stream and answers its number, from 6; `entries` go into its dictionary.
  @discardableResult
  public mutating func addStream(_ bytes: [UInt8], entries: String = "") -> Int {
    builder.addStream(bytes, entries: entries)
  }

  /// The same for content that is a text.
  @discardableResult
  public mutating func addStream(_ text: String, entries: String = "") -> Int {
    builder.addStream(Array(text.utf8), entries: entries)
  }

  /// The whole file.
  public var file: [UInt8] { builder.file(root: 1) }

  /// A Type 0 font whose descendant is object 6 and has no program.
  ///
  /// - Parameters:
  ///   - encoding: what stands behind `Encoding`.
  ///   - ordering: that of the descendant's collection.
  public static func composite(
    encoding: String, font: String = "", ordering: String = "Identity",
    descendant: String = "/Subtype/CIDFontType2", showing: String
  ) -> FontPage {
    var page = FontPage(
      "<</Type/Font/Subtype/Type0/BaseFont/Any/Encoding \(encoding)/DescendantFonts[6 0 R]\(font)>>",
      showing: showing)
    page.add(
      "<</Type/Font/BaseFont/Any/CIDSystemInfo"
        + "<</Registry(Adobe)/Ordering(\(ordering))/Supplement 0>>\(descendant)>>")
    return page
  }
}
