/// What the user may choose for a conversion.
struct OCROptions: Sendable {
  /// Tesseract's names of the languages, the first one tried first.
  var languages = ["eng"]
  var straightening = Straightening.full
  var limits = OCRLimits()
  /// The title of the document, or nil.
  var title: String?
}
