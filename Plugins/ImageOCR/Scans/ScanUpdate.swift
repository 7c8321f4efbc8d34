internal import Bytes
internal import PDFSyntax
internal import PDFWriter
internal import PluginKit

/// Collects the text layers of a PDF file's pages into one incremental update.
struct ScanUpdate {
  private let file: PDFFile
  private var update: IncrementalUpdate
  private var font = InvisibleFont()
  private var fontReference: PDFReference?
  private var isUsed = false
  private var removal = PageRemoval()

  /// Where the text of a page is.
  struct TextPlace {
    /// Leads from the recognized picture to user space.
    var toUserSpace: Matrix
    /// The page's rotation, clockwise in degrees.
    var rotation: Int
  }

  /// What is to be written.
  enum Output {
    /// The file as it is, and these bytes after it (none where nothing was added).
    case appended([UInt8])
    /// These bytes in its place, since its cross-references are broken.
    case rewritten([UInt8])
  }

  init(_ file: PDFFile) {
    self.file = file
    update =
      IncrementalUpdate.Base(file).map { IncrementalUpdate(of: $0) }
      ?? IncrementalUpdate(
        rewriting: file.trailer, highestNumber: file.largestObjectNumber,
        encryption: file.objectEncryption)
  }

  /// Adds the text of one page.
  ///
  /// - Parameters:
  ///   - toUserSpace: leads from the recognized picture to user space as it is.
  ///   - level: the same if the picture had not been levelled: where its text is to be for the
  ///     lines to be level on the page.
  /// - Returns: where the text was put on the page as it will be.
  @discardableResult
  mutating func add(
    _ reading: PageReader.Reading, to page: Page, content: PageContent,
    toUserSpace: Matrix, level: Matrix, straightening: Straightening
  ) -> TextPlace {
    let asItIs = TextPlace(toUserSpace: toUserSpace, rotation: page.rotation)
    guard let reference = page.reference else { return asItIs }
    var dictionary = page.dictionary
    let levels =
      straightening == .full && reading.angle != 0 && !content.hasDrawing && !content.text.isSeen
      && file.array(dictionary, "Annots")?.isEmpty ?? true
    let levelling = levels ? toUserSpace.inverse.map { $0.then(level) } : nil
    // Text that is seen is upright as it is.
    let turns = straightening != .none && reading.quarters != 0 && !content.text.isSeen
    let strips = content.text.unseen > 0
    guard reading.page.wordCount > 0 || turns || strips else { return asItIs }
    var resources = page.resources
    var stripped: [UInt8]?
    if strips {
      let rest = UnseenText(content: content, file: file).strip(page, &update)
      stripped = rest.bytes
      UnseenText.put(rest.forms, into: &resources, file: file)
      if !rest.forms.isEmpty { dictionary["Resources"] = .dictionary(resources) }
    }
    var place = asItIs
    if turns {
      place.rotation = (page.rotation + 90 * reading.quarters) % 360
      dictionary["Rotate"] = .integer(place.rotation)
    }
    if levelling != nil { place.toUserSpace = level }
    let layer = PageText.layer(reading.page, toPage: place.toUserSpace)
    let name = self.name(in: page)
    let text = layer.content(font: &font, name: name)
    wrap(
      &dictionary, content, stripped, levelling: levelling,
      rules: content.isOpaquePicture ? layer.ruleContent : [], text: text)
    if !text.isEmpty { addFont(named: name, to: &dictionary, resources) }
    update.put(.dictionary(dictionary), as: reference)
    isUsed = true
    return place
  }

  /// Takes a page out of the page tree (PDF 32000-1, 7.7.3); its object stays.
  ///
  /// - Returns: false where that cannot be done, or no page would be left.
  mutating func remove(_ page: Page) -> Bool {
    guard let reference = page.reference, removal.remove(reference, of: page, in: file) else {
      return false
    }
    isUsed = true
    return true
  }

  /// Puts another picture in the place of one; the bytes of the first stay in the file.
  ///
  /// - Parameter number: of the image's object.
  mutating func replace(_ number: Int, by image: PageImage) {
    guard let reference = file.object(number).stream?.reference else { return }
    update.put(.stream(image.stream), as: reference)
    isUsed = true
  }

  /// What is to be written.
  consuming func finish() -> Output {
    guard isUsed else { return .appended([]) }
    var update = update
    for node in removal.changed.values.sorted(by: { $0.reference.number < $1.reference.number }) {
      update.put(.dictionary(node.dictionary), as: node.reference)
    }
    if let fontReference { font.write(as: fontReference, to: &update) }
    guard file.startOfCrossReference == nil else { return .appended(update.finish()) }
    for key: PDFName in ["Root", "Info", "Encrypt"] {
      update.copy(file.trailer[key] ?? .null, from: file)
    }
    return .rewritten(update.finish())
  }

  /// Puts the original content, or what is left of it, between saved and restored graphics states and
  /// the text after it.
  private mutating func wrap(
    _ dictionary: inout PDFDictionary, _ content: PageContent, _ stripped: [UInt8]?,
    levelling: Matrix?, rules: [UInt8], text: [UInt8]
  ) {
    // States that the content restores without having saved them are saved for it.
    let saves = 1 + content.missingSaves
    var before = ByteWriter()
    before.append(contentsOf: rules)
    for _ in 0..<saves { before.append("q\n") }
    if let matrix = levelling {
      for value in [matrix.a, matrix.b, matrix.c, matrix.d, matrix.e, matrix.f] {
        before.append(fixed: value, digits: 7)
        before.append(0x20)
      }
      before.append("cm\n")
    }
    var after = ByteWriter()
    for _ in 0..<(1 + content.openSaves) { after.append("\nQ") }
    after.append(0x0A)
    after.append(contentsOf: text)
    if let stripped {
      let whole = before.bytes + stripped + after.bytes
      dictionary["Contents"] = .reference(update.add(.stream(.compressed(bytes: whole))))
      return
    }
    let first = update.add(.stream(.compressed(bytes: before.bytes)))
    let last = update.add(.stream(.compressed(bytes: after.bytes)))
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

  private mutating func addFont(
    named name: String, to dictionary: inout PDFDictionary, _ resources: PDFDictionary
  ) {
    if fontReference == nil { fontReference = update.reserve() }
    guard let fontReference else { return }
    var resources = resources
    var fonts = file.dictionary(resources, "Font") ?? [:]
    fonts[PDFName(name)] = .reference(fontReference)
    resources["Font"] = .dictionary(fonts)
    dictionary["Resources"] = .dictionary(resources)
  }
}

extension ScanUpdate.Output {
  /// Writes the whole result.
  func write(to file: ResultFile, original: Span<UInt8>) throws(PluginFailure) {
    switch self {
    case .appended(let bytes):
      try file.write(original)
      try file.write(bytes)
    case .rewritten(let bytes): try file.write(bytes)
    }
  }
}
