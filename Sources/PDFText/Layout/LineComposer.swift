/// Makes words of the glyphs of one segment: puts them in order, drops repeated draws, joins accents
/// with their letters, finds the blanks, and turns right-to-left text into its logical order.
struct LineComposer {
  struct Item {
    var text: GlyphText
    /// The first scalar of the text.
    var scalar: UInt32
    var start: Double
    var end: Double
    var glyph: Int
    /// Whether a blank stands before it.
    var blankBefore = false
  }

  /// The glyphs of the segment, one item for each that is left, in reading order.
  private(set) var items: [Item] = []
  /// Whether the line reads from right to left.
  private(set) var isRightToLeft = false
  /// What tells words and repeated draws; lengths in units of the size of the text unless said otherwise.
  private enum Bound {
    /// A glyph drawn again no further away than this, and than this part of its width, is the same one; one without
    /// width, in points, counts as wide as this. So many glyphs back are looked at.
    static let repeatDistance = 0.18
    static let repeatOfWidth = 0.6
    static let leastWidth = 0.01
    static let repeatsLookedAt = 8
    /// Where a stroke through a letter begins, in widths of the letter before and behind its start.
    static let negationBefore = 0.3
    static let negationBehind = 0.5
    /// How far into a letter its accent reaches at least, in widths of the letter.
    static let accentReach = 0.2
    /// Raised figures of notes are smaller than this part of the letters and stand this much higher.
    static let noteSize = 0.85
    static let noteRise = 0.15
    /// A line reads along the page where its direction's cosine is more than this.
    static let level = 0.99
    /// Gaps from which on letters belong to different words.
    static let wordGap = 0.13
    /// The same between letters of scripts without blanks.
    static let gapWithoutBlanks = 0.6
    /// No letter counts as smaller than this part of its line, nor any bound as smaller.
    static let leastSize = 0.5
    /// Letters further apart than this stand apart; if half of at least so many do, the line is letterspaced.
    static let letterGap = 0.05
    static let fewestGaps = 4
    /// The usual gap of letterspaced lines, and the least of their narrower ones.
    static let spacedGap = (least: 0.05, most: 0.9)
    static let leastNarrowGap = 0.03
    /// A word's gap in them is wider than the usual one by this, and by this part of it.
    static let spacedWord = 0.1
    static let spacedWordOfGap = 0.35
    /// The next line of a paragraph: how far below it is, by what part its size differs at most, how far before the
    /// line above (its indent) and behind it it may begin, and how much further than a full one it may reach.
    static let leastStep = 0.5
    static let lineStep = 1.6
    static let sizeDifference = 0.1
    static let indent = 3.0
    static let lineEdge = 0.5
    static let rag = 3.0
  }

  /// What lines without letters of their own go by: the line before them on the page.
  var context = BidirectionalOrder.Context()
  /// The line as far as it was composed, and whether its first piece reads from right to left.
  private var line: (extent: Segment, isRightToLeft: Bool)?

  mutating func compose(_ segment: Segment, _ run: inout GlyphRun) {
    defer { note(segment) }
    items.removeAll(keepingCapacity: true)
    isRightToLeft = false
    var hasRightToLeft = context.isRightToLeft
    var hasAccent = false
    for index in segment.places(run).lazy.map(Int.init) {
      let glyph = run.glyphs[index]
      var start = segment.u(glyph.x, glyph.y)
      var end = segment.u(glyph.endX, glyph.endY)
      if end < start { swap(&start, &end) }
      let scalar = run.firstScalar(glyph.text)
      if scalar >= 0x590, Scripts.isRightToLeft(scalar) { hasRightToLeft = true }
      if Scripts.accent(scalar) != nil { hasAccent = true }
      items.append(
        Item(text: glyph.text, scalar: scalar, start: start, end: end, glyph: index))
    }
    if segment.isCurved { straighten(run) }
    if !segment.isSorted {
      items = hasRightToLeft ? GlyphOrder.leftwards(items, run) : GlyphOrder.rightwards(items)
    }
    if !segment.isSorted || hasAccent { dropRepeats(segment.size) }
    if hasAccent { joinAccents(&run) }
    findBlanks(segment.size, run)
    // Turning a line round takes time with the square of its length; no real line is that long.
    if hasRightToLeft, items.count <= 4000 {
      context.continuesRightwards = line.map { continues($0, segment) } ?? false
      isRightToLeft = BidirectionalOrder.reorder(&items, run, &context)
    }
  }

  private mutating func note(_ segment: Segment) {
    if let last = line?.extent, last.isParallel(segment), last.sharesBaseline(segment) {
      line?.extent.start = min(last.start, segment.start)
      line?.extent.end = max(last.end, segment.end)
    } else {
      line = (segment, isRightToLeft)
    }
  }

