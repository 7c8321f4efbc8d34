internal import PDFSyntax
internal import PDFWriter

/// A path of straight lines in user space; curves are flattened (PDF 32000-1, 8.5.2).
struct ContentPath {
  private(set) var subpaths: [[(x: Double, y: Double)]] = []
  private(set) var pointCount = 0
  /// The box around all points.
  private(set) var box: Rectangle?

  private static let mostPoints = 200_000
  private static let curveSteps = 8

  var isEmpty: Bool { subpaths.isEmpty }

  mutating func move(_ x: Double, _ y: Double) {
    guard let point = note(x, y) else { return }
    subpaths.append([point])
  }

  mutating func line(_ x: Double, _ y: Double) {
    guard !subpaths.isEmpty else { return move(x, y) }
    guard let point = note(x, y) else { return }
    subpaths[subpaths.count - 1].append(point)
  }

  /// A Bézier curve from the current point.
  mutating func curve(
    _ one: (x: Double, y: Double), _ two: (x: Double, y: Double), _ end: (x: Double, y: Double)
  ) {
    guard let start = subpaths.last?.last else { return move(end.x, end.y) }
    for step in 1...Self.curveSteps {
      let t = Double(step) / Double(Self.curveSteps)
      let s = 1 - t
      let (a, b, c, d) = (s * s * s, 3 * s * s * t, 3 * s * t * t, t * t * t)
      line(
        a * start.x + b * one.x + c * two.x + d * end.x,
        a * start.y + b * one.y + c * two.y + d * end.y)
    }
  }

  /// Goes back to the first point of the subpath.
  mutating func close() {
    guard let first = subpaths.last?.first else { return }
    line(first.x, first.y)
  }

  private mutating func note(_ x: Double, _ y: Double) -> (x: Double, y: Double)? {
    guard pointCount < Self.mostPoints, x.isFinite, y.isFinite, x.magnitude < 1e9,
      y.magnitude < 1e9
    else { return nil }
    pointCount += 1
    if let box {
      self.box = Rectangle(
        x0: min(box.x0, x), y0: min(box.y0, y), x1: max(box.x1, x), y1: max(box.y1, y))
    } else {
      box = Rectangle(x0: x, y0: y, x1: x, y1: y)
    }
    return (x, y)
  }

  /// Whether it is one rectangle with level sides, so that its box says all.
  var isLevelRectangle: Bool {
    let drawn = subpaths.filter { $0.count > 1 }
    guard drawn.count == 1, let points = drawn.first, (4...6).contains(points.count) else {
      return false
    }
    guard let box else { return false }
    func isAt(_ value: Double, _ one: Double, _ two: Double) -> Bool {
      (value - one).magnitude < 1e-4 || (value - two).magnitude < 1e-4
    }
    var corners = points
    if let first = points.first, let last = points.last, points.count > 4,
      (first.x - last.x).magnitude < 1e-4, (first.y - last.y).magnitude < 1e-4
    {
      corners.removeLast()
    }
    guard corners.count == 4 else { return false }
    for (index, corner) in corners.enumerated() {
      guard isAt(corner.x, box.x0, box.x1), isAt(corner.y, box.y0, box.y1) else { return false }
      let next = corners[(index + 1) % 4]
      // Sides run along one axis, not across.
      guard (corner.x - next.x).magnitude < 1e-4 || (corner.y - next.y).magnitude < 1e-4 else {
        return false
      }
    }
    return true
  }

  /// A box as a path.
  static func rectangle(
    x: Double, y: Double, width: Double, height: Double, matrix: Matrix
  ) -> ContentPath {
    var path = ContentPath()
    path.addRectangle(x: x, y: y, width: width, height: height, matrix: matrix)
    return path
  }

  mutating func addRectangle(
    x: Double, y: Double, width: Double, height: Double, matrix: Matrix
  ) {
    let corners = [(x, y), (x + width, y), (x + width, y + height), (x, y + height)]
    for (index, corner) in corners.enumerated() {
      let point = matrix.apply(corner.0, corner.1)
      if index == 0 { move(point.x, point.y) } else { line(point.x, point.y) }
    }
    close()
  }
}

/// What is painted shows only inside this (8.5.4).
struct ContentClip {
  /// In user space.
  private(set) var box = Rectangle(x0: -1e9, y0: -1e9, x1: 1e9, y1: 1e9)
  /// Whether nothing shows.
  private(set) var isEmpty = false
  /// Paths that are no level rectangles, all of which hold.
  private(set) var paths: [(path: ContentPath, isEvenOdd: Bool)] = []

  private static let mostPaths = 64

  mutating func intersect(_ path: ContentPath, isEvenOdd: Bool) {
    guard let own = path.box, let both = box.intersection(own) else {
      isEmpty = true
      return
    }
    box = both
    if !path.isLevelRectangle, paths.count < Self.mostPaths { paths.append((path, isEvenOdd)) }
  }
}
