import PDFSyntax

// Annotations and form fields as they are printed (PDF 32000-1, 12.5 and 12.7).
extension ContentInterpreter {
  /// Draws the appearances of a page's annotations, behind its own content.
  mutating func drawAnnotations(of page: Page) {
    guard let annotations = file.array(page.dictionary, "Annots") else { return }
    charging { interpreter in
      for entry in annotations.prefix(interpreter.limits.annotations) {
        guard interpreter.operatorsLeft > 0,
          let annotation = interpreter.file.resolve(entry).dictionary
        else { continue }
        interpreter.draw(annotation)
      }
    }
  }

  private mutating func draw(_ annotation: PDFDictionary) {
    let subtype = file.name(annotation, "Subtype")
    guard subtype != "Popup", subtype != "Link" || annotation["AP"] != nil else { return }
    let flags = file.integer(annotation, "F") ?? 0
    // Hidden, or not to be viewed.
    guard flags & 0x22 == 0, !cache.optionalContent.hides(annotation["OC"], file) else { return }
    guard let rectangle = file.numbers(annotation, "Rect").flatMap({ Rectangle($0) }) else {
      return
    }
    operatorsLeft -= 10
    let first = run.glyphs.count
    defer {
      if subtype == "Widget", run.glyphs.count > first {
        run.fields.append(first..<run.glyphs.count)
      }
    }
    if let appearance = appearance(of: annotation) {
      draw(appearance, in: rectangle)
    } else if subtype == "FreeText" {
      place(
        TextString.scalars(file.string(annotation, "Contents") ?? []), in: rectangle, annotation)
    } else if subtype == "Widget" {
      placeValue(of: annotation, in: rectangle)
    }
  }

  /// The normal appearance (12.5.5), in the annotation's state where there are several.
  private func appearance(of annotation: PDFDictionary) -> PDFStream? {
    guard let appearances = file.dictionary(annotation, "AP") else { return nil }
    let normal = file.resolve(appearances["N"])
    if case .stream(let stream) = normal { return stream }
    guard let states = normal.dictionary, let state = file.name(annotation, "AS"),
      case .stream(let stream) = file.resolve(states[state])
    else { return nil }
    return stream
  }

  /// Algorithm 8.1: the form's box, transformed by its matrix, is fitted into the rectangle.
  private mutating func draw(_ form: PDFStream, in rectangle: Rectangle) {
    let matrix = file.matrix(of: form)
    let box = file.numbers(form.dictionary, "BBox").flatMap { Rectangle($0) } ?? rectangle
    let bounds = matrix.bounds(box)
    var fit = Matrix.identity
    if bounds.width > 0, bounds.height > 0 {
      fit.a = rectangle.width / bounds.width
      fit.d = rectangle.height / bounds.height
    }
    fit.e = rectangle.x0 - bounds.x0 * fit.a
    fit.f = rectangle.y0 - bounds.y0 * fit.d
    state = GraphicsState(matrix: fit.then(showing))
    textMatrix = .identity
    draw(form: form, resources: PDFDictionary(), depth: 0)
    state = GraphicsState(matrix: showing)
  }

  /// The value of a text or choice field that has no appearance.
  private mutating func placeValue(of widget: PDFDictionary, in rectangle: Rectangle) {
    var node = widget
    var type: PDFName?
    var value: PDFObject?
    var flags: Int?
    var options: PDFObject?
    var selected: PDFObject?
    for _ in 0..<16 {
      type = type ?? file.name(node, "FT")
      flags = flags ?? file.integer(node, "Ff")
      value = value ?? node["V"]
      options = options ?? node["Opt"]
      selected = selected ?? node["I"]
      guard let parent = file.dictionary(node, "Parent") else { break }
      node = parent
    }
    guard type == "Tx" || type == "Ch" else { return }
    // A text of one line, or a choice that opens (tables 228 and 230).
    let isLine = type == "Tx" ? (flags ?? 0) & 1 << 12 == 0 : (flags ?? 0) & 1 << 17 != 0
    let values: [[UInt8]] =
      switch file.resolve(value) {
      case .string(let text): [text]
      case .array(let items): items.prefix(Self.mostOptions).compactMap { file.resolve($0).string }
      case .stream(let stream): [file.decode(stream, limit: 1 << 20).bytes]
      default: []
      }
    var texts = values.map { TextString.scalars($0) }
    if type == "Ch" {
      texts = choices(texts, file.resolve(options).array, file.resolve(selected).array)
    }
    place(Array(texts.joined(separator: [0x0A])), in: rectangle, widget, isLine: isLine)
  }

