internal import PDFSyntax

/// Draws marks on words (PDF 32000-1, 12.5.6.10).
enum MarkupDrawing {
  static func highlight(_ look: NoteLook, _ canvas: inout Canvas) {
    // Multiplied, the words below stay as dark as they are.
    canvas.blend(opacity: look.opacity, mode: "Multiply")
    canvas.fill(look.color ?? .black)
    for quad in look.quads {
      canvas.polygon(quad.outline.map(look.local), isClosed: true)
      canvas.paint(fills: true, strokes: false)
    }
  }

  static func underline(_ look: NoteLook, _ canvas: inout Canvas) {
    lines(look, &canvas) { quad, width in
      (quad.bottomLeft, quad.bottomRight, up: width)
    }
  }

  static func strikeOut(_ look: NoteLook, _ canvas: inout Canvas) {
    lines(look, &canvas) { quad, _ in
      // The middle of small letters lies below that of the line.
      let share = 0.43
      return (
        quad.bottomLeft + (quad.topLeft - quad.bottomLeft) * share,
        quad.bottomRight + (quad.topRight - quad.bottomRight) * share, up: 0
      )
    }
  }

  private static func lines(
    _ look: NoteLook, _ canvas: inout Canvas,
    _ place: (Quad, _ width: Double) -> (NotePoint, NotePoint, up: Double)
  ) {
    canvas.blend(opacity: look.opacity)
    canvas.stroke(look.color ?? .black)
    for quad in look.quads {
      let width = thickness(quad)
      let (start, end, up) = place(quad, width)
      let lift = lift(quad, up)
      canvas.lineWidth(width)
      canvas.polygon([look.local(start + lift), look.local(end + lift)], isClosed: false)
      canvas.paint(fills: false, strokes: true)
    }
  }

  static func squiggly(_ look: NoteLook, _ canvas: inout Canvas) {
    canvas.blend(opacity: look.opacity)
    canvas.stroke(look.color ?? .black)
    for quad in look.quads {
      let width = thickness(quad)
      let along = quad.bottomRight - quad.bottomLeft
      let step = max(2 * width, along.length / 5000)
      let count = max(1, Int((min(along.length, 1e6) / step).rounded()))
      let points = (0...count).map { index in
        let base = quad.bottomLeft + along * (Double(index) / Double(count))
        return look.local(base + lift(quad, index % 2 == 0 ? width / 2 : 2.2 * width))
      }
      canvas.lineWidth(width * 0.8)
      canvas.polygon(points, isClosed: false)
      canvas.paint(fills: false, strokes: true)
    }
  }

  private static func thickness(_ quad: Quad) -> Double {
    min(4, max(0.5, (quad.topLeft - quad.bottomLeft).length / 14))
  }

  /// A step from the lower edge towards the upper one.
  private static func lift(_ quad: Quad, _ distance: Double) -> NotePoint {
    let up = quad.topLeft - quad.bottomLeft
    return up.length > 0 ? up * (distance / up.length) : NotePoint(0, -distance)
  }
}
