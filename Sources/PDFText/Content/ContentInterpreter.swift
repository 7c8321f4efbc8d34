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
  /// Whether text that is not seen, such as that of recognised scans, is left out.
  var leavesOutUnseen = false

  var operatorsLeft: Int
  var bytesLeft: Int
  var state: GraphicsState
  private var saved: [GraphicsState] = []
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
    let bytes = content.span
    var lexer = Lexer(bytes)
    var operands = Operands()
    var fonts: [PDFName: Font] = [:]
    let fontResources = file.dictionary(resources, "Font") ?? PDFDictionary()
    let savedAtStart = saved.count
    let marksAtStart = marks.count
    loop: while true {
      let token = lexer.next()
      switch token.kind {
      case .end: break loop
      case .integer, .real:
        operands.push(token.real)
        continue
      case .literalString, .hexadecimalString:
        operands.string = token
        continue
      case .name:
        operands.name = token
        continue
      case .arrayOpen:
        readArray(&lexer, &operands)
        continue
      case .dictionaryOpen:
        var parser = ObjectParser(bytes, at: lexer.position, references: false)
        operands.properties = parser.object(from: token)?.dictionary
        lexer.position = parser.lexer.position
        continue
      case .arrayClose, .dictionaryClose: continue
      case .keyword: break
      }
      operatorsLeft -= 1
      if isExhausted {
        if run.glyphs.count < glyphsWanted, !run.isCut {
          run.isCut = true
          file.diagnostics.add(.lost, "a page is too large to be read to its end")
        }
        break loop
      }
      switch token.word {
      case 0x71:  // q
        if saved.count < limits.savedStates { saved.append(state) }
      case 0x51:  // Q
        if saved.count > savedAtStart, let last = saved.popLast() { state = last }
      case 0x636D:  // cm
        if let matrix = operands.matrix { state.matrix = matrix.then(state.matrix) }
      case 0x4254:  // BT
        textMatrix = .identity
        lineMatrix = .identity
      case 0x5466:  // Tf
        state.fontSize = operands[0, of: 1]
        if let token = operands.name {
          let name = lexer.name(token)
          if let known = fonts[name] {
            state.font = known
          } else {
            let font = fontResources[name].flatMap { cache.font($0) } ?? cache.fallbackFont
            fonts[name] = font
            state.font = font
          }
        }
      case 0x5464: move(operands[0, of: 2], operands[1, of: 2])  // Td
      case 0x5444:  // TD
        state.leading = -operands[1, of: 2]
        move(operands[0, of: 2], operands[1, of: 2])
      case 0x546D:  // Tm
        if let matrix = operands.matrix {
          lineMatrix = matrix
          textMatrix = matrix
        }
      case 0x542A: move(0, -state.leading)  // T*
      case 0x546A:  // Tj
        if let token = operands.string { show(token, lexer) }
      case 0x27:  // '
        move(0, -state.leading)
        if let token = operands.string { show(token, lexer) }
      case 0x22:  // "
        state.wordSpacing = operands[0, of: 2]
        state.characterSpacing = operands[1, of: 2]
        move(0, -state.leading)
        if let token = operands.string { show(token, lexer) }
      case 0x544A:  // TJ
        for item in operands.items {
          if item.isNumber {
            adjust(item.real)
          } else {
            show(item, lexer)
          }
        }
      case 0x5463: state.characterSpacing = operands[0, of: 1]  // Tc
      case 0x5477: state.wordSpacing = operands[0, of: 1]  // Tw
      case 0x547A: state.horizontalScaling = operands[0, of: 1] / 100  // Tz
      case 0x544C: state.leading = operands[0, of: 1]  // TL
      case 0x5473: state.rise = operands[0, of: 1]  // Ts
      case 0x5472: state.textMode = operands[0, of: 1]  // Tr
      case 0x6773:  // gs
        if let token = operands.name { apply(graphicsState: lexer.name(token), resources) }
      case 0x446F:  // Do
        if let token = operands.name { drawObject(lexer.name(token), resources, depth: depth) }
      case 0x4249: _ = InlineImage.read(&lexer)  // BI
      case 0x42_4443, 0x42_4D43:  // BDC, BMC
        begin(operands, lexer, resources)
      case 0x45_4D43:  // EMC
        if marks.count > marksAtStart { end() }
      case 0x77 where rulingLines != nil: state.lineWidth = operands[0, of: 1]  // w
      default:
        if rulingLines != nil, !isHidden { rulingLines?.take(token.word, operands, state) }
      }
      operands.clear()
    }
    while marks.count > marksAtStart { end() }
    if saved.count > savedAtStart {
      state = saved[savedAtStart]
      saved.removeLast(saved.count - savedAtStart)
    }
  }

  private func readArray(_ lexer: inout Lexer, _ operands: inout Operands) {
    operands.items.removeAll(keepingCapacity: true)
    while true {
      let before = lexer.position
      let item = lexer.next()
      switch item.kind {
      case .end, .arrayClose: return
      case .integer, .real, .literalString, .hexadecimalString: operands.items.append(item)
      case .keyword where item.word == 0x544A || item.word == 0x4554:
        // The bracket is missing: `TJ` and `ET` are no operands.
        lexer.position = before
        return
      default: break
      }
    }
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

  private mutating func begin(
    _ operands: Operands, _ lexer: borrowing Lexer, _ resources: PDFDictionary
  ) {
    guard marks.count < 4096 else { return }
    var mark = Mark(firstGlyph: run.glyphs.count)
    if let token = operands.firstName {
      let tag = lexer.name(token)
      var properties = operands.properties
      if properties == nil, let token = operands.name, token.start != operands.firstName?.start,
        let list = file.dictionary(resources, "Properties")
      {
        let entry = list[lexer.name(token)]
        if tag == "OC" { mark.hides = cache.optionalContent.hides(entry, file) }
        properties = file.resolve(entry).dictionary
      }
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

  private mutating func drawObject(_ name: PDFName, _ resources: PDFDictionary, depth: Int) {
    guard let objects = file.dictionary(resources, "XObject"), let entry = objects[name],
      case .stream(let stream) = file.resolve(entry)
    else { return }
    let isForm = file.name(stream.dictionary, "Subtype") == "Form"
    guard isForm || notesImages else { return }
    guard !isHidden, !cache.optionalContent.hides(stream.dictionary["OC"], file) else { return }
    if isForm {
      draw(form: stream, resources: resources, depth: depth)
    } else {
      guard images.count < 10_000 else { return }
      images.append(
        DrawnImage(
          reference: entry.reference ?? stream.reference, stream: stream, matrix: state.matrix))
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
    state.matrix = Matrix(file.numbers(form.dictionary, "Matrix")).then(state.matrix)
    let own = file.dictionary(form.dictionary, "Resources") ?? resources
    interpret(content, resources: own, depth: depth + 1)
    state = before
    (textMatrix, lineMatrix) = matrices
  }
}
