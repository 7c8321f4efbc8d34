/// A projective map of the plane: where a camera sees the points of a flat sheet.
///
/// x' = (m₀x + m₁y + m₂) / (m₆x + m₇y + 1), y' = (m₃x + m₄y + m₅) / (m₆x + m₇y + 1).
struct Projection: Sendable, Equatable {
  /// The eight numbers m₀ to m₇.
  let coefficients: [Double]

  /// Leads from a rectangle with its top left corner at the origin to four corners.
  ///
  /// - Parameter corners: of a convex quadrilateral, clockwise from the top left.
  /// - Returns: nil where three of the corners lie on one line.
  init?(width: Double, height: Double, to corners: [PixelPoint]) {
    guard corners.count == 4, width > 0, height > 0 else { return nil }
    let (a, b, c, d) = (corners[0], corners[1], corners[2], corners[3])
    // The unit square's map first: see how far the quadrilateral is from a parallelogram.
    let sum = PixelPoint(x: a.x - b.x + c.x - d.x, y: a.y - b.y + c.y - d.y)
    let (u, v) = (b - c, d - c)
    let determinant = u.x * v.y - u.y * v.x
    guard determinant.magnitude > 1e-6, determinant.isFinite else { return nil }
    let g = (sum.x * v.y - sum.y * v.x) / determinant
    let h = (u.x * sum.y - u.y * sum.x) / determinant
    coefficients = [
      (b.x - a.x + g * b.x) / width, (d.x - a.x + h * d.x) / height, a.x,
      (b.y - a.y + g * b.y) / width, (d.y - a.y + h * d.y) / height, a.y,
      g / width, h / height,
    ]
  }

  /// Where a point goes.
  func apply(_ point: PixelPoint) -> PixelPoint {
    let m = coefficients
    let scale = m[6] * point.x + m[7] * point.y + 1
    return PixelPoint(
      x: (m[0] * point.x + m[1] * point.y + m[2]) / scale,
      y: (m[3] * point.x + m[4] * point.y + m[5]) / scale)
  }

  /// The eight numbers of the same map between pixels that are named by their column and row, and
  /// so by the place of their middle less one half.
  var betweenPixels: [Float] {
    let m = coefficients
    let scale = 1 + (m[6] + m[7]) / 2
    let column = [m[0] - m[6] / 2, m[1] - m[7] / 2, m[2] + (m[0] + m[1] - scale) / 2]
    let row = [m[3] - m[6] / 2, m[4] - m[7] / 2, m[5] + (m[3] + m[4] - scale) / 2]
    return (column + row + [m[6], m[7]]).map { Float($0 / scale) }
  }
}

/// A place in a picture in pixels from its top left, y downwards.
struct PixelPoint: Sendable, Equatable, Codable {
  var x: Double
  var y: Double

  static func - (left: PixelPoint, right: PixelPoint) -> PixelPoint {
    PixelPoint(x: left.x - right.x, y: left.y - right.y)
  }
}
