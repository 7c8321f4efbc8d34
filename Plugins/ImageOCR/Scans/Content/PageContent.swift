internal import Bytes
internal import PDFSyntax
internal import PDFText
internal import PDFWriter

/// What the content of a PDF page is made of, as far as text recognition needs to know: which pictures
/// and areas it paints where, and whether it shows text (PDF 32000-1, annex A).
struct PageContent {
  /// An image and how it is painted.
  struct Picture {
    var stream: PDFStream
    /// Leads from the image's unit square to user space.
    var placement: Matrix
    var resources: PDFDictionary
    var look: Look
  }

  /// An area of one colour.
  struct Area {
    var path: ContentPath
    var isEvenOdd: Bool
    var look: Look
  }

  /// How something is painted.
  struct Look {
    var clip: ContentClip
    /// The lightness of areas and stencils, 0 to 1.
    var ink: Double
    var opacity: Double
    var blend: PaintState.Blend
  }

  enum Item {
    case picture(Picture)
    case area(Area)
  }

  /// In the order in which they are painted.
  private(set) var items: [Item] = []
  /// Whether lines, areas that are not white, or shadings are painted.
  private(set) var hasDrawing = false
  /// How the saved graphics states are out of balance: restored without being saved, and left open.
  private(set) var missingSaves = 0
  private(set) var openSaves = 0
  /// Where text is shown.
  private(set) var text = ShownText()

  /// Where text is shown in each content stream, that of the page first, then its forms in their order.
  private(set) var streams: [StreamNotes] = []

  /// Whether any text is shown, be it invisible.
  var hasText: Bool { text.count > 0 }
  /// Whether nothing is painted.
  var isBlank: Bool { !hasText && !hasDrawing && pictures.isEmpty }

  var pictures: [Picture] {
    items.compactMap { item in
      if case .picture(let picture) = item { picture } else { nil }
    }
  }

  private let file: PDFFile
  private let layers: OptionalContent
  private let cropBox: Rectangle
  private var budget = 3_000_000
  private var pathPoints = 0
  static let contentLimit = 64 << 20
  private static let formDepth = 12
  private static let itemLimit = 20_000
  private static let pathPointLimit = 4_000_000
  private static let stateLimit = 2_000
  private static let noteLimit = 500_000

  init(of page: Page, in file: PDFFile) {
    self.file = file
    layers = OptionalContent(file)
    cropBox = page.cropBox
    let content = page.content(file, limit: Self.contentLimit)
    var state = PaintState(matrix: .identity)
    let balance = read(content.span, resources: page.resources, state: &state, depth: 0)
    (missingSaves, openSaves) = (balance.missing, balance.open)
  }

  /// The paths and marks of one content stream.
  private struct Reading {
    var path = ContentPath()
    var current = (x: 0.0, y: 0.0)
    /// Whether the path becomes part of the clip once it is painted.
    var clips: Bool?
    /// Open marked content, and whether it is hidden.
    var marks: [Bool] = []
    var spaces: [PDFName: ColourSpace] = [:]
    var notes = StreamNotes()
    /// Where the operands of the next operator begin.
    var start = 0
    /// Where the open text object begins, if one is open, and whether it is plain.
    var textObject: (start: Int, isPlain: Bool)?
    var isHidden: Bool { marks.contains(true) }
  }

  /// Follows the operators of one content stream.
  ///
  /// - Returns: how many states are restored without being saved, and left open.
  private mutating func read(
    _ bytes: Span<UInt8>, resources: PDFDictionary, state: inout PaintState, depth: Int
  ) -> (missing: Int, open: Int) {
    var parser = ObjectParser(bytes, references: false)
    var operands: [PDFObject] = []
    var saved: [PaintState] = []
    // States beyond the limit are counted, not kept.
    var uncounted = 0
    var missing = 0
    var reading = Reading()
    let place = streams.count
    streams.append(StreamNotes())
    defer { streams[place] = reading.notes }
    while budget > 0 {
      if operands.isEmpty { reading.start = parser.lexer.position }
      if let object = parser.object() {
        if operands.count < 64 { operands.append(object) }
        continue
      }
      let token = parser.lexer.next()
      if token.kind == .end { break }
      budget -= 1
      defer { operands.removeAll(keepingCapacity: true) }
      guard token.kind == .keyword else { continue }
      if token.isKeyword("q") {
        reading.textObject?.isPlain = false
        if saved.count < Self.stateLimit { saved.append(state) } else { uncounted += 1 }
      } else if token.isKeyword("Q") {
        reading.textObject?.isPlain = false
        if uncounted > 0 {
          uncounted -= 1
        } else if let last = saved.popLast() {
          state = last
        } else {
          missing += 1
        }
      } else if token.isKeyword("cm") {
        if let change = Self.matrix(operands) { state.matrix = change.then(state.matrix) }
      } else if token.isKeyword("Do") {
        reading.textObject?.isPlain = false
        guard !reading.isHidden else { continue }
        draw(
          operands.last?.name, resources: resources, state: state, depth: depth, &reading.notes)
      } else if Self.showsText(token) {
        show(token, operands, state, &reading)
      } else if token.isKeyword("BT") {
        reading.textObject = (reading.start, true)
      } else if token.isKeyword("ET") {
        if let object = reading.textObject, reading.notes.textObjects.count < Self.noteLimit {
          reading.notes.textObjects.append(
            StreamNotes.TextObject(
              range: object.start..<token.end, isPlain: object.isPlain))
        }
        reading.textObject = nil
      } else if token.isKeyword("BI") {
        let image = InlineImage.read(&parser.lexer) {
          ColourSpace($0, resources: resources, file: file).components
        }
        reading.textObject?.isPlain = false
        budget -= 2_000
        if let image, !reading.isHidden {
          let stream = PDFStream(image.dictionary, bytes: bytes.array(image.data))
          paint(stream, resources: resources, state: state)
        }
      } else if token.isKeyword("BDC") || token.isKeyword("BMC") {
        reading.textObject?.isPlain = false
        let isHidden = token.isKeyword("BDC") && hides(operands, resources: resources)
        if reading.marks.count < 1_000 { reading.marks.append(isHidden) }
      } else if token.isKeyword("EMC") {
        reading.textObject?.isPlain = false
        _ = reading.marks.popLast()
      } else if !state.apply(
        token, operands, resources: resources, file: file, spaces: &reading.spaces)
      {
        if !Self.placesText(token) { reading.textObject?.isPlain = false }
        follow(token, operands, &reading, &state)
      }
    }
    return (min(missing, 10_000), saved.count + min(uncounted, 10_000))
  }