  /// Whether a piece begins the next line of a paragraph that reads from left to right.
  private func continues(
    _ line: (extent: Segment, isRightToLeft: Bool), _ segment: Segment
  ) -> Bool {
    let (above, size) = (line.extent, segment.size)
    let step = segment.v - above.v
    return !line.isRightToLeft && above.isParallel(segment)
      && step > Bound.leastStep * size && step < Bound.lineStep * size
      && (above.size - size).magnitude < Bound.sizeDifference * size
      && segment.start > above.start - Bound.indent * size
      && segment.start < above.start + Bound.lineEdge * size
      && above.end > segment.end - Bound.rag * size
  }

  /// Places letters along a curve by their own advances.
  private mutating func straighten(_ run: GlyphRun) {
    func distance(_ x: Double, _ y: Double) -> Double { (x * x + y * y).squareRoot() }
    var end = items.first?.start ?? 0
    for index in items.indices {
      let glyph = run.glyphs[items[index].glyph]
      if index > 0 {
        let last = run.glyphs[items[index - 1].glyph]
        // Backwards along the last letter's direction is kerning.
        let (x, y) = (glyph.x - last.endX, glyph.y - last.endY)
        let isBack = x * last.directionX + y * last.directionY < 0
        end += (isBack ? -1 : 1) * distance(x, y)
      }
      items[index].start = end
      end += distance(glyph.endX - glyph.x, glyph.endY - glyph.y)
      items[index].end = end
    }
  }

  /// Leaves out glyphs drawn again at nearly the same place, as fake bold and shadows are.
  private mutating func dropRepeats(_ size: Double) {
    guard items.count > 1 else { return }
    var kept: [Item] = []
    kept.reserveCapacity(items.count)
    for item in items {
      var isRepeat = false
      var back = kept.count - 1
      let reach = min(
        Bound.repeatDistance * size,
        Bound.repeatOfWidth * max(Bound.leastWidth, item.end - item.start))
      while back >= 0, kept.count - back <= Bound.repeatsLookedAt {
        let other = kept[back]
        if (other.start - item.start).magnitude <= reach,
          other.scalar == item.scalar, !item.text.isBlank
        {
          isRepeat = true
          break
        }
        back -= 1
      }
      if !isRepeat { kept.append(item) }
    }
    items = kept
  }

  private mutating func joinAccents(_ run: inout GlyphRun) {
    var result: [Item] = []
    result.reserveCapacity(items.count)
    var index = 0
    while index < items.count {
      let item = items[index]
      guard let accent = Scripts.accent(item.scalar) else {
        result.append(item)
        index += 1
        continue
      }
      let middle = (item.start + item.end) / 2
      func carries(_ letter: Item) -> Bool {
        let scalar = letter.text.scalar
        if item.scalar == Scripts.negation {
          // It is as wide as nothing, or as what it strikes out.
          let width = letter.end - letter.start
          return !letter.text.isBlank && item.start > letter.start - Bound.negationBefore * width
            && item.start < letter.start + Bound.negationBehind * width
        }
        guard scalar > 0x40, Scripts.isLeftToRight(scalar) else { return false }
        return middle > letter.start && middle < letter.end
          && item.start < letter.end - Bound.accentReach * (letter.end - letter.start)
          && item.end > letter.start + Bound.accentReach * (letter.end - letter.start)
      }
      if let last = result.last, carries(last) {
        join(&result[result.count - 1], accent, &run)
        index += 1
      } else if index + 1 < items.count, carries(items[index + 1]) {
        var letter = items[index + 1]
        join(&letter, accent, &run)
        letter.start = min(letter.start, item.start)
        result.append(letter)
        index += 2
      } else {
        result.append(item)
        index += 1
      }
    }
    items = result
  }

  private func join(
    _ letter: inout Item, _ accent: (name: String, combining: UInt32), _ run: inout GlyphRun
  ) {
    let text = Scripts.compose(letter.text.scalar, accent)
    run.strings.append(text)
    letter.text = GlyphText(several: run.strings.count - 1)
    letter.scalar = text.first ?? 0
  }

