internal import Bytes
public import PDFSyntax

/// A font without outlines, for text that is selected and searched but not seen.
///
/// Every glyph is empty and ``advance`` wide; from the top of the font box to its bottom is one em.
/// So a word takes exactly the box that its font size and horizontal scaling give it. Each Unicode
/// scalar of a document gets its own two-byte code in order of first use, and the ToUnicode map
/// leads back (PDF 32000-1, 9.7.4 and 9.10.3).
public struct InvisibleFont: Sendable {
  /// The width of every glyph, in thousandths of the font size.
  public static let advance = 500
  /// The height of the font box above the baseline, in thousandths of the font size.
  public static let ascent = 780
  /// The depth of the font box below the baseline, in thousandths of the font size; negative.
  public static let descent = -220

  private var codes: [Unicode.Scalar: UInt16] = [:]
  private var scalars: [Unicode.Scalar] = []
  private static let codeLimit = 65_000

  /// A font that has encoded nothing yet; one serves a whole document.
  public init() {}

  /// Whether any text was encoded yet.
  public var isUsed: Bool { !scalars.isEmpty }

  /// The codes of a text, one for each scalar. Past 65,000 different scalars they repeat that of
  /// the first.
  public mutating func encode(_ text: String) -> [UInt16] {
    text.unicodeScalars.map { scalar in
      if let code = codes[scalar] { return code }
      guard scalars.count < Self.codeLimit else { return 1 }
      scalars.append(scalar)
      let code = UInt16(truncatingIfNeeded: scalars.count)
      codes[scalar] = code
      return code
    }
  }

  /// Writes the font as indirect objects, the Type 0 font under a number reserved before.
  public func write(as reference: PDFReference, to sink: inout some ObjectSink) {
    let name: PDFName = "AAAAAA+Invisible"
    let program = Self.program
    let file = sink.add(
      .stream(.compressed(["Length1": .integer(program.count)], bytes: program)))
    let descriptor = sink.add(
      .dictionary([
        "Type": .name("FontDescriptor"), "FontName": .name(name), "Flags": .integer(4),
        "FontBBox": .numbers(0, Double(Self.descent), Double(Self.advance), Double(Self.ascent)),
        "ItalicAngle": .integer(0), "Ascent": .integer(Self.ascent),
        "Descent": .integer(Self.descent), "CapHeight": .integer(Self.ascent),
        "StemV": .integer(80), "FontFile2": .reference(file),
      ]))
    var glyphs: [UInt8] = [0, 0]
    for _ in scalars { glyphs += [0, 1] }
    let map = sink.add(.stream(.compressed(bytes: glyphs)))
    let descendant = sink.add(
      .dictionary([
        "Type": .name("Font"), "Subtype": .name("CIDFontType2"), "BaseFont": .name(name),
        "CIDSystemInfo": .dictionary([
          "Registry": .string(Array("Adobe".utf8)), "Ordering": .string(Array("Identity".utf8)),
          "Supplement": .integer(0),
        ]),
        "FontDescriptor": .reference(descriptor), "DW": .integer(Self.advance),
        "CIDToGIDMap": .reference(map),
      ]))
    let unicode = sink.add(.stream(.compressed(bytes: unicodeMap)))
    sink.put(
      .dictionary([
        "Type": .name("Font"), "Subtype": .name("Type0"), "BaseFont": .name(name),
        "Encoding": .name("Identity-H"), "DescendantFonts": .array([.reference(descendant)]),
        "ToUnicode": .reference(unicode),
      ]), as: reference)
  }

  /// The ToUnicode CMap (9.10.3): one line per code, at most a hundred in a section.
  private var unicodeMap: [UInt8] {
    var writer = ByteWriter(reserving: 400 + scalars.count * 16)
    writer.append(
      """
      /CIDInit /ProcSet findresource begin
      12 dict begin
      begincmap
      /CIDSystemInfo <</Registry (Adobe) /Ordering (UCS) /Supplement 0>> def
      /CMapName /Adobe-Identity-UCS def
      /CMapType 2 def
      1 begincodespacerange
      <0000> <FFFF>
      endcodespacerange

      """)
    var start = 0
    while start < scalars.count {
      let end = min(start + 100, scalars.count)
      writer.append(decimal: end - start)
      writer.append(" beginbfchar\n")
      for index in start..<end {
        writer.append(0x3C)
        writer.append(hexadecimal: bigEndian(UInt16(truncatingIfNeeded: index + 1)))
        writer.append("> <")
        for unit in UTF16.encode(scalars[index]) ?? UTF16.encodedReplacementCharacter {
          writer.append(hexadecimal: bigEndian(unit))
        }
        writer.append(">\n")
      }
      writer.append("endbfchar\n")
      start = end
    }
    writer.append("endcmap\nCMapName currentdict /CMap defineresource pop\nend\nend\n")
    return writer.bytes
  }

  /// The TrueType program: `.notdef` and one glyph, both without outline.
  static var program: [UInt8] {
    TrueTypeFile.empty(advance: advance, ascent: ascent, descent: descent)
  }
}
