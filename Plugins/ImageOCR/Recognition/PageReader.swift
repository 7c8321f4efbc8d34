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
  /// A page in the language of its words is read at least this surely, as a part of how surely another one read it.
  private static let asSure = 0.92
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

    /// What was read in a picture of half the size.
    ///
    /// - Parameters:
    ///   - width: of the picture of twice the size, in pixels, as it was given.
    ///   - height: the same.
    func doubled(width: Int, height: Int) -> Reading {
      var reading = self
      reading.margin = Tilt.Margin(x: 2 * margin.x, y: 2 * margin.y)
      let sideways = quarters % 2 != 0
      reading.width = (sideways ? height : width) + 2 * reading.margin.x
      reading.height = (sideways ? width : height) + 2 * reading.margin.y
      func doubled(_ x: Double, _ y: Double) -> PixelPoint { PixelPoint(x: 2 * x, y: 2 * y) }
      reading.page.lines = page.lines.map { $0.mapped(doubled) }
      reading.page.rules = page.rules.map { $0.mapped(doubled) }
      func doubled(_ point: PixelPoint) -> PixelPoint { doubled(point.x, point.y) }
      reading.sheet = sheet.map {
        SheetOutline(corners: $0.corners.map(doubled), middle: doubled($0.middle))
      }
      return reading
    }
  }

  /// Pictures with more pixels per inch are read in half the size, which the recognizer's models know better: letters keep
  /// their accents, and it takes a quarter of the time.
  private static let finest = 500.0

  /// Reads a picture in grey or bilevel.
  ///
  /// - Parameter resolution: pixels per inch.
  func read(_ pixels: borrowing Pixels, resolution: Double) throws(PluginFailure) -> Reading {
    guard resolution > Self.finest, let half = pixels.halved() else {
      return try readWhole(pixels, resolution: resolution)
    }
    return try readWhole(half, resolution: resolution / 2).doubled(
      width: pixels.width, height: pixels.height)
  }

  private func readWhole(
    _ pixels: borrowing Pixels, resolution: Double
  ) throws(PluginFailure) -> Reading {
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
    let tilt = Tilt.ofPage(in: picture)
    func attempt(
      _ pixels: borrowing Pixels, quarters: Int, with engine: Tesseract, isBlock: Bool = false
    ) throws(PluginFailure) -> Reading {
      try self.attempt(
        pixels, quarters: quarters, tilt: tilt ?? Tilt(), resolution: resolution, with: engine,
        isBlock: isBlock)
    }
    /// A reading, or a surer one the other way up.
    func anyWayUp(
      _ first: Reading, of pixels: borrowing Pixels, with engine: Tesseract
    ) throws(PluginFailure) -> Reading {
      var best = first
      // Of text on its side or its head the layout analysis may find nothing; but neither in boxes for letters.
      var shown: Int?
      if first.page.confidence == nil {
        guard let tilt else { return first }
        shown = try lettersInRows(pixels, tilt, resolution: resolution)
        if shown == 0 { return first }
      }
      for quarters in Self.otherWays(after: first.page, tilt) {
        let other = try attempt(pixels, quarters: quarters, with: engine)
        if let shown,
          Self.isDoubtful(other.page) || PageDoubt.isUnread(other.page.letterCount, of: shown)
        {
          continue
        }
        if Self.isBetter(other.page, than: best.page) { best = other }
        if Self.isCertain(best.page) { break }
      }
      return best
    }
    var best = try attempt(picture, quarters: 0, with: engine)
    if Self.isDoubtful(best.page),
      let other = try otherScript(of: picture, readWith: engine.languages)
    {
      let again = try attempt(picture, quarters: 0, with: other)
      if again.page.certainty > best.page.certainty { (best, engine) = (again, other) }
    }
    best = try anyWayUp(best, of: picture, with: engine)
    var otherLanguage = try recognizers.forText(of: best.page, readWith: engine.languages)
    if otherLanguage == nil {
      otherLanguage = try languageTried(best, in: picture, resolution: resolution, with: engine)
    }
    if let other = otherLanguage {
      let again = try attempt(picture, quarters: best.quarters, with: other)
      // Its words speak for it: another language's letters are often read as surely without their accents.
      if again.page.certainty > Self.asSure * best.page.certainty {
        (best, engine) = (again, other)
      }
    }
    let isCut = try best.page.isCutApart ? true : isCutApart(best, in: picture)
    if isCut {
      let whole = try attempt(picture, quarters: best.quarters, with: engine, isBlock: true)
      if whole.page.certainty > best.page.certainty { best = whole }
    }
    if best.page.wordCount == 0 || best.page.garbledShare > Self.garbled,
      let second = isStrong ? even.shared() : Preprocessing.strengthened(even)
    {
      // What was read of a page without text says nothing of which way up it is.
      let quarters = best.page.hasText ? best.quarters : 0
      if best.page.garbledShare > Self.mostlyGarbled || best.page.wordCount == 0 {
        var other = try attempt(second, quarters: quarters, with: engine)
        if !best.page.hasText, tilt != nil {
          other = try anyWayUp(other, of: second, with: engine)
        }
        if other.page.certainty > best.page.certainty { best = other }
      } else if !isStrong {
        // Lines of a faint page gain nothing from the ink as it was.
        try readLinesAgain(
          &best, in: straightened(second, as: best), resolution: resolution, with: engine)
      }
    }
    let level = try straightened(picture, as: best)
    try readCellsAgain(&best, in: level, resolution: resolution, with: engine)
    guard let ink = level.ink(), let half = ink.halvedInk() else { throw .damagedImage() }
    let combs = CombField.find(in: half, resolution: resolution)
    var missed = try readCombs(combs, &best, in: level, resolution: resolution, with: engine)
    best.page.removeNoise()
    // What shines through from the other side is made black for reading and seems to have words.
    if (best.page.confidence ?? 0) < Self.leastShown,
      EmptyPaper.isEmpty(pixels, resolution: resolution)
    {
      best.isEmpty = true
      // Words that may be some are never thrown away: they are only no reason to keep a page that is to be left out.
      if !best.page.hasText { best.page.lines = [] }
    }
    try readUpsideDown(&best, in: level, resolution: resolution, with: engine)
    if best.page.wordCount > 0 {
      DrawnBars.remove(from: &best.page, in: ink)
      best.page.joinRows()
      missed += try readMissed(
        &best, in: level, ink, straightened(pixels, as: best), besides: combs,
        resolution: resolution, with: engine)
      // What was found since then has some too.
      DrawnBars.remove(from: &best.page, in: ink)
      try readFiguresAgain(&best, in: level, resolution: resolution)
      best.page.rules = DrawnRules.find(in: half, resolution: resolution)
      recognizers.prefer(best.languages)
    }
    best.doubts = PageDoubt.all(of: best, resolution: resolution, in: level, missed: missed)
    return best
  }

  /// Whether letters of a page were left beside words.
  private func isCutApart(
    _ reading: Reading, in picture: borrowing Pixels
  ) throws(PluginFailure) -> Bool {
    guard reading.page.mayBeCutApart, let ink = try straightened(picture, as: reading).ink(),
      let loose = LooseInk(beside: reading.page.lines, in: ink)
    else { return false }
    return reading.page.isCutApart(loose)
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
  func straightened(
    _ pixels: borrowing Pixels, as reading: Reading
  ) throws(PluginFailure) -> Pixels {
    try Self.levelled(
      pixels, quarters: reading.quarters,
      by: Tilt(angle: reading.angle, margin: reading.margin))
  }

  /// A picture turned by quarters, and then by a tilt.
  private static func levelled(
    _ pixels: borrowing Pixels, quarters: Int, by tilt: Tilt
  ) throws(PluginFailure) -> Pixels {
    guard let turned = pixels.turned(quarters),
      let level = Preprocessing.levelled(turned, by: tilt)
    else { throw .damagedImage() }
    return level
  }

  /// How many letters seem to stand in the lines of a picture.
  private func lettersInRows(
    _ pixels: borrowing Pixels, _ tilt: Tilt, resolution: Double
  ) throws(PluginFailure) -> Int {
    let quarters = tilt.runsDown ? 1 : 0
    let level = try Self.levelled(pixels, quarters: quarters, by: tilt.turned(quarters))
    return TextMarks.count(in: level, resolution: resolution)
  }

  private static func isDoubtful(_ page: RecognizedPage) -> Bool {
    (page.confidence ?? 0) < doubtful
  }

  private func attempt(
    _ pixels: borrowing Pixels, quarters: Int, tilt: Tilt, resolution: Double,
    with tesseract: Tesseract, isBlock: Bool
  ) throws(PluginFailure) -> Reading {
    let tilt = tilt.turned(quarters)
    let level = try Self.levelled(pixels, quarters: quarters, by: tilt)
    let page = try tesseract.recognize(
      level, resolution: Int(resolution.rounded()), isBlock: isBlock)
    return Reading(
      page: page, quarters: quarters, angle: tilt.angle, margin: tilt.margin, width: level.width,
      height: level.height, languages: tesseract.languages)
  }

  /// The turns worth trying after a first reading: none where it is good and upright.
  ///
  /// The layout analysis finds text that stands sideways and reads it so; a page of such text is to be turned, even where
  /// it was read well. So is one that lies askew by its lines that run down; on a level one these may be boxes.
  private static func otherWays(after page: RecognizedPage, _ tilt: Tilt?) -> [Int] {
    let runsDown = tilt.map { $0.runsDown && $0.angle != 0 } ?? false
    let isSideways = page.sidewaysShare > 0.5 || runsDown
    if (page.confidence ?? 0) >= doubtful { return isSideways ? [3, 1] : [] }
    return isSideways ? [3, 1, 2] : [2, 1, 3]
  }

  private static func isCertain(_ page: RecognizedPage) -> Bool {
    page.sidewaysShare < 0.5 && (page.confidence ?? 0) >= certain
  }

  /// Whether a page was read better, and not just a few marks of it. Text that stands sideways counts less, since it would
  /// be upright on the page turned.
  private static func isBetter(_ page: RecognizedPage, than other: RecognizedPage) -> Bool {
    let part = 1 - 0.5 * page.sidewaysShare, otherPart = 1 - 0.5 * other.sidewaysShare
    return (page.confidence ?? 0) * part > (other.confidence ?? 0) * otherPart
      && page.certainty * part >= other.certainty * otherPart
  }
}

extension RecognizedPage {
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
