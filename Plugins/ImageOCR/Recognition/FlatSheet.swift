internal import Glibc
internal import PDFSyntax
internal import PDFWriter

/// A sheet of paper that was photographed aslant, as it looks from straight above.
struct FlatSheet: ~Copyable {
  /// The sheet alone, in grey or color as the photo.
  let pixels: Pixels
  private let toPhoto: Projection
  private let outline: SheetOutline
  private let photoWidth: Int
  private let photoHeight: Int

  /// The sheet out of a photo; nil where it needs no flattening or that fails.
  init?(_ outline: SheetOutline, in photo: borrowing Pixels) {
    guard outline.isAslant else { return nil }
    let size = outline.size
    let shrink = min(1, Double(photo.width) / size.width, Double(photo.height) / size.height)
    let width = (size.width * shrink).rounded()
    let height = (size.height * shrink).rounded()
    guard
      let toPhoto = Projection(width: width, height: height, to: outline.corners),
      let pixels = photo.projected(toPhoto, width: Int(width), height: Int(height))
    else { return nil }
    self.pixels = pixels
    self.toPhoto = toPhoto
    self.outline = outline
    (photoWidth, photoHeight) = (photo.width, photo.height)
  }

  /// What was read on the sheet, put where it is in the photo.
  ///
  /// The result speaks of the photo turned by quarters, and then turned so far that its lines are
  /// level on average, large enough for the whole sheet.
  func restored(_ reading: PageReader.Reading) -> PageReader.Reading {
    let toSheet = reading.transform.inverse ?? .identity
    func inPhoto(_ x: Double, _ y: Double) -> PixelPoint {
      let flat = toSheet.apply(x, y)
      return toPhoto.apply(PixelPoint(x: flat.x, y: flat.y))
    }
    let isSideways = reading.quarters % 2 != 0
    var result = reading
    (result.width, result.height) =
      isSideways ? (photoHeight, photoWidth) : (photoWidth, photoHeight)
    (result.angle, result.margin, result.sheet) = (0, .init(), outline)
    let turn = result.transform
    let angle = Self.levellingAngle(reading.page.lines) { inPhoto($0, $1).mapped(turn) }
    if angle.magnitude * 180 / .pi >= Preprocessing.leastAngle { result.angle = angle }
    let corners = outline.corners.map { $0.mapped(result.transform) }
    let (x, y) = (corners.map(\.x), corners.map(\.y))
    func beyond(_ places: [Double], _ side: Int) -> Int {
      let most = max(-(places.min() ?? 0), (places.max() ?? 0) - Double(side))
      return max(0, Int(most.rounded(.up)))
    }
    result.margin = Tilt.Margin(x: beyond(x, result.width), y: beyond(y, result.height))
    result.width += 2 * result.margin.x
    result.height += 2 * result.margin.y
    let level = result.transform
    // Those of a sheet seen aslant are neither level nor upright.
    result.page.rules = []
    result.page.lines = reading.page.lines.map { line in
      line.aslant { inPhoto($0, $1).mapped(level) }
    }
    return result
  }

  /// The clockwise angle in radians that makes lines level on average.
  private static func levellingAngle(
    _ lines: [RecognizedPage.Line], _ map: (Double, Double) -> PixelPoint
  ) -> Double {
    var (x, y) = (0.0, 0.0)
    for line in lines {
      let run =
        map(line.box.right, line.baselineY(at: line.box.right))
        - map(line.box.left, line.baselineY(at: line.box.left))
      (x, y) = (x + run.x, y + run.y)
    }
    return x > 0 ? -atan2(y, x) : 0
  }
}

extension PixelPoint {
  /// Where a matrix leads.
  fileprivate func mapped(_ matrix: Matrix) -> PixelPoint {
    let place = matrix.apply(x, y)
    return PixelPoint(x: place.x, y: place.y)
  }
}
