import PDFSyntax

/// Notes the straight lines that a page draws along its sides: strokes, and fills as thin as lines
/// (PDF 32000-1, 8.5). Of curves and slanted lines it only counts what could be letters.
struct RulingLines {
  private(set) var rules: [TextPage.Rule] = []
  /// How many filled subpaths have curves and the size of a letter.
  private var letterShapes = 0
  /// The sizes of these, and the heights and places across the page at which they stand, in half points.
  private var letterSizes: Set<SIMD2<Int>> = []
  private var baselines: Set<Int> = []
  private var columns: Set<Int> = []
  private var segments: [Rectangle] = []
  private var subpaths: [Subpath] = []
  private var start = (x: 0.0, y: 0.0)
  private var point = (x: 0.0, y: 0.0)

  /// More lines than any table has; a drawing of a million strokes costs no more memory.
  private static let limit = 40_000
  /// The widest stroke or fill, in points, that is a line and not an area.
  private static let thickness = 4.0
  /// How high and wide letters are, in points.
  private static let letterSide = 2.0...60.0
  /// Dots of a chart are many but of one size, letters are of many sizes.
  private static let leastLetters = 100
  private static let leastLetterSizes = 12
  /// Letters stand on lines, so many on each at least; the shapes of a drawing stand anywhere.
  private static let leastOnLine = 4

  private struct Subpath {
    /// Where it begins in `segments`.
    var first: Int
    var isCurved = false
    var box: Rectangle
  }

  /// Whether the page draws text as outlines.
  var haveLetters: Bool {
    letterShapes >= Self.leastLetters && letterSizes.count >= Self.leastLetterSizes
      && letterShapes >= Self.leastOnLine * min(baselines.count, columns.count)
  }

  /// Takes an operator that constructs or paints a path; others change nothing.
  mutating func take(
    _ content: ContentOperator, _ operands: borrowing ContentReader, _ state: GraphicsState
  ) {
    switch content {
    case .moveTo: move(state.matrix.apply(operands[0, of: 2], operands[1, of: 2]))
    case .lineTo: line(to: state.matrix.apply(operands[0, of: 2], operands[1, of: 2]))
    case .curveTo: curve(to: state.matrix.apply(operands[4, of: 6], operands[5, of: 6]))
    case .curveFromCurrentPoint, .curveToControlPoint:
      curve(to: state.matrix.apply(operands[2, of: 4], operands[3, of: 4]))
    case .closePath: line(to: start)
    case .appendRectangle: rectangle(operands, state.matrix)
    default:
      guard let painting = PathPainting(content) else { return }
      if painting.closes { line(to: start) }
      paint(state, painting)
    }
  }

  private mutating func move(_ to: (x: Double, y: Double)) {
    start = to
    point = to
    guard subpaths.count < Self.limit else { return }
    subpaths.append(
      Subpath(first: segments.count, box: Rectangle(x0: to.x, y0: to.y, x1: to.x, y1: to.y)))
  }

  private mutating func line(to end: (x: Double, y: Double)) {
    if segments.count < Self.limit {
      segments.append(Rectangle(x0: point.x, y0: point.y, x1: end.x, y1: end.y))
    }
    reach(end)
  }

  private mutating func curve(to end: (x: Double, y: Double)) {
    if !subpaths.isEmpty { subpaths[subpaths.count - 1].isCurved = true }
    reach(end)
  }

  private mutating func reach(_ end: (x: Double, y: Double)) {
    point = end
    guard let box = subpaths.last?.box else { return }
    subpaths[subpaths.count - 1].box = Rectangle(
      x0: min(box.x0, end.x), y0: min(box.y0, end.y), x1: max(box.x1, end.x),
      y1: max(box.y1, end.y))
  }

  private mutating func rectangle(_ operands: borrowing ContentReader, _ matrix: Matrix) {
    let (x, y) = (operands[0, of: 4], operands[1, of: 4])
    let (width, height) = (operands[2, of: 4], operands[3, of: 4])
    move(matrix.apply(x, y))
    line(to: matrix.apply(x + width, y))
    line(to: matrix.apply(x + width, y + height))
    line(to: matrix.apply(x, y + height))
    line(to: matrix.apply(x, y))
  }

  private mutating func paint(_ state: GraphicsState, _ painting: PathPainting) {
    defer {
      segments.removeAll(keepingCapacity: true)
      subpaths.removeAll(keepingCapacity: true)
    }
    let scale = (state.matrix.a * state.matrix.d - state.matrix.b * state.matrix.c).magnitude
      .squareRoot()
    let width = state.lineWidth * scale
    for (place, subpath) in subpaths.enumerated() {
      if painting.fills, subpath.isCurved { count(subpath.box) }
      let first = subpath.first
      let end = place + 1 < subpaths.count ? subpaths[place + 1].first : segments.count
      guard first < end else { continue }
      if painting.fills, let bar = bar(segments[first..<end]) {
        add(bar)
      } else if painting.strokes, width <= Self.thickness {
        for segment in segments[first..<end] { add(segment) }
      }
    }
  }

  private mutating func count(_ box: Rectangle) {
    guard Self.letterSide.contains(box.width), Self.letterSide.contains(box.height) else { return }
    letterShapes += 1
    if letterSizes.count < Self.leastLetterSizes {
      letterSizes.insert(SIMD2(Int(2 * box.width), Int(2 * box.height)))
    }
    baselines.insert(Self.halfPoints(box.y1))
    columns.insert(Self.halfPoints(box.x0))
  }

  /// A place in half points, of which there are so many as a page of the largest size has.
  private static func halfPoints(_ place: Double) -> Int { Int(2 * min(max(place, 0), 14_400)) }

  /// What a filled subpath covers, where that is as thin as a line.
  private func bar(_ parts: ArraySlice<Rectangle>) -> Rectangle? {
    var (x0, y0) = (Double.infinity, Double.infinity)
    var (x1, y1) = (-Double.infinity, -Double.infinity)
    for part in parts {
      (x0, y0) = (min(x0, part.x0, part.x1), min(y0, part.y0, part.y1))
      (x1, y1) = (max(x1, part.x0, part.x1), max(y1, part.y0, part.y1))
    }
    let (width, height) = (x1 - x0, y1 - y0)
    if height <= Self.thickness, height <= width {
      return Rectangle(x0: x0, y0: (y0 + y1) / 2, x1: x1, y1: (y0 + y1) / 2)
    }
    guard width <= Self.thickness else { return nil }
    return Rectangle(x0: (x0 + x1) / 2, y0: y0, x1: (x0 + x1) / 2, y1: y1)
  }

  private mutating func add(_ line: Rectangle) {
    guard rules.count < Self.limit, line.x0.magnitude < 1e6, line.y0.magnitude < 1e6,
      line.x1.magnitude < 1e6, line.y1.magnitude < 1e6
    else { return }
    let (acrossX, acrossY) = ((line.x1 - line.x0).magnitude, (line.y1 - line.y0).magnitude)
    if acrossY < 0.5, acrossX > 0 {
      rules.append(
        TextPage.Rule(
          isHorizontal: true, place: (line.y0 + line.y1) / 2,
          extent: min(line.x0, line.x1)...max(line.x0, line.x1)))
    } else if acrossX < 0.5, acrossY > 0 {
      rules.append(
        TextPage.Rule(
          isHorizontal: false, place: (line.x0 + line.x1) / 2,
          extent: min(line.y0, line.y1)...max(line.y0, line.y1)))
    }
  }
}
