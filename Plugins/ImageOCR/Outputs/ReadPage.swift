internal import PDFSyntax
internal import PDFWriter

/// A page as it was read, with the way from the picture that was recognized to the page and to the
/// picture that was given.
struct ReadPage {
  /// From 1.
  var number: Int
  var content: RecognizedPage
  /// The languages it was read with, by Tesseract's names.
  var languages: [String]
  /// The size of the page as shown, in points.
  var width: Double
  var height: Double
  /// Leads from the recognized picture to the page as shown, in points from its top left.
  var toPage: Matrix
  /// The picture as it was given, shown as its file says.
  var picture: Picture

  /// The picture that a page was read from.
  struct Picture {
    /// In pixels.
    var width: Double
    var height: Double
    /// In pixels per inch.
    var resolution: (x: Double, y: Double)
    /// Leads from the recognized picture to this one, in pixels from its top left.
    var fromRecognized: Matrix
  }
}

extension RecognizedPage {
  /// The lines in runs that belong together: paragraphs.
  var paragraphs: [ArraySlice<Line>] {
    var paragraphs: [ArraySlice<Line>] = []
    var start = lines.startIndex
    for index in lines.indices where index > start && lines[index].startsParagraph {
      paragraphs.append(lines[start..<index])
      start = index
    }
    if start < lines.endIndex { paragraphs.append(lines[start...]) }
    return paragraphs
  }
}

extension PixelBox {
  /// The box around this one after a transformation.
  func transformed(_ transform: Matrix) -> PixelBox {
    let box = transform.bounds(Rectangle(x0: left, y0: top, x1: right, y1: bottom))
    return PixelBox(left: box.x0, top: box.y0, right: box.x1, bottom: box.y1)
  }

  /// The box around this one and another.
  func union(_ other: PixelBox) -> PixelBox {
    PixelBox(
      left: min(left, other.left), top: min(top, other.top), right: max(right, other.right),
      bottom: max(bottom, other.bottom))
  }

  /// Whether the middle of another box is in this one.
  func contains(middleOf other: PixelBox) -> Bool {
    let (x, y) = ((other.left + other.right) / 2, (other.top + other.bottom) / 2)
    return x > left && x < right && y > top && y < bottom
  }

  /// The box around all of some; nil without any.
  static func around(_ boxes: some Sequence<PixelBox>) -> PixelBox? {
    var result: PixelBox?
    for box in boxes { result = result?.union(box) ?? box }
    return result
  }
}