  private static let mostOptions = 10_000

  /// What a choice field shows of its selected options (12.7.4.4): the texts that are seen, not the values that are
  /// exported.
  ///
  /// - Parameters:
  ///   - options: a text each, or the exported value and the text.
  ///   - selected: the places of the selected ones; they tell those apart that export the same.
  private func choices(
    _ values: [[UInt32]], _ options: [PDFObject]?, _ selected: [PDFObject]?
  ) -> [[UInt32]] {
    let options = (options ?? []).prefix(Self.mostOptions).map {
      option -> (value: [UInt32], text: [UInt32]) in
      let option = file.resolve(option)
      let pair = (option.array ?? [option]).prefix(2).map {
        TextString.scalars(file.resolve($0).string ?? [])
      }
      return (pair.first ?? [], pair.last ?? [])
    }
    let places = (selected ?? []).compactMap { file.resolve($0).integer }.filter(
      options.indices.contains)
    // Places that do not fit the values are left from an earlier choice.
    if values.isEmpty
      || places.count == values.count
        && places.allSatisfy({ place in
          values.contains(options[place].value)
        })
    {
      return places.map { options[$0].text }
    }
    let texts = Dictionary(options.map { ($0.value, $0.text) }) { first, _ in first }
    return values.map { texts[$0] ?? $0 }
  }

  /// Sets a text in lines from the left of a rectangle, wrapped at its right edge: from the top, or a text of one line
  /// at half its height, where its label stands beside it.
  private mutating func place(
    _ text: [UInt32], in rectangle: Rectangle, _ annotation: PDFDictionary, isLine: Bool = false
  ) {
    guard !text.isEmpty else { return }
    var scalars = text
    if scalars.count > 20_000 { scalars.removeLast(scalars.count - 20_000) }
    let appearance = file.string(annotation, "DA") ?? []
    var size = Self.fontSize(inDefaultAppearance: appearance)
    if size <= 0 { size = max(4, min(12, rectangle.height * 0.7)) }
    size = min(size, 72)
    let perLine = max(1, Int(min(1e4, rectangle.width / (size * 0.5))))
    let first =
      isLine ? (rectangle.y0 + rectangle.y1) / 2 - 0.35 * size : rectangle.y1 - 0.9 * size
    var pending: [UInt32] = []
    var line = 0
    func flush(_ run: inout GlyphRun) {
      let shown = BidirectionalOrder.shown(pending)
      let baseline = first - 1.15 * size * Double(line)
      for (index, scalar) in shown.enumerated() {
        let left = rectangle.x0 + 2 + Double(index) * size * 0.5
        let start = showing.apply(left, baseline)
        let end = showing.apply(left + size * 0.5, baseline)
        run.glyphs.append(
          Glyph(
            x: start.x, y: start.y, endX: end.x, endY: end.y, size: size, directionX: showing.a,
            directionY: showing.b, ascent: 0.8, descent: -0.2,
            text: GlyphText(scalar: scalar < 0x20 ? 0x20 : scalar)))
      }
      pending.removeAll(keepingCapacity: true)
      line += 1
    }
    var at = 0
    while at < scalars.count {
      let scalar = scalars[at]
      if scalar == 0x0A || scalar == 0x0D {
        if scalar == 0x0D, at + 1 < scalars.count, scalars[at + 1] == 0x0A { at += 1 }
        at += 1
        flush(&run)
        continue
      }
      // Wrap before a word that does not fit.
      if !pending.isEmpty, at > 0, scalars[at - 1] == 0x20, scalar != 0x20 {
        let end = scalars[at...].prefix(perLine + 1).firstIndex { $0 <= 0x20 }
        let length = (end ?? min(scalars.count, at + perLine)) - at
        if pending.count + length > perLine { flush(&run) }
      }
      pending.append(scalar)
      at += 1
    }
    flush(&run)
  }

  private static func fontSize(inDefaultAppearance bytes: [UInt8]) -> Double {
    var lexer = Lexer(bytes.span)
    var last = 0.0
    for _ in 0..<100 {
      let token = lexer.next()
      if token.kind == .end { break }
      if token.isNumber { last = token.real }
      if token.kind == .keyword, token.word == 0x5466 { return last }
    }
    return 0
  }
}
