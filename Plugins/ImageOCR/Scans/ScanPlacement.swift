internal import Glibc
internal import PDFSyntax
internal import PDFWriter

/// How the picture of a scanned page lies on the page as it is shown.
struct ScanPlacement {
  /// What turns the stored picture into the shown one, but for small angles.
  let orientation: Orientation
  let resolution: PageResolution
  private let placement: Matrix

  /// - Parameters:
  ///   - placement: leads from the picture's unit square to user space.
  ///   - page: gives its rotation, and the size of its units.
  ///   - width: of the picture in pixels.
  ///   - height: of the picture in pixels.
  init?(placement: Matrix, page: Page, width: Int, height: Int) {
    self.placement = placement
    let wide = hypot(placement.a, placement.b)
    let high = hypot(placement.c, placement.d)
    guard wide > 0.1, high > 0.1, wide.isFinite, high.isFinite, placement.inverse != nil else {
      return nil
    }
    // The page's units may be larger than points (PDF 32000-1, 14.11.2).
    let stated = page.dictionary.number("UserUnit") ?? 1
    let unit = (0.01...75_000).contains(stated) ? stated : 1
    resolution = PageResolution(
      x: Double(width) * 72 / wide / unit, y: Double(height) * 72 / high / unit,
      isGuessed: false)
    // Where the picture's rows run and where its columns run, in the page shown with y downwards.
    let shown = placement.then(Matrix(showing: page))
    let isMirrored = shown.a * -shown.d - shown.b * -shown.c < 0
    let x = isMirrored ? -shown.a : shown.a
    let y = isMirrored ? -shown.b : shown.b
    var quarters = 0
    if x.magnitude >= y.magnitude { quarters = x >= 0 ? 0 : 2 } else { quarters = y > 0 ? 1 : 3 }
    orientation = Orientation(quarters: quarters, isMirrored: isMirrored)
  }

  /// Leads from the recognized picture to user space.
  func toUserSpace(_ recognizedToUnit: Matrix) -> Matrix {
    recognizedToUnit.then(placement)
  }
}
