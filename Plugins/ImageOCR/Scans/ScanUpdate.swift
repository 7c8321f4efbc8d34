internal import Bytes
internal import PDFSyntax
internal import PDFWriter

/// Collects the text layers of a PDF file's pages into one incremental update.
struct ScanUpdate {
  private let file: PDFFile
  private var update: IncrementalUpdate?
  private var font = InvisibleFont()
  private var fontReference: PDFReference?

  init(_ file: PDFFile) {
    self.file = file
    guard let start = file.startOfCrossReference, !file.isEncrypted else { return }
    let bytes = file.bytes
    let last = bytes.count > 0 ? bytes.span[bytes.count - 1] : 0x0A
    update = IncrementalUpdate(
      of: IncrementalUpdate.Base(
        length: bytes.count, endsWithNewline: last == 0x0A || last == 0x0D,
        crossReferenceOffset: start,
        hasCrossReferenceStream: file.trailer.name("Type") == "XRef",
        trailer: file.trailer, highestNumber: file.largestObjectNumber))
  }

  /// Adds the text of one page.
  ///
  /// - Parameters:
  ///   - toUserSpace: leads from the recognised picture to user space as it is.
  ///   - level: the same if the picture had not been levelled: where its text is to be for the
  ///     lines to be level on the page.
  mutating func add(
    _ reading: PageReader.Reading, to page: Page, content: PageContent,
    toUserSpace: AffineTransform, level: AffineTransform, straightening: Straightening
  ) {
    guard let reference = page.reference, update != nil else { return }
    var dictionary = page.dictionary
    let levels =
      straightening == .full && reading.angle != 0 && !content.hasDrawing
      && file.array(dictionary, "Annots")?.isEmpty ?? true
    let levelling = levels ? toUserSpace.inverse.map { $0.then(level) } : nil
    let turns = straightening != .none && reading.quarters != 0
    guard reading.page.wordCount > 0 || turns else { return }
    if turns {
      dictionary["Rotate"] = .integer((page.rotation + 90 * reading.quarters) % 360)
    }
    let layer = PageText.layer(reading.page, toPage: levelling == nil ? toUserSpace : level)
    let name = self.name(in: page)
    let text = layer.content(font: &font, name: name)
    wrap(&dictionary, levelling: levelling, closing: content.openSaves + 1, text: text)
    if !text.isEmpty { addFont(named: name, to: &dictionary, of: page) }
    update?.put(.dictionary(dictionary), as: reference)
  }

  /// The bytes to append.
  consuming func finish() throws(OCRFailure) -> [UInt8] {
    guard var update, let fontReference else { return [] }
    font.write(as: fontReference, to: &update)
    return update.finish()
  }

  /// Puts the original content between a saved and a restored graphics state and the text after it.
  private mutating func wrap(
    _ dictionary: inout PDFDictionary, levelling: AffineTransform?, closing: Int, text: [UInt8]
  ) {
    var before = ByteWriter()
    before.append("q\n")
    if let matrix = levelling {
      for value in [matrix.a, matrix.b, matrix.c, matrix.d, matrix.e, matrix.f] {
        before.append(fixed: value, digits: 7)
        before.append(0x20)
      }
      before.append("cm\n")
    }
    var after = ByteWriter()
    for _ in 0..<min(closing, 10_001) { after.append("\nQ") }
    after.append(0x0A)
    after.append(contentsOf: text)
    guard let first = update?.add(.stream(.compressed(bytes: before.bytes))),
      let last = update?.add(.stream(.compressed(bytes: after.bytes)))
    else { return }
    var contents: [PDFObject] = [.reference(first)]
    switch (dictionary["Contents"], file.resolve(dictionary["Contents"])) {
    case (_, .array(let items)): contents += items
    case (.reference(let reference)?, .stream): contents.append(.reference(reference))
    default: break
    }
    dictionary["Contents"] = .array(contents + [.reference(last)])
  }

  /// A name that no font of the page has.
  private func name(in page: Page) -> String {
    let fonts = file.dictionary(page.resources, "Font") ?? [:]
    var name = "RecognizedText"
    while fonts[PDFName(name)] != nil { name += "0" }
    return name
  }

  private mutating func addFont(named name: String, to dictionary: inout PDFDictionary, of page: Page) {
    if fontReference == nil { fontReference = update?.reserve() }
    guard let fontReference else { return }
    var resources = page.resources
    var fonts = file.dictionary(resources, "Font") ?? [:]
    fonts[PDFName(name)] = .reference(fontReference)
    resources["Font"] = .dictionary(fonts)
    dictionary["Resources"] = .dictionary(resources)
  }
}
