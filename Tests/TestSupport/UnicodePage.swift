/// A page on which any Unicode text can be put, letter by letter: its font has fixed widths of half
/// an em, and tells what its glyphs stand for only through ToUnicode.
public struct UnicodePage {
  private var codes: [Unicode.Scalar: Int] = [:]
  private var scalars: [Unicode.Scalar] = []
  private var content = ""

  /// A page that shows nothing yet.
  public init() {}

  /// Shows scalars from left to right as they stand here, so right-to-left text has to be given as
  /// it is seen.
  ///
  /// - Parameter spacing: character spacing in points.
  public mutating func show(
    _ text: String, x: Double, y: Double, size: Double = 10, spacing: Double = 0
  ) {
    let shown = text.unicodeScalars.map { hexadecimal(code($0)) }.joined()
    content += "BT /F1 \(size) Tf \(spacing) Tc 1 0 0 1 \(x) \(y) Tm <\(shown)> Tj ET\n"
  }

  /// Shows text as producers of right-to-left text do: each word by itself, the first one at the
  /// right end.
  ///
  /// - Parameter words: in the order of reading, each as it is seen from left to right.
  public mutating func show(words: [String], endingAt end: Double, y: Double, size: Double = 10) {
    var x = end
    for word in words {
      x -= Double(word.unicodeScalars.count) * size / 2
      show(word, x: x, y: y, size: size)
      x -= size / 2
    }
  }

  /// The whole file: one page of 612 by 792 points.
  public var file: [UInt8] {
    var builder = PDFBuilder()
    builder.add("<</Type/Catalog/Pages 2 0 R>>")
    builder.add("<</Type/Pages/Kids[3 0 R]/Count 1/MediaBox[0 0 612 792]>>")
    builder.add(
      "<</Type/Page/Parent 2 0 R/Contents 4 0 R/Resources<</Font<</F1 5 0 R>>>>>>")
    builder.addStream(Array(content.utf8))
    builder.add(
      "<</Type/Font/Subtype/Type0/BaseFont/Any/Encoding/Identity-H/ToUnicode 7 0 R"
        + "/DescendantFonts[6 0 R]>>")
    builder.add(
      "<</Type/Font/Subtype/CIDFontType2/BaseFont/Any/DW 500/CIDSystemInfo"
        + "<</Registry(Adobe)/Ordering(Identity)/Supplement 0>>>>")
    var map = "begincmap 1 begincodespacerange <0000> <FFFF> endcodespacerange\n"
    map += "\(scalars.count) beginbfchar\n"
    for (index, scalar) in scalars.enumerated() {
      let units = String(Character(scalar)).utf16.map { hexadecimal(Int($0)) }.joined()
      map += "<\(hexadecimal(index + 1))> <\(units)>\n"
    }
    builder.addStream(Array((map + "endbfchar endcmap").utf8))
    return builder.file(root: 1)
  }

  private mutating func code(_ scalar: Unicode.Scalar) -> Int {
    if let code = codes[scalar] { return code }
    scalars.append(scalar)
    codes[scalar] = scalars.count
    return scalars.count
  }

  private func hexadecimal(_ value: Int) -> String {
    let digits = String(value, radix: 16)
    return String(repeating: "0", count: 4 - digits.count) + digits
  }
}
