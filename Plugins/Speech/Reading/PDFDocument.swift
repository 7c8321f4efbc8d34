internal import PDFInput
internal import PDFSyntax
internal import PDFText
internal import PluginKit

/// A PDF as passages. Every page is read twice: once to learn what recurs on pages and which size the
/// text has, once to be spoken; in between nothing of it is kept.
struct PDFDocument: ReadableDocument {
  let title: String?
  let statedLanguage: String?
  let outline: [OutlineEntry]
  private(set) var letters = 0
  private(set) var runningLines = 0
  private(set) var pagesWithoutText = 0
  private var sparse: [Int] = []
  private(set) var beginning = ""
  private let extractor: TextExtractor
  private var running = RunningLines()
  /// The size of most letters, in points.
  private var bodySize = 10.0

  init(_ bytes: FileBytes, passwords: [String], mostPages: Int) throws(PluginFailure) {
    extractor = try PDFInput.open(bytes, passwords: passwords, mostPages: mostPages)
    let information = DocumentInformation(extractor.file)
    title = information.title
    statedLanguage = information.language
    outline = extractor.outline()
    survey()
    extractor.notesRules = true
  }

  var pageCount: Int { extractor.pageCount }

  func passages(_ page: Int) -> [Passage] {
    guard let text = extractor.page(page - 1) else { return [] }
    let left = running.lines(onPage: page)
    return PageReader(text, leavingOut: left, bodySize: bodySize).passages()
  }

  func picture(_ page: Int, most: Int) -> PagePicture? {
    PagePicture(page: page - 1, of: extractor, most: most)
  }

  func size(_ page: Int) -> TextPage.Box? {
    extractor.pageObject(page - 1).map { TextPage.Box(x0: 0, y0: 0, x1: $0.width, y1: $0.height) }
  }

  func tell(_ host: any StepHost) -> Bool { PDFInput.tell(extractor, host) }

  /// Tells of pages whose text is in pictures, which nobody hears.
  func tellUnread(of run: StepRun, _ host: any StepHost) throws(PluginFailure) {
    try PDFInput.tellUnread(extractor, among: sparse, of: run, host)
  }

  /// The first reading of all pages.
  private mutating func survey() {
    var sizes: [Int: Int] = [:]
    for index in 0..<extractor.pageCount {
      guard let page = extractor.page(index) else { continue }
      if page.hasLittleText { sparse.append(index) }
      running.add(page)
      if page.isEmpty { pagesWithoutText += 1 }
      letters += page.characters
      for word in page.words {
        sizes[Int((min(word.size, 1000) * 10).rounded()), default: 0] += word.range.count
      }
      if beginning.utf8.count < SpeechLimits.lettersForLanguage { beginning += page.text }
    }
    bodySize = Double(sizes.max { ($0.value, -$0.key) < ($1.value, -$1.key) }?.key ?? 100) / 10
    running.decide(bodySize: bodySize)
    runningLines = running.count
  }
}
