/// What the user may choose for a conversion.
struct OCROptions: Sendable {
  var languages = LanguageChoice.named(["eng"])
  /// The forms of the text that are wanted beside the plain one.
  var outputs = PageOutputs.Wanted()
  var straightening = Straightening.full
  /// Whether pages with nothing on them are left out.
  var dropsBlankPages = false
  var limits = OCRLimits()
  /// The title of the document, or nil.
  var title: String?
}
