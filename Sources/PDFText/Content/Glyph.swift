/// One shown glyph in the coordinates of the page as shown (points, y downwards).
struct Glyph {
  /// Where the glyph's origin is, and where its advance ends.
  var x: Double
  var y: Double
  var endX: Double
  var endY: Double
  /// The height of the em.
  var size: Double
  /// The direction of reading, a unit vector.
  var directionX: Double
  var directionY: Double
  /// Extents above and below the baseline in units of `size`.
  var ascent: Float
  var descent: Float
  var text: GlyphText
  /// The place of its font in ``GlyphRun/faces``.
  var face: UInt16 = 0
}

/// The glyphs of one page in the order in which they were drawn.
struct GlyphRun {
  var glyphs: [Glyph] = []
  /// The texts of glyphs that stand for several scalars.
  var strings: [[UInt32]] = []
  /// The fonts of the glyphs, in the order of their first use.
  private(set) var faces: [FontFace] = []
  private var fonts: [Font] = []
  /// Whether a work limit cut the page short.
  var isCut = false

  /// The place of a font's face. Pages use few fonts, one after another, so the last ones are tried
  /// first.
  mutating func face(of font: Font) -> UInt16 {
    for index in fonts.indices.reversed() where fonts[index] === font { return UInt16(index) }
    guard fonts.count < 1000 else { return 0 }
    fonts.append(font)
    faces.append(font.face)
    return UInt16(fonts.count - 1)
  }

  func forEachScalar(_ text: GlyphText, _ body: (UInt32) -> Void) {
    if let index = text.index {
      for scalar in strings[index] { body(scalar) }
    } else {
      body(text.scalar)
    }
  }

  func firstScalar(_ text: GlyphText) -> UInt32 {
    text.index.map { strings[$0].first ?? 0 } ?? text.scalar
  }
}
