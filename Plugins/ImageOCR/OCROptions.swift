/// What the user may choose for a conversion.
struct OCROptions: Sendable {
  /// Tesseract's names of the languages, the first one tried first.
  var languages = ["eng"]
  var straightening = Straightening.full
  var limits = OCRLimits()
  /// The title of the document, or nil.
  var title: String?
}

/// What a conversion found, for reports and rules.
struct OCRFacts: Sendable, Equatable {
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
  /// Sentences about what was odd.
  var notes: [String] = []

  private var weight = 0.0

  mutating func add(_ reading: PageReader.Reading) {
    pagesRecognized += 1
    if reading.quarters != 0 { pagesTurned += 1 }
    if reading.angle != 0 { pagesLevelled += 1 }
    let count = Double(reading.page.wordCount)
    words += reading.page.wordCount
    if let confidence = reading.page.confidence {
      self.confidence = ((self.confidence ?? 0) * weight + confidence * count) / (weight + count)
      weight += count
    }
  }
}
