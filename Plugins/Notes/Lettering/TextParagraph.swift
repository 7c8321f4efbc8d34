/// A paragraph with all that is needed to break and draw it, at a size of one.
struct TextParagraph {
  let letters: [UInt32]
  /// Whether it runs from right to left.
  let isRightToLeft: Bool
  private let levels: [Int]
  private let scripts: [UInt32]
  private let fonts: [Int]
  /// Where characters as people see them begin.
  private let characters: [Int]
  private var units: [Unit] = []
  private let book: FontBook

  /// What no line's end divides.
  private struct Unit {
    var range: Range<Int>
    /// Without the blanks at its end.
    var trimmed: Range<Int>
    var width: Double
    var trimmedWidth: Double
  }

  /// One line, in the order from left to right.
  struct Line {
    var runs: [(font: Int, range: Range<Int>, glyphs: [LetteringFont.Glyph])] = []
    var range: Range<Int>
    var width = 0.0
    /// Shares of the em.
    var ascent = 0.0
    var descent = 0.0
  }

  init(_ text: some StringProtocol, _ book: FontBook) {
    var letters: [UInt32] = [], characters: [Int] = [], fonts: [Int] = []
    for character in text {
      let start = letters.count
      characters.append(start)
      letters += character.unicodeScalars.flatMap { scalar -> [UInt32] in
        scalar == "\t" ? [0x20, 0x20, 0x20, 0x20] : [scalar.value]
      }
      let font = book.font(for: letters[start...], after: fonts.last)
      fonts += [Int](repeating: font, count: letters.count - start)
    }
    let direction = TextDirection.levels(letters)
    (self.letters, self.characters, self.fonts, self.book) = (letters, characters, fonts, book)
    levels = direction.levels
    isRightToLeft = direction.base == 1
    let scripts = Self.scripts(letters)
    self.scripts = scripts
    for range in LineBreaks.units(letters, characters) {
      var end = range.upperBound
      while end > range.lowerBound, Self.isBlank(letters[end - 1]) { end -= 1 }
      let trimmed = range.lowerBound..<end
      let trimmedWidth = width(trimmed)
      units.append(
        Unit(
          range: range, trimmed: trimmed, width: trimmed == range ? trimmedWidth : width(range),
          trimmedWidth: trimmedWidth))
    }
  }

  private static func isBlank(_ scalar: UInt32) -> Bool {
    Unicode.Scalar(scalar)?.properties.isWhitespace == true && scalar != 0xA0
  }

  /// The script of each letter; signs and marks that all scripts share take that of their neighbour.
  private static func scripts(_ letters: [UInt32]) -> [UInt32] {
    var scripts = [UInt32](repeating: LetteringFont.commonScript, count: letters.count)
    var last: UInt32?
    var waiting = 0
    for (index, letter) in letters.enumerated() {
      let (tag, isShared) = LetteringFont.script(letter)
      if !isShared { last = tag }
      guard let last else { continue }
      for before in waiting..<index { scripts[before] = last }
      scripts[index] = last
      waiting = index + 1
    }
    return scripts
  }

  // MARK: Lines

  /// Where the lines of a width, in ems, begin and end.
  func lines(width: Double) -> [Range<Int>] {
    var lines: [Range<Int>] = []
    var start = 0, end = 0, x = 0.0
    func close(_ next: Int) {
      lines.append(start..<max(start, end))
      (start, end, x) = (next, next, 0)
    }
    for unit in units {
      if x > 0, x + unit.trimmedWidth > width { close(unit.range.lowerBound) }
      if unit.trimmedWidth > width {
        // Longer than a line: it is cut between characters.
        for piece in pieces(unit.trimmed, width) {
          if end > start { close(piece.lowerBound) }
          (end, x) = (piece.upperBound, self.width(piece))
        }
        x += unit.width - unit.trimmedWidth
        continue
      }
      end = unit.trimmed.isEmpty ? end : unit.trimmed.upperBound
      x += unit.width
    }
    if end > start || lines.isEmpty { lines.append(start..<max(start, end)) }
    return lines
  }

  /// Parts of a long unit that fit, each a character at least.
  private func pieces(_ range: Range<Int>, _ width: Double) -> [Range<Int>] {
    var pieces: [Range<Int>] = []
    var start = range.lowerBound, x = 0.0
    let inside = characters.filter { range.contains($0) }
    for (index, character) in inside.enumerated() {
      let end = index + 1 < inside.count ? inside[index + 1] : range.upperBound
      let own = self.width(character..<end)
      if x > 0, x + own > width {
        pieces.append(start..<character)
        (start, x) = (character, 0)
      }
      x += own
    }
    pieces.append(start..<range.upperBound)
    return pieces
  }

