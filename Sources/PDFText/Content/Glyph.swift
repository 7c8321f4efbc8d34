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
  /// The places of glyphs, segment by segment; a ``Segment`` is a stretch of it.
  var order: [Int32] = []
  /// The texts of glyphs that stand for several scalars.
  var strings: [[UInt32]] = []
  /// The glyphs of each form field that shows any, in the order of drawing.
  var fields: [Range<Int>] = []
  /// The fonts of the glyphs, in the order of their first use.
  private(set) var faces: [FontFace] = []
  private var places: [ObjectIdentifier: UInt16] = [:]
  private var latest: (font: ObjectIdentifier, place: UInt16)?
  /// Whether a work limit cut the page short.
  var isCut = false

  /// The place of a font's face. Strings of one font follow one another, so the last one is tried
  /// first.
  mutating func face(of font: Font) -> UInt16 {
    let identifier = ObjectIdentifier(font)
    if let latest, latest.font == identifier { return latest.place }
    let place: UInt16
    if let known = places[identifier] {
      place = known
    } else {
      guard faces.count < Int(UInt16.max) else { return 0 }
      place = UInt16(faces.count)
      faces.append(font.face)
      places[identifier] = place
    }
    latest = (identifier, place)
    return place
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