  private func hides(_ operands: [PDFObject], resources: PDFDictionary) -> Bool {
    guard operands.first?.name == "OC", let name = operands.last?.name,
      let properties = file.dictionary(resources, "Properties")
    else { return false }
    return layers.hides(properties[name], file)
  }

  // MARK: Paths

  /// Operators that make, paint and clip by paths (8.5).
  private mutating func follow(
    _ token: Token, _ operands: [PDFObject], _ reading: inout Reading, _ state: inout PaintState
  ) {
    let n = operands.suffix(6).compactMap(\.number)
    func point(_ index: Int) -> (x: Double, y: Double) {
      state.matrix.apply(n[index], n[index + 1])
    }
    if token.isKeyword("re"), n.count >= 4 {
      let last = n.suffix(4)
      let i = last.startIndex
      reading.path.addRectangle(
        x: last[i], y: last[i + 1], width: last[i + 2], height: last[i + 3],
        matrix: state.matrix)
    } else if token.isKeyword("m"), n.count >= 2 {
      reading.path.move(point(n.count - 2).x, point(n.count - 2).y)
    } else if token.isKeyword("l"), n.count >= 2 {
      reading.path.line(point(n.count - 2).x, point(n.count - 2).y)
    } else if token.isKeyword("c"), n.count >= 6 {
      reading.path.curve(point(0), point(2), point(4))
    } else if token.isKeyword("v"), n.count >= 4 {
      let start = reading.path.subpaths.last?.last ?? point(0)
      reading.path.curve(start, point(0), point(2))
    } else if token.isKeyword("y"), n.count >= 4 {
      reading.path.curve(point(0), point(2), point(2))
    } else if token.isKeyword("h") {
      reading.path.close()
    } else if token.isKeyword("W") || token.isKeyword("W*") {
      reading.clips = token.isKeyword("W*")
    } else if let painting = PathPainting(token) {
      finish(painting, &reading, &state)
    } else if token.isKeyword("sh") {
      hasDrawing = true
    }
  }

  private mutating func finish(
    _ painting: PathPainting, _ reading: inout Reading, _ state: inout PaintState
  ) {
    let path = reading.path
    defer {
      if let isEvenOdd = reading.clips { state.clip.intersect(path, isEvenOdd: isEvenOdd) }
      reading.clips = nil
      reading.path = ContentPath()
    }
    guard !path.isEmpty, !reading.isHidden else { return }
    if painting.strokes { hasDrawing = true }
    guard painting.fills else { return }
    if state.ink < 0.97 { hasDrawing = true }
    pathPoints += path.pointCount
    guard items.count < Self.itemLimit, pathPoints < Self.pathPointLimit else { return }
    items.append(
      .area(Area(path: path, isEvenOdd: painting.isEvenOdd, look: Self.look(state))))
  }

  private static func look(_ state: PaintState) -> Look {
    Look(clip: state.clip, ink: state.ink, opacity: state.opacity, blend: state.blend)
  }

  // MARK: Images and forms

