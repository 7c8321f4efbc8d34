internal import CTesseract

/// The connected marks of ink on a page, at a resolution at which specks of single pixels are gone.
struct InkMarks {
  /// Grey values darker than this are ink on paper that was made even.
  private static let inkBelow: Int32 = 150

  /// In pixels of the picture that was looked at, from its top left.
  private(set) var boxes: [PixelBox] = []
  /// Of that picture: pixels per inch, and its size in pixels.
  let resolution: Double
  let width: Double
  let height: Double

  /// Nil where that fails, or there are more marks than wanted.
  ///
  /// - Parameters:
  ///   - pixels: bilevel, or in grey with its paper made even.
  ///   - resolution: pixels per inch.
  ///   - lookedAt: the picture is halved while its resolution stays above this one.
  init?(
    in pixels: borrowing Pixels, resolution: Double, lookedAt: Double, most: Int = .max
  ) {
    let bilevel =
      pixels.depth == 1
      ? pixels.shared() : unsafe Pixels(taking: pixConvertTo1(pixels.pix, Self.inkBelow))
    guard var picture = bilevel else { return nil }
    var scale = resolution
    while scale >= 2 * lookedAt {
      // Each halving keeps what is at least two pixels strong.
      guard let half = unsafe Pixels(taking: pixReduceRankBinary2(picture.pix, 2, nil)) else {
        return nil
      }
      picture = half
      scale /= 2
    }
    (self.resolution, width, height) = (scale, Double(picture.width), Double(picture.height))
    var marks = unsafe pixConnCompBB(picture.pix, 8)
    defer { unsafe boxaDestroy(&marks) }
    let count = unsafe boxaGetCount(marks)
    guard Int(count) <= most else { return nil }
    for index in 0..<max(0, count) {
      var x: Int32 = 0
      var y: Int32 = 0
      var w: Int32 = 0
      var h: Int32 = 0
      guard unsafe boxaGetBoxGeometry(marks, index, &x, &y, &w, &h) == 0 else { continue }
      boxes.append(
        PixelBox(left: Double(x), top: Double(y), right: Double(x + w), bottom: Double(y + h)))
    }
  }
}
