internal import Bytes
internal import PDFSyntax
internal import PDFText

/// Writes the content of an appearance (PDF 32000-1, 8 and 9). Its space is the box of the note as it is
/// shown: points from the lower left corner, y upwards.
struct Canvas {
  private(set) var content = ByteWriter()
  /// The fonts that are used, by their places in the book.
  private(set) var fonts: Set<Int> = []
  /// Graphics state parameters by their names in the resources.
  private(set) var states: [PDFName: PDFDictionary] = [:]
  private let book: FontBook

  init(_ book: FontBook) { self.book = book }

  // MARK: State

  mutating func save() { write([], "q") }
  mutating func restore() { write([], "Q") }
  mutating func fill(_ color: NoteColor) { write([color.red, color.green, color.blue], "rg") }
  mutating func stroke(_ color: NoteColor) { write([color.red, color.green, color.blue], "RG") }
  mutating func lineWidth(_ width: Double) { write([width], "w") }
  mutating func roundLines() { content.append("1 J 1 j\n") }
  mutating func clip() { content.append("W n\n") }

  mutating func dash(_ lengths: [Double]) {
    guard !lengths.isEmpty else { return }
    content.append("[")
    for length in lengths {
      content.append(fixed: length)
      content.append(" ")
    }
    content.append("] 0 d\n")
  }

  mutating func solid() { content.append("[] 0 d\n") }

  /// Opacity and blend mode (11.3.5) of what follows.
  mutating func blend(opacity: Double?, mode: PDFName? = nil) {
    var state: PDFDictionary = ["Type": .name("ExtGState")]
    if let opacity, opacity < 1 {
      (state["CA"], state["ca"]) = (.real(opacity), .real(opacity))
    }
    if let mode { state["BM"] = .name(mode) }
    guard state.count > 1 else { return }
    let name = PDFName("G\(states.count)")
    states[name] = state
    content.append("/\(name.text) gs\n")
  }

  // MARK: Paths

  mutating func move(_ point: NotePoint) { write([point.x, point.y], "m") }
  mutating func line(_ point: NotePoint) { write([point.x, point.y], "l") }
  mutating func close() { write([], "h") }

  mutating func curve(_ first: NotePoint, _ second: NotePoint, _ end: NotePoint) {
    write([first.x, first.y, second.x, second.y, end.x, end.y], "c")
  }

  mutating func rectangle(_ x: Double, _ y: Double, _ width: Double, _ height: Double) {
    write([x, y, width, height], "re")
  }

  mutating func polygon(_ points: [NotePoint], isClosed: Bool) {
    guard let first = points.first else { return }
    move(first)
    for point in points.dropFirst() { line(point) }
    if isClosed { close() }
  }

  /// The ellipse in a rectangle, of four curves.
  mutating func ellipse(_ x: Double, _ y: Double, _ width: Double, _ height: Double) {
    let (rx, ry) = (width / 2, height / 2)
    let center = NotePoint(x + rx, y + ry)
    // How far the control points of a quarter circle lie from its ends.
    let share = 0.5523
    func point(_ dx: Double, _ dy: Double) -> NotePoint {
      NotePoint(center.x + dx * rx, center.y + dy * ry)
    }
    move(point(1, 0))
    curve(point(1, share), point(share, 1), point(0, 1))
    curve(point(-share, 1), point(-1, share), point(-1, 0))
    curve(point(-1, -share), point(-share, -1), point(0, -1))
    curve(point(share, -1), point(1, -share), point(1, 0))
    close()
  }

  mutating func roundedRectangle(
    _ x: Double, _ y: Double, _ width: Double, _ height: Double, radius: Double
  ) {
    let r = max(0, min(radius, width / 2, height / 2)), share = 0.4477 * r
    let (right, top) = (x + width, y + height)
    move(NotePoint(x + r, y))
    line(NotePoint(right - r, y))
    curve(NotePoint(right - share, y), NotePoint(right, y + share), NotePoint(right, y + r))
    line(NotePoint(right, top - r))
    curve(
      NotePoint(right, top - share), NotePoint(right - share, top), NotePoint(right - r, top))
    line(NotePoint(x + r, top))
    curve(NotePoint(x + share, top), NotePoint(x, top - share), NotePoint(x, top - r))
    line(NotePoint(x, y + r))
    curve(NotePoint(x, y + share), NotePoint(x + share, y), NotePoint(x + r, y))
    close()
  }

