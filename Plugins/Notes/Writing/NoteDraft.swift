internal import PDFSyntax
internal import PDFText
internal import PluginKit

/// A note as it is to be: one that is there with what is asked to change, or a new one. Places are on the
/// page as shown.
struct NoteDraft {
  var id: String
  var page: Int
  var look: NoteLook
  /// Whether the box was asked for, and not made of the places that the note names.
  private var statesBox = false

  /// A new note.
  init(new request: NoteRequest, id: String, page: Int, _ space: PageSpace) throws(PluginFailure) {
    guard let kind = request.kind else { throw request.mistake("it has no \"type\"") }
    (self.id, self.page) = (id, page)
    look = NoteLook(
      kind: kind, box: TextPage.Box(x0: 0, y0: 0, x1: 0, y1: 0),
      color: NoteLook.defaultColor(kind), borderWidth: kind == .freeText || kind == .link ? 0 : 1,
      isUpright: kind == .text || request.flags?.contains(.noRotate) == true)
    try apply(request, space)
    try complete(request, space)
  }

  /// A note that is there, with what is asked to change.
  init(
    _ note: Note, _ dictionary: PDFDictionary, changedBy request: NoteRequest, _ space: PageSpace,
    _ file: PDFFile
  ) throws(PluginFailure) {
    (id, page) = (note.id, note.page)
    look = Self.look(of: note, space)
    let before = look
    try apply(request, space)
    guard look != before else { return }
    // What stands between the note's box and what is drawn is drawn anew without it: the cloud of a
    // border, the callout of a text.
    if request.box == nil, let differences = file.numbers(dictionary, "RD"), differences.count == 4,
      differences.allSatisfy({ $0.isFinite && $0 >= 0 }), let whole = note.rectangle
    {
      let inner = Rectangle(
        x0: whole.x0 + differences[0], y0: whole.y0 + differences[1],
        x1: whole.x1 - differences[2], y1: whole.y1 - differences[3])
      if differences[0] + differences[2] < whole.width,
        differences[1] + differences[3] < whole.height
      {
        look.box = space.shown(inner)
      }
    }
    try complete(request, space)
  }

  /// How a note that is there looks.
  static func look(of note: Note, _ space: PageSpace) -> NoteLook {
    NoteLook(
      kind: note.kind,
      box: note.rectangle.map { space.shown($0, isUpright: note.isUpright) }
        ?? TextPage.Box(x0: 0, y0: 0, x1: 0, y1: 0),
      quads: note.quads.map { $0.map(space.shown) },
      strokes: note.strokes.map { $0.map(space.shown) }, vertices: note.vertices.map(space.shown),
      lineEnds: note.lineEnds, color: note.color, interior: note.interior, opacity: note.opacity,
      borderWidth: note.borderWidth ?? 1, dashes: note.dashes, icon: note.icon,
      contents: note.kind == .freeText ? note.contents : nil, style: note.style,
      isUpright: note.isUpright)
  }

  private mutating func apply(
    _ request: NoteRequest, _ space: PageSpace
  ) throws(PluginFailure) {
    func shown(_ points: [NotePoint]) -> [NotePoint] {
      request.space == .shown ? points : points.map(space.shown)
    }
    if let corners = request.box.map(shown) {
      var box = TextPage.Box(around: corners)
      if look.isUpright, request.space == .user, let given = request.box, given.count == 2 {
        box = space.shown(
          Rectangle(x0: given[0].x, y0: given[0].y, x1: given[1].x, y1: given[1].y),
          isUpright: true)
      }
      if let box, box.numbers != look.box.numbers { look.box = box }
      statesBox = true
    }
    if let quads = request.quads {
      look.quads = []
      for points in quads {
        // The side of a quad's lower edge is told by turning, which user space and the page as shown do
        // the other way round.
        let user = request.space == .user ? points : points.map(space.user)
        guard let quad = Quad(points: user) else {
          throw request.mistake("\"quads\" has one that is none")
        }
        look.quads.append(quad.map(space.shown))
      }
    }
    if let strokes = request.strokes { look.strokes = strokes.map(shown).filter { !$0.isEmpty } }
    if let vertices = request.vertices { look.vertices = shown(vertices) }
    if let ends = request.lineEnds { look.lineEnds = ends }
    // Colours are written with less digits than files may have.
    if let color = request.color, color.text != look.color?.text { look.color = color }
    if let interior = request.interior, interior.text != look.interior?.text {
      look.interior = interior
    }
    if let opacity = request.opacity { look.opacity = opacity }
    if let width = request.borderWidth { look.borderWidth = width }
    if let dashes = request.dashes { look.dashes = dashes.contains { $0 > 0 } ? dashes : [] }
    if let icon = request.icon { look.icon = icon }
    if look.kind == .freeText, let contents = request.contents { look.contents = contents }
    if let size = request.style.size { look.style.size = size }
    if let color = request.style.color, color.text != look.style.color?.text {
      look.style.color = color
    }
    if let alignment = request.style.alignment { look.style.alignment = alignment }
  }

  /// Makes the box fit what the note names, or what it names fit the box.
  private mutating func complete(
    _ request: NoteRequest, _ space: PageSpace
  ) throws(PluginFailure) {
    let hasBox = look.box.width > 0 && look.box.height > 0
    switch look.kind {
    case .highlight, .underline, .strikeOut, .squiggly:
      if look.quads.isEmpty, hasBox { look.quads = [Quad(shown: look.box)] }
      guard !look.quads.isEmpty else {
        throw request.mistake("it needs \"words\", \"quads\" or a \"box\"")
      }
    case .ink:
      guard !look.strokes.isEmpty else { throw request.mistake("it needs \"strokes\"") }
    case .line:
      guard look.vertices.count == 2 else {
        throw request.mistake("it needs \"vertices\" with its two ends")
      }
    case .polygon, .polyLine:
      guard look.vertices.count > 1 else {
        throw request.mistake("it needs \"vertices\" with two points at least")
      }
    case .text, .fileAttachment:
      // A sign has a size of its own.
      if !hasBox { (look.box.x1, look.box.y1) = (look.box.x0 + 20, look.box.y0 + 20) }
      guard statesBox else { throw request.mistake("it needs a \"box\"") }
    case .freeText, .square, .circle, .stamp, .caret, .link:
      guard hasBox else { throw request.mistake("it needs a \"box\" that is not empty") }
    }
    if let extent = look.extent {
      // A box that has room for all stays as it was asked for.
      let asked = statesBox && hasBox ? look.box : extent
      look.box = asked.union(extent)
      if look.kind.isTextMarkup, statesBox, hasBox { look.box = asked.union(extent.insetBy(1)) }
    }
    guard look.box.x0 < space.width, look.box.y0 < space.height, look.box.x1 > 0, look.box.y1 > 0
    else {
      throw request.mistake(
        "it lies outside of page \(page), which is \(Int(space.width)) by \(Int(space.height))"
          + " points")
    }
  }
}
