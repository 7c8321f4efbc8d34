internal import PDFText

/// Draws rectangles, ellipses, lines and strokes of a pen (PDF 32000-1, 12.5.6.7 to 12.5.6.13).
enum ShapeDrawing {
  static func closed(_ look: NoteLook, _ canvas: inout Canvas) {
    prepare(look, &canvas)
    let width = look.borderWidth
    let (w, h) = (max(0, look.box.width - width), max(0, look.box.height - width))
    if look.kind == .square {
      canvas.rectangle(width / 2, width / 2, w, h)
    } else {
      canvas.ellipse(width / 2, width / 2, w, h)
    }
    canvas.paint(fills: look.interior != nil, strokes: width > 0 && look.color != nil)
  }

  static func lines(_ look: NoteLook, _ canvas: inout Canvas) {
    prepare(look, &canvas)
    let points = look.vertices.map(look.local)
    let isPolygon = look.kind == .polygon
    canvas.polygon(points, isClosed: isPolygon)
    canvas.paint(
      fills: isPolygon && look.interior != nil, strokes: look.borderWidth > 0 && look.color != nil)
    guard !isPolygon, points.count > 1 else { return }
    let (first, last) = look.ends
    // The ends themselves are not dashed.
    if !look.dashes.isEmpty { canvas.solid() }
    let fills = look.interior != nil
    first.draw(
      at: points[0], direction: direction(from: points[1], to: points[0]),
      lineWidth: look.borderWidth, fills: fills, on: &canvas)
    last.draw(
      at: points[points.count - 1],
      direction: direction(from: points[points.count - 2], to: points[points.count - 1]),
      lineWidth: look.borderWidth, fills: fills, on: &canvas)
  }

  static func ink(_ look: NoteLook, _ canvas: inout Canvas) {
    prepare(look, &canvas)
    canvas.roundLines()
    for stroke in look.strokes {
      var points = stroke.map(look.local)
      // A stroke of no length is a dot where its ends are round.
      if points.count == 1 { points.append(points[0]) }
      canvas.polygon(points, isClosed: false)
      canvas.paint(fills: false, strokes: true)
    }
  }

  private static func prepare(_ look: NoteLook, _ canvas: inout Canvas) {
    canvas.blend(opacity: look.opacity)
    if let interior = look.interior { canvas.fill(interior) }
    canvas.stroke(look.color ?? .black)
    canvas.lineWidth(look.borderWidth)
    canvas.dash(look.dashes)
  }

  private static func direction(from start: NotePoint, to end: NotePoint) -> NotePoint {
    let way = end - start
    return way.length > 0 ? way * (1 / way.length) : NotePoint(1, 0)
  }
}
