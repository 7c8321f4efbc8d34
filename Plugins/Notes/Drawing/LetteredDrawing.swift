internal import PDFText

/// Draws notes whose text stands on the page.
enum LetteredDrawing {
  /// The least size that a text is shrunk to, in points.
  private static let leastSize = 4.0

  /// A text in its box. Where the box is too low it grows downwards as far as the page goes; where that
  /// is not enough the text becomes smaller.
  ///
  /// - Returns: whether a part of the text does not fit even so, and is not shown.
  static func freeText(
    _ look: inout NoteLook, pageHeight: Double, _ canvas: inout Canvas, _ book: FontBook
  ) -> Bool {
    let padding = look.borderWidth + 2
    let width = max(1, look.box.width - 2 * padding)
    let text = TextLayout.Text(look.contents ?? "", book)
    var size = look.style.size ?? 12
    var layout = TextLayout(text, size: size, width: width, alignment: look.style.alignment)
    let most = max(look.box.height, pageHeight - look.box.y0) - 2 * padding
    while layout.height > most + 0.01, size > leastSize {
      size = max(leastSize, size * 0.92)
      layout = TextLayout(text, size: size, width: width, alignment: look.style.alignment)
    }
    look.style.size = size
    let needed = min(layout.height, max(most, 0)) + 2 * padding
    if needed > look.box.height { look.box.y1 = look.box.y0 + needed }
    let (w, h) = (look.box.width, look.box.height)
    canvas.blend(opacity: look.opacity)
    let color = look.style.color ?? .black
    if let background = look.color {
      canvas.fill(background)
      canvas.rectangle(0, 0, w, h)
      canvas.paint(fills: true, strokes: false)
    }
    if look.borderWidth > 0 {
      canvas.stroke(color)
      canvas.lineWidth(look.borderWidth)
      canvas.dash(look.dashes)
      let half = look.borderWidth / 2
      canvas.rectangle(half, half, max(0, w - 2 * half), max(0, h - 2 * half))
      canvas.paint(fills: false, strokes: true)
    }
    canvas.save()
    let border = look.borderWidth
    canvas.rectangle(border, border, max(0, w - 2 * border), max(0, h - 2 * border))
    canvas.clip()
    canvas.fill(color)
    canvas.show(layout, at: NotePoint(padding, h - padding))
    canvas.restore()
    return layout.height > most + 0.01
  }

  /// The words of a stamp in a frame, as large as the box allows.
  static func stamp(_ look: NoteLook, _ canvas: inout Canvas, _ book: FontBook) {
    let (w, h) = (look.box.width, look.box.height)
    let color = look.color ?? .black
    let line = max(0.5, min(3, h / 18))
    canvas.blend(opacity: look.opacity)
    canvas.stroke(color)
    canvas.lineWidth(line)
    if let interior = look.interior { canvas.fill(interior) }
    canvas.roundedRectangle(
      line / 2, line / 2, max(0, w - line), max(0, h - line), radius: h / 6)
    canvas.paint(fills: look.interior != nil, strokes: true)
    let text = TextLayout.Text(words(look.icon ?? "Draft"), book)
    let one = TextLayout(text, size: 1, width: nil)
    guard one.width > 0, one.height > 0 else { return }
    let size = min((w - 6 * line) / one.width, (h - 3 * line) / one.height)
    guard size > 0.5 else { return }
    let layout = TextLayout(text, size: size, width: nil)
    canvas.fill(color)
    canvas.show(
      layout, at: NotePoint((w - layout.width) / 2, (h + layout.height) / 2))
  }

  /// `NotForPublicRelease` as it is stamped.
  static func words(_ name: String) -> String {
    guard name.utf8.count < 200 else { return String(name.prefix(200)) }
    var words = ""
    var last: Character = " "
    for character in name.drop(while: { $0 == "#" }) {
      if character.isUppercase, last.isLowercase { words.append(" ") }
      words.append(character)
      last = character
    }
    return words.uppercased()
  }
}
