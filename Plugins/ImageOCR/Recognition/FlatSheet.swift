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
    let shrink = min(
      1, Double(photo.width) / outline.width, Double(photo.height) / outline.height)
    let width = (outline.width * shrink).rounded(.down)
    let height = (outline.height * shrink).rounded(.down)
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
  /// level on average.
  func restored(_ reading: PageReader.Reading) -> PageReader.Reading {
    let toSheet = reading.transform.inverse ?? .identity
    let turn = Matrix.turn(
      reading.quarters, width: Double(photoWidth), height: Double(photoHeight))
    func turned(_ x: Double, _ y: Double) -> PixelPoint {
      let flat = toSheet.apply(x, y)
      let photo = toPhoto.apply(PixelPoint(x: flat.x, y: flat.y))
      let place = turn.apply(photo.x, photo.y)
      return PixelPoint(x: place.x, y: place.y)
    }
    let isSideways = reading.quarters % 2 != 0
    let (width, height) = isSideways ? (photoHeight, photoWidth) : (photoWidth, photoHeight)
    var angle = Self.levellingAngle(reading.page.lines, turned)
    if angle.magnitude * 180 / .pi < Preprocessing.leastAngle { angle = 0 }
    let levelling = Preprocessing.levelling(
      by: angle, width: Double(width), height: Double(height))
    var page = reading.page
    // Those of a sheet seen aslant are neither level nor upright.
    page.rules = []
    page.lines = page.lines.map { line in
      line.aslant { x, y in
        let place = turned(x, y)
        let level = levelling.apply(place.x, place.y)
        return PixelPoint(x: level.x, y: level.y)
      }
    }
    return PageReader.Reading(
      page: page, quarters: reading.quarters, angle: angle, width: width, height: height,
      sheet: outline, languages: reading.languages, isEmpty: reading.isEmpty,
      doubts: reading.doubts)
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
