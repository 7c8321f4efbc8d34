/// A transformation matrix [a b c d e f] (PDF 32000-1, 8.3.3): x' = ax + cy + e, y' = bx + dy + f.
public struct AffineTransform: Sendable, Equatable {
  /// The six numbers in the order in which PDF writes them (8.3.3).
  public var a, b, c, d, e, f: Double

  /// A matrix of its six numbers.
  public init(_ a: Double, _ b: Double, _ c: Double, _ d: Double, _ e: Double, _ f: Double) {
    (self.a, self.b, self.c, self.d, self.e, self.f) = (a, b, c, d, e, f)
  }

  /// The matrix that changes nothing.
  public static let identity = AffineTransform(1, 0, 0, 1, 0, 0)

  /// Moves by x and y.
  public static func translation(_ x: Double, _ y: Double) -> AffineTransform {
    AffineTransform(1, 0, 0, 1, x, y)
  }

  /// Stretches by x and y.
  public static func scale(_ x: Double, _ y: Double) -> AffineTransform {
    AffineTransform(x, 0, 0, y, 0, 0)
  }

  /// The transform that applies this one first and `next` after it.
  public func then(_ next: AffineTransform) -> AffineTransform {
    AffineTransform(
      a * next.a + b * next.c, a * next.b + b * next.d,
      c * next.a + d * next.c, c * next.b + d * next.d,
      e * next.a + f * next.c + next.e, e * next.b + f * next.d + next.f)
  }

  /// Where a point goes.
  public func apply(_ x: Double, _ y: Double) -> (x: Double, y: Double) {
    (a * x + c * y + e, b * x + d * y + f)
  }

  /// The transform that undoes this one, or nil where it flattens the plane or is not finite.
  public var inverse: AffineTransform? {
    let determinant = a * d - b * c
    guard determinant.isFinite, determinant.magnitude > 1e-12 else { return nil }
    return AffineTransform(
      d / determinant, -b / determinant, -c / determinant, a / determinant,
      (c * f - d * e) / determinant, (b * e - a * f) / determinant)
  }
}
