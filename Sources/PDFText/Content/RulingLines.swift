import PDFSyntax

/// Notes the straight lines that a page draws along its sides: strokes, and fills as thin as lines
/// (PDF 32000-1, 8.5). Curves and slanted lines are passed over.
struct RulingLines {
  private(set) var rules: [TextPage.Rule] = []
  private var segments: [Rectangle] = []
  /// Where each subpath begins in `segments`.
  private var subpaths: [Int] = []
  private var start = (x: 0.0, y: 0.0)
  private var point = (x: 0.0, y: 0.0)

  /// More lines than any table has; a drawing of a million strokes costs no more memory.
  private static let limit = 40_000
  /// The widest stroke or fill, in points, that is a line and not an area.
  private static let thickness = 4.0

  /// Takes an operator that constructs or paints a path; others change nothing.
  mutating func take(
    _ content: ContentOperator, _ operands: borrowing ContentReader, _ state: GraphicsState
  ) {
    switch content {
    case .moveTo: move(state.matrix.apply(operands[0, of: 2], operands[1, of: 2]))
    case .lineTo: line(to: state.matrix.apply(operands[0, of: 2], operands[1, of: 2]))
    case .curveTo: point = state.matrix.apply(operands[4, of: 6], operands[5, of: 6])
    case .curveFromCurrentPoint, .curveToControlPoint:
      point = state.matrix.apply(operands[2, of: 4], operands[3, of: 4])
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
    if subpaths.last != segments.count { subpaths.append(segments.count) }
  }

  private mutating func line(to end: (x: Double, y: Double)) {
    if segments.count < Self.limit {
      segments.append(Rectangle(x0: point.x, y0: point.y, x1: end.x, y1: end.y))
    }
    point = end
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
    for (place, first) in subpaths.enumerated() {
      let end = place + 1 < subpaths.count ? subpaths[place + 1] : segments.count
      guard first < end else { continue }
      if painting.fills, let bar = bar(segments[first..<end]) {
        add(bar)
      } else if painting.strokes, width <= Self.thickness {
        for segment in segments[first..<end] { add(segment) }
      }
    }
  }

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
