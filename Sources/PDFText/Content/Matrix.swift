public import PDFSyntax

/// A transformation of the plane (PDF 32000-1, 8.3.4): x' = a·x + c·y + e, y' = b·x + d·y + f.
public struct Matrix: Sendable, Equatable {
  /// The six numbers in the order in which PDF writes them.
  public var a: Double
  public var b: Double
  public var c: Double
  public var d: Double
  public var e: Double
  public var f: Double

  /// A matrix of its six numbers.
  public init(a: Double, b: Double, c: Double, d: Double, e: Double, f: Double) {
    self.a = a
    self.b = b
    self.c = c
    self.d = d
    self.e = e
    self.f = f
  }

  /// The matrix that changes nothing.
  public static let identity = Matrix(a: 1, b: 0, c: 0, d: 1, e: 0, f: 0)

  /// The matrix of an array of six numbers; the identity where they are not that.
  public init(_ numbers: [Double]?) {
    guard let n = numbers, n.count >= 6, n[..<6].allSatisfy({ $0.isFinite }) else {
      self = .identity
      return
    }
    self.init(a: n[0], b: n[1], c: n[2], d: n[3], e: n[4], f: n[5])
  }

  var isFinite: Bool {
    a.isFinite && b.isFinite && c.isFinite && d.isFinite && e.isFinite && f.isFinite
  }

  /// This transformation first, then `next`.
  @inline(__always)
  public func then(_ next: Matrix) -> Matrix {
    Matrix(
      a: a * next.a + b * next.c, b: a * next.b + b * next.d, c: c * next.a + d * next.c,
      d: c * next.b + d * next.d, e: e * next.a + f * next.c + next.e,
      f: e * next.b + f * next.d + next.f)
  }

  /// Where a point goes.
  @inline(__always)
  public func apply(_ x: Double, _ y: Double) -> (x: Double, y: Double) {
    (a * x + c * y + e, b * x + d * y + f)
  }

  /// The smallest upright rectangle around a transformed one.
  public func bounds(_ box: Rectangle) -> Rectangle {
    let p = apply(box.x0, box.y0)
    let q = apply(box.x1, box.y0)
    let r = apply(box.x0, box.y1)
    let s = apply(box.x1, box.y1)
    return Rectangle(
      x0: min(p.x, q.x, r.x, s.x), y0: min(p.y, q.y, r.y, s.y), x1: max(p.x, q.x, r.x, s.x),
      y1: max(p.y, q.y, r.y, s.y))
  }

  /// From user space to the page as shown: origin at the top left, y downwards, rotated by the
  /// page's `Rotate`.
  public init(showing page: Page) {
    let box = page.cropBox
    switch page.rotation {
    case 90: self.init(a: 0, b: 1, c: 1, d: 0, e: -box.y0, f: -box.x0)
    case 180: self.init(a: -1, b: 0, c: 0, d: 1, e: box.x1, f: -box.y0)
    case 270: self.init(a: 0, b: -1, c: -1, d: 0, e: box.y1, f: box.x1)
    default: self.init(a: 1, b: 0, c: 0, d: -1, e: -box.x0, f: box.y1)
    }
  }
}
