internal import PDFSyntax

/// Where text stands, followed without the widths of fonts: letters are taken to be half as wide as they are high
/// (PDF 32000-1, 9.3 and 9.4).
struct TextPlacing {
  private var matrix = Matrix.identity
  private var lineMatrix = Matrix.identity
  private var size = 0.0
  private var leading = 0.0
  private var rise = 0.0
  private var scaling = 1.0
  /// Bytes of a string that make a letter.
  private var bytesPerLetter = 1
  /// Whether the size of the font is the height of its letters: a Type 3 font draws them in units of its own.
  private var isMeasured = true

  private static let letterWidth = 0.5

  /// Applies an operator that sets where or how large text is; others change nothing.
  mutating func apply(_ content: ContentOperator, _ operands: borrowing ContentReader) {
    switch content {
    case .beginText: set(.identity)
    case .setTextMatrix where operands.count >= 6: set(operands.matrix ?? .identity)
    case .moveText: move(operands[0, of: 2], operands[1, of: 2])
    case .moveTextSettingLeading:
      leading = -operands[1, of: 2]
      move(operands[0, of: 2], operands[1, of: 2])
    case .nextLine, .nextLineShowText, .nextLineShowSpacedText: move(0, -leading)
    case .setLeading: leading = operands[0, of: 1]
    case .setRise: rise = operands[0, of: 1]
    case .setHorizontalScaling: scaling = operands[0, of: 1] / 100
    default: break
    }
  }

  mutating func setFont(size: Double, bytesPerLetter: Int, isMeasured: Bool) {
    (self.size, self.bytesPerLetter, self.isMeasured) = (size, bytesPerLetter, isMeasured)
  }

  /// Moves behind a string, and answers where that stands: a box from its foot to its head, in the space of the text
  /// before its matrix, and that matrix; nil where nobody knows.
  mutating func show(bytes: Int) -> (box: Rectangle, matrix: Matrix)? {
    let before = matrix
    let width = Double(bytes / bytesPerLetter) * Self.letterWidth * size * scaling
    matrix = Matrix.translation(width, 0).then(matrix)
    guard isMeasured else { return nil }
    return (Rectangle(x0: 0, y0: rise - 0.2 * size, x1: width, y1: rise + 0.8 * size), before)
  }

  private mutating func set(_ matrix: Matrix) { (self.matrix, lineMatrix) = (matrix, matrix) }

  private mutating func move(_ x: Double, _ y: Double) {
    set(Matrix.translation(x, y).then(lineMatrix))
  }
}
