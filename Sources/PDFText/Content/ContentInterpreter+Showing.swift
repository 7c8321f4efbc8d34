import PDFSyntax

// Showing strings (PDF 32000-1, 9.4.3 and 9.4.4).
extension ContentInterpreter {
  mutating func show(_ token: Token, _ reader: borrowing ContentReader) {
    guard let font = state.font else { return }
    var string = shown
    shown = []
    string.removeAll(keepingCapacity: true)
    reader.appendString(token, to: &string)
    show(string, font)
    shown = string
  }

  private mutating func show(_ string: [UInt8], _ font: Font) {
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
    guard em < 1e6 else { return }
    // Letters that follow one another downwards stand on the middle of their line.
    var glyph = Glyph(
      x: 0, y: 0, endX: 0, endY: 0, size: max(em, 0.01), directionX: directionX,
      directionY: directionY, ascent: Float(font.isVertical ? 0.5 : font.ascent),
      descent: Float(font.isVertical ? -0.5 : font.descent), text: .space, face: face)
    // A negative size or scaling only mirrors; text is read the other way round by its order.
    let isUnseen = leavesOutUnseen && state.textMode == 3
    var along = 0.0
    var down = 0.0
    var offset = 0
    let simpleCodes = font.simpleCodes
    while offset < string.count, run.glyphs.count < limits.glyphs {
      let code: Font.Code
      let drawn: Font.Shown
      if simpleCodes.isEmpty {
        code = font.code(in: string, at: offset)
        drawn = font.shown(code.value)
      } else {
        code = Font.Code(value: UInt32(string[offset]), length: 1)
        drawn = simpleCodes[Int(string[offset])] ?? font.shown(code.value)
      }
      offset += max(1, code.length)
      let advance = drawn.advance
      var spacing = state.characterSpacing
      if code.length == 1, code.value == 32 { spacing += state.wordSpacing }
      var start = (x: along, y: state.rise + down)
      var end = start
      if font.isVertical {
        let moved = advance * size
        start.x += font.verticalOffset(code.value) * size * scaling
        end.x = start.x
        end.y += moved
        down += moved + spacing
      } else {
        let moved = advance * size * scaling
        end.x += moved
        along += moved + spacing * scaling
      }
      if !isHidden, !isUnseen {
        (glyph.x, glyph.y) = whole.apply(start.x, start.y)
        (glyph.endX, glyph.endY) = whole.apply(end.x, end.y)
        append(glyph, font, drawn.text)
      }
    }
    translate(along, down)
  }

  /// Takes a glyph in, unless it is not seen because it does not begin or end on the page.
  @inline(__always)
  private mutating func append(_ glyph: Glyph, _ font: Font, _ text: GlyphText) {
    guard
      isShown((glyph.x + glyph.endX) / 2, (glyph.y + glyph.endY) / 2)
        || isShown(glyph.x, glyph.y) && isShown(glyph.endX, glyph.endY)
    else { return }
    // Wide glyphs around the page are no text of it.
    guard glyph.x.magnitude < 1e7, glyph.y.magnitude < 1e7, glyph.endX.magnitude < 1e7,
      glyph.endY.magnitude < 1e7
    else { return }
    var glyph = glyph
    glyph.text = text
    if let index = glyph.text.index {
      run.strings.append(font.strings[index])
      glyph.text = GlyphText(several: run.strings.count - 1)
    }
    run.glyphs.append(glyph)
  }

  @inline(__always)
  private func isShown(_ x: Double, _ y: Double) -> Bool {
    let slack = 1.0
    return x >= -slack && x <= shownSize.width + slack && y >= -slack
      && y <= shownSize.height + slack
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
    var scalars = Array(text.prefix(4096))
    guard !scalars.isEmpty else { return }
    if scalars.contains(where: Scripts.isRightToLeft) {
      // Marks and ligatures have no place of their own.
      if scalars.count <= 8, !scalars.contains(0x20) {
        strings.append(scalars)
        model.text = GlyphText(several: strings.count - 1)
        glyphs.append(model)
        return
      }
      scalars = BidirectionalOrder.shown(scalars)
    }
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
