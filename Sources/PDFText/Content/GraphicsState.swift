import PDFSyntax

/// What of the graphics state bears on text (PDF 32000-1, 8.4 and 9.3).
struct GraphicsState {
  var matrix: Matrix
  var font: Font?
  var fontSize = 0.0
  var characterSpacing = 0.0
  var wordSpacing = 0.0
  /// As a factor, 1 for 100.
  var horizontalScaling = 1.0
  var leading = 0.0
  var rise = 0.0
  /// Kept only where ruling lines are noted.
  var lineWidth = 1.0
  /// The text rendering mode (9.3.6); 3 is not seen.
  var textMode = 0.0
}
