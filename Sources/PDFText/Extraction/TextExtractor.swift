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

  /// - Throws: ``PDFError/noPages`` where the file has no page.
  public init(_ file: PDFFile, limits: WorkLimits = WorkLimits()) throws(PDFError) {
    self.file = file
    self.limits = limits
    pages = try PageTree(file)
    cache = DocumentCache(file, limits)
  }

  /// The number of pages that were found.
  public var pageCount: Int { pages.count }

  /// The page object with its inherited attributes, by index from 0.
  public func pageObject(_ index: Int) -> Page? { pages.page(index) }

  /// The text of the page with an index from 0, or nil where there is none. What annotations and
  /// form fields show is part of it, unless ``readsAnnotations`` is off; optional content that is off, and what lies outside the crop
  /// box, is not.
  public func page(_ index: Int) -> TextPage? {
    guard let page = pages.page(index) else { return nil }
    var interpreter = ContentInterpreter(
      page, cache: cache, limits: limits, notesRules: notesRules)
    interpreter.draw(page)
    if readsAnnotations { interpreter.drawAnnotations(of: page) }
    let rules = interpreter.rulingLines?.rules ?? []
    var text = PageComposer.compose(page, interpreter.run)
    text.rules = rules
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

  /// Whether a page draws any text, visible or not. Stops at its first few glyphs.
  public func hasText(_ index: Int) -> Bool {
    guard let page = pages.page(index) else { return false }
    var interpreter = ContentInterpreter(page, cache: cache, limits: limits, glyphsWanted: 64)
    interpreter.draw(page)
    if interpreter.run.glyphs.isEmpty { interpreter.drawAnnotations(of: page) }
    return interpreter.run.glyphs.contains { !$0.text.isBlank }
  }

  /// The indices of the pages without text, from 0.
  public func pagesWithoutText() -> [Int] { (0..<pageCount).filter { !hasText($0) } }

  /// The image XObjects that a page draws, in the order of drawing, those inside forms included.
  public func images(_ index: Int) -> [DrawnImage] {
    guard let page = pages.page(index) else { return [] }
    var interpreter = ContentInterpreter(
      page, cache: cache, limits: limits, notesImages: true)
    interpreter.draw(page)
    return interpreter.images
  }

  /// The image that covers most of a page, if it covers at least `share` of it: what a scanner put
  /// there.
  public func pageFillingImage(_ index: Int, share: Double = 0.6) -> DrawnImage? {
    guard let page = pages.page(index) else { return nil }
    let whole = Rectangle(x0: 0, y0: 0, x1: page.width, y1: page.height)
    func area(_ image: DrawnImage) -> Double {
      image.box.intersection(whole).map { $0.width * $0.height } ?? 0
    }
    let largest = images(index).max { area($0) < area($1) }
    guard let largest, area(largest) >= share * page.width * page.height else { return nil }
    return largest
  }
}
