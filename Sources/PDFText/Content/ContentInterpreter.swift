import Bytes
import PDFSyntax

/// Reads the content of one page once and notes the glyphs and images it draws (PDF 32000-1, 8
/// and 9).
struct ContentInterpreter {
  let cache: DocumentCache
  let limits: WorkLimits
  /// The part of user space that is shown.
  let visible: Rectangle
  let showing: Matrix
  /// The size of the page as shown.
  let shownSize: (width: Double, height: Double)
  var run = GlyphRun()
  var images: [DrawnImage] = []
  /// The lines that the page draws; nil where they are not wanted.
  var rulingLines: RulingLines?
  /// Whether images are wanted.
  let notesImages: Bool
  /// Whether glyphs are wanted, and how many are enough.
  let glyphsWanted: Int
  /// The marked-content sequences of which the text is wanted, by their identifiers, and that text in the order of
  /// drawing.
  var marked: [Int: [UInt32]] = [:]
  /// How much more of it is kept: sequences within one another have the same glyphs again and again.
  private var markedLeft = 100_000
  /// Whether text that is not seen, such as that of recognized scans, is left out.
  var leavesOutUnseen = false

  var operatorsLeft: Int
  var bytesLeft: Int
  var state: GraphicsState
  var textMatrix = Matrix.identity
  private var lineMatrix = Matrix.identity
  private var marks: [Mark] = []
  private var hiddenMarks = 0
  private var openForms: Set<Int> = []
  /// The bytes of the string that is shown, kept for the next one.
  var shown: [UInt8] = []

  /// An open marked-content sequence (14.6).
  private struct Mark {
    var hides = false
    /// The replacement text (14.9.4) and the number of glyphs before it.
    var actualText: [UInt32]?
    var firstGlyph = 0
    /// Where its text is wanted, the identifier of the sequence.
    var identifier: Int?
  }

  var file: PDFFile { cache.file }
  var isHidden: Bool { hiddenMarks > 0 }

  init(
    _ page: Page, cache: DocumentCache, limits: WorkLimits, notesImages: Bool = false,
    notesRules: Bool = false, glyphsWanted: Int = .max
  ) {
    self.cache = cache
    self.limits = limits
    self.notesImages = notesImages
    self.glyphsWanted = glyphsWanted
    rulingLines = notesRules ? RulingLines() : nil
    visible = page.cropBox
    showing = Matrix(showing: page)
    shownSize =
      showing.a == 0 ? (visible.height, visible.width) : (visible.width, visible.height)
    operatorsLeft = min(limits.operators, cache.operatorsLeft)
    bytesLeft = min(limits.contentBytes, cache.bytesLeft)
    state = GraphicsState(matrix: showing)
  }

  /// Interprets the page's own content.
  mutating func draw(_ page: Page) {
    charging { interpreter in
      let content = page.content(interpreter.file, limit: interpreter.bytesLeft)
      interpreter.bytesLeft -= content.count
      interpreter.interpret(content, resources: page.resources, depth: 0)
    }
  }

  /// Does something whose cost counts for the document.
  mutating func charging(_ body: (inout ContentInterpreter) -> Void) {
    let before = (operators: operatorsLeft, bytes: bytesLeft)
    body(&self)
    cache.spend(
      operators: before.operators - operatorsLeft, bytes: before.bytes - max(0, bytesLeft))
    if cache.operatorsLeft == 0 || cache.bytesLeft == 0, !run.isCut {
      run.isCut = true
      file.diagnostics.add(.lost, "the document is too large to be read to its end")
    }
  }

  private var isExhausted: Bool {
    operatorsLeft <= 0 || run.glyphs.count >= glyphsWanted || run.glyphs.count >= limits.glyphs
  }

  /// Interprets one content stream in the current state.
  mutating func interpret(_ content: [UInt8], resources: PDFDictionary, depth: Int) {
    var reader = ContentReader(content.span)
    var saved = SavedStates<GraphicsState>(limit: limits.savedStates)
    var fonts: [PDFName: Font] = [:]
    let fontResources = file.dictionary(resources, "Font") ?? PDFDictionary()
    let marksAtStart = marks.count
    while let content = reader.next() {
      operatorsLeft -= 1
      if isExhausted {
        if run.glyphs.count < glyphsWanted, !run.isCut {
          run.isCut = true
          file.diagnostics.add(.lost, "a page is too large to be read to its end")
        }
        break
      }
      switch content {
      case .saveState: saved.save(state)
      case .restoreState: saved.restore(&state)
      case .concatenateMatrix:
        if let matrix = reader.matrix { state.matrix = matrix.then(state.matrix) }
      case .beginText:
        textMatrix = .identity
        lineMatrix = .identity
      case .setFont:
        state.fontSize = reader[0, of: 1]
        if let name = reader.name {
          if let known = fonts[name] {
            state.font = known
          } else {
            let font = fontResources[name].flatMap { cache.font($0) } ?? cache.fallbackFont
            fonts[name] = font
            state.font = font
          }
        }
      case .moveText: move(reader[0, of: 2], reader[1, of: 2])
      case .moveTextSettingLeading:
        state.leading = -reader[1, of: 2]
        move(reader[0, of: 2], reader[1, of: 2])
      case .setTextMatrix:
        if let matrix = reader.matrix {
          lineMatrix = matrix
          textMatrix = matrix
        }
      case .nextLine: move(0, -state.leading)
      case .showText: if let token = reader.string { show(token, reader) }
      case .nextLineShowText:
        move(0, -state.leading)
        if let token = reader.string { show(token, reader) }
      case .nextLineShowSpacedText:
        state.wordSpacing = reader[0, of: 2]
        state.characterSpacing = reader[1, of: 2]
        move(0, -state.leading)
        if let token = reader.string { show(token, reader) }
      case .showAdjustedText:
        for item in reader.items {
          if item.isNumber {
            adjust(item.real)
          } else {
            show(item, reader)
          }
        }
      case .setCharacterSpacing: state.characterSpacing = reader[0, of: 1]
      case .setWordSpacing: state.wordSpacing = reader[0, of: 1]
      case .setHorizontalScaling: state.horizontalScaling = reader[0, of: 1] / 100
      case .setLeading: state.leading = reader[0, of: 1]
      case .setRise: state.rise = reader[0, of: 1]
      case .setRenderingMode: state.textMode = reader[0, of: 1]
      case .setGraphicsState:
        if let name = reader.name { apply(graphicsState: name, resources) }
      case .paintObject: drawObject(reader.name, resources, depth: depth)
      case .beginInlineImage: _ = reader.inlineImage()
      case .beginMarked, .beginMarkedWithProperties: begin(reader, resources)
      case .endMarked: if marks.count > marksAtStart { end() }
      case .setLineWidth: if rulingLines != nil { state.lineWidth = reader[0, of: 1] }
      default: if rulingLines != nil, !isHidden { rulingLines?.take(content, reader, state) }
      }
    }
    while marks.count > marksAtStart { end() }
  }

