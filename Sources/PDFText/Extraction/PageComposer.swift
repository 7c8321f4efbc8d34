import Bytes
import PDFSyntax

/// Writes the text of a page from its glyphs.
struct PageComposer {
  private var page: TextPage
  private var writer: ByteWriter
  private var line = LineComposer()

  /// - Parameter notesGeometry: whether to fill ``TextPage/geometry``.
  static func compose(
    _ page: Page, _ run: consuming GlyphRun, notesGeometry: Bool = false
  ) -> TextPage {
    var composer = PageComposer(page)
    if notesGeometry { composer.page.geometry = PageGeometry() }
    var run = run
    composer.write(&run)
    composer.page.utf8 = composer.writer.bytes
    return composer.page
  }

  private init(_ page: Page) {
    self.page = TextPage(
      number: page.number, width: page.width, height: page.height, rotation: page.rotation)
    writer = ByteWriter(reserving: 4096)
  }

  private mutating func write(_ run: inout GlyphRun) {
    page.fonts = run.faces
    VerticalRuns.turn(&run)
    let drawn = SegmentBuilder.segments(&run)
    let segments = ReadingOrder.ordered(
      SegmentMerger.merged(drawn, &run), run, page: &page)
    line.context.mirrorsBrackets = Brackets.areMirrored(segments, run)
    var previous: Segment?
    var wasRightToLeft = false
    for segment in segments {
      line.compose(segment, &run)
      guard !line.items.isEmpty else { continue }
      if let previous, previous.isParallel(segment), previous.sharesBaseline(segment),
        segment.start >= previous.end - 0.1 * segment.size
          || (line.isRightToLeft || wasRightToLeft)
            && segment.end <= previous.start + 0.1 * segment.size
      {
        writer.append(0x20)
      } else {
        endLine()
      }
      writeItems(segment, run)
      previous = segment
      wasRightToLeft = line.isRightToLeft
    }
    endLine()
  }

  private var firstWordOfLine = 0

  private mutating func endLine() {
    guard page.words.count > firstWordOfLine else { return }
    writer.append(0x0A)
    var box = page.words[firstWordOfLine].box
    for word in page.words[firstWordOfLine...] { box = box.union(word.box) }
    page.lines.append(TextPage.Line(words: firstWordOfLine..<page.words.count, box: box))
    firstWordOfLine = page.words.count
  }

  private mutating func writeItems(_ segment: Segment, _ run: GlyphRun) {
    let degrees = Self.degrees(segment)
    var wordStart = writer.count
    var box: TextPage.Box?
    var size = 0.0
    var face = 0
    func word() -> TextPage.Word? {
      guard let box, writer.count > wordStart else { return nil }
      return TextPage.Word(
        range: wordStart..<writer.count, box: box, size: size, angle: degrees, font: face)
    }
    for (place, item) in line.items.enumerated() {
      if item.text.scalar == 0xAD, isInsideWord(place) { continue }
      if item.blankBefore {
        if let word = word() { page.words.append(word) }
        writer.append(0x20)
        wordStart = writer.count
        box = nil
        size = 0
      }
      let glyph = run.glyphs[item.glyph]
      let isSmall = glyph.size < 0.85 * segment.size
      let start = isSmall ? writer.count : 0
      if let index = item.text.index {
        for scalar in run.strings[index] { append(scalar) }
      } else {
        append(item.text.scalar)
      }
      if isSmall { noteShift(start, glyph, segment) }
      let own = Self.box(glyph)
      if box == nil { face = Int(glyph.face) }
      box = box?.union(own) ?? own
      size = max(size, glyph.size)
    }
    if let word = word() { page.words.append(word) }
  }

  /// Whether the soft hyphen at a place of the line only tells where its word may be divided.
  private func isInsideWord(_ place: Int) -> Bool {
    guard place > 0, place + 1 < line.items.count, !line.items[place].blankBefore,
      !line.items[place + 1].blankBefore
    else { return false }
    return FoldedText.isInsideWord(
      Unicode.Scalar(line.items[place - 1].scalar), Unicode.Scalar(line.items[place + 1].scalar))
  }

  private mutating func noteShift(_ start: Int, _ glyph: Glyph, _ segment: Segment) {
    let above = (segment.v - segment.v(glyph.x, glyph.y)) / segment.size
    guard above > 0.15 || above < -0.07, glyph.size > 0.4 * segment.size else { return }
    let isRaised = above > 0
    if let last = page.shifts.last, last.range.upperBound == start, last.isRaised == isRaised {
      page.shifts[page.shifts.count - 1].range = last.range.lowerBound..<writer.count
    } else {
      page.shifts.append(TextPage.Shift(range: start..<writer.count, isRaised: isRaised))
    }
  }

  @inline(__always)
  private mutating func append(_ scalar: UInt32) {
    page.characters += 1
    if scalar == 0xFFFD { page.unknownCharacters += 1 }
    if scalar < 0x80 {
      writer.append(UInt8(truncatingIfNeeded: scalar))
    } else {
      writer.append(Unicode.Scalar(scalar) ?? "\u{FFFD}")
    }
  }

  private static func degrees(_ segment: Segment) -> Int {
    if segment.directionX > 0.999 { return 0 }
    if segment.directionY > 0.999 { return 90 }
    if segment.directionX < -0.999 { return 180 }
    if segment.directionY < -0.999 { return 270 }
    // A slope steep enough to matter, in whole degrees; no trigonometry is at hand without a
    // library, and a coarse value will do.
    let x = segment.directionX
    let y = segment.directionY
    let within = 45 * min(x.magnitude, y.magnitude) / max(x.magnitude, y.magnitude, 1e-9)
    let first = x.magnitude >= y.magnitude ? within : 90 - within
    let angle = x >= 0 ? (y >= 0 ? first : 360 - first) : (y >= 0 ? 180 - first : 180 + first)
    return Int(angle.rounded()) % 360
  }

  /// The box around a glyph's advance, from descent to ascent.
  private static func box(_ glyph: Glyph) -> TextPage.Box {
    if glyph.directionX == 1, glyph.directionY == 0 {
      let x0 = min(glyph.x, glyph.endX)
      let x1 = max(glyph.x, glyph.endX)
      return TextPage.Box(
        x0: x0, y0: min(glyph.y, glyph.endY) - Double(glyph.ascent) * glyph.size, x1: x1,
        y1: max(glyph.y, glyph.endY) - Double(glyph.descent) * glyph.size)
    }
    // Upwards across the direction of reading, on a page whose y runs downwards.
    let upX = glyph.directionY
    let upY = -glyph.directionX
    let above = Double(glyph.ascent) * glyph.size
    let below = Double(glyph.descent) * glyph.size
    let startX = glyph.x + min(upX * above, upX * below)
    let endX = glyph.x + max(upX * above, upX * below)
    let startY = glyph.y + min(upY * above, upY * below)
    let endY = glyph.y + max(upY * above, upY * below)
    let alongX = glyph.endX - glyph.x
    let alongY = glyph.endY - glyph.y
    return TextPage.Box(
      x0: startX + min(0, alongX), y0: startY + min(0, alongY), x1: endX + max(0, alongX),
      y1: endY + max(0, alongY))
  }
}
