/// Finds vertical writing that was drawn glyph by glyph with a horizontal font, as browsers and
/// office programs do, and turns such glyphs so that they read downwards.
enum VerticalRuns {
  private static let shortest = 4
  /// The least cosine between a glyph's direction and the page's.
  private static let level = 0.99
  /// How far below one another glyphs stand, and how far beside one another at most, in units of their size.
  private static let step = (least: 0.3, most: 1.7)
  private static let shift = 0.6
  /// How far above and below its baseline a glyph reaches that is turned, in units of its size.
  private static let (above, below) = (0.88, 0.12)

  static func turn(_ run: inout GlyphRun) {
    var start = 0
    var index = 1
    let count = run.glyphs.count
    while index <= count {
      if index < count, follows(run, index - 1, index) {
        index += 1
        continue
      }
      if index - start >= shortest {
        for place in start..<index { turn(&run.glyphs[place]) }
      }
      start = index
      index += 1
    }
  }

  /// Whether a glyph stands right below the one before it.
  private static func follows(_ run: GlyphRun, _ first: Int, _ second: Int) -> Bool {
    let above = run.glyphs[first]
    let below = run.glyphs[second]
    guard below.directionX > level, above.directionX > level else { return false }
    let size = above.size
    let step = below.y - above.y
    guard step > Self.step.least * size, step < Self.step.most * size,
      ((above.x + above.endX) / 2 - (below.x + below.endX) / 2).magnitude < shift * size
    else { return false }
    return Scripts.isWithoutBlanks(run.firstScalar(above.text))
      && Scripts.isWithoutBlanks(run.firstScalar(below.text))
  }

  private static func turn(_ glyph: inout Glyph) {
    let middle = (glyph.x + glyph.endX) / 2
    let baseline = glyph.y
    glyph.x = middle
    glyph.endX = middle
    glyph.y = baseline - above * glyph.size
    glyph.endY = baseline + below * glyph.size
    glyph.directionX = 0
    glyph.directionY = 1
    glyph.ascent = 0.5
    glyph.descent = -0.5
  }
}
