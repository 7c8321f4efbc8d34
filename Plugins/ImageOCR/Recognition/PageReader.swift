internal import PDFSyntax
internal import PDFWriter
internal import PluginKit

/// How a page may be put upright and level.
enum Straightening: String, Sendable, CaseIterable {
  /// As the file says (EXIF), not more.
  case none
  /// Turned by quarters so that the text is upright.
  case turn
  /// Turned, and its lines made level.
  case full
}

/// Reads one picture: evens and levels it, finds out which way up it is, and recognizes it.
struct PageReader {
  let recognizers: Recognizers
  /// Pages read with less mean confidence than this are tried the other ways up.
  static let doubtful = 70.0
  /// A way up read with this confidence is taken without trying the others.
  private static let certain = 85.0
  /// Where more than this part of the letters is garbled, a second way is tried: noise smoothed
  /// away and faint ink made black.
  private static let garbled = 0.09
  /// Where more than this part is, the whole page is read again, else the lines in question.
  private static let mostlyGarbled = 0.35
  /// Words read with less mean confidence than this are no reason to take empty paper for a page.
  private static let leastShown = 60.0
  /// Pictures smaller than this in pixels have no readable text.
  private static let leastSide = 12

  /// What was read, and how the picture was turned for it.
  struct Reading: Sendable, Codable {
    var page: RecognizedPage
    /// Quarters of a circle clockwise from the picture given.
    var quarters: Int
    /// Radians clockwise, after the quarters.
    var angle: Double
    /// What the picture was made larger by at each side, after the quarters, for nothing to be cut off; in pixels.
    var margin = Tilt.Margin()
    /// The size of the picture that was recognized, in pixels, the margins included.
    var width: Int
    var height: Int
    /// The sheet of paper that the picture given shows on a darker ground, if it does.
    var sheet: SheetOutline?
    /// The languages it was read with, by Tesseract's names.
    var languages: [String] = []
    /// Whether nothing is on the paper, not even a picture.
    var isEmpty = false
    /// Why what was read may not be what the page shows.
    var doubts: [PageDoubt] = []

    /// Leads from the picture given to the one recognized, in pixels from the top left.
    var transform: Matrix {
      turned.then(
        Preprocessing.levelling(by: angle, width: Double(width), height: Double(height)))
    }

    /// The same without the angle: turned by quarters and made larger.
    var turned: Matrix {
      let (turnedWidth, turnedHeight) = (width - 2 * margin.x, height - 2 * margin.y)
      let sideways = quarters % 2 != 0
      let (givenWidth, givenHeight) =
        sideways ? (turnedHeight, turnedWidth) : (turnedWidth, turnedHeight)
      return Matrix.turn(
        quarters, width: Double(givenWidth), height: Double(givenHeight)
      ).then(.translation(Double(margin.x), Double(margin.y)))
    }
  }

  /// Reads a picture in grey or bilevel.
  ///
  /// - Parameter resolution: pixels per inch.
  func read(_ pixels: borrowing Pixels, resolution: Double) throws(PluginFailure) -> Reading {
    let sheet = SheetOutline.find(in: pixels)
    if let sheet, let flat = FlatSheet(sheet, in: pixels) {
      let reading = try readFlat(flat.pixels, resolution: resolution)
      if (reading.page.confidence ?? 0) >= Self.doubtful { return flat.restored(reading) }
    }
    var reading = try readFlat(pixels, resolution: resolution)
    // What is dark all round may hide the lines; where it is no ground but text in a shadow, more is read with it.
    if let light = DarkGround.lightened(pixels) {
      let again = try readFlat(light, resolution: resolution)
      if again.page.certainty > reading.page.certainty { reading = again }
    }
    reading.sheet = sheet
    return reading
  }

