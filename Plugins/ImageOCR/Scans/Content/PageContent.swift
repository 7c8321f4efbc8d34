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
    /// How much text was shown before it.
    var textBefore: Int
  }

  /// An area of one colour.
  struct Area {
    var path: ContentPath
    var isEvenOdd: Bool
    var look: Look
    var textBefore: Int
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
  var text = ShownText()
  /// Whether shadings are painted, whose colors are not known.
  private(set) var hasShading = false

  /// Where text is shown in each content stream, that of the page first, then its forms in their order.
  private(set) var streams: [StreamNotes] = []

  /// Whether any text is shown, be it invisible.
  var hasText: Bool { text.count > 0 }
  /// Whether nothing is painted.
  var isBlank: Bool { !hasText && !hasDrawing && pictures.isEmpty }

  /// Whether a single picture through which nothing is seen is all that is shown.
  var isOpaquePicture: Bool {
    guard !hasDrawing, !text.isSeen, items.count == 1, case .picture(let picture) = items[0] else {
      return false
    }
    let dictionary = picture.stream.dictionary
    return picture.look.opacity == 1 && picture.look.blend == .normal
      && !["ImageMask", "SMask", "SMaskInData", "Mask"].contains { dictionary[$0] != nil }
  }

  var pictures: [Picture] {
    items.compactMap { item in
      if case .picture(let picture) = item { picture } else { nil }
    }
  }

  private let file: PDFFile
  private let layers: OptionalContent
  let cropBox: Rectangle
  private var budget = 3_000_000
  private var pathPoints = 0
  static let contentLimit = 64 << 20
  private static let formDepth = 12
  private static let itemLimit = 20_000
  private static let pathPointLimit = 4_000_000
  private static let stateLimit = 2_000
  static let noteLimit = 500_000

  /// - Parameter findsUnseenText: whether to find text that cannot be seen because of its place, size or color.
  init(of page: Page, in file: PDFFile, findsUnseenText: Bool = false) {
    self.file = file
    layers = OptionalContent(file)
    cropBox = page.cropBox
    let content = page.content(file, limit: Self.contentLimit)
    var state = PaintState(matrix: .identity)
    let saved = read(content.span, resources: page.resources, state: &state, depth: 0)
    (missingSaves, openSaves) = (min(saved.missing, 10_000), min(saved.open, 10_000))
    if findsUnseenText { self.findUnseenText() }
  }

  /// The paths and marks of one content stream.
  private struct Reading {
    var path = ContentPath()
    /// Whether the path becomes part of the clip once it is painted.
    var clips: Bool?
    /// Open marked content, and whether it is hidden.
    var marks: [Bool] = []
    var spaces: [PDFName: ColourSpace] = [:]
    var notes = StreamNotes()
    /// Numbers of the text that is to become part of the clip at the end of the text object.
    var clippingText: Range<Int>?
    /// Where the open text object begins, if one is open, and whether it is plain.
    var textObject: (start: Int, isPlain: Bool)?
    var isHidden: Bool { marks.contains(true) }

    /// Takes an operator that makes a path or is to clip by it (8.5.2 and 8.5.4); others change nothing.
    mutating func follow(
      _ content: ContentOperator, _ operands: borrowing ContentReader, _ matrix: Matrix
    ) {
      /// The point at an index of the last `wanted` numbers.
      func point(_ index: Int, of wanted: Int) -> (x: Double, y: Double) {
        matrix.apply(operands[index, of: wanted], operands[index + 1, of: wanted])
      }
      switch content {
      case .appendRectangle where operands.count >= 4:
        path.addRectangle(
          x: operands[0, of: 4], y: operands[1, of: 4], width: operands[2, of: 4],
          height: operands[3, of: 4], matrix: matrix)
      case .moveTo where operands.count >= 2: path.move(point(0, of: 2).x, point(0, of: 2).y)
      case .lineTo where operands.count >= 2: path.line(point(0, of: 2).x, point(0, of: 2).y)
      case .curveTo where operands.count >= 6:
        path.curve(point(0, of: 6), point(2, of: 6), point(4, of: 6))
      case .curveFromCurrentPoint where operands.count >= 4:
        let start = path.subpaths.last?.last ?? point(0, of: 4)
        path.curve(start, point(0, of: 4), point(2, of: 4))
      case .curveToControlPoint where operands.count >= 4:
        path.curve(point(0, of: 4), point(2, of: 4), point(2, of: 4))
      case .closePath: path.close()
      case .clip: clips = false
      case .clipEvenOdd: clips = true
      default: break
      }
    }
  }

  /// Follows the operators of one content stream.
  ///
  /// - Returns: the states that it left open.
  private mutating func read(
    _ bytes: Span<UInt8>, resources: PDFDictionary, state: inout PaintState, depth: Int
  ) -> SavedStates<PaintState> {
    var reader = ContentReader(bytes)
    var saved = SavedStates<PaintState>(limit: Self.stateLimit)
    var reading = Reading()
    let place = streams.count
    streams.append(StreamNotes())
    defer { streams[place] = reading.notes }
    while budget > 0, let content = reader.next() {
      budget -= 1
      if !content.isForText { reading.textObject?.isPlain = false }
      switch content {
      case .saveState: saved.save(state)
      case .restoreState: saved.restore(&state)
      case .concatenateMatrix: state.concatenate(reader.matrix)
      case .paintObject:
        guard !reading.isHidden else { continue }
        draw(reader.name, resources: resources, state: state, depth: depth, &reading.notes)
      case .showText, .showAdjustedText, .nextLineShowText, .nextLineShowSpacedText:
        show(content, reader, &state, &reading)
      case .beginText:
        reading.textObject = (reader.start, true)
        state.textPlacing.apply(content, reader)
      case .endText:
        state.clippingText = reading.clippingText ?? state.clippingText
        reading.clippingText = nil
        if let object = reading.textObject, reading.notes.textObjects.count < Self.noteLimit {
          reading.notes.textObjects.append(
            StreamNotes.TextObject(range: object.start..<reader.end, isPlain: object.isPlain))
        }
        reading.textObject = nil
      case .beginInlineImage:
        let image = reader.inlineImage {
          ColourSpace($0, resources: resources, file: file).components
        }
        budget -= 2_000
        if let image, !reading.isHidden {
          let stream = PDFStream(image.dictionary, bytes: bytes.array(image.data))
          paint(stream, resources: resources, state: state)
        }
      case .beginMarked, .beginMarkedWithProperties:
        let (tag, properties) = reader.markedContent(resources, file)
        let isHidden = tag == "OC" && layers.hides(properties, file)
        if reading.marks.count < 1_000 { reading.marks.append(isHidden) }
      case .endMarked: _ = reading.marks.popLast()
      case .paintShading:
        (hasDrawing, hasShading) = (true, true)
        text.noteClip(state.clippingText)
      default:
        if let painting = PathPainting(content) {
          finish(painting, &reading, &state)
        } else {
          reading.follow(content, reader, state.matrix)
          state.apply(content, reader, resources: resources, file: file, spaces: &reading.spaces)
        }
      }
    }
    return saved
  }

  // MARK: Paths

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
    if painting.strokes || painting.fills { text.noteClip(state.clippingText) }
    if painting.strokes { hasDrawing = true }
    guard painting.fills else { return }
    if state.ink < 0.97 { hasDrawing = true }
    pathPoints += path.pointCount
    guard items.count < Self.itemLimit, pathPoints < Self.pathPointLimit else { return }
    items.append(
      .area(
        Area(
          path: path, isEvenOdd: painting.isEvenOdd, look: Self.look(state), textBefore: text.count)
      ))
  }

  private static func look(_ state: PaintState) -> Look {
    Look(clip: state.clip, ink: state.ink, opacity: state.opacity, blend: state.blend)
  }

  // MARK: Images and forms

  private mutating func draw(
    _ name: PDFName?, resources: PDFDictionary, state: PaintState, depth: Int,
    _ notes: inout StreamNotes
  ) {
    guard let name, let stream = file.externalObject(name, in: resources),
      !layers.hides(stream.dictionary["OC"], file)
    else { return }
    switch file.name(stream.dictionary, "Subtype") {
    case "Image": paint(stream, resources: resources, state: state)
    case "Form":
      guard depth < Self.formDepth else { return }
      var own = state
      own.concatenate(file.matrix(of: stream))
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
        decoded.bytes.span, resources: file.resources(of: stream, in: resources), state: &own,
        depth: depth + 1)
    default: break
    }
  }

  private mutating func paint(_ stream: PDFStream, resources: PDFDictionary, state: PaintState) {
    text.noteClip(state.clippingText)
    guard items.count < Self.itemLimit else { return }
    let picture = Picture(
      stream: stream, placement: state.matrix, resources: resources, look: Self.look(state),
      textBefore: text.count)
    items.append(.picture(picture))
    if isOpaque(picture), visibleShare(of: picture) > Self.coveringShare {
      text.cover(before: text.count)
    }
  }

  /// A picture that covers more of the page than this hides the text below it.
  private static let coveringShare = 0.9

  func isOpaque(_ picture: Picture) -> Bool {
    let dictionary = picture.stream.dictionary
    return picture.look.opacity > 0.99 && picture.look.blend == .normal
      && dictionary["SMask"] == nil && dictionary["Mask"] == nil
      && !(file.resolve(dictionary["ImageMask"]).boolean ?? false)
  }

  /// The share of the page, 0 to 1, that the box around a picture covers.
  func visibleShare(of picture: Picture) -> Double {
    let box = picture.placement.bounds(.unit)
    guard !picture.look.clip.isEmpty, [box.x0, box.y0, box.x1, box.y1].allSatisfy(\.isFinite)
    else { return 0 }
    guard let shown = box.intersection(cropBox)?.intersection(picture.look.clip.box) else {
      return 0
    }
    return shown.width * shown.height / (cropBox.width * cropBox.height)
  }

  // MARK: Text

  private mutating func show(
    _ content: ContentOperator, _ operands: borrowing ContentReader, _ state: inout PaintState,
    _ reading: inout Reading
  ) {
    state.textPlacing.apply(content, operands)
    let bytes = operands.bytesOfText
    guard bytes > 0 else { return }
    if reading.notes.shows.count < Self.noteLimit {
      let rest =
        switch content {
        case .nextLineShowText: " T*"
        case .nextLineShowSpacedText:
          " \(operands[0, of: 2]) Tw \(operands[1, of: 2]) Tc T*"
        default: ""
        }
      reading.notes.shows.append(
        StreamNotes.Show(range: operands.start..<operands.end, rest: rest, number: text.count))
    }
    if (4...7).contains(state.textMode) {
      reading.clippingText = (reading.clippingText?.lowerBound ?? text.count)..<text.count + 1
    }
    text.noteClip(state.clippingText)
    text.add(state, bytes: bytes, isHidden: state.hidesText || reading.isHidden)
  }
}

extension ContentReader {
  /// The bytes of the strings among the operands and in their array.
  fileprivate var bytesOfText: Int {
    var bytes: [UInt8] = []
    if let string { appendString(string, to: &bytes) }
    for item in items where !item.isNumber { appendString(item, to: &bytes) }
    return bytes.count
  }
}

extension ContentOperator {
  /// Whether a text object that has only such operators does nothing but show text (9.3, 9.4 and 8.6.8).
  fileprivate var isForText: Bool {
    switch self {
    case .beginText, .endText, .setFont, .setCharacterSpacing, .setWordSpacing,
      .setHorizontalScaling, .setLeading, .setRise, .setRenderingMode, .moveText,
      .moveTextSettingLeading, .setTextMatrix, .nextLine, .showText, .showAdjustedText,
      .nextLineShowText, .nextLineShowSpacedText, .concatenateMatrix, .setGraphicsState,
      .setFillColorSpace, .setFillColor, .setFillColorNamed, .setFillGray, .setFillRGB,
      .setFillCMYK:
      true
    default: false
    }
  }
}
