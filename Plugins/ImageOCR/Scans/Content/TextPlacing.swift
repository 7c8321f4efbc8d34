internal import Glibc
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
  /// Whether the font size is the height of the letters. A Type 3 font draws them in units of its own.
  private var isMeasured = true

  private static let letterWidth = 0.5
  /// How far letters reach below and above the base line, in units of the font size: the boxes of the 14 standard fonts
  /// (`FontBBox` of their AFM files) lie within.
  private static let letterReach = -0.3...1.05

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

  /// Where a string lies in user space, as far as can be told without the widths of its font.
  struct Extent {
    /// The string from the feet to the heads of its letters.
    var box: Rectangle
    /// All that its letters can reach.
    var reach: Rectangle
    /// The height of the letters.
    var height: Double
  }

  /// Moves behind a string and returns where it lies, or nil if the font size does not say how large the letters are.
  ///
  /// - Parameter toUserSpace: the matrix of the graphics state.
  mutating func show(bytes: Int, toUserSpace: Matrix) -> Extent? {
    let width = Double(bytes / bytesPerLetter) * Self.letterWidth * size * scaling
    let placed = matrix.then(toUserSpace)
    matrix = Matrix.translation(width, 0).then(matrix)
    let height = hypot(placed.c, placed.d) * size.magnitude
    let reach = placed.bounds(
      Rectangle(
        x0: -width, y0: rise + Self.letterReach.lowerBound * size,
        x1: 2 * width, y1: rise + Self.letterReach.upperBound * size))
    let corners = [reach.x0, reach.y0, reach.x1, reach.y1]
    guard isMeasured, height.isFinite, corners.allSatisfy({ $0.magnitude < 1e9 }) else {
      return nil
    }
    let box = Rectangle(x0: 0, y0: rise - 0.2 * size, x1: width, y1: rise + 0.8 * size)
    return Extent(box: placed.bounds(box), reach: reach, height: height)
  }

  private mutating func set(_ matrix: Matrix) { (self.matrix, lineMatrix) = (matrix, matrix) }

  private mutating func move(_ x: Double, _ y: Double) {
    set(Matrix.translation(x, y).then(lineMatrix))
  }
}
