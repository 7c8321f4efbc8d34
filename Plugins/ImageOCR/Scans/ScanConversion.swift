internal import Bytes
internal import PDFSyntax
internal import PDFWriter

/// Adds a text layer to the pages of a PDF that are scans without text, by an incremental update:
/// every byte of the file stays, pages with text stay as they are.
struct ScanConversion {
  let options: OCROptions
  let reader: PageReader

  struct Result {
    var facts: OCRFacts
    /// The text of the pages that were recognised, with a form feed between pages.
    var text: [UInt8]
    var output: ScanUpdate.Output
    /// Whether every page was recognised, so that `text` is that of the whole document.
    var isWholeText: Bool
  }

  /// Recognises the scanned pages of one file.
  ///
  /// - Parameter progress: takes the number of pages done and of all pages.
  func convert(_ bytes: FileBytes, progress: (Int, Int) -> Void) throws(OCRFailure) -> Result {
    var limits = Limits.standard
    limits.decodedStream = 1 << 30
    let file: PDFFile
    let pages: PageTree
    do {
      file = try PDFFile(bytes, limits: limits)
      pages = try PageTree(file)
    } catch {
      throw Self.failure(error)
    }
    guard pages.count <= options.limits.pages else {
      throw OCRFailure(
        .input, "limit.pages",
        "The file has \(pages.count) pages; at most \(options.limits.pages) are processed.")
    }
    var facts = OCRFacts()
    facts.pages = pages.count
    facts.isPartial = file.wasRebuilt || file.diagnostics.isPartial
    var text = ByteWriter()
    var writer = ScanUpdate(file)
    var lost: [Int] = []
    var kept = 0
    progress(0, pages.count)
    for index in 0..<pages.count {
      defer { progress(index + 1, pages.count) }
      guard let page = pages.page(index) else { continue }
      if index > 0 { text.append(0x0C) }
      switch try recognize(page, in: file, facts: &facts, update: &writer) {
      case .recognized(let reading): PageText.append(reading.page, to: &text)
      case .kept: kept += 1
      case .undecodable: lost.append(index + 1)
      }
    }
    try report(lost, kept: kept, facts: &facts)
    if file.isEncrypted, facts.pagesRecognized > 0 {
      facts.notes.append("The file is encrypted; its pages stay without the text that was read.")
    }
    return Result(
      facts: facts, text: text.bytes, output: writer.finish(),
      isWholeText: facts.pagesRecognized == pages.count)
  }

  /// What became of a page.
  private enum Outcome {
    case recognized(PageReader.Reading)
    /// It has text, or no picture that fills it.
    case kept
    case undecodable
  }

  private func report(
    _ lost: [Int], kept: Int, facts: inout OCRFacts
  ) throws(OCRFailure) {
    guard let first = lost.first else { return }
    guard kept > 0 || facts.pagesRecognized > 0 else {
      throw OCRFailure(
        .input, "pdf.picture", "The scanned pages are damaged or coded in an unknown way.",
        page: first)
    }
    facts.isPartial = true
    for page in lost.prefix(20) {
      facts.notes.append("The picture of page \(page) cannot be decoded.")
    }
  }

  private func recognize(
    _ page: Page, in file: PDFFile, facts: inout OCRFacts, update: inout ScanUpdate
  ) throws(OCRFailure) -> Outcome {
    let content = PageContent(of: page, in: file)
    guard !content.hasText, page.reference != nil, let scan = content.scan(on: page, in: file)
    else { return .kept }
    let decoder = ScanDecoder(file: file, limits: options.limits)
    guard let stored = try decoder.pixels(scan, page: page.number),
      let placement = ScanPlacement(
        placement: scan.placement, rotation: page.rotation, width: stored.width,
        height: stored.height)
    else { return .undecodable }
    let geometry = ShownPicture(
      width: stored.width, height: stored.height, orientation: placement.orientation,
      resolution: placement.resolution)
    guard let grey = stored.grey(), let shown = geometry.shown(grey) else {
      throw .damagedImage(page: page.number)
    }
    if facts.dpi == nil { facts.dpi = placement.resolution.x }
    let reading = try reader.read(shown, resolution: geometry.dotsPerInch)
    facts.add(reading)
    update.add(
      reading, to: page, content: content,
      toUserSpace: placement.toUserSpace(geometry.recognizedToUnit(reading)),
      level: placement.toUserSpace(geometry.recognizedToUnit(reading, levelled: false)),
      straightening: options.straightening)
    return .recognized(reading)
  }

  private static func failure(_ error: PDFError) -> OCRFailure {
    switch error {
    case .passwordNeeded:
      OCRFailure(
        .input, "pdf.password", "A password is needed to open this file.",
        hint: "Remove the password and hand the file in again.")
    case .unsupportedEncryption:
      OCRFailure(.input, "pdf.encryption", "The file is encrypted in an unsupported way.")
    case .empty, .notPDF: OCRFailure(.input, "pdf.unknown", "This is not a PDF file.")
    case .noPages: OCRFailure(.input, "pdf.pages", "No pages could be found in this file.")
    }
  }
}