  /// Reads a picture of a sheet that is seen from straight above.
  private func readFlat(
    _ pixels: borrowing Pixels, resolution: Double
  ) throws(PluginFailure) -> Reading {
    guard let even = Preprocessing.evened(pixels) else { throw .damagedImage() }
    guard min(even.width, even.height) >= Self.leastSide else {
      return Reading(
        page: RecognizedPage(), quarters: 0, angle: 0, width: even.width, height: even.height)
    }
    // Faint ink is made black at once; other pages are strengthened where they were read badly.
    let strong = Preprocessing.isFaint(even) ? Preprocessing.strengthened(even) : nil
    let isStrong = strong != nil
    guard let picture = strong ?? even.shared() else { throw .damagedImage() }
    var engine = try recognizers.first()
    var tilts = Tilts()
    var best = try attempt(picture, quarters: 0, resolution: resolution, with: engine, &tilts)
    if Self.isDoubtful(best.page),
      let other = try otherScript(of: picture, readWith: engine.languages)
    {
      let again = try attempt(picture, quarters: 0, resolution: resolution, with: other, &tilts)
      if again.page.certainty > best.page.certainty { (best, engine) = (again, other) }
    }
    for quarters in Self.otherWays(after: best.page) {
      let other = try attempt(
        picture, quarters: quarters, resolution: resolution, with: engine, &tilts)
      if Self.score(other.page) > Self.score(best.page) { best = other }
      if Self.isCertain(best.page) { break }
    }
    var otherLanguage = try recognizers.forText(of: best.page, readWith: engine.languages)
    if otherLanguage == nil {
      otherLanguage = try languageTried(best, in: picture, resolution: resolution, with: engine)
    }
    if let other = otherLanguage {
      let again = try attempt(
        picture, quarters: best.quarters, resolution: resolution, with: other, &tilts)
      if again.page.certainty > best.page.certainty { (best, engine) = (again, other) }
    }
    if best.page.isCutApart {
      let whole = try attempt(
        picture, quarters: best.quarters, resolution: resolution, with: engine, &tilts,
        isBlock: true)
      if whole.page.certainty > best.page.certainty { best = whole }
    }
    if best.page.wordCount == 0 || best.page.garbledShare > Self.garbled,
      let second = isStrong ? even.shared() : Preprocessing.strengthened(even)
    {
      // What was read of a page without text says nothing of which way up it is.
      let quarters = best.page.hasText ? best.quarters : 0
      if best.page.garbledShare > Self.mostlyGarbled || best.page.wordCount == 0 {
        let other = try attempt(
          second, quarters: quarters, resolution: resolution, with: engine, &tilts)
        if other.page.certainty > best.page.certainty { best = other }
      } else if !isStrong {
        // Lines of a faint page gain nothing from the ink as it was.
        try readLinesAgain(&best, in: second, resolution: resolution, with: engine)
      }
    }
    best.page.removeNoise()
    // What shines through from the other side is made black for reading and seems to have words.
    if (best.page.confidence ?? 0) < Self.leastShown,
      EmptyPaper.isEmpty(pixels, resolution: resolution)
    {
      best.isEmpty = true
      // Words that may be some are never thrown away: they are only no reason to keep a page that is to be left out.
      if !best.page.hasText { best.page.lines = [] }
    }
    let level = try straightened(picture, as: best)
    if best.page.wordCount > 0 {
      if let ink = level.ink() {
        DrawnBars.remove(from: &best.page, in: ink)
        try readMissedLines(&best, in: level, ink, resolution: resolution, with: engine)
      }
      recognizers.prefer(best.languages)
    }
    best.doubts = PageDoubt.all(of: best, resolution: resolution, in: level)
    return best
  }

  /// A recognizer for the script of a page that was hardly read. Noise hides the letters from the
  /// finder: what it does not find in the page itself is sought in one without.
  private func otherScript(
    of pixels: borrowing Pixels, readWith languages: [String]
  ) throws(PluginFailure) -> Tesseract? {
    if let found = try recognizers.forScript(of: pixels, readWith: languages) { return found }
    guard let smooth = Preprocessing.strengthened(pixels) else { return nil }
    return try recognizers.forScript(of: smooth, readWith: languages)
  }

  /// A recognizer for the language in which lines of a page are read more surely.
  private func languageTried(
    _ reading: Reading, in pixels: borrowing Pixels, resolution: Double, with engine: Tesseract
  ) throws(PluginFailure) -> Tesseract? {
    guard let trial = LanguageTrial(reading.page, readWith: engine) else { return nil }
    return try recognizers.forLines(
      of: trial, in: straightened(pixels, as: reading), resolution: resolution, readWith: engine)
  }

  /// A picture turned and levelled as for a reading, so that boxes of it fit.
  private func straightened(
    _ pixels: borrowing Pixels, as reading: Reading
  ) throws(PluginFailure) -> Pixels {
    guard let turned = pixels.turned(reading.quarters),
      let level = Preprocessing.levelled(
        turned, by: Tilt(angle: reading.angle, margin: reading.margin))
    else { throw .damagedImage() }
    return level
  }

  /// Reads the lines with garbled words once more in a picture that was prepared in another way, and
  /// keeps what is read more surely.
  private func readLinesAgain(
    _ best: inout Reading, in pixels: borrowing Pixels, resolution: Double,
    with tesseract: Tesseract
  ) throws(PluginFailure) {
    let level = try straightened(pixels, as: best)
    let doubtful = best.page.lines.indices.filter { best.page.lines[$0].isGarbled }
    let again = try tesseract.recognize(
      lines: doubtful.map { best.page.lines[$0].box }, of: level,
      resolution: Int(resolution.rounded()))
    for (index, var line) in zip(doubtful, again)
    where line.certainty > best.page.lines[index].certainty {
      line.startsParagraph = best.page.lines[index].startsParagraph
      best.page.lines[index] = line
    }
  }

  /// Reads lines that the layout analysis has passed over, and keeps those that are surely text.
  private func readMissedLines(
    _ best: inout Reading, in level: borrowing Pixels, _ ink: borrowing Pixels, resolution: Double,
    with tesseract: Tesseract
  ) throws(PluginFailure) {
    let missed = MissedLines.find(beside: best.page.lines, in: ink)
    let boxes = missed.lines + missed.figures
    guard !boxes.isEmpty else { return }
    let read = try tesseract.recognize(
      lines: boxes, of: level, resolution: Int(resolution.rounded()))
    for (place, line) in read.enumerated()
    where place < missed.lines.count ? line.isSurelyText : line.isSurelyFigure {
      best.page.add(missed: line)
    }
  }

