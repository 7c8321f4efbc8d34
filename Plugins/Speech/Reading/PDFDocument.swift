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
  private(set) var beginning = ""
  private let extractor: TextExtractor
  private var running = RunningLines()
  /// The size of most letters, in points.
  private var bodySize = 10.0

  init(_ bytes: FileBytes, passwords: [String], mostPages: Int) throws(PluginFailure) {
    do throws(PDFError) {
      extractor = try TextExtractor(PDFFile(bytes, passwords: passwords))
    } catch {
      throw Self.failure(error)
    }
    guard extractor.pageCount <= mostPages else {
      throw PluginFailure(
        .input, "limit.pages",
        "the document has \(extractor.pageCount) pages, \(mostPages) are allowed",
        hint: "raise \"pages\" in defaults.limits if such files are wanted")
    }
    let information = DocumentInformation(extractor.file)
    title = information.title
    statedLanguage = information.language
    outline = extractor.outline()
    survey()
  }

  var pageCount: Int { extractor.pageCount }
  var isPartial: Bool { extractor.file.diagnostics.isPartial }

  func passages(_ page: Int) -> [Passage] {
    guard let text = extractor.page(page - 1) else { return [] }
    let left = running.lines(onPage: page)
    return PageReader(text, leavingOut: left, bodySize: bodySize).passages()
  }

  func tell(_ host: any StepHost) {
    for diagnostic in extractor.file.diagnostics.list.prefix(20) {
      host.note(
        diagnostic.severity == .lost ? "pdf.lost" : "pdf.repaired", diagnostic.message, page: nil)
    }
  }

  /// The first reading of all pages.
  private mutating func survey() {
    var sizes: [Int: Int] = [:]
    for index in 0..<extractor.pageCount {
      guard let page = extractor.page(index) else { continue }
      running.add(page)
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

  private static func failure(_ error: PDFError) -> PluginFailure {
    switch error {
    case .empty: PluginFailure(.input, "file.empty", error.description, hint: "send it again")
    case .notPDF, .noPages:
      PluginFailure(
        .input, "pdf.broken", error.description,
        hint: "open it in a viewer; if it is broken there too, ask for a new copy")
    case .passwordNeeded:
      PluginFailure(
        .input, "pdf.password", error.description,
        hint: "name the password in the step's option \"passwords\", or remove it, for example with"
          + " qpdf --decrypt, and send the file again")
    case .unsupportedEncryption:
      PluginFailure(
        .input, "pdf.encryption", error.description, hint: "ask for a copy that is not encrypted")
    }
  }
}
