internal import PDFText

/// Draws the signs of notes that take no more place than a sign, in a square of twenty units.
enum IconDrawing {
  /// A sheet with lines, or the sign that the icon's name asks for.
  static func text(_ look: NoteLook, _ canvas: inout Canvas) {
    draw(look, &canvas) { canvas, at in
      switch look.icon {
      case "Comment", "Note", nil:
        canvas.polygon(
          [
            at(2, 18), at(18, 18), at(18, 7), at(10, 7), at(5.5, 2.5), at(5.5, 7), at(2, 7),
          ], isClosed: true)
        canvas.paint(fills: true, strokes: true)
        for y in [14.5, 10.8] { canvas.polygon([at(5, y), at(15, y)], isClosed: false) }
        canvas.paint(fills: false, strokes: true)
      case "Help":
        circle(&canvas, at)
        canvas.move(at(7, 12.5))
        canvas.curve(at(7.2, 17), at(13, 16.5), at(13, 12.8))
        canvas.curve(at(13, 10.8), at(10, 10.8), at(10, 7.8))
        canvas.move(at(10, 5.8))
        canvas.line(at(10, 4.8))
        canvas.paint(fills: false, strokes: true)
      case "Key":
        circle(&canvas, at, from: at(2, 8), to: at(10, 16))
        canvas.polygon([at(10, 12), at(18, 12), at(18, 9)], isClosed: false)
        canvas.polygon([at(15, 12), at(15, 9.5)], isClosed: false)
        canvas.paint(fills: false, strokes: true)
      case "Insert":
        canvas.polygon([at(4, 4), at(10, 16), at(16, 4)], isClosed: true)
        canvas.paint(fills: true, strokes: true)
      case "NewParagraph", "Paragraph":
        circle(&canvas, at)
        canvas.polygon(
          [at(14, 15), at(9, 15), at(7, 13), at(9, 10.5), at(10, 10.5)], isClosed: false)
        canvas.polygon([at(10, 15), at(10, 5)], isClosed: false)
        canvas.polygon([at(12.5, 15), at(12.5, 5)], isClosed: false)
        canvas.paint(fills: false, strokes: true)
      default:
        canvas.polygon(
          [at(4, 18), at(13, 18), at(16, 15), at(16, 2), at(4, 2)], isClosed: true)
        canvas.paint(fills: true, strokes: true)
        for y in [13.0, 10, 7] { canvas.polygon([at(6.5, y), at(13.5, y)], isClosed: false) }
        canvas.paint(fills: false, strokes: true)
      }
    }
  }

  static func attachment(_ look: NoteLook, _ canvas: inout Canvas) {
    draw(look, &canvas) { canvas, at in
      switch look.icon {
      case "Paperclip", "PaperClip":
        canvas.move(at(13.5, 13))
        canvas.line(at(13.5, 6))
        canvas.curve(at(13.5, 1), at(6.5, 1), at(6.5, 6))
        canvas.line(at(6.5, 15))
        canvas.curve(at(6.5, 18.5), at(11.5, 18.5), at(11.5, 15))
        canvas.line(at(11.5, 7))
        canvas.curve(at(11.5, 5.2), at(8.7, 5.2), at(8.7, 7))
        canvas.line(at(8.7, 13.5))
        canvas.paint(fills: false, strokes: true)
      case "Graph":
        for (x, top) in [(4.0, 9.0), (8.5, 16), (13, 12)] {
          canvas.polygon([at(x, 3), at(x, top), at(x + 3, top), at(x + 3, 3)], isClosed: true)
        }
        canvas.paint(fills: true, strokes: true)
      case "Tag":
        canvas.polygon(
          [at(2, 10), at(7, 16), at(18, 16), at(18, 4), at(7, 4)], isClosed: true)
        canvas.paint(fills: true, strokes: true)
      default:
        // A drawing pin.
        canvas.polygon(
          [
            at(6, 17), at(14, 17), at(12.5, 15), at(12.5, 11), at(15, 8.5), at(5, 8.5), at(7.5, 11),
            at(7.5, 15),
          ], isClosed: true)
        canvas.paint(fills: true, strokes: true)
        canvas.polygon([at(10, 8.5), at(10, 2)], isClosed: false)
        canvas.paint(fills: false, strokes: true)
      }
    }
  }

  /// The sign of an insertion.
  static func caret(_ look: NoteLook, _ canvas: inout Canvas) {
    canvas.blend(opacity: look.opacity)
    canvas.fill(look.color ?? .black)
    let (w, h) = (look.box.width, look.box.height)
    canvas.move(NotePoint(0, 0))
    canvas.curve(NotePoint(w * 0.3, h * 0.1), NotePoint(w * 0.5, h * 0.5), NotePoint(w / 2, h))
    canvas.curve(NotePoint(w * 0.5, h * 0.5), NotePoint(w * 0.7, h * 0.1), NotePoint(w, 0))
    canvas.line(NotePoint(w * 0.86, 0))
    canvas.curve(
      NotePoint(w * 0.66, h * 0.1), NotePoint(w * 0.55, h * 0.3), NotePoint(w / 2, h * 0.5))
    canvas.curve(
      NotePoint(w * 0.45, h * 0.3), NotePoint(w * 0.34, h * 0.1), NotePoint(w * 0.14, 0))
    canvas.close()
    canvas.paint(fills: true, strokes: false)
  }

  private static func circle(
    _ canvas: inout Canvas, _ at: (Double, Double) -> NotePoint, from: NotePoint? = nil,
    to: NotePoint? = nil
  ) {
    let (first, second) = (from ?? at(2, 2), to ?? at(18, 18))
    canvas.ellipse(first.x, first.y, second.x - first.x, second.y - first.y)
    canvas.paint(fills: true, strokes: true)
  }

  /// Draws in a square in the middle of the box.
  private static func draw(
    _ look: NoteLook, _ canvas: inout Canvas,
    _ body: (inout Canvas, (Double, Double) -> NotePoint) -> Void
  ) {
    let side = min(look.box.width, look.box.height), scale = side / 20
    let corner = NotePoint((look.box.width - side) / 2, (look.box.height - side) / 2)
    canvas.blend(opacity: look.opacity)
    canvas.fill(look.color ?? .black)
    canvas.stroke(NoteColor(red: 0.2, green: 0.2, blue: 0.2))
    canvas.lineWidth(scale)
    canvas.roundLines()
    body(&canvas) { x, y in NotePoint(corner.x + x * scale, corner.y + y * scale) }
  }
}