  private static func isDoubtful(_ page: RecognizedPage) -> Bool {
    (page.confidence ?? 0) < doubtful
  }

  private func attempt(
    _ pixels: borrowing Pixels, quarters: Int, resolution: Double, with tesseract: Tesseract,
    _ tilts: inout Tilts, isBlock: Bool = false
  ) throws(PluginFailure) -> Reading {
    guard let turned = pixels.turned(quarters) else { throw .damagedImage() }
    let tilt = tilts.tilt(of: turned, quarters: quarters)
    guard let level = Preprocessing.levelled(turned, by: tilt) else { throw .damagedImage() }
    let page = try tesseract.recognize(
      level, resolution: Int(resolution.rounded()), isBlock: isBlock)
    return Reading(
      page: page, quarters: quarters, angle: tilt.angle, margin: tilt.margin, width: level.width,
      height: level.height, languages: tesseract.languages)
  }

  /// The tilts of a picture that were found: on its head it has the same.
  private struct Tilts {
    private var known: [Int: Tilt] = [:]

    mutating func tilt(of turned: borrowing Pixels, quarters: Int) -> Tilt {
      if let tilt = known[quarters % 2] { return tilt }
      let tilt = Tilt.find(in: turned) ?? Tilt(angle: 0, margin: .init())
      known[quarters % 2] = tilt
      return tilt
    }
  }

  /// The turns worth trying after a first reading: none where it is good and upright.
  ///
  /// The layout analysis finds text that stands sideways and reads it so; a page of such text is
  /// to be turned, even where it was read well.
  private static func otherWays(after page: RecognizedPage) -> [Int] {
    guard let confidence = page.confidence else { return [] }
    let isSideways = page.sidewaysShare > 0.5
    if confidence >= doubtful { return isSideways ? [3, 1] : [] }
    return isSideways ? [3, 1, 2] : [2, 1, 3]
  }

  private static func isCertain(_ page: RecognizedPage) -> Bool {
    page.sidewaysShare < 0.5 && (page.confidence ?? 0) >= certain
  }

  /// How well a page was read. Text that stands sideways counts less, since it would be upright on
  /// the page turned.
  private static func score(_ page: RecognizedPage) -> Double {
    (page.confidence ?? 0) * (1 - 0.5 * page.sidewaysShare)
  }
}

extension RecognizedPage {
  /// Words below this confidence are misread more often than not.
  fileprivate static let garbledBelow = 50.0

  private func sum(_ value: (Word) -> Double) -> Double {
    lines.reduce(0) { $0 + $1.words.reduce(0) { $0 + value($1) * Double($1.text.utf8.count) } }
  }

  /// The share of letters in words that were hardly read, 0 to 1.
  fileprivate var garbledShare: Double {
    sum { $0.confidence < Self.garbledBelow ? 1 : 0 } / max(1, sum { _ in 1 })
  }

  /// How much was read and how surely: grows with each letter that counts for more than a guess.
  fileprivate var certainty: Double { lines.reduce(0) { $0 + $1.certainty } }

  /// Words below this confidence are not text but dirt, drawings or photographs.
  private static let leastWordConfidence = 20.0
  /// A page whose words are no surer than this on average has no text.
  private static let leastPageConfidence = 45.0

  /// Whether what was read is text at all.
  fileprivate var hasText: Bool { (confidence ?? 0) >= Self.leastPageConfidence }

  /// Leaves out what is not text.
  mutating func removeNoise() {
    if !hasText { lines = [] }
    for index in lines.indices {
      lines[index].words.removeAll { $0.confidence < Self.leastWordConfidence }
    }
    lines.removeAll { $0.words.isEmpty }
  }
}

extension RecognizedPage.Line {
  /// Whether all of it was read well, and letters are most of it: rules and drawings are read as dashes
  /// and strokes.
  fileprivate var isSurelyText: Bool {
    let scalars = words.flatMap { Array($0.text.unicodeScalars) }
    let letters = scalars.count { $0.properties.isAlphabetic || $0.properties.numericType != nil }
    return letters >= 3 && letters * 4 >= scalars.count * 3
      && words.allSatisfy { $0.confidence >= 75 }
  }

  /// Whether it is one word of digits that was read well.
  fileprivate var isSurelyFigure: Bool {
    guard words.count == 1, words[0].confidence >= 75 else { return false }
    let bytes = words[0].text.utf8
    return bytes.contains { (0x30...0x39).contains($0) }
      && bytes.allSatisfy { (0x30...0x39).contains($0) || $0 == 0x2C || $0 == 0x2E }
  }

  /// Whether a word in it was hardly read.
  fileprivate var isGarbled: Bool {
    words.contains { $0.confidence < RecognizedPage.garbledBelow }
  }

  /// How much was read and how surely.
  fileprivate var certainty: Double {
    words.reduce(0) { sum, word in
      sum + max(0, word.confidence - RecognizedPage.garbledBelow) * Double(word.text.utf8.count)
    }
  }
}
