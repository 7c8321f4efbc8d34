/// The Unicode text of one glyph in four bytes: one scalar, or several in a table.
struct GlyphText: Equatable {
  let bits: UInt32

  private static let several: UInt32 = 1 << 31

  init(scalar: UInt32) { bits = scalar & ~Self.several }
  init(several index: Int) { bits = UInt32(truncatingIfNeeded: index) | Self.several }

  static let unknown = GlyphText(scalar: 0xFFFD)
  static let space = GlyphText(scalar: 0x20)

  /// The place in the table of texts, where there are several scalars.
  var index: Int? { bits & Self.several != 0 ? Int(bits & ~Self.several) : nil }

  /// The only scalar; 0 where there are several.
  var scalar: UInt32 { bits & Self.several != 0 ? 0 : bits }

  var isBlank: Bool {
    switch bits {
    case 0x20, 0xA0, 0x09, 0x0A, 0x0D, 0x2000...0x200A, 0x202F, 0x205F, 0x3000: true
    default: false
    }
  }
}
