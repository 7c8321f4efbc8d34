internal import Bytes
internal import PDFSyntax
internal import PDFWriter

/// What the content of a PDF page is made of, as far as text recognition needs to know: whether it
/// shows text, and which pictures it draws where (PDF 32000-1, annex A).
struct PageContent {
  /// An image XObject and the matrix that leads from its unit square to user space.
  struct Picture {
    var stream: PDFStream
    var placement: AffineTransform
    var resources: PDFDictionary
  }

  private(set) var pictures: [Picture] = []
  /// Whether any text is shown, be it invisible.
  private(set) var hasText = false
  /// Whether lines, areas, shadings or inline images are painted.
  private(set) var hasDrawing = false
  /// Whether nothing is painted.
  var isBlank: Bool { !hasText && !hasDrawing && pictures.isEmpty }
  /// How many saved graphics states the content leaves open.
  private(set) var openSaves = 0

  private var budget = 3_000_000
  private static let contentLimit = 64 << 20
  private static let formDepth = 8
  private static let pictureLimit = 10_000

  init(of page: Page, in file: PDFFile) {
    let content = page.content(file, limit: Self.contentLimit)
    openSaves = read(
      content.span, resources: page.resources, matrix: .identity, depth: 0, file: file)
  }

  /// Follows the operators of one content stream.
  ///
  /// - Returns: how many saved states are left open.
  private mutating func read(
    _ bytes: Span<UInt8>, resources: PDFDictionary, matrix: AffineTransform, depth: Int,
    file: PDFFile
  ) -> Int {
    var parser = ObjectParser(bytes, references: false)
    var operands: [PDFObject] = []
    var matrix = matrix
    var saved: [AffineTransform] = []
    while budget > 0 {
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
        if saved.count < 10_000 { saved.append(matrix) }
      } else if token.isKeyword("Q") {
        matrix = saved.popLast() ?? matrix
      } else if token.isKeyword("cm") {
        if let change = Self.matrix(operands) { matrix = change.then(matrix) }
      } else if token.isKeyword("Do") {
        draw(operands.last?.name, resources: resources, matrix: matrix, depth: depth, file: file)
      } else if token.isKeyword("Tj") || token.isKeyword("'") || token.isKeyword("\"")
        || token.isKeyword("TJ")
      {
        hasText = hasText || Self.showsText(operands.last)
      } else if token.isKeyword("ID") {
        hasDrawing = true
        parser.lexer.position = Self.endOfInlineImage(bytes, from: token.end)
      } else if Self.paints(token) {
        hasDrawing = true
      }
    }
    return saved.count
  }

  private static func paints(_ token: Token) -> Bool {
    token.isKeyword("f") || token.isKeyword("F") || token.isKeyword("f*") || token.isKeyword("S")
      || token.isKeyword("s") || token.isKeyword("B") || token.isKeyword("B*")
      || token.isKeyword("b") || token.isKeyword("b*") || token.isKeyword("sh")
  }

  private mutating func draw(
    _ name: PDFName?, resources: PDFDictionary, matrix: AffineTransform, depth: Int, file: PDFFile
  ) {
    guard let name, let objects = file.dictionary(resources, "XObject"),
      let stream = file.resolve(objects[name]).stream
    else { return }
    switch file.name(stream.dictionary, "Subtype") {
    case "Image":
      guard pictures.count < Self.pictureLimit else { return }
      pictures.append(Picture(stream: stream, placement: matrix, resources: resources))
    case "Form":
      guard depth < Self.formDepth else { return }
      let own =
        (file.array(stream.dictionary, "Matrix")?.map { file.resolve($0) })
        .flatMap(Self.matrix) ?? .identity
      let decoded = file.decode(stream, limit: Self.contentLimit)
      _ = read(
        decoded.bytes.span, resources: file.dictionary(stream.dictionary, "Resources") ?? resources,
        matrix: own.then(matrix), depth: depth + 1, file: file)
    default: break
    }
  }

  private static func matrix(_ operands: [PDFObject]) -> AffineTransform? {
    let numbers = operands.suffix(6).compactMap(\.number)
    guard numbers.count == 6, numbers.allSatisfy({ $0.isFinite && $0.magnitude < 1e9 }) else {
      return nil
    }
    return AffineTransform(
      numbers[0], numbers[1], numbers[2], numbers[3], numbers[4], numbers[5])
  }

  private static func showsText(_ operand: PDFObject?) -> Bool {
    switch operand {
    case .string(let bytes): !bytes.isEmpty
    case .array(let items): items.contains { $0.string?.isEmpty == false }
    default: false
    }
  }

  /// The offset after the `EI` that ends inline image data (8.9.7): one between white space.
  private static func endOfInlineImage(_ bytes: Span<UInt8>, from start: Int) -> Int {
    var offset = start
    while let found = bytes.first(of: "EI", in: offset..<bytes.count) {
      let after = found + 2
      let isApart = found > 0 && CharacterClass.isWhite(bytes[found - 1])
      if isApart, after >= bytes.count || CharacterClass.isWhite(bytes[after]) { return after }
      offset = found + 1
    }
    return bytes.count
  }
}

extension PageContent {
  /// A picture counts as the page when it covers at least this share of it.
  private static let pageShare = 0.5

  /// The picture that is the scan of the page: of those that fill it, the one of most pixels.
  func scan(on page: Page, in file: PDFFile) -> Picture? {
    let pageArea = page.cropBox.width * page.cropBox.height
    func pixels(_ picture: Picture) -> Int {
      let width = file.integer(picture.stream.dictionary, "Width") ?? 0
      let height = file.integer(picture.stream.dictionary, "Height") ?? 0
      return width.multipliedReportingOverflow(by: height).partialValue
    }
    return pictures.filter { picture in
      let placement = picture.placement
      let area = (placement.a * placement.d - placement.b * placement.c).magnitude
      return area >= Self.pageShare * pageArea && pixels(picture) > 0
    }.max { pixels($0) < pixels($1) }
  }
}
