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
    var outputs: PageOutputs
    var output: ScanUpdate.Output
    /// Whether every page was recognised, so that `outputs` are those of the whole document.
    var isWholeText: Bool
  }

  /// Recognises the scanned pages of one file.
  ///
  /// - Parameters:
  ///   - part: gives a page that was read before, by its number from 1, nil where it is to stay; where
  ///     there is no such function, pages are read here.
  ///   - progress: takes the number of pages done and of all pages.
  func convert(
    _ bytes: FileBytes, part: ((Int) throws(OCRFailure) -> PagePart?)? = nil,
    progress: (Int, Int) -> Void
  ) throws(OCRFailure) -> Result {
    let (file, pages) = try open(bytes)
    var facts = OCRFacts(languages: options.languages)
    facts.pages = pages.count
    facts.isPartial = file.wasRebuilt || file.diagnostics.isPartial
    var outputs = PageOutputs(options.outputs)
    var writer = ScanUpdate(file)
    var lost: [Int] = []
    var kept = 0
    progress(0, pages.count)
    for index in 0..<pages.count {
      defer { progress(index + 1, pages.count) }
      guard let page = pages.page(index) else { continue }
      let known = try part == nil ? read(page, in: file) : part?(index + 1)
      guard let known else {
        kept += 1
        let isBlank = PageContent(of: page, in: file).isBlank
        facts.perPage.append(PageFacts(number: index + 1, origin: isBlank ? .blank : .native))
        continue
      }
      guard let recognized = known.recognized, add(recognized, to: page, in: file, &writer) else {
        lost.append(index + 1)
        facts.perPage.append(PageFacts(number: index + 1, origin: .lost))
        continue
      }
      if recognized.isDamaged {
        facts.isPartial = true
        facts.notes.append(
          "The picture of page \(index + 1) is damaged; the rest of it is missing.")
      }
      facts.add(recognized, number: index + 1)
      outputs.add(recognized.reading.page)
    }
    try report(lost, kept: kept, facts: &facts)
    if file.isEncrypted, facts.pagesRecognized > 0 {
      facts.notes.append("The file is encrypted; its pages stay without the text that was read.")
    }
    return Result(
      facts: facts, outputs: outputs, output: writer.finish(),
      isWholeText: facts.pagesRecognized == pages.count)
  }

  /// Reads one page; nil where it has text, or no picture that fills it.
  ///
  /// - Parameter number: from 1.
  func read(_ number: Int, of bytes: FileBytes) throws(OCRFailure) -> PagePart? {
    let (file, pages) = try open(bytes)
    guard let page = pages.page(number - 1) else { return nil }
    return try read(page, in: file)
  }

  private func open(_ bytes: FileBytes) throws(OCRFailure) -> (file: PDFFile, pages: PageTree) {
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
    return (file, pages)
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

  private func read(_ page: Page, in file: PDFFile) throws(OCRFailure) -> PagePart? {
    let content = PageContent(of: page, in: file)
    guard !content.hasText, page.reference != nil, let scan = content.scan(on: page, in: file)
    else { return nil }
    let decoder = ScanDecoder(file: file, limits: options.limits)
    guard let decoded = try decoder.decode(scan, page: page.number) else {
      return PagePart(number: page.number)
    }
    let stored = decoded.pixels
    guard
      let placement = ScanPlacement(
        placement: scan.placement, rotation: page.rotation, width: stored.width,
        height: stored.height)
    else { return PagePart(number: page.number) }
    let geometry = ShownPicture(
      width: stored.width, height: stored.height, orientation: placement.orientation,
      resolution: placement.resolution)
    guard let grey = stored.grey(), let shown = geometry.shown(grey) else {
      throw .damagedImage(page: page.number)
    }
    let reading = try reader.read(shown, resolution: geometry.dotsPerInch)
    return PagePart(
      number: page.number,
      recognized: PagePart.Recognized(
        reading: reading, storedWidth: stored.width, storedHeight: stored.height,
        resolution: placement.resolution,
        // What readers would warn of or refuse is put in order in the copy that counts.
        image: decoded.isDamaged ? ImageCoder.recoded(stored) : nil, isDamaged: decoded.isDamaged))
  }

  /// Puts the text that was read on its page; false where the page has not the picture it had.
  private func add(
    _ recognized: PagePart.Recognized, to page: Page, in file: PDFFile,
    _ update: inout ScanUpdate
  ) -> Bool {
    let content = PageContent(of: page, in: file)
    guard let scan = content.scan(on: page, in: file),
      let placement = ScanPlacement(
        placement: scan.placement, rotation: page.rotation, width: recognized.storedWidth,
        height: recognized.storedHeight)
    else { return false }
    let geometry = ShownPicture(
      width: recognized.storedWidth, height: recognized.storedHeight,
      orientation: placement.orientation, resolution: placement.resolution)
    let reading = recognized.reading
    update.add(
      reading, to: page, content: content,
      toUserSpace: placement.toUserSpace(geometry.recognizedToUnit(reading)),
      level: placement.toUserSpace(geometry.recognizedToUnit(reading, levelled: false)),
      straightening: options.straightening)
    if let image = recognized.image, let reference = scan.stream.reference {
      update.replace(reference, by: image)
    }
    return true
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
