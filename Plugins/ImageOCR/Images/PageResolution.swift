internal import ImageHeaders

/// How many pixels of a picture make an inch, and whether that is known or guessed.
struct PageResolution: Sendable, Equatable, Codable {
  var x: Double
  var y: Double
  var isGuessed: Bool

  /// The long side of an A4 page in inches: what most scans without a resolution are of.
  static let paperLength = 11.69
  private static let letterLength = 11.0
  /// Resolutions up to this one are what programs write that know none.
  private static let screenResolution = 100.0
  /// A page longer than this in inches at a screen's resolution was scanned at a higher one.
  private static let longestScreenPage = 17.0

  init(x: Double, y: Double, isGuessed: Bool) {
    (self.x, self.y, self.isGuessed) = (x, y, isGuessed)
  }

  /// The resolution that the file states where it is credible, else a guess.
  init(stated: ImageHeader.Resolution?, width: Int, height: Int) {
    let long = Double(max(width, height))
    if let stated, Self.isCredible(stated, width: width, height: height) {
      (x, y, isGuessed) = (stated.x, stated.y, false)
    } else {
      let ratio = long / Double(max(1, min(width, height)))
      let isLetter = (ratio - 11 / 8.5).magnitude < 0.005
      let inches = isLetter ? Self.letterLength : Self.paperLength
      let guess = max(72, min(1200, long / inches))
      (x, y, isGuessed) = (guess, guess, true)
    }
  }

  /// What scanners offer.
  private static let usual: [Double] = [75, 100, 150, 200, 300, 400, 600, 1200]
  /// Ascenders to descenders in points of the print on receipts and clippings.
  private static let textHeight = 9.0

  /// Improves a guess by the height of the text, where the picture has not the shape of a sheet of
  /// paper: receipts and clippings are smaller than a page, but their letters are not.
  ///
  /// - Parameter text: the common height of lines from ascenders to descenders in pixels.
  mutating func refine(text: Double, width: Int, height: Int) {
    let ratio = Double(max(width, height)) / Double(max(1, min(width, height)))
    let isPaper = (ratio - 1.4142).magnitude < 0.03 || (ratio - 11 / 8.5).magnitude < 0.005
    guard isGuessed, !isPaper, text > 0 else { return }
    let estimate = text * 72 / Self.textHeight
    let best = Self.closest(to: estimate, of: Self.usual)
    // Never larger than a sheet of A4, as the first guess was.
    guard let best, best > x else { return }
    (x, y) = (best, best)
  }

  /// Widths of receipts in inches: rolls of 80 and of 57 mm.
  private static let rolls = [80 / 25.4, 57 / 25.4]
  /// Most of the text on a letter or form is lower than this in points.
  private static let pageTextBelow = 17.0

  /// Improves a guess by the sheet of paper that a photo shows: a page, or else a receipt.
  ///
  /// - Parameters:
  ///   - text: the common height of lines from ascenders to descenders in pixels, if any.
  ///   - sheetWidth: of the sheet in pixels.
  ///   - sheetHeight: of the sheet in pixels.
  mutating func refine(text: Double?, sheetWidth: Double, sheetHeight: Double) {
    let (short, long) = (min(sheetWidth, sheetHeight), max(sheetWidth, sheetHeight))
    guard isGuessed, short >= 1, long.isFinite else { return }
    let ratio = long / short
    // Seen aslant, the sides of a sheet look shorter by some per cent.
    let isLetter = (ratio / (11 / 8.5) - 1).magnitude < 0.04
    let isPage = isLetter || (ratio / 1.4142 - 1).magnitude < 0.06
    let page = long / (isLetter ? Self.letterLength : Self.paperLength)
    if isPage, (text ?? 0) * 72 / page <= Self.pageTextBelow {
      (x, y) = (page, page)
    } else if let text {
      let estimate = text * 72 / Self.textHeight
      guard let best = Self.closest(to: estimate, of: Self.rolls.map { short / $0 }) else { return }
      let isRoll = (0.65...1.55).contains(best / estimate)
      (x, y) = isRoll ? (best, best) : (estimate, estimate)
    }
    (x, y) = (max(72, min(1200, x)), max(72, min(1200, y)))
  }

  /// That which differs from an estimate by the smallest factor.
  private static func closest(to estimate: Double, of candidates: [Double]) -> Double? {
    candidates.min { left, right in
      max(left / estimate, estimate / left) < max(right / estimate, estimate / right)
    }
  }

  private static func isCredible(
    _ stated: ImageHeader.Resolution, width: Int, height: Int
  ) -> Bool {
    guard (30...4800).contains(stated.x), (30...4800).contains(stated.y) else { return false }
    let ratio = stated.x / stated.y
    guard (0.3...3.4).contains(ratio) else { return false }
    let inches = max(Double(width) / stated.x, Double(height) / stated.y)
    return max(stated.x, stated.y) > screenResolution || inches <= longestScreenPage
  }

  /// Keeps a page between 3 and 14,400 points on each side (PDF 32000-1, annex C).
  mutating func fit(width: Int, height: Int) {
    let short = min(Double(width) * 72 / x, Double(height) * 72 / y)
    let long = max(Double(width) * 72 / x, Double(height) * 72 / y)
    if long > 14_400 {
      x *= long / 14_400
      y *= long / 14_400
    } else if short < 3 {
      let factor = min(3 / max(short, 1e-6), 14_400 / max(long, 1e-6))
      x /= factor
      y /= factor
    }
  }
}
