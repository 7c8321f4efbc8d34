/// The connected marks of ink on a page, at a resolution at which specks of single pixels are gone.
struct InkMarks {
  /// In pixels of the picture that was looked at, from its top left.
  let boxes: [PixelBox]
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
    guard var picture = pixels.ink() else { return nil }
    var scale = resolution
    while scale >= 2 * lookedAt {
      // Each halving keeps what is at least two pixels strong.
      guard let half = picture.halvedInk() else { return nil }
      picture = half
      scale /= 2
    }
    (self.resolution, width, height) = (scale, Double(picture.width), Double(picture.height))
    guard let boxes = picture.marks(most: most) else { return nil }
    self.boxes = boxes
  }
}
