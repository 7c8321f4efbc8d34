internal import PDFSyntax
internal import PDFText
internal import PDFWriter

/// A point, in user space or on the page as shown.
struct NotePoint: Sendable, Equatable {
  var x: Double
  var y: Double

  init(_ x: Double, _ y: Double) { (self.x, self.y) = (x, y) }

  static func + (left: NotePoint, right: NotePoint) -> NotePoint {
    NotePoint(left.x + right.x, left.y + right.y)
  }

  static func - (left: NotePoint, right: NotePoint) -> NotePoint {
    NotePoint(left.x - right.x, left.y - right.y)
  }

  static func * (point: NotePoint, factor: Double) -> NotePoint {
    NotePoint(point.x * factor, point.y * factor)
  }

  var length: Double { (x * x + y * y).squareRoot() }

  /// Whether it can be a place on a page.
  var isUsable: Bool {
    x.isFinite && y.isFinite && x.magnitude < NotesLimits.coordinate
      && y.magnitude < NotesLimits.coordinate
  }
}

/// The four corners around marked words, named as their reader sees them.
struct Quad: Sendable, Equatable {
  var topLeft: NotePoint
  var topRight: NotePoint
  var bottomLeft: NotePoint
  var bottomRight: NotePoint

  init(
    topLeft: NotePoint, topRight: NotePoint, bottomLeft: NotePoint, bottomRight: NotePoint
  ) {
    (self.topLeft, self.topRight) = (topLeft, topRight)
    (self.bottomLeft, self.bottomRight) = (bottomLeft, bottomRight)
  }

  /// Four points of `QuadPoints` in user space, in any of the orders that are met: the standard's,
  /// anticlockwise from the lower left (PDF 32000-1, table 179), and the one nearly everybody writes, the
  /// upper two from the left and then the lower two.
  ///
  /// In all of them the words run from the first point to the second; what the side on which the other
  /// two lie tells is which edge is the lower one.
  init?(points: [NotePoint]) {
    guard points.count == 4, points.allSatisfy(\.isUsable) else { return nil }
    let along = points[1] - points[0]
    func turn(_ other: NotePoint) -> Double { along.x * other.y - along.y * other.x }
    let isCrossed = Self.cross(points[1], points[2], points[3], points[0])
    let (third, fourth) = isCrossed ? (points[2], points[3]) : (points[3], points[2])
    // Third lies beside the first point now, fourth beside the second.
    if turn(third - points[0]) + turn(fourth - points[0]) <= 0 {
      self.init(
        topLeft: points[0], topRight: points[1], bottomLeft: third, bottomRight: fourth)
    } else {
      self.init(
        topLeft: third, topRight: fourth, bottomLeft: points[0], bottomRight: points[1])
    }
  }

  /// The quad of a box with its words running to the right, on the page as shown.
  init(shown box: TextPage.Box) {
    self.init(
      topLeft: NotePoint(box.x0, box.y0), topRight: NotePoint(box.x1, box.y0),
      bottomLeft: NotePoint(box.x0, box.y1), bottomRight: NotePoint(box.x1, box.y1))
  }

  /// In the order in which nearly everybody writes them.
  var points: [NotePoint] { [topLeft, topRight, bottomLeft, bottomRight] }

  /// Round the quad.
  var outline: [NotePoint] { [topLeft, topRight, bottomRight, bottomLeft] }

  func map(_ transform: (NotePoint) -> NotePoint) -> Quad {
    Quad(
      topLeft: transform(topLeft), topRight: transform(topRight),
      bottomLeft: transform(bottomLeft), bottomRight: transform(bottomRight))
  }

  /// Whether the lines from a to b and from c to d cross.
  private static func cross(
    _ a: NotePoint, _ b: NotePoint, _ c: NotePoint, _ d: NotePoint
  ) -> Bool {
    func side(_ p: NotePoint, _ q: NotePoint, _ r: NotePoint) -> Double {
      (q.x - p.x) * (r.y - p.y) - (q.y - p.y) * (r.x - p.x)
    }
    return side(a, b, c) * side(a, b, d) < 0 && side(c, d, a) * side(c, d, b) < 0
  }
}

extension TextPage.Box {
  /// The smallest box around points; nil where there are none.
  init?(around points: [NotePoint]) {
    guard let first = points.first else { return nil }
    self.init(x0: first.x, y0: first.y, x1: first.x, y1: first.y)
    for point in points {
      (x0, y0) = (min(x0, point.x), min(y0, point.y))
      (x1, y1) = (max(x1, point.x), max(y1, point.y))
    }
  }

  func insetBy(_ distance: Double) -> TextPage.Box {
    TextPage.Box(
      x0: min(x0 + distance, middleX), y0: min(y0 + distance, middleY),
      x1: max(x1 - distance, middleX), y1: max(y1 - distance, middleY))
  }

  var numbers: [Double] { [x0, y0, x1, y1] }
}

/// A page's user space and the page as it is shown, whose points are counted from its top left, y
/// downwards.
struct PageSpace: Sendable {
  let toShown: Matrix
  let toUser: Matrix
  /// Of the page as shown.
  let width: Double
  let height: Double
  let rotation: Int

  init(_ page: Page) {
    let crop = page.cropBox
    toShown =
      switch page.rotation {
      case 90: Matrix(0, 1, 1, 0, -crop.y0, -crop.x0)
      case 180: Matrix(-1, 0, 0, 1, crop.x1, -crop.y0)
      case 270: Matrix(0, -1, -1, 0, crop.y1, crop.x1)
      default: Matrix(1, 0, 0, -1, -crop.x0, crop.y1)
      }
    toUser = toShown.inverse ?? .identity
    (width, height, rotation) = (page.width, page.height, page.rotation)
  }

  func shown(_ point: NotePoint) -> NotePoint {
    let (x, y) = toShown.apply(point.x, point.y)
    return NotePoint(x, y)
  }

  func user(_ point: NotePoint) -> NotePoint {
    let (x, y) = toUser.apply(point.x, point.y)
    return NotePoint(x, y)
  }

  /// - Parameter isUpright: whether it is that of a note that does not turn with the page, but stays
  ///   upright below its upper left corner (PDF 32000-1, table 165, NoRotate).
  func shown(_ rectangle: Rectangle, isUpright: Bool = false) -> TextPage.Box {
    if isUpright {
      let corner = shown(NotePoint(rectangle.x0, rectangle.y1))
      return TextPage.Box(
        x0: corner.x, y0: corner.y, x1: corner.x + rectangle.width,
        y1: corner.y + rectangle.height)
    }
    let first = shown(NotePoint(rectangle.x0, rectangle.y0))
    let second = shown(NotePoint(rectangle.x1, rectangle.y1))
    return TextPage.Box(
      x0: min(first.x, second.x), y0: min(first.y, second.y), x1: max(first.x, second.x),
      y1: max(first.y, second.y))
  }

  func user(_ box: TextPage.Box, isUpright: Bool = false) -> Rectangle {
    if isUpright {
      let corner = user(NotePoint(box.x0, box.y0))
      return Rectangle(
        x0: corner.x, y0: corner.y - box.height, x1: corner.x + box.width, y1: corner.y)
    }
    let first = user(NotePoint(box.x0, box.y0)), second = user(NotePoint(box.x1, box.y1))
    return Rectangle(x0: first.x, y0: first.y, x1: second.x, y1: second.y)
  }
}
