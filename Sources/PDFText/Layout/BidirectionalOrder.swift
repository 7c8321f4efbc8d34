/// From the order in which letters stand on a line, left to right, to the order in which they are
/// read (the Unicode bidirectional algorithm turned round, for one level of embedding).
enum BidirectionalOrder {
  enum Class { case right, left, number, neutral }

  /// What a line hands on to the next one, which may have no letters of its own.
  struct Context {
    var isRightToLeft = false
    /// Whether its letters are Arabic ones, between which a hyphen does not join numbers.
    var isArabic = false
    /// Whether brackets in text from right to left are told as they look, and so have to be turned; nil until a pair on
    /// the page shows it.
    var mirrorsBrackets: Bool?
    /// Whether the line goes on with a paragraph that reads from left to right.
    var continuesRightwards = false
  }

  /// Text in the order in which its letters stand from left to right, for one level of embedding: as read, but for the
  /// parts of the other direction.
  static func shown(_ text: [UInt32]) -> [UInt32] {
    let isRightToLeft =
      text.first { Scripts.isRightToLeft($0) || Scripts.isLeftToRight($0) }
      .map(Scripts.isRightToLeft) ?? false
    /// Turns each stretch round that begins and ends with what turns, and has nothing in it that stays.
    func turn(
      _ text: inout [UInt32], _ range: Range<Int>, _ turns: (UInt32) -> Bool,
      upTo stays: (UInt32) -> Bool
    ) -> [Range<Int>] {
      var at = range.lowerBound, turned: [Range<Int>] = []
      while at < range.upperBound {
        var end = at
        var probe = at
        while probe < range.upperBound, turns(text[at]), !stays(text[probe]) {
          if turns(text[probe]) { end = probe + 1 }
          probe += 1
        }
        if at < end {
          text.replaceSubrange(at..<end, with: turnedRound(text[at..<end]))
          turned.append(at..<end)
        }
        at = max(at + 1, end)
      }
      return turned
    }
    var text = text
    if isRightToLeft {
      text = turnedRound(text[...])
      _ = turn(
        &text, text.indices, { Scripts.isLeftToRight($0) || Scripts.isPartOfNumber($0) },
        upTo: Scripts.isRightToLeft)
    } else {
      for range in turn(
        &text, text.indices, Scripts.isRightToLeft, upTo: Scripts.isLeftToRight)
      {
        _ = turn(
          &text, range, Scripts.isPartOfNumber,
          upTo: { !Scripts.isPartOfNumber($0) && !numberSeparators.contains($0) })
      }
    }
    return text
  }

  /// `,`, `.`, `/`, `:`, `+` and `-` (rule W4 of UAX 9).
  private static let numberSeparators: Set<UInt32> = [0x2C, 0x2E, 0x2F, 0x3A, 0x2B, 0x2D]

  /// Text from its end to its beginning; marks stay behind their letters.
  private static func turnedRound(_ text: ArraySlice<UInt32>) -> [UInt32] {
    var result: [UInt32] = []
    var end = text.endIndex
    while end > text.startIndex {
      var start = end - 1
      while start > text.startIndex, Scripts.isCombining(text[start]) { start -= 1 }
      result += text[start..<end]
      end = start
    }
    return result
  }

