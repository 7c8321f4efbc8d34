/// Tells paper with nothing on it from a page that holds something, be it only a signature.
enum EmptyPaper {
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
    guard let ink = InkMarks(in: pixels, resolution: resolution, lookedAt: lookedAt) else {
      return false
    }
    let margin = edge * ink.resolution
    return !ink.boxes.contains { mark in
      let isLarge = max(mark.width, mark.height) >= dirt * ink.resolution
      let isAtEdge =
        mark.right <= margin || mark.bottom <= margin || mark.left >= ink.width - margin
        || mark.top >= ink.height - margin
      return isLarge && !isAtEdge
    }
  }
}
