/// A rectangle in PDF user space: points, y upwards, always with x0 ≤ x1 and y0 ≤ y1.
public struct Rectangle: Sendable, Equatable {
  /// The left edge, in user space units (1/72 inch by default).
  public var x0: Double
  /// The lower edge.
  public var y0: Double
  /// The right edge, ``x0`` or more.
  public var x1: Double
  /// The upper edge, ``y0`` or more.
  public var y1: Double

  /// A rectangle between two corners; those that are given the other way round are turned.
  public init(x0: Double, y0: Double, x1: Double, y1: Double) {
    self.x0 = min(x0, x1)
    self.y0 = min(y0, y1)
    self.x1 = max(x0, x1)
    self.y1 = max(y0, y1)
  }

  /// A rectangle object (7.9.5), or nil where the numbers are not four finite ones.
  public init?(_ numbers: [Double]) {
    guard numbers.count >= 4, numbers[..<4].allSatisfy({ $0.isFinite && $0.magnitude < 1e9 }) else {
      return nil
    }
    self.init(x0: numbers[0], y0: numbers[1], x1: numbers[2], y1: numbers[3])
  }

  /// Its extent along the x axis in user space units, 0 or more.
  public var width: Double { x1 - x0 }
  /// Its extent along the y axis in user space units, 0 or more.
  public var height: Double { y1 - y0 }
  /// Whether it encloses nothing.
  public var isEmpty: Bool { width <= 0 || height <= 0 }

  /// From the origin to 1 in both directions: where an image is before it is placed (8.9.5).
  public static let unit = Rectangle(x0: 0, y0: 0, x1: 1, y1: 1)

  /// The four corners.
  package var corners: [(Double, Double)] { [(x0, y0), (x1, y0), (x1, y1), (x0, y1)] }

  /// Whether a point lies inside or on the border.
  public func contains(x: Double, y: Double) -> Bool { x >= x0 && x <= x1 && y >= y0 && y <= y1 }

  /// What two rectangles have in common, or nil.
  public func intersection(_ other: Rectangle) -> Rectangle? {
    let left = max(x0, other.x0)
    let right = min(x1, other.x1)
    let bottom = max(y0, other.y0)
    let top = min(y1, other.y1)
    guard left < right, bottom < top else { return nil }
    return Rectangle(x0: left, y0: bottom, x1: right, y1: top)
  }
}
