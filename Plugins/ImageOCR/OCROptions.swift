/// What the user may choose for a conversion.
struct OCROptions: Sendable {
  /// Tesseract's names of the languages, the first one tried first.
  var languages = ["eng"]
  var straightening = Straightening.full
  var limits = OCRLimits()
  /// Which pages of a PDF are read.
  var mode = ReadingMode.skip
  /// For locked PDFs, tried in turn.
  var passwords: [String] = []
  /// The title of the document, or nil.
  var title: String?
}
