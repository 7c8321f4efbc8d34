internal import Bytes
internal import PDFSyntax
internal import PDFText
internal import PDFWriter

/// The appearance of a note (PDF 32000-1, 12.5.5): a form that every viewer shows alike.
struct Appearance {
  /// What the note takes on the page as shown; larger than what was asked for where its text needs it.
  let box: TextPage.Box
  /// Whether a part of the text is not shown.
  private(set) var isClipped = false
  private let isUpright: Bool
  private let canvas: Canvas

  init(_ look: NoteLook, pageHeight: Double, _ book: FontBook) {
    var look = look
    var canvas = Canvas(book)
    isUpright = look.isUpright
    switch look.kind {
    case .highlight: MarkupDrawing.highlight(look, &canvas)
    case .underline: MarkupDrawing.underline(look, &canvas)
    case .strikeOut: MarkupDrawing.strikeOut(look, &canvas)
    case .squiggly: MarkupDrawing.squiggly(look, &canvas)
    case .square, .circle: ShapeDrawing.closed(look, &canvas)
    case .line, .polyLine, .polygon: ShapeDrawing.lines(look, &canvas)
    case .ink: ShapeDrawing.ink(look, &canvas)
    case .text: IconDrawing.text(look, &canvas)
    case .caret: IconDrawing.caret(look, &canvas)
    case .fileAttachment: IconDrawing.attachment(look, &canvas)
    case .stamp: LetteredDrawing.stamp(look, &canvas, book)
    case .freeText:
      isClipped = LetteredDrawing.freeText(&look, pageHeight: pageHeight, &canvas, book)
    case .link: break
    }
    box = look.box
    self.canvas = canvas
  }

  /// The form XObject. Its matrix leads from the box as it is shown to the page's user space, so that
  /// what is drawn upright stands upright on a page that is turned.
  ///
  /// - Parameter fonts: the objects of the fonts by their places in the book.
  func form(_ space: PageSpace, fonts: [Int: PDFReference]) -> PDFObject {
    var toUser = Matrix(1, 0, 0, -1, box.x0, box.y1).then(space.toUser)
    if isUpright {
      let rectangle = space.user(box, isUpright: true)
      toUser = .translation(rectangle.x0, rectangle.y0)
    }
    var resources: PDFDictionary = [:]
    if !canvas.fonts.isEmpty {
      var dictionary: PDFDictionary = [:]
      for font in canvas.fonts.sorted() {
        if let reference = fonts[font] { dictionary[PDFName("F\(font)")] = .reference(reference) }
      }
      resources["Font"] = .dictionary(dictionary)
    }
    if !canvas.states.isEmpty {
      var dictionary: PDFDictionary = [:]
      for (name, state) in canvas.states.sorted(by: { $0.key.text < $1.key.text }) {
        dictionary[name] = .dictionary(state)
      }
      resources["ExtGState"] = .dictionary(dictionary)
    }
    let form: PDFDictionary = [
      "Type": .name("XObject"), "Subtype": .name("Form"),
      "BBox": .numbers(0, 0, box.width, box.height),
      "Matrix": .numbers(toUser.a, toUser.b, toUser.c, toUser.d, toUser.e, toUser.f),
      "Resources": .dictionary(resources),
    ]
    return .stream(.compressed(form, bytes: canvas.content.bytes))
  }

  /// The fonts that it needs, by their places in the book.
  var fonts: Set<Int> { canvas.fonts }
}