  // MARK: Text state

  private mutating func move(_ x: Double, _ y: Double) {
    lineMatrix = Matrix(1, 0, 0, 1, x, y).then(lineMatrix)
    textMatrix = lineMatrix
  }

  private mutating func adjust(_ thousandths: Double) {
    let amount = -thousandths / 1000 * state.fontSize
    if state.font?.isVertical == true {
      translate(0, amount)
    } else {
      translate(amount * state.horizontalScaling, 0)
    }
  }

  @inline(__always)
  mutating func translate(_ x: Double, _ y: Double) {
    textMatrix.e += x * textMatrix.a + y * textMatrix.c
    textMatrix.f += x * textMatrix.b + y * textMatrix.d
  }

  private mutating func apply(graphicsState name: PDFName, _ resources: PDFDictionary) {
    guard let states = file.dictionary(resources, "ExtGState"),
      let dictionary = file.dictionary(states, name),
      let list = file.array(dictionary, "Font"), list.count >= 2
    else { return }
    if let font = cache.font(list[0]) { state.font = font }
    state.fontSize = file.resolve(list[1]).number ?? state.fontSize
  }

  // MARK: Marked content

  private mutating func begin(_ reader: borrowing ContentReader, _ resources: PDFDictionary) {
    guard marks.count < 4096 else { return }
    var mark = Mark(firstGlyph: run.glyphs.count)
    let (tag, entry) = reader.markedContent(resources, file)
    if let tag {
      if tag == "OC" { mark.hides = cache.optionalContent.hides(entry, file) }
      let properties = file.resolve(entry).dictionary
      if let text = properties?["ActualText"].flatMap({ file.resolve($0).string }) {
        mark.actualText = TextString.scalars(text)
      }
      // Forms count their sequences by themselves.
      if !marked.isEmpty, openForms.isEmpty, let number = properties?.integer("MCID"),
        marked[number] != nil
      {
        mark.identifier = number
      }
    }
    if mark.hides { hiddenMarks += 1 }
    marks.append(mark)
  }

  private mutating func end() {
    guard let mark = marks.popLast() else { return }
    if mark.hides { hiddenMarks -= 1 }
    if let text = mark.actualText { run.replace(from: mark.firstGlyph, by: text) }
    if let number = mark.identifier { keep(number, from: mark.firstGlyph) }
  }

  /// Keeps the text of a sequence whose first glyph is known.
  private mutating func keep(_ number: Int, from first: Int) {
    for glyph in run.glyphs.dropFirst(first) {
      guard markedLeft > 0 else { return }
      let scalars =
        glyph.text.index.map { run.strings[$0].prefix(markedLeft) } ?? [glyph.text.scalar]
      markedLeft -= max(1, scalars.count)
      marked[number, default: []] += scalars
    }
  }

  // MARK: External objects

  private mutating func drawObject(_ name: PDFName?, _ resources: PDFDictionary, depth: Int) {
    guard let stream = file.externalObject(name, in: resources) else { return }
    let isForm = file.name(stream.dictionary, "Subtype") == "Form"
    guard isForm || notesImages, !isHidden,
      !cache.optionalContent.hides(stream.dictionary["OC"], file)
    else { return }
    if isForm {
      draw(form: stream, resources: resources, depth: depth)
    } else {
      guard images.count < 10_000 else { return }
      images.append(
        DrawnImage(reference: stream.reference, stream: stream, matrix: state.matrix))
    }
  }

  /// Draws a form (8.10) in the current state; one that draws itself is drawn once.
  mutating func draw(form: PDFStream, resources: PDFDictionary, depth: Int) {
    guard depth < limits.formDepth, bytesLeft > 0 else { return }
    let number = form.reference?.number
    if let number, !openForms.insert(number).inserted { return }
    defer { if let number { openForms.remove(number) } }
    let content = cache.content(of: form, limit: bytesLeft)
    bytesLeft -= content.count
    let before = state
    let matrices = (textMatrix, lineMatrix)
    state.matrix = file.matrix(of: form).then(state.matrix)
    interpret(content, resources: file.resources(of: form, in: resources), depth: depth + 1)
    state = before
    (textMatrix, lineMatrix) = matrices
  }
}
