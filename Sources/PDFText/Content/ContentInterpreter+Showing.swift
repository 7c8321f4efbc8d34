import PDFSyntax

// Showing strings (PDF 32000-1, 9.4.3 and 9.4.4).
extension ContentInterpreter {
  mutating func show(_ string: [UInt8]) {
    guard let font = state.font else { return }
    let face = run.face(of: font)
    let scaling = state.horizontalScaling
    let size = state.fontSize
    // From text space of unit font size to the page as shown; its linear part is the same for
    // the whole string.
    let whole = textMatrix.then(state.matrix)
    let alongX = whole.a * size * scaling
    let alongY = whole.b * size * scaling
    let upX = whole.c * size
    let upY = whole.d * size
    var length = (alongX * alongX + alongY * alongY).squareRoot()
    var directionX = 1.0
    var directionY = 0.0
    if length > 0, length.isFinite {
      directionX = alongX / length
      directionY = alongY / length
    } else {
      length = 0
    }
    // The height of the em across the direction of reading.
    var em = (alongX * upY - alongY * upX).magnitude / max(length, 1e-9)
    if length == 0 { em = (upX * upX + upY * upY).squareRoot() }
    em *= font.scale
    if font.isVertical {
      // Downwards is against the y axis of text space.
      let height = (upX * upX + upY * upY).squareRoot()
      if height > 0 {
        directionX = -upX / height
        directionY = -upY / height
        em = length > 0 ? length : height
      }
    }
    // A negative size or scaling only mirrors; text is read the other way round by its order.
    var offset = 0
    while offset < string.count, run.glyphs.count < limits.glyphs {
      let code = font.code(in: string, at: offset)
      offset += max(1, code.length)
      let advance = font.advance(code.value)
      var spacing = state.characterSpacing
      if code.length == 1, code.value == 32 { spacing += state.wordSpacing }
      let here = textMatrix.then(state.matrix)
      if font.isVertical {
        let moved = advance * size
        if !isHidden {
          let origin = font.verticalOrigin(code.value)
          let baseX = -origin.x * size * scaling
          let start = here.apply(baseX + size * scaling / 2, state.rise)
          let end = here.apply(baseX + size * scaling / 2, state.rise + moved)
          append(
            font, face, code.value, start, end, em: em, directionX: directionX,
            directionY: directionY)
        }
        translate(0, moved + spacing)
      } else {
        let moved = advance * size * scaling
        if !isHidden {
          let start = here.apply(0, state.rise)
          let end = here.apply(moved, state.rise)
          append(
            font, face, code.value, start, end, em: em, directionX: directionX,
            directionY: directionY)
        }
        translate(moved + spacing * scaling, 0)
      }
    }
  }

  private mutating func append(
    _ font: Font, _ face: UInt16, _ code: UInt32, _ start: (x: Double, y: Double),
    _ end: (x: Double, y: Double), em: Double, directionX: Double, directionY: Double
  ) {
    guard start.x.magnitude < 1e7, start.y.magnitude < 1e7, end.x.magnitude < 1e7,
      end.y.magnitude < 1e7, em < 1e6
    else { return }
    // Text that does not begin or end on the page is not seen.
    let width = visible.width
    let height = visible.height
    let (pageWidth, pageHeight) =
      showing.a == 0 ? (height, width) : (width, height)
    let slack = 1.0
    func inside(_ x: Double, _ y: Double) -> Bool {
      x >= -slack && x <= pageWidth + slack && y >= -slack && y <= pageHeight + slack
    }
    let middleX = (start.x + end.x) / 2
    let middleY = (start.y + end.y) / 2
    guard inside(middleX, middleY) || inside(start.x, start.y) && inside(end.x, end.y) else {
      return
    }
    var text = font.text(code)
    if let index = text.index {
      run.strings.append(font.strings[index])
      text = GlyphText(several: run.strings.count - 1)
    }
    // Letters that follow one another downwards stand on the middle of their line.
    let ascent = font.isVertical ? 0.5 : font.ascent
    let descent = font.isVertical ? -0.5 : font.descent
    run.glyphs.append(
      Glyph(
        x: start.x, y: start.y, endX: end.x, endY: end.y, size: max(em, 0.01),
        directionX: directionX, directionY: directionY, ascent: Float(ascent),
        descent: Float(descent), text: text, face: face))
  }
}

extension GlyphRun {
  /// Puts a replacement text in the place of the glyphs drawn since `first`, spread evenly over
  /// their extent.
  mutating func replace(from first: Int, by text: [UInt32]) {
    guard first < glyphs.count, let last = glyphs.last else { return }
    var model = glyphs[first]
    let sameLine =
      ((last.endX - model.x) * -model.directionY + (last.endY - model.y) * model.directionX)
      .magnitude < model.size
    if sameLine {
      model.endX = last.endX
      model.endY = last.endY
    }
    glyphs.removeLast(glyphs.count - first)
    let scalars = text.prefix(4096)
    guard !scalars.isEmpty else { return }
    let stepX = (model.endX - model.x) / Double(scalars.count)
    let stepY = (model.endY - model.y) / Double(scalars.count)
    for (index, scalar) in scalars.enumerated() {
      var glyph = model
      glyph.x = model.x + stepX * Double(index)
      glyph.y = model.y + stepY * Double(index)
      glyph.endX = glyph.x + stepX
      glyph.endY = glyph.y + stepY
      glyph.text = GlyphText(scalar: scalar < 0x20 ? 0x20 : scalar)
      glyphs.append(glyph)
    }
  }
}