  /// Puts the items of a line, given from left to right, into logical order.
  ///
  /// - Returns: whether the line as a whole reads from right to left.
  static func reorder(
    _ items: inout [LineComposer.Item], _ run: GlyphRun, _ context: inout Context
  ) -> Bool {
    var classes: [Class] = []
    var rights = 0
    var lefts = 0
    for item in items {
      let scalar = run.firstScalar(item.text)
      if Scripts.isRightToLeft(scalar) {
        classes.append(.right)
        rights += 1
      } else if Scripts.isPartOfNumber(scalar) {
        classes.append(.number)
      } else if Scripts.isLeftToRight(scalar) {
        classes.append(.left)
        lefts += 1
      } else {
        classes.append(.neutral)
      }
    }
    let isRightToLeft =
      rights + lefts == 0
      ? context.isRightToLeft
      : readsFromTheRight(items, classes, rights, lefts, context.continuesRightwards)
    if rights + lefts > 0 { context.isRightToLeft = isRightToLeft }
    // The letter that reading comes from decides what a hyphen between numbers does (rules W2 and
    // W4 of UAX 9).
    var followsArabic = [Bool](repeating: context.isArabic, count: items.count)
    var isArabic = context.isArabic
    for index in items.indices.reversed() {
      if classes[index] == .right {
        isArabic = Scripts.isArabic(run.firstScalar(items[index].text))
      } else if classes[index] == .left {
        isArabic = false
      }
      followsArabic[index] = isArabic
    }
    if rights > 0 { context.isArabic = isArabic }
    // Blanks stand between items; turning an order round moves them to the other side.
    var blanks = items.map(\.blankBefore)
    var order: [Int] = []
    // Those within a run that goes from left to right in a line that goes from right to left.
    var keepsDirection = [Bool](repeating: !isRightToLeft, count: items.count)
    let line = NumbersOfLine(items, followsArabic)
    line.takeUnits(&classes)
    if isRightToLeft {
      NumbersOfLine.joinLatin(&classes)
      /// Where the run of numbers or Latin letters begins that ends before `end`; neutrals inside it belong to it.
      func start(ofRunBefore end: Int) -> Int {
        var start = end - 1
        var probe = start
        while probe > 0, classes[probe - 1] != .right {
          probe -= 1
          if classes[probe] == .left || classes[probe] == .number {
            guard joins(classes, probe, start, blanks, items, followsArabic[start], line.hasGroups)
            else { break }
            start = probe
          }
        }
        return start
      }
      var end = items.count
      while end > 0 {
        let last =
          classes[end - 1] == .neutral && closesRun(end - 1, items, classes) ? end - 2 : end - 1
        let first =
          classes[last] == .left || classes[last] == .number
          ? start(ofRunBefore: last + 1) : nil
        if let first, last == end - 1 || Brackets.isOpen(items[end - 1], in: items[first...last]) {
          order += first..<end
          for place in first..<end { keepsDirection[place] = true }
          end = first
        } else {
          // A letter goes with the marks that stand on it.
          var start = end - 1
          while start > 0, Scripts.isCombining(run.firstScalar(items[start].text)) { start -= 1 }
          order += start..<end
          end = start
        }
      }
    } else {
      var at = 0
      /// Where the number goes on to the left that begins at `start`, behind `limit`.
      func next(_ start: Int, _ limit: Int) -> Int? {
        [start - 1, start - 2].first {
          $0 >= limit && classes[$0] == .number
            && joins(classes, $0, start, blanks, items, followsArabic[start], false)
        }
      }
      /// Whether a number on the left of letters from right to left was drawn, and so is read, behind them.
      func follows(_ number: Int) -> Bool {
        guard classes[number] == .number, let letter = classes[number...].firstIndex(of: .right),
          items[number].glyph > items[letter].glyph
        else { return false }
        var start = letter - 1
        while start > number, let left = next(start, number) { start = left }
        return start == number
      }
      while at < items.count {
        guard classes[at] == .right || follows(at) else {
          order.append(at)
          at += 1
          continue
        }
        var end = at + 1
        var probe = end
        while probe < items.count, classes[probe] != .left {
          if classes[probe] == .right { end = probe + 1 }
          probe += 1
        }
        var back = end
        while back > at {
          var start = back - 1
          if classes[start] == .number {
            while let left = next(start, at) { start = left }
          } else {
            while start > at, Scripts.isCombining(run.firstScalar(items[start].text)) { start -= 1 }
          }
          order += start..<back
          back = start
        }
        at = end
      }
    }
    reattachMarks(&order, items, run)
    let source = items
    items = order.map { source[$0] }
    // A blank lies between two neighbours of the line, whichever comes first in reading.
    blanks = items.map { _ in false }
    for place in order.indices.dropFirst() {
      let (before, here) = (order[place - 1], order[place])
      if here == before + 1 {
        blanks[place] = source[here].blankBefore
      } else if here < before {
        // The neighbours in between were turned: look at the visual gap next to either.
        let right = before
        var first = right
        while first > here, first > 0, order[..<place].contains(first - 1) { first -= 1 }
        blanks[place] = source[first].blankBefore || here + 1 == right && source[right].blankBefore
      } else {
        // Over a run that is yet to be read, or one that has been.
        let isRead = order[..<place].contains(before + 1)
        blanks[place] = source[isRead ? here : before + 1].blankBefore
      }
    }
    for place in items.indices { items[place].blankBefore = blanks[place] }
    let neutral = items.indices.filter { classes[order[$0]] == .neutral }
    Brackets.turn(
      &items, at: neutral.filter { !keepsDirection[order[$0]] }, &context.mirrorsBrackets)
    var mirrors: Bool? = false
    Brackets.turn(&items, at: neutral.filter { keepsDirection[order[$0]] }, &mirrors)
    return isRightToLeft
  }

