public import PDFSyntax

/// The front door of text extraction: opens the pages of a file one at a time.
///
/// ```swift
/// let file = try PDFFile(FileBytes(MappedFile(path: "letter.pdf")))
/// let extractor = try TextExtractor(file)
/// for index in 0..<extractor.pageCount { print(extractor.page(index)?.text ?? "") }
/// ```
///
/// Whatever is odd or missing is told in `file.diagnostics`. An extractor is used by one thread at a
/// time; memory stays bounded by the largest page.
public final class TextExtractor {
  /// The file that is read; its diagnostics grow while pages are.
  public let file: PDFFile
  /// What one page may cost.
  public let limits: WorkLimits
  /// Whether pages tell the lines that they draw, ``TextPage/rules``.
  public var notesRules = false
  /// Whether pages tell the addresses that they lead to, ``TextPage/links``.
  public var notesLinks = false
  /// Whether pages tell what structure tags call headings, ``TextPage/headings``.
  public var notesHeadings = false
  /// Whether to fill ``TextPage/geometry``, which shows how the reading order was found.
  public var notesGeometry = false
  /// Whether what annotations and form fields show is part of the text of ``page(_:)``.
  public var readsAnnotations = true
  /// Whether ligatures (U+FB01) and forms of Arabic letters stay as the fonts have them; else they are the letters that
  /// they are made of. To be set before the first page is read.
  public var keepsLigatures: Bool {
    get { cache.keepsLigatures }
    set { cache.keepsLigatures = newValue }
  }
  private let pages: PageTree
  private let cache: DocumentCache
  /// Read when it is first asked for; nil within for a document without tags.
  private lazy var tags = StructureTags(self)

  /// Reads the page tree of a file, no page yet.
  ///
  /// - Throws: ``/PDFSyntax/PDFError/noPages`` where the file has no page.
  public init(_ file: PDFFile, limits: WorkLimits = WorkLimits()) throws(PDFError) {
    self.file = file
    self.limits = limits
    pages = try PageTree(file)
    cache = DocumentCache(file, limits)
  }

  /// The number of pages that were found.
  public var pageCount: Int { pages.count }

  /// The files that are attached to the document and to its pages.
  public var attachedFiles: AttachedFiles { AttachedFiles(of: file, pages: pages) }

  /// The page object with its inherited attributes, by index from 0.
  public func pageObject(_ index: Int) -> Page? { pages.page(index) }

  /// The text of the page with an index from 0, or nil where there is none. What annotations and
  /// form fields show is part of it, unless ``readsAnnotations`` is off; optional content that is off, and what lies outside the crop
  /// box, is not.
  public func page(_ index: Int) -> TextPage? {
    guard let page = pages.page(index) else { return nil }
    var interpreter = ContentInterpreter(
      page, cache: cache, limits: limits, notesRules: notesRules)
    let headings = notesHeadings ? tags?.headings[page.number] ?? [] : []
    for mark in headings.flatMap(\.marks) { interpreter.marked[mark] = [] }
    interpreter.draw(page)
    if readsAnnotations { interpreter.drawAnnotations(of: page) }
    let rules = interpreter.rulingLines?.rules ?? []
    var text = PageComposer.compose(page, interpreter.run, notesGeometry: notesGeometry)
    text.rules = rules
    if notesLinks { text.links = links(of: page) }
    text.headings = headings.map { heading in
      let scalars = heading.marks.flatMap { interpreter.marked[$0] ?? [] }
      return TextPage.Heading(
        text: String(String.UnicodeScalarView(scalars.compactMap(Unicode.Scalar.init))),
        level: heading.level)
    }
    return text
  }

  /// The text that is seen in the page's own content: without what is drawn in text rendering mode 3,
  /// as programs for text recognition put it over scans, and without annotations.
  package func seenText(_ index: Int) -> TextPage? {
    guard let page = pages.page(index) else { return nil }
    var interpreter = ContentInterpreter(page, cache: cache, limits: limits)
    interpreter.leavesOutUnseen = true
    interpreter.draw(page)
    return PageComposer.compose(page, interpreter.run)
  }

  /// Whether the codes of some font were taken for Latin-1, because nothing but their widths tells what they are.
  public var guessedLetters: Bool { cache.guessedLetters }

  private func links(of page: Page) -> [TextPage.Link] {
    let showing = Matrix(showing: page)
    var links: [TextPage.Link] = []
    for entry in (file.array(page.dictionary, "Annots") ?? []).prefix(limits.annotations) {
      guard let annotation = file.resolve(entry).dictionary,
        file.name(annotation, "Subtype") == "Link",
        let action = file.dictionary(annotation, "A"), file.name(action, "S") == "URI",
        let bytes = file.string(action, "URI"), let address = Self.address(bytes),
        let rectangle = file.numbers(annotation, "Rect").flatMap({ Rectangle($0) })
      else { continue }
      let box = showing.bounds(rectangle)
      links.append(
        TextPage.Link(
          box: TextPage.Box(x0: box.x0, y0: box.y0, x1: box.x1, y1: box.y1), address: address))
    }
    return links
  }

