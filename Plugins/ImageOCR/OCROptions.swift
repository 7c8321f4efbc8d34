/// What the user may choose for a conversion.
struct OCROptions: Sendable {
  var languages = LanguageChoice.named(["eng"])
  /// The forms of the text that are wanted beside the plain one.
  var outputs = PageOutputs.Wanted()
  /// The roles of those that the PDF of pictures carries.
  var attached: Set<String> = []
  var straightening = Straightening.full
  /// Whether of a photo only the sheet of paper is kept that it shows.
  var cropsToSheet = false
  /// Whether a note says so where there is none.
  var missesSheets = false
  /// Whether pages with nothing on them are left out.
  var dropsBlankPages = false
  /// What the first page says of the document.
  var head = DocumentHead.Wanted()
  var limits = OCRLimits()
  /// Which pages of a PDF are read.
  var mode = ReadingMode.skip
  /// For locked PDFs, tried in turn.
  var passwords: [String] = []

  /// The same, except that blank pages stay.
  var keepingBlankPages: OCROptions {
    var options = self
    options.dropsBlankPages = false
    return options
  }
}
