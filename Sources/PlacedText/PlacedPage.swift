public import PDFText

/// The text of a page with its places, as hOCR and ALTO have it: blocks of lines of words.
///
/// All places are counted from the top left of the page, y downwards, in its own ``Unit``.
public struct PlacedPage: Sendable {
  /// What places are counted in.
  public enum Unit: Sendable {
    /// Pixels of the picture that was read. Boxes are widened to whole ones.
    case pixels
    /// Points, of which a PDF has 72 to the inch.
    case points
  }

  /// A word.
  public struct Word: Sendable {
    /// As it was read, nothing in it replaced.
    public var text: String
    /// Where it is.
    public var box: TextPage.Box
    /// From 0 to 100; nil where nothing was recognized.
    public var confidence: Double?

    /// A word at its place.
    public init(text: String, box: TextPage.Box, confidence: Double? = nil) {
      (self.text, self.box, self.confidence) = (text, box, confidence)
    }
  }

  /// A line of words. One without words is left out of what is written.
  public struct Line: Sendable {
    /// In reading order.
    public var words: [Word]
    /// Around its words.
    public var box: TextPage.Box
    /// The ends of the line that its letters stand on, the one where reading begins first; nil where that is not
    /// known.
    public var baseline: (from: (x: Double, y: Double), to: (x: Double, y: Double))?
    /// The direction of reading in degrees, clockwise from left-to-right, 0 to 359.
    public var angle: Int
    /// The height of its letters, from ascenders to descenders.
    public var size: Double

    /// A line at its place.
    public init(
      words: [Word], box: TextPage.Box,
      baseline: (from: (x: Double, y: Double), to: (x: Double, y: Double))? = nil, angle: Int,
      size: Double
    ) {
      (self.words, self.box, self.baseline) = (words, box, baseline)
      (self.angle, self.size) = (angle, size)
    }
  }

  /// Lines that belong together: a paragraph.
  public struct Block: Sendable {
    /// In reading order.
    public var lines: [Line]
    /// Around its lines.
    public var box: TextPage.Box

    /// A block at its place.
    public init(lines: [Line], box: TextPage.Box) { (self.lines, self.box) = (lines, box) }
  }

  /// From 1.
  public var number: Int
  /// What all places and sizes are counted in.
  public var unit: Unit
  /// How wide the page is.
  public var width: Double
  /// How high the page is.
  public var height: Double
  /// How many units make an inch, across and down.
  public var resolution: (x: Double, y: Double)
  /// The main language of the text as BCP 47 has it; nil where it is not known.
  public var language: String?
  /// In reading order.
  public var blocks: [Block]

  /// A page with its text.
  public init(
    number: Int, unit: Unit, width: Double, height: Double, resolution: (x: Double, y: Double),
    language: String? = nil, blocks: [Block]
  ) {
    (self.number, self.unit, self.width, self.height) = (number, unit, width, height)
    (self.resolution, self.language) = (resolution, language)
    self.blocks = blocks.compactMap { block in
      let lines = block.lines.filter { !$0.words.isEmpty }
      return lines.isEmpty ? nil : Block(lines: lines, box: block.box)
    }
  }

  /// A page of a PDF that has its text.
  public init(_ page: TextPage) {
    let blocks = page.blocks().map { block in
      Block(
        lines: block.lines.map { index in
          let line = page.lines[index]
          let words = line.words.map { page.words[$0] }
          return Line(
            words: words.map { Word(text: page.text($0), box: $0.box) }, box: line.box,
            angle: words.first?.angle ?? 0, size: words.first?.size ?? 0)
        }, box: block.box)
    }
    self.init(
      number: page.number, unit: .points, width: page.width, height: page.height,
      resolution: (72, 72), blocks: blocks)
  }

  /// The box of the whole page.
  var box: TextPage.Box { within(TextPage.Box(x0: 0, y0: 0, x1: width, y1: height)) }

  /// A box as it is written: what lies beyond the page left out, in whole pixels where it counts in pixels.
  func within(_ box: TextPage.Box) -> TextPage.Box {
    let inWhole = unit == .pixels
    func place(_ value: Double, _ limit: Double, _ rule: FloatingPointRoundingRule) -> Double {
      let rounded = inWhole ? value.rounded(rule) : value
      return rounded.isFinite ? max(0, min(rounded, inWhole ? limit.rounded() : limit)) : 0
    }
    return TextPage.Box(
      x0: place(box.x0, width, .down), y0: place(box.y0, height, .down),
      x1: place(box.x1, width, .up), y1: place(box.y1, height, .up))
  }
}