  /// Whether a line with letters reads from right to left as a whole.
  private static func readsFromTheRight(
    _ items: [LineComposer.Item], _ classes: [Class], _ rights: Int, _ lefts: Int,
    _ continuesRightwards: Bool
  ) -> Bool {
    guard rights > 0 else { return false }
    if continuesRightwards || lefts > 0 && rights <= mostRights * lefts,
      hasStopsOnTheRight(items, classes)
    {
      return false
    }
    let isTurnedAtTheRight = classes.last { $0 == .right || $0 == .left } == .right
    if continuesRightwards { return isTurnedAtTheRight && rights >= lefts }
    return rights >= lefts || classes.last == .right && rights * 3 > lefts
  }

  /// Lines with more letters from right to left than this for each other one are read so, whatever their stops say.
  private static let mostRights = 4

  /// Whether stops at the right end, and between letters of both directions, stand at what is on their left: a stop
  /// stands at what is read before it.
  private static func hasStopsOnTheRight(
    _ items: [LineComposer.Item], _ classes: [Class]
  ) -> Bool {
    var hasStops = false
    for index in items.indices where isStop(items[index].scalar) {
      let isBehind = index > 0 && !items[index].blankBefore
      let isBefore = index + 1 < items.count && !items[index + 1].blankBefore
      guard isBehind != isBefore,
        classes[..<index].last(where: { $0 == .right || $0 == .left })
          != classes[index...].first(where: { $0 == .right || $0 == .left })
      else { continue }
      if isBefore { return false }
      hasStops = true
    }
    return hasStops
  }

  /// How far before the left edge of its letter a mark may begin, in units of the size.
  private static let markBefore = 0.12

  /// A mark that was drawn before its letter, from left to right, stands at the letter's left edge:
  /// in reading it comes behind that letter.
  private static func reattachMarks(
    _ order: inout [Int], _ items: [LineComposer.Item], _ run: GlyphRun
  ) {
    guard items.contains(where: { Scripts.isCombining(run.firstScalar($0.text)) }) else { return }
    var place = 0
    while place < order.count {
      let index = order[place]
      let mark = items[index]
      if Scripts.isCombining(run.firstScalar(mark.text)), index + 1 < items.count,
        place > 0, order[place - 1] != index + 1
      {
        let letter = items[index + 1]
        let size = run.glyphs[mark.glyph].size
        if mark.start >= letter.start - markBefore * size,
          Scripts.isRightToLeft(run.firstScalar(letter.text)),
          let target = order.firstIndex(of: index + 1)
        {
          order.remove(at: place)
          order.insert(index, at: target < place ? target + 1 : target)
        }
      }
      place += 1
    }
  }

  /// Whether a left-to-right run goes on over the neutrals between two of its members.
  private static func joins(
    _ classes: [Class], _ left: Int, _ right: Int, _ blanks: [Bool], _ items: [LineComposer.Item],
    _ followsArabic: Bool, _ hasGroups: Bool
  ) -> Bool {
    if classes[left] == .left {
      // A comma that stands at a number and away from what is to its left ends what is read before.
      return
        !(right - left == 2 && blanks[left + 1] && !blanks[right]
        && isStop(items[left + 1].scalar))
    }
    // Numbers go on over separators, not over blanks (rules W4 and N1 of UAX 9).
    if blanks[(left + 1)...right].contains(true) { return hasGroups && right - left == 1 }
    if right - left <= 1 { return true }
    if right - left == 2 {
      switch items[left + 1].text.scalar {
      case 0x2C, 0x2E, 0x2F, 0x3A: return true
      case 0x2B, 0x2D: return !followsArabic
      default: return false
      }
    }
    return false
  }

  private static func isStop(_ scalar: UInt32) -> Bool {
    [0x21, 0x2C, 0x2E, 0x3A, 0x3B, 0x3F].contains(scalar)
  }

  /// Whether a bracket touches the end of a run from left to right, to which it may belong.
  private static func closesRun(
    _ index: Int, _ items: [LineComposer.Item], _ classes: [Class]
  ) -> Bool {
    index > 0 && (classes[index - 1] == .left || classes[index - 1] == .number)
      && !items[index].blankBefore && Brackets.mirrored(items[index].scalar) != nil
  }
}
