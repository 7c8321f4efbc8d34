internal import Glibc

/// The four corners of a sheet of paper in a photo.
struct SheetOutline: Sendable, Equatable, Codable {
  /// Clockwise from the top left, in pixels of the photo; the upper side runs more across than down.
  var corners: [PixelPoint]
  /// Of the photo, in pixels.
  var middle: PixelPoint

  /// Sides that are off by less than this in radians are left alone.
  private static let leastAngle = Preprocessing.leastAngle * .pi / 180

  private func side(_ index: Int) -> (length: Double, angle: Double) {
    let run = corners[(index + 1) % 4] - corners[index]
    return (hypot(run.x, run.y), atan2(run.y, run.x))
  }

  /// As seen from straight above, in pixels: at least as long as the sides in the photo.
  var size: (width: Double, height: Double) {
    let width = max(side(0).length, side(2).length), height = max(side(1).length, side(3).length)
    let proportion = SheetProportion.height(of: corners, middle: middle)
    return (max(width, height / proportion), max(height, width * proportion))
  }

  /// Whether the sheet is seen aslant or lies so: it is no upright rectangle in the photo.
  var isAslant: Bool {
    (0..<4).contains { index in
      (side(index).angle - Double(index) * .pi / 2).remainder(dividingBy: .pi).magnitude
        > Self.leastAngle
    }
  }

  /// The sheet alone out of the photo in which it was found, as it looks from straight above.
  func cut(from photo: borrowing Pixels) -> Pixels? {
    guard !isAslant else {
      guard let flat = FlatSheet(self, in: photo) else { return nil }
      return flat.pixels.shared()
    }
    let (x, y) = (corners.map(\.x), corners.map(\.y))
    return photo.clipped(
      PixelBox(
        left: (x.min() ?? 0).rounded(), top: (y.min() ?? 0).rounded(),
        right: (x.max() ?? 0).rounded(), bottom: (y.max() ?? 0).rounded()))
  }

  /// Finds the one light sheet on a darker ground that a photo shows with all of its four sides;
  /// nil where there is none, as on every scan without a dark border.
  ///
  /// - Parameter pixels: in 8-bit grey.
  static func find(in pixels: borrowing Pixels) -> SheetOutline? {
    guard pixels.depth == 8, !pixels.hasColourMap, min(pixels.width, pixels.height) >= 300 else {
      return nil
    }
    let scale = min(1, Double(SheetPicture.side) / Double(max(pixels.width, pixels.height)))
    // Most scans show no ground at all, which a few of their pixels tell.
    guard let rough = SheetPicture(sampling: pixels, scale: scale / 2), rough.mayShowGround,
      let small = SheetPicture(pixels, scale: scale), let found = small.outline()
    else { return nil }
    return SheetOutline(
      corners: found.map { PixelPoint(x: $0.x / scale, y: $0.y / scale) },
      middle: PixelPoint(x: Double(pixels.width) / 2, y: Double(pixels.height) / 2))
  }
}
