internal import Glibc

/// A straight line along one side of a sheet: v = slope · t + offset, where t runs along the side
/// (down the left and right ones, across the top and bottom ones) and v across it, in pixels.
struct EdgeLine: Sendable, Equatable {
  var slope: Double
  var offset: Double

  /// A place on a side.
  struct Point: Sendable, Equatable {
    var t: Double
    var v: Double
  }

  /// Points this near to a line lie on it.
  private static let near = 1.2
  /// The steepest line that is tried, as a slope; what is steeper than 1 is rather the side next to it.
  private static let steepest = 0.8

  func value(at t: Double) -> Double { slope * t + offset }

  func isNear(_ point: Point) -> Bool { (value(at: point.t) - point.v).magnitude <= Self.near }

  /// The line that most of the points lie on, where others may lie anywhere; nil for few points.
  static func fit(_ points: [Point]) -> EdgeLine? {
    guard points.count >= 40 else { return nil }
    var best: (line: EdgeLine, count: Int)?
    // Every pair of some forty points that are apart: of a sheet seen aslant, a side may be short and lie in one half.
    let stride = max(1, points.count / 40)
    for first in Swift.stride(from: 0, to: points.count, by: stride) {
      for second in Swift.stride(from: first + stride, to: points.count, by: stride) {
        let (a, b) = (points[first], points[second])
        let run = b.t - a.t
        guard run >= Double(points.count) / 6 else { continue }
        let slope = (b.v - a.v) / run
        guard slope.magnitude <= steepest else { continue }
        let line = EdgeLine(slope: slope, offset: a.v - slope * a.t)
        let count = points.reduce(0) { $0 + (line.isNear($1) ? 1 : 0) }
        if count > best?.count ?? 0 { best = (line, count) }
      }
    }
    guard var line = best?.line else { return nil }
    for _ in 0..<3 { line = line.refined(by: points) }
    return line
  }

  /// The least-squares line of the points near this one.
  private func refined(by points: [Point]) -> EdgeLine {
    var (count, sumT, sumV, sumTT, sumTV) = (0.0, 0.0, 0.0, 0.0, 0.0)
    for point in points where isNear(point) {
      count += 1
      sumT += point.t
      sumV += point.v
      sumTT += point.t * point.t
      sumTV += point.t * point.v
    }
    let spread = count * sumTT - sumT * sumT
    guard count >= 2, spread > 0 else { return self }
    let slope = (count * sumTV - sumT * sumV) / spread
    return EdgeLine(slope: slope, offset: (sumV - slope * sumT) / count)
  }

  /// Where an upright line (t downwards) and a level one (t across) meet.
  static func meeting(upright: EdgeLine, level: EdgeLine) -> PixelPoint? {
    let divisor = 1 - upright.slope * level.slope
    guard divisor.magnitude > 0.1 else { return nil }
    let y = (level.slope * upright.offset + level.offset) / divisor
    return PixelPoint(x: upright.value(at: y), y: y)
  }
}