  /// An address of the web or of mail. Others name what runs or lies on the reader's machine.
  private static func address(_ bytes: [UInt8]) -> String? {
    guard bytes.count <= 2048, bytes.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else { return nil }
    let lowercase = bytes.prefix(8).map { $0 >= 0x41 && $0 <= 0x5A ? $0 | 0x20 : $0 }
    guard ["http://", "https://", "mailto:"].contains(where: { lowercase.starts(with: $0.utf8) })
    else { return nil }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Whether a page draws any text, visible or not. Stops at its first few glyphs.
  public func hasText(_ index: Int) -> Bool {
    drawsText(index, leavingOutUnseen: false)
  }

  private func drawsText(_ index: Int, leavingOutUnseen: Bool) -> Bool {
    glyphs(index, leavingOutUnseen: leavingOutUnseen) > 0
  }

  /// A page with as many glyphs has text.
  private static let enoughGlyphs = 64

  /// How many glyphs a page draws, 0 where all are blanks; stops at the first few.
  private func glyphs(_ index: Int, leavingOutUnseen: Bool) -> Int {
    guard let page = pages.page(index) else { return 0 }
    var interpreter = ContentInterpreter(
      page, cache: cache, limits: limits, glyphsWanted: Self.enoughGlyphs)
    interpreter.leavesOutUnseen = leavingOutUnseen
    interpreter.draw(page)
    if interpreter.run.glyphs.isEmpty, !leavingOutUnseen { interpreter.drawAnnotations(of: page) }
    let glyphs = interpreter.run.glyphs
    return glyphs.contains { !$0.text.isBlank } ? glyphs.count : 0
  }

  /// The indices of the pages whose scans nobody has recognized, from 0: those without text, and those on which only a
  /// line stands beside a picture that fills them, as scanners and fax machines add it.
  public func pagesWithoutText() -> [Int] {
    (0..<pageCount).filter { !hasText($0) || isScanWithLine($0) }
  }

  /// The share of a page that its scan covers.
  private static let scanShare = 0.8

  /// Whether a page is a picture with hardly any text beside it, all of which is seen.
  public func isScanWithLine(_ index: Int) -> Bool {
    let all = glyphs(index, leavingOutUnseen: false)
    return (1..<Self.enoughGlyphs).contains(all)
      && glyphs(index, leavingOutUnseen: true) == all
      && shareOfPictures(index) >= Self.scanShare
  }

  /// The pages that show pictures in the place of text, or text drawn as outlines, where nobody has recognized the document's scans: what stands
  /// on them is not read. A number of the page or a stamp is no text.
  ///
  /// - Parameter sparse: the indices of the pages that were read and have little text, from 0
  ///   (``TextPage/hasLittleText``).
  public func unreadPages(among sparse: [Int]) -> [Int] {
    let pictured = sparse.filter(isPictured)
    guard !pictured.isEmpty, !(0..<pageCount).contains(where: isRecognized) else { return [] }
    return pictured
  }

  /// The same as one sentence without full stop; nil where there are none.
  public func sentenceOfUnreadPages(among sparse: [Int]) -> String? {
    let pages = unreadPages(among: sparse).map { $0 + 1 }
    guard let first = pages.first else { return nil }
    return pages.count == 1
      ? "page \(first) is a picture or drawing with hardly any text, so what stands on it was not read"
      : "\(pages.count) pages, the first of them page \(first), are pictures or drawings with hardly any text, so what stands on them was"
        + " not read"
  }

  /// Whether pictures cover half of a page, or its text is drawn as outlines.
  private func isPictured(_ index: Int) -> Bool {
    guard let page = pages.page(index) else { return false }
    return shareOfPictures(index) >= 0.5
      || drawing(of: page, notesRules: true).rulingLines?.haveLetters == true
  }

  /// The share of a page that pictures cover, 0 to 1 and more where they overlap.
  private func shareOfPictures(_ index: Int) -> Double {
    guard let page = pages.page(index) else { return 0 }
    return images(index).reduce(0) { $0 + $1.shownArea(of: page) }
      / max(1, page.width * page.height)
  }

  /// Whether all text of a page is unseen, as text recognition puts it over scans.
  private func isRecognized(_ index: Int) -> Bool {
    hasText(index) && !drawsText(index, leavingOutUnseen: true)
  }

  /// The image XObjects that a page draws, in the order of drawing, those inside forms included.
  public func images(_ index: Int) -> [DrawnImage] {
    pages.page(index).map { drawing(of: $0).images } ?? []
  }

  private func drawing(of page: Page, notesRules: Bool = false) -> ContentInterpreter {
    var interpreter = ContentInterpreter(
      page, cache: cache, limits: limits, notesImages: true, notesRules: notesRules)
    interpreter.draw(page)
    return interpreter
  }

  /// The image that covers most of a page, if it covers at least `share` of it: what a scanner put
  /// there.
  public func pageFillingImage(_ index: Int, share: Double = 0.6) -> DrawnImage? {
    guard let page = pages.page(index) else { return nil }
    let largest = drawing(of: page).images.map { ($0, $0.shownArea(of: page)) }.max { $0.1 < $1.1 }
    guard let (image, area) = largest, area >= share * page.width * page.height else { return nil }
    return image
  }
}

extension DrawnImage {
  /// How much of a page it covers, in square points.
  fileprivate func shownArea(of page: Page) -> Double {
    let whole = Rectangle(x0: 0, y0: 0, x1: page.width, y1: page.height)
    return box.intersection(whole).map { $0.width * $0.height } ?? 0
  }
}

extension TextPage {
  /// Fewer letters are no text: the number of the page, a stamp.
  private static let leastText = 40

  /// Whether the page has less than a line of text.
  public var hasLittleText: Bool {
    var letters = 0
    for word in words {
      letters += word.range.count
      if letters >= Self.leastText { return false }
    }
    return true
  }
}
