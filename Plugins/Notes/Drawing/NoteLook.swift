internal import PDFSyntax
internal import PDFText

/// How a note is to look; its places are on the page as shown.
struct NoteLook: Equatable {
  var kind: NoteKind
  var box: TextPage.Box
  var quads: [Quad] = []
  var strokes: [[NotePoint]] = []
  var vertices: [NotePoint] = []
  var lineEnds: [String] = []
  var color: NoteColor?
  var interior: NoteColor?
  var opacity: Double?
  var borderWidth: Double
  var dashes: [Double] = []
  var icon: String?
  var contents: String?
  var style = Note.TextStyle()
  /// Whether it stays upright on a page that is turned.
  var isUpright: Bool

  /// A point of the page in the space of the appearance.
  func local(_ point: NotePoint) -> NotePoint { NotePoint(point.x - box.x0, box.y1 - point.y) }

  var ends: (NoteLineEnd, NoteLineEnd) {
    (
      lineEnds.first.flatMap(NoteLineEnd.init(rawValue:)) ?? .none,
      lineEnds.dropFirst().first.flatMap(NoteLineEnd.init(rawValue:)) ?? .none
    )
  }

  /// What it takes on the page: the places that it names and the breadth of what is drawn there.
  var extent: TextPage.Box? {
    switch kind {
    case .highlight, .underline, .strikeOut, .squiggly:
      return TextPage.Box(around: quads.flatMap(\.points)).map { $0.insetBy(-1) }
    case .ink: return TextPage.Box(around: strokes.flatMap { $0 }).map { $0.insetBy(-borderWidth) }
    case .line, .polyLine, .polygon:
      let around = TextPage.Box(around: vertices)
      let hasEnds = ends.0 != .none || ends.1 != .none
      let margin = borderWidth + (hasEnds ? NoteLineEnd.size(borderWidth) : 0)
      return around.map { $0.insetBy(-margin) }
    default: return nil
    }
  }

  static func defaultColor(_ kind: NoteKind) -> NoteColor? {
    let text: String? =
      switch kind {
      case .highlight: "#ffd54a"
      case .underline: "#1a9641"
      case .strikeOut, .squiggly: "#d7191c"
      case .square, .circle, .line, .polygon, .polyLine, .ink: "#d7191c"
      case .text: "#ffd54a"
      case .stamp: "#c0392b"
      case .caret: "#2166ac"
      case .fileAttachment: "#4a6fa5"
      case .freeText, .link: nil
      }
    return text.flatMap { NoteColor(text: $0) }
  }
}

/// How a line ends (PDF 32000-1, table 176).
enum NoteLineEnd: String {
  case none = "None"
  case square = "Square"
  case circle = "Circle"
  case diamond = "Diamond"
  case openArrow = "OpenArrow"
  case closedArrow = "ClosedArrow"
  case butt = "Butt"
  case reversedOpenArrow = "ROpenArrow"
  case reversedClosedArrow = "RClosedArrow"
  case slash = "Slash"

  static func size(_ lineWidth: Double) -> Double { 3 * lineWidth + 5 }

  /// Draws the end at a point.
  ///
  /// - Parameter direction: of length one, away from the line.
  func draw(
    at point: NotePoint, direction: NotePoint, lineWidth: Double, fills: Bool,
    on canvas: inout Canvas
  ) {
    let size = Self.size(lineWidth), half = size / 2
    let side = NotePoint(-direction.y, direction.x)
    func at(_ along: Double, _ across: Double) -> NotePoint {
      point + direction * along + side * across
    }
    switch self {
    case .none: return
    case .square:
      canvas.polygon(
        [at(-half, -half), at(half, -half), at(half, half), at(-half, half)], isClosed: true)
    case .circle: canvas.ellipse(point.x - half, point.y - half, size, size)
    case .diamond:
      canvas.polygon([at(-half, 0), at(0, -half), at(half, 0), at(0, half)], isClosed: true)
    case .openArrow: canvas.polygon([at(-size, half), point, at(-size, -half)], isClosed: false)
    case .closedArrow: canvas.polygon([at(-size, half), point, at(-size, -half)], isClosed: true)
    case .reversedOpenArrow:
      canvas.polygon([at(size, half), point, at(size, -half)], isClosed: false)
    case .reversedClosedArrow:
      canvas.polygon([at(size, half), point, at(size, -half)], isClosed: true)
    case .butt: canvas.polygon([at(0, half), at(0, -half)], isClosed: false)
    case .slash: canvas.polygon([at(-half / 2, -half), at(half / 2, half)], isClosed: false)
    }
    let isArea = ![.openArrow, .reversedOpenArrow, .butt, .slash].contains(self)
    canvas.paint(fills: fills && isArea, strokes: true)
  }
}
