internal import CTesseract

/// Tells paper with nothing on it from a page that holds something, be it only a signature.
enum EmptyPaper {
  /// Grey values darker than this count as ink.
  private static let inkBelow: Int32 = 150
  /// Marks smaller than this in inches are dirt.
  private static let dirt = 0.1
  /// Marks that lie wholly this close to the edge, in inches, are shadows and holes of the paper.
  private static let edge = 0.45
  /// The picture is looked at in about this resolution, in pixels per inch.
  private static let lookedAt = 75.0

  /// Whether nothing is on a page.
  ///
  /// - Parameters:
  ///   - pixels: bilevel, or in grey with its paper made even.
  ///   - resolution: pixels per inch.
  static func isEmpty(_ pixels: borrowing Pixels, resolution: Double) -> Bool {
    let bilevel =
      pixels.depth == 1
      ? pixels.shared() : unsafe Pixels(taking: pixConvertTo1(pixels.pix, inkBelow))
    guard var picture = bilevel else { return false }
    var scale = resolution
    // Each halving keeps what is at least two pixels strong: specks of single pixels go.
    while scale >= 2 * lookedAt {
      guard let half = unsafe Pixels(taking: pixReduceRankBinary2(picture.pix, 2, nil)) else {
        return false
      }
      picture = half
      scale /= 2
    }
    var marks = unsafe pixConnCompBB(picture.pix, 8)
    defer { unsafe boxaDestroy(&marks) }
    let margin = edge * scale
    let (width, height) = (Double(picture.width), Double(picture.height))
    let count = unsafe boxaGetCount(marks)
    for index in 0..<max(0, count) {
      var x: Int32 = 0
      var y: Int32 = 0
      var w: Int32 = 0
      var h: Int32 = 0
      guard unsafe boxaGetBoxGeometry(marks, index, &x, &y, &w, &h) == 0 else { continue }
      let isLarge = Double(max(w, h)) >= dirt * scale
      let isAtEdge =
        Double(x + w) <= margin || Double(y + h) <= margin || Double(x) >= width - margin
        || Double(y) >= height - margin
      if isLarge, !isAtEdge { return false }
    }
    return true
  }
}