  /// Removes blank glyphs and notes where blanks stand, drawn or left out.
  private mutating func findBlanks(_ size: Double, _ run: GlyphRun) {
    let limit = gapLimit(size)
    var count = 0
    var blank = false
    var reach = -Double.infinity
    // Where digits stand apart a little, and no blank was drawn.
    var kerned: [Int] = []
    for index in items.indices {
      var item = items[index]
      if item.text.isBlank {
        blank = true
        continue
      }
      if count > 0 {
        let last = items[count - 1]
        let gap = item.start - max(reach, last.end)
        // No bound is smaller than this.
        if gap > Bound.leastSize * limit * size {
          var bound =
            limit
            * max(
              Bound.leastSize * size, min(run.glyphs[item.glyph].size, run.glyphs[last.glyph].size))
          if Scripts.isWithoutBlanks(item.scalar), Scripts.isWithoutBlanks(last.scalar) {
            bound = max(bound, Bound.gapWithoutBlanks * size)
          }
          if gap > bound {
            if !blank, gap < Self.thousandsGap * size, Scripts.isDigit(item.scalar),
              Scripts.isDigit(last.scalar)
            {
              kerned.append(count)
            }
            blank = true
          }
        }
        if !blank, count <= 3, isNoteMark(items[..<count], before: item, run) { blank = true }
        if item.scalar >= 0x300, Scripts.isCombining(item.scalar) { blank = false }
      }
      item.blankBefore = blank && count > 0
      if count > 0, Scripts.contains(item.scalar, mark: items[count - 1].scalar) {
        count -= 1
        item.blankBefore = items[count].blankBefore
        item.start = items[count].start
      }
      blank = false
      reach = max(reach, item.end)
      items[count] = item
      count += 1
    }
    items.removeLast(items.count - count)
    if !kerned.isEmpty { joinThousands(kerned) }
  }

  /// Makes one number of digits in groups of three that stand apart at some places.
  private mutating func joinThousands(_ places: [Int]) {
    func isDigit(_ index: Int) -> Bool {
      items.indices.contains(index) && Scripts.isDigit(items[index].scalar)
    }
    let thousands = places.filter { place in
      var end = place + 1
      while end - place < 4, isDigit(end), !items[end].blankBefore { end += 1 }
      var start = place
      while place - start < 4, isDigit(start - 1) {
        start -= 1
        if items[start].blankBefore { break }
      }
      return end - place == 3 && place - start <= 3
    }
    for place in thousands { items[place].blankBefore = false }
  }

  /// Thousands that a number's typesetter moved apart by less than this, in units of the size, are one number: a blank
  /// is wider.
  private static let thousandsGap = 0.21

  /// Whether what stands on the line so far is the raised number of a footnote, which belongs to no
  /// word even where no gap follows it.
  private func isNoteMark(
    _ mark: ArraySlice<Item>, before item: Item, _ run: GlyphRun
  ) -> Bool {
    let letter = run.glyphs[item.glyph]
    guard Scripts.isLeftToRight(item.scalar), letter.directionX > Bound.level else { return false }
    return mark.allSatisfy { part in
      let glyph = run.glyphs[part.glyph]
      return Scripts.isDigit(part.scalar) && glyph.size < Bound.noteSize * letter.size
        && letter.y - glyph.y > Bound.noteRise * letter.size
    }
  }

  /// The gap from which on letters belong to different words, in units of their size. Where all
  /// letters stand apart (letterspacing), a word's gap is one that is wider than they are.
  private func gapLimit(_ size: Double) -> Double {
    let plain = Bound.wordGap
    guard items.count >= 5, size > 0 else { return plain }
    // In nearly all lines letters touch, and this is all that is looked at.
    var count = 0
    var wide = 0
    for index in 1..<items.count {
      if items[index - 1].text.isBlank || items[index].text.isBlank { continue }
      count += 1
      if items[index].start - items[index - 1].end > Bound.letterGap * size { wide += 1 }
    }
    guard count >= Bound.fewestGaps, wide * 2 >= count else { return plain }
    var gaps: [Double] = []
    var letters = 0
    var digits = 0
    for index in 1..<items.count {
      let (before, item) = (items[index - 1], items[index])
      if before.text.isBlank || item.text.isBlank { continue }
      gaps.append((item.start - before.end) / size)
      if Scripts.isLeftToRight(item.scalar) || Scripts.isRightToLeft(item.scalar) {
        letters += 1
      } else if Scripts.isDigit(item.scalar) {
        digits += 1
      }
    }
    // A row of figures that stand apart is a row of a form or a table.
    guard (letters + digits) * 3 >= gaps.count * 2, letters * 3 >= gaps.count else { return plain }
    gaps.sort()
    let median = gaps[gaps.count / 2]
    let low = gaps[gaps.count / 4]
    guard median > Bound.spacedGap.least, median < Bound.spacedGap.most, low > Bound.leastNarrowGap
    else { return plain }
    return max(plain, median + max(Bound.spacedWord, Bound.spacedWordOfGap * median))
  }
}
