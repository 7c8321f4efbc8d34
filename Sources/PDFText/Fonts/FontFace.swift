import Bytes
import PDFSyntax

/// What a reader sees of a font.
public struct FontFace: Sendable, Equatable {
  /// The PostScript name without the tag of a subset (PDF 32000-1, 9.6.4); empty where the file
  /// gives none.
  public var name: String
  /// Whether its flags, weight or name say so.
  public var isBold: Bool
  /// Whether its flags, angle or name say so.
  public var isItalic: Bool
  /// Whether all letters have one width.
  public var isFixedPitch: Bool

  /// - Parameter baseFont: as the font's dictionary has it.
  init(baseFont: String, descriptor: PDFDictionary, file: PDFFile) {
    var name = Substring(baseFont)
    if let plus = name.firstIndex(of: "+"), name.distance(from: name.startIndex, to: plus) == 6 {
      name = name[name.index(after: plus)...]
    }
    self.name = String(name.prefix(200))
    let lowercase = self.name.utf8.map { $0 >= 0x41 && $0 <= 0x5A ? $0 | 0x20 : $0 }
    func says(_ words: StaticString...) -> Bool {
      words.contains { lowercase.span.first(of: $0, in: 0..<lowercase.count) != nil }
    }
    // Bits 1, 7 and 19 of table 123.
    let flags = file.integer(descriptor, "Flags") ?? 0
    let weight = file.number(descriptor, "FontWeight") ?? 400
    isBold =
      flags & 1 << 18 != 0 || weight >= 600
      || says("bold", "black", "heavy", "-medi", "demi") || lowercase.span.matches("cmbx", at: 0)
    isItalic =
      flags & 1 << 6 != 0 || (file.number(descriptor, "ItalicAngle") ?? 0) < -1
      || says("italic", "oblique", "-ital") || lowercase.span.matches("cmti", at: 0)
    isFixedPitch =
      flags & 1 != 0 || says("courier", "mono", "consol", "typewriter")
      || lowercase.span.matches("cmtt", at: 0)
  }
}