  private mutating func draw(
    _ name: PDFName?, resources: PDFDictionary, state: PaintState, depth: Int,
    _ notes: inout StreamNotes
  ) {
    guard let name, let objects = file.dictionary(resources, "XObject"),
      let stream = file.resolve(objects[name]).stream,
      !layers.hides(stream.dictionary["OC"], file)
    else { return }
    switch file.name(stream.dictionary, "Subtype") {
    case "Image": paint(stream, resources: resources, state: state)
    case "Form":
      guard depth < Self.formDepth else { return }
      var own = state
      let numbers = file.array(stream.dictionary, "Matrix")?.map { file.resolve($0) }
      own.matrix = (numbers.flatMap(Self.matrix) ?? .identity).then(state.matrix)
      if let numbers = file.numbers(stream.dictionary, "BBox"), let box = Rectangle(numbers) {
        own.clip.intersect(
          .rectangle(
            x: box.x0, y: box.y0, width: box.width, height: box.height, matrix: own.matrix),
          isEvenOdd: false)
      }
      let decoded = file.decode(stream, limit: Self.contentLimit)
      if notes.forms.count < Self.noteLimit {
        notes.forms.append(StreamNotes.Form(name: name, stream: stream, notes: streams.count))
      }
      budget -= decoded.bytes.count / 64 + 10
      _ = read(
        decoded.bytes.span, resources: file.dictionary(stream.dictionary, "Resources") ?? resources,
        state: &own, depth: depth + 1)
    default: break
    }
  }

  private mutating func paint(_ stream: PDFStream, resources: PDFDictionary, state: PaintState) {
    guard items.count < Self.itemLimit else { return }
    let picture = Picture(
      stream: stream, placement: state.matrix, resources: resources, look: Self.look(state))
    items.append(.picture(picture))
    if isOpaque(picture), visibleShare(of: picture) > Self.coveringShare {
      text.coveredBefore = text.count
    }
  }

  /// A picture that covers more of the page than this hides the text below it.
  private static let coveringShare = 0.9

  private func isOpaque(_ picture: Picture) -> Bool {
    let dictionary = picture.stream.dictionary
    return picture.look.opacity > 0.99 && picture.look.blend == .normal
      && dictionary["SMask"] == nil && dictionary["Mask"] == nil
      && !(file.resolve(dictionary["ImageMask"]).boolean ?? false)
  }

  /// The share of the page, 0 to 1, that the box around a picture covers.
  func visibleShare(of picture: Picture) -> Double {
    let corners = [(0.0, 0.0), (1.0, 0.0), (0.0, 1.0), (1.0, 1.0)].map {
      picture.placement.apply($0.0, $0.1)
    }
    guard !picture.look.clip.isEmpty, corners.allSatisfy({ $0.x.isFinite && $0.y.isFinite })
    else { return 0 }
    let xs = corners.map(\.x)
    let ys = corners.map(\.y)
    let box = Rectangle(
      x0: xs.min() ?? 0, y0: ys.min() ?? 0, x1: xs.max() ?? 0, y1: ys.max() ?? 0)
    guard let shown = box.intersection(cropBox)?.intersection(picture.look.clip.box) else {
      return 0
    }
    return shown.width * shown.height / (cropBox.width * cropBox.height)
  }

  private static func matrix(_ operands: [PDFObject]) -> Matrix? {
    let numbers = operands.suffix(6).compactMap(\.number)
    guard numbers.count == 6, numbers.allSatisfy({ $0.isFinite && $0.magnitude < 1e9 }) else {
      return nil
    }
    return Matrix(
      numbers[0], numbers[1], numbers[2], numbers[3], numbers[4], numbers[5])
  }

  // MARK: Text

  /// Operators that only say where and how text is shown (9.3 and 9.4.2).
  private static func placesText(_ token: Token) -> Bool {
    token.isKeyword("Td") || token.isKeyword("TD") || token.isKeyword("Tm")
      || token.isKeyword("T*") || token.isKeyword("Tc") || token.isKeyword("Tw")
      || token.isKeyword("Tz") || token.isKeyword("TL") || token.isKeyword("Ts")
  }

  private static func showsText(_ token: Token) -> Bool {
    token.isKeyword("Tj") || token.isKeyword("'") || token.isKeyword("\"")
      || token.isKeyword("TJ")
  }

  private mutating func show(
    _ token: Token, _ operands: [PDFObject], _ state: PaintState, _ reading: inout Reading
  ) {
    guard Self.showsText(operands.last) else { return }
    let isUnseen = state.hidesText || reading.isHidden
    if reading.notes.shows.count < Self.noteLimit {
      var rest = ""
      if token.isKeyword("'") || token.isKeyword("\"") { rest = " T*" }
      if token.isKeyword("\""), operands.count >= 3,
        let word = operands[operands.count - 3].number,
        let character = operands[operands.count - 2].number
      {
        rest = " \(word) Tw \(character) Tc T*"
      }
      reading.notes.shows.append(
        StreamNotes.Show(
          range: reading.start..<token.end, rest: rest, number: text.count, isUnseen: isUnseen))
    }
    if isUnseen { text.unseen += 1 } else { text.lastSeen = text.count }
    text.count += 1
  }

  private static func showsText(_ operand: PDFObject?) -> Bool {
    switch operand {
    case .string(let bytes): !bytes.isEmpty
    case .array(let items): items.contains { $0.string?.isEmpty == false }
    default: false
    }
  }
}
