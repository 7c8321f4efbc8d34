/// What a conversion found, for reports and rules.
struct OCRFacts: Sendable {
  /// Pages in the result.
  var pages = 0
  /// Pages that went through the recogniser.
  var pagesRecognized = 0
  var words = 0
  /// Mean confidence over the words, 0 to 100; nil without words.
  var confidence: Double?
  /// Pixels per inch of the first page.
  var dpi: Double?
  var dpiGuessed = false
  /// Pages that were turned by quarters because of their text.
  var pagesTurned = 0
  /// Pages whose lines were made level.
  var pagesLevelled = 0
  /// Whether only part of the input could be read.
  var isPartial = false
  /// Whether the result claims PDF/A-2b.
  var claimsArchive = false
  /// Whether the PDF is signed, so that it stays as it is.
  var isSigned = false
  /// What became of each page, in their order.
  var perPage: [PageFacts] = []
  /// Sentences about what was odd.
  var notes: [String] = []

  private var weight = 0.0

  /// Takes a page in that was read.
  mutating func add(_ recognized: PagePart.Recognized, number: Int) {
    let reading = recognized.reading
    pagesRecognized += 1
    if reading.quarters != 0 { pagesTurned += 1 }
    if reading.angle != 0 { pagesLevelled += 1 }
    if dpi == nil {
      dpi = recognized.resolution.x
      dpiGuessed = recognized.resolution.isGuessed
    }
    let count = Double(reading.page.wordCount)
    words += reading.page.wordCount
    if let confidence = reading.page.confidence {
      self.confidence = ((self.confidence ?? 0) * weight + confidence * count) / (weight + count)
      weight += count
    }
    perPage.append(
      PageFacts(
        number: number, origin: reading.page.wordCount > 0 ? .recognized : .blank,
        read: PageFacts.Read(
          words: reading.page.wordCount, confidence: reading.page.confidence,
          quarters: reading.quarters, angle: reading.angle, dpi: recognized.resolution.x,
          dpiIsGuessed: recognized.resolution.isGuessed)))
  }
}

/// What became of one page.
struct PageFacts: Sendable {
  /// Where the page's text is from.
  enum Origin: String, Sendable {
    /// The page had text, or no picture that fills it, and stays as it was.
    case native
    case recognized = "ocr"
    /// Nothing is on it that could be read.
    case blank
    /// Its picture could not be decoded.
    case lost
  }

  /// How a page was read.
  struct Read: Sendable {
    var words: Int
    /// The mean over its words, 0 to 100; nil without words.
    var confidence: Double?
    /// Quarters of a circle and, after them, radians by which it was turned clockwise.
    var quarters: Int
    var angle: Double
    var dpi: Double
    var dpiIsGuessed: Bool
  }

  var number: Int
  var origin: Origin
  /// Nil where the page was not read.
  var read: Read?
}