  /// Paints the path.
  mutating func paint(fills: Bool, strokes: Bool) {
    switch (fills, strokes) {
    case (true, true): write([], "B")
    case (true, false): write([], "f")
    case (false, true): write([], "S")
    case (false, false): write([], "n")
    }
  }

  // MARK: Text

  /// Shows the lines of a layout, whose upper left corner is at a point.
  mutating func show(_ layout: TextLayout, at corner: NotePoint) {
    for placed in layout.lines {
      show(
        placed.line, of: layout.paragraphs[placed.paragraph], size: layout.size,
        at: NotePoint(corner.x + placed.x, corner.y - placed.baseline))
    }
  }

  private mutating func show(
    _ line: TextParagraph.Line, of paragraph: TextParagraph, size: Double, at start: NotePoint
  ) {
    guard !line.runs.isEmpty else { return }
    var isPlain = true
    for run in line.runs { if !use(run.font, run.range, run.glyphs, paragraph) { isPlain = false } }
    // Where glyphs do not stand for letters one by one, the text is said apart (14.9.4).
    if !isPlain {
      content.append("/Span<</ActualText ")
      let text = PDFObject.string(TextString.bytes(paragraph.text(line.range)))
      content.append(contentsOf: ObjectSerializer.bytes(of: text))
      content.append(">> BDC\n")
    }
    content.append("BT\n")
    var x = start.x
    for run in line.runs where book.fonts.indices.contains(run.font) {
      fonts.insert(run.font)
      content.append("/F\(run.font) ")
      write([size], "Tf")
      write([1, 0, 0, 1, x, start.y], "Tm")
      x += show(run.glyphs, book.fonts[run.font], size: size)
    }
    content.append("ET\n")
    if !isPlain { content.append("EMC\n") }
  }

  /// Shows glyphs, and gives how far they lead on.
  private mutating func show(
    _ glyphs: [LetteringFont.Glyph], _ font: LetteringFont, size: Double
  ) -> Double {
    // Where the next glyph should stand, and where it would stand by the widths alone.
    var wanted = 0.0, reached = 0.0, rise = 0.0
    var isOpen = false
    func number(_ value: Double) -> String {
      var writer = ByteWriter()
      writer.append(fixed: value, digits: 2)
      return String(decoding: writer.bytes, as: UTF8.self)
    }
    for glyph in glyphs {
      if (glyph.y - rise).magnitude > 0.0005 {
        if isOpen { content.append(">] TJ\n") }
        isOpen = false
        rise = glyph.y
        write([rise * size], "Ts")
      }
      if !isOpen { content.append("[<") }
      isOpen = true
      let difference = wanted + glyph.x - reached
      if difference.magnitude > 0.0005 {
        content.append(">\(number(-difference * 1000))<")
        reached += difference
      }
      content.append(hexadecimal: [UInt8(glyph.id >> 8 & 0xFF), UInt8(glyph.id & 0xFF)])
      reached += font.advance(glyph.id)
      wanted += glyph.advance
    }
    if isOpen { content.append(">] TJ\n") }
    if rise != 0 { write([0], "Ts") }
    return wanted * size
  }

  /// Notes which text each glyph stands for.
  ///
  /// - Returns: whether each stands for the letters of its own, the same everywhere.
  private func use(
    _ font: Int, _ range: Range<Int>, _ glyphs: [LetteringFont.Glyph], _ paragraph: TextParagraph
  ) -> Bool {
    guard book.fonts.indices.contains(font) else { return true }
    let starts = Set(glyphs.map(\.cluster)).sorted()
    var ends: [Int: Int] = [:]
    for (place, start) in starts.enumerated() {
      ends[start] = place + 1 < starts.count ? starts[place + 1] : range.upperBound
    }
    var isPlain = true
    var seen: Set<Int> = []
    for glyph in glyphs {
      var text = ""
      if seen.insert(glyph.cluster).inserted, let end = ends[glyph.cluster], end > glyph.cluster {
        text = paragraph.text(glyph.cluster..<end)
      } else {
        isPlain = false
      }
      if !book.fonts[font].use(glyph.id, for: text) { isPlain = false }
    }
    return isPlain
  }

  // MARK: Operators

  private mutating func write(_ operands: [Double], _ name: StaticString) {
    for operand in operands {
      content.append(fixed: operand, digits: 4)
      content.append(" ")
    }
    content.append(name)
    content.append("\n")
  }
}
