internal import PDFSyntax

/// What an operator does with the current path (PDF 32000-1, 8.5.3).
struct PathPainting {
  var fills = false
  var isEvenOdd = false
  var strokes = false

  /// - Returns: nil where the operator ends no path.
  init?(_ token: Token) {
    if token.isKeyword("f") || token.isKeyword("F") {
      fills = true
    } else if token.isKeyword("f*") {
      (fills, isEvenOdd) = (true, true)
    } else if token.isKeyword("B") || token.isKeyword("b") {
      (fills, strokes) = (true, true)
    } else if token.isKeyword("B*") || token.isKeyword("b*") {
      (fills, isEvenOdd, strokes) = (true, true, true)
    } else if token.isKeyword("S") || token.isKeyword("s") {
      strokes = true
    } else if !token.isKeyword("n") {
      return nil
    }
  }
}
