/// A transformation of the plane (PDF 32000-1, 8.3.4): x' = a·x + c·y + e, y' = b·x + d·y + f.
@frozen public struct Matrix: Sendable, Equatable, Codable {
  /// The six numbers in the order in which PDF writes them.
  public var a, b, c, d, e, f: Double

  /// A matrix of its six numbers.
  @inlinable
  public init(_ a: Double, _ b: Double, _ c: Double, _ d: Double, _ e: Double, _ f: Double) {
    (self.a, self.b, self.c, self.d, self.e, self.f) = (a, b, c, d, e, f)
  }

  /// The matrix of an array of six numbers; the identity where they are not that.
  public init(_ numbers: [Double]?) {
    guard let n = numbers, n.count >= 6, n[..<6].allSatisfy(\.isFinite) else {
      self = .identity
      return
    }
    self.init(n[0], n[1], n[2], n[3], n[4], n[5])
  }

  /// From user space to the page as shown: origin at the top left, y downwards.
  ///
  /// - Parameters:
  ///   - page: its crop box is what is shown.
  ///   - rotation: clockwise in degrees: 0, 90, 180 or 270; that of the page's `Rotate` if nil.
  public init(showing page: Page, rotation: Int? = nil) {
    let box = page.cropBox
    switch rotation ?? page.rotation {
    case 90: self.init(0, 1, 1, 0, -box.y0, -box.x0)
    case 180: self.init(-1, 0, 0, 1, box.x1, -box.y0)
    case 270: self.init(0, -1, -1, 0, box.y1, box.x1)
    default: self.init(1, 0, 0, -1, -box.x0, box.y1)
    }
  }

  /// The matrix that changes nothing.
  @inlinable public static var identity: Matrix { Matrix(1, 0, 0, 1, 0, 0) }

  /// Moves by x and y.
  public static func translation(_ x: Double, _ y: Double) -> Matrix { Matrix(1, 0, 0, 1, x, y) }

  /// Stretches by x and y.
  public static func scale(_ x: Double, _ y: Double) -> Matrix { Matrix(x, 0, 0, y, 0, 0) }

  /// Whether all six are numbers.
  @inlinable public var isFinite: Bool {
    a.isFinite && b.isFinite && c.isFinite && d.isFinite && e.isFinite && f.isFinite
  }

  /// This transformation first, then `next`.
  @inlinable @inline(__always)
  public func then(_ next: Matrix) -> Matrix {
    Matrix(
      a * next.a + b * next.c, a * next.b + b * next.d, c * next.a + d * next.c,
      c * next.b + d * next.d, e * next.a + f * next.c + next.e, e * next.b + f * next.d + next.f)
  }

  /// Where a point goes.
  @inlinable @inline(__always)
  public func apply(_ x: Double, _ y: Double) -> (x: Double, y: Double) {
    (a * x + c * y + e, b * x + d * y + f)
  }

  /// The transformation that undoes this one, or nil where it flattens the plane or is not finite.
  public var inverse: Matrix? {
    let determinant = a * d - b * c
    guard determinant.isFinite, determinant.magnitude > 1e-12 else { return nil }
    return Matrix(
      d / determinant, -b / determinant, -c / determinant, a / determinant,
      (c * f - d * e) / determinant, (b * e - a * f) / determinant)
  }

  /// The smallest upright rectangle around a transformed one.
  public func bounds(_ box: Rectangle) -> Rectangle {
    let p = apply(box.x0, box.y0), q = apply(box.x1, box.y0)
    let r = apply(box.x0, box.y1), s = apply(box.x1, box.y1)
    return Rectangle(
      x0: min(p.x, q.x, r.x, s.x), y0: min(p.y, q.y, r.y, s.y), x1: max(p.x, q.x, r.x, s.x),
      y1: max(p.y, q.y, r.y, s.y))
  }
}
