/// The graph from which the reading order of a page follows. Boxes are on the page as shown.
public struct PageGeometry: Sendable {
  /// The lines of text in reading order, from above the letters to the baseline and a little below it. A line that
  /// columns or wide blanks divide is several.
  public internal(set) var lines: [TextPage.Box] = []
  /// Pairs of places in ``lines``: the first line is read before the second one, whatever the order of drawing.
  public internal(set) var precedence: [(first: Int, second: Int)] = []
  /// Whether the order of drawing decides what the geometry leaves open; else rows are read from the top.
  public internal(set) var followsDrawing = true

  /// Converts an extent along and across the direction of a segment to a box on the page as shown.
  static func box(
    _ along: ClosedRange<Double>, _ across: ClosedRange<Double>, _ segment: Segment
  ) -> TextPage.Box {
    let corners = [along.lowerBound, along.upperBound].flatMap { u in
      [across.lowerBound, across.upperBound].map { v in
        (
          x: u * segment.directionX - v * segment.directionY,
          y: u * segment.directionY + v * segment.directionX
        )
      }
    }
    var box = TextPage.Box(x0: corners[0].x, y0: corners[0].y, x1: corners[0].x, y1: corners[0].y)
    for (x, y) in corners.dropFirst() {
      box = box.union(TextPage.Box(x0: x, y0: y, x1: x, y1: y))
    }
    return box
  }
}