  private func width(_ range: Range<Int>) -> Double {
    runs(range).reduce(0) { sum, run in
      sum + glyphs(run).reduce(0) { $0 + $1.advance }
    }
  }

  /// The glyphs of a line.
  func line(_ range: Range<Int>) -> Line {
    var line = Line(range: range)
    let runs = runs(range)
    for place in TextDirection.visualOrder(runs.map(\.level)) {
      let run = runs[place], glyphs = glyphs(run)
      line.runs.append((run.font, run.range, glyphs))
      line.width += glyphs.reduce(0) { $0 + $1.advance }
      if book.fonts.indices.contains(run.font) {
        // Some fonts leave much room for letters that do not occur.
        line.ascent = max(line.ascent, min(1.3, book.fonts[run.font].ascent))
        line.descent = min(line.descent, max(-0.6, book.fonts[run.font].descent))
      }
    }
    return line
  }

  private struct Run {
    var range: Range<Int>
    var level: Int
    var font: Int
    var script: UInt32
  }

  /// Parts of one direction, font and script, in the order of the text.
  private func runs(_ range: Range<Int>) -> [Run] {
    var runs: [Run] = []
    for index in range {
      if let last = runs.last, last.level == levels[index], last.font == fonts[index],
        last.script == scripts[index]
      {
        runs[runs.count - 1].range = last.range.lowerBound..<(index + 1)
      } else {
        runs.append(
          Run(
            range: index..<(index + 1), level: levels[index], font: fonts[index],
            script: scripts[index]))
      }
    }
    return runs
  }

  private func glyphs(_ run: Run) -> [LetteringFont.Glyph] {
    guard book.fonts.indices.contains(run.font) else { return [] }
    return book.fonts[run.font].shape(
      letters, run.range, isRightToLeft: run.level % 2 == 1, script: run.script)
  }

  /// The text of some letters.
  func text(_ range: Range<Int>) -> String {
    var text = String.UnicodeScalarView()
    for letter in letters[range] { text.append(Unicode.Scalar(letter) ?? "\u{FFFD}") }
    return String(text)
  }
}

/// Where a line may end: the part of Unicode's rules (UAX 14) that matters for notes.
enum LineBreaks {
  /// The parts of a text that stay together, each with the blanks behind it.
  static func units(_ letters: [UInt32], _ characters: [Int]) -> [Range<Int>] {
    var units: [Range<Int>] = []
    var start = 0
    for character in characters.dropFirst() where breaks(letters, before: character) {
      units.append(start..<character)
      start = character
    }
    if start < letters.count { units.append(start..<letters.count) }
    return units
  }

  private static func breaks(_ letters: [UInt32], before index: Int) -> Bool {
    guard let last = Unicode.Scalar(letters[index - 1]), let next = Unicode.Scalar(letters[index])
    else { return false }
    let isBlank = last.properties.isWhitespace && last.value != 0xA0 && last.value != 0x202F
    if next.properties.isWhitespace { return false }
    if isBlank || last.value == 0x200B { return true }
    if last == "-" || last.value == 0x2010 {
      return next.properties.isAlphabetic && index > 1
        && Unicode.Scalar(letters[index - 2])?.properties.isAlphabetic == true
    }
    if isIdeograph(last) || isIdeograph(next) {
      return !closes(next) && !opens(last)
    }
    // Scripts without blanks are cut between characters.
    return isWithoutBlanks(last) && isWithoutBlanks(next)
  }

  private static func isIdeograph(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x2E80...0x2FDF, 0x3041...0x30FF, 0x31F0...0x31FF, 0x3400...0x4DBF, 0x4E00...0x9FFF,
      0xAC00...0xD7A3, 0xF900...0xFAFF, 0x20000...0x3FFFF:
      true
    default: false
    }
  }

  private static func isWithoutBlanks(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x0E00...0x0EFF, 0x1000...0x109F, 0x1780...0x17FF: true
    default: false
    }
  }

  private static func closes(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .closePunctuation, .finalPunctuation, .otherPunctuation, .nonspacingMark: true
    default:
      switch scalar.value {
      // Small kana, repetition and length.
      case 0x3005, 0x303B, 0x30FC, 0x3041, 0x3043, 0x3045, 0x3047, 0x3049, 0x3063, 0x3083, 0x3085,
        0x3087, 0x30A1, 0x30A3, 0x30A5, 0x30A7, 0x30A9, 0x30C3, 0x30E3, 0x30E5, 0x30E7:
        true
      default: false
      }
    }
  }

  private static func opens(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .openPunctuation, .initialPunctuation: true
    default: false
    }
  }
}
