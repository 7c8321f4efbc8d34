internal import CTesseract

/// Bars of dark ground with light letters in them, as the heads of tables have.
enum DarkBars {
  /// How high they are, and how wide at least, in heights of the usual line.
  private static let heights = 0.8...3.0
  private static let leastWidth = 3.0
  /// The share of them that is dark.
  private static let darkness = 0.5...0.99
  /// What is left out at its edges for the margin with which lines are read, in heights of a bar.
  private static let edge = 0.15
  /// More of them are a drawing.
  private static let most = 30

  /// Where they are, in pixels.
  ///
  /// - Parameters:
  ///   - picture: the page with its lines level and its paper as it was: making that even takes them for paper.
  ///   - height: of the usual line, in pixels.
  static func find(in picture: borrowing Pixels, height: Double) -> [PixelBox] {
    guard let ink = picture.ink(),
      // In a quarter of the size most letters are gone.
      let small = unsafe Pixels(taking: pixReduceRankBinaryCascade(ink.pix, 2, 2, 0, 0)),
      let boxes = small.marks(most: 50_000)
    else { return [] }
    let bars = boxes.filter { box in
      heights.contains(4 * box.height / height) && 4 * box.width >= leastWidth * height
        && darkness.contains(small.blackness(of: box))
    }.map { LooseInk.inPicture(LooseInk.inPicture($0)) }
      // Words in small letters grow together there, and have less ink.
      .filter { darkness.contains(ink.blackness(of: $0)) }
    guard bars.count <= most else { return [] }
    // The paper around a bar is dark where it is read.
    return bars.map { bar in
      let edge = Self.edge * bar.height
      return PixelBox(
        left: bar.left + edge, top: bar.top + edge, right: bar.right - edge,
        bottom: bar.bottom - edge)
    }
  }
}
