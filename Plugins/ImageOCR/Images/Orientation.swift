internal import PDFSyntax
internal import PDFWriter

/// The turns and mirrorings that EXIF and TIFF know (tag 274).
struct Orientation: Sendable, Equatable {
  /// Quarters of a circle clockwise, done after the mirroring.
  var quarters: Int
  /// Whether the stored picture is mirrored left to right first.
  var isMirrored: Bool

  init(quarters: Int, isMirrored: Bool) {
    (self.quarters, self.isMirrored) = (quarters, isMirrored)
  }

  /// - Parameter tag: 1 to 8; other values count as 1.
  init(tag: Int) {
    switch tag {
    case 2: (quarters, isMirrored) = (0, true)
    case 3: (quarters, isMirrored) = (2, false)
    case 4: (quarters, isMirrored) = (2, true)
    case 5: (quarters, isMirrored) = (3, true)
    case 6: (quarters, isMirrored) = (1, false)
    case 7: (quarters, isMirrored) = (1, true)
    case 8: (quarters, isMirrored) = (3, false)
    default: (quarters, isMirrored) = (0, false)
    }
  }

  /// The picture as it is to be shown.
  func apply(to pixels: borrowing Pixels) -> Pixels? {
    guard isMirrored else { return pixels.turned(quarters) }
    guard let mirrored = pixels.mirrored() else { return nil }
    return mirrored.turned(quarters)
  }

  /// Leads from the stored picture to the shown one, in pixels from the top left.
  func transform(width: Double, height: Double) -> Matrix {
    let mirroring =
      isMirrored ? Matrix(-1, 0, 0, 1, width, 0) : Matrix.identity
    return mirroring.then(.turn(quarters, width: width, height: height))
  }
}

extension Matrix {
  /// Turns a picture of this size by quarters clockwise, in pixels from the top left.
  static func turn(_ quarters: Int, width: Double, height: Double) -> Matrix {
    switch ((quarters % 4) + 4) % 4 {
    case 1: Matrix(0, 1, -1, 0, height, 0)
    case 2: Matrix(-1, 0, 0, -1, width, height)
    case 3: Matrix(0, -1, 1, 0, 0, width)
    default: .identity
    }
  }
}
