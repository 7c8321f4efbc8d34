internal import Bytes
internal import PDFInput
internal import PDFSyntax
internal import PDFText
internal import PDFWriter
internal import PluginKit

/// Adds a text layer to the pages of a PDF that are scans, by an incremental update: every byte of the
/// file stays. Which pages those are, ``ReadingMode`` says.
struct ScanConversion {
  let options: OCROptions
  let reader: PageReader

  struct Result {
    var facts: OCRFacts
    /// What is written of the text of all pages beside the PDF.
    var outputs: PageOutputs
    var output: ScanUpdate.Output
  }

  /// Recognises the scanned pages of one file.
  ///
  /// - Parameters:
  ///   - part: gives a page that was read before, by its number from 1, nil where it is to stay; where
  ///     there is no such function, pages are read here.
  ///   - progress: takes the number of pages done and of all pages.
  func convert(
    _ bytes: FileBytes, part: ((Int) throws(PluginFailure) -> PagePart?)? = nil,
    progress: (Int, Int) -> Void
  ) throws(PluginFailure) -> Result {
    let (file, pages) = try open(bytes)
    var facts = OCRFacts(languages: options.languages)
    facts.pages = pages.count
    facts.whyNoArchive = "a PDF stays what it was, with text added"
    facts.isPartial = file.wasRebuilt || file.diagnostics.isPartial
    facts.isSigned = Signature.isPresent(in: file)
    let native = try? TextExtractor(file)
    var outputs = PageOutputs(options.outputs)
    var writer = ScanUpdate(file)
    var lost: [Int] = []
    var kept = 0
    var seenBesides: [Int] = []
    progress(0, pages.count)
    for index in 0..<pages.count {
      defer { progress(index + 1, pages.count) }
      guard let page = pages.page(index) else { continue }
      let known = try part == nil ? read(page, in: file, native) : part?(index + 1)
      let content = try content(of: page, in: file)
      guard let known else {
        kept += 1
        facts.perPage.append(
          PageFacts(number: index + 1, origin: content.isBlank ? .blank : .native))
        outputs.add(native?.page(index), number: index + 1)
        continue
      }
      guard let recognized = known.recognized, let placement = recognized.placement else {
        lost.append(index + 1)
        outputs.add(nil, number: index + 1)
        facts.perPage.append(PageFacts(number: index + 1, origin: .lost))
        continue
      }
      if options.dropsBlankPages, !facts.isSigned, recognized.reading.isEmpty,
        !content.hasDrawing, !content.text.isSeen,
        file.array(page.dictionary, "Annots")?.isEmpty ?? true, writer.remove(page)
      {
        facts.addDropped(index + 1)
        facts.pages -= 1
        continue
      }
      let read = add(
        recognized, at: placement, to: page, content, &writer, isSigned: facts.isSigned)
      if recognized.isDamaged {
        facts.isPartial = true
        facts.notes.append(
          "The picture of page \(index + 1) is damaged; the rest of it is missing.")
      }
      facts.add(recognized, number: index + 1, head: options.head)
      let seen = seenText(of: page, content, native)
      if options.mode == .redo, seen?.words.isEmpty == false {
        seenBesides.append(index + 1)
      }
      outputs.add(read, seen: seen)
      guard outputs.count <= options.limits.output else { throw .tooMuchText(page: index + 1) }
    }
    if options.dropsBlankPages, !facts.isSigned, facts.isBlank {
      guard facts.droppedPages.isEmpty else {
        // A document of blank pages stays whole.
        var result = try ScanConversion(options: options.keepingBlankPages, reader: reader)
          .convert(bytes, part: part, progress: progress)
        result.facts.keepsBlankPages = true
        return result
      }
      facts.keepsBlankPages = true
    }
    try report(lost, kept: kept, facts: &facts)
    if let first = seenBesides.first {
      let more = seenBesides.count > 1 ? " and \(seenBesides.count - 1) more" : ""
      facts.notes.append("Text that is seen stays on page \(first)\(more), beside what was read.")
    }
    if facts.isSigned, !facts.read.isEmpty {
      facts.notes.append(
        "The file is signed and stays as it is; the text of all its pages lies beside it.")
    }
    return Result(
      facts: facts, outputs: outputs, output: writer.finish())
  }

  /// Reads one page; nil where it is to stay as it is.
  ///
  /// - Parameter number: from 1.
  func read(_ number: Int, of bytes: FileBytes) throws(PluginFailure) -> PagePart? {
    let (file, pages) = try open(bytes)
    guard let page = pages.page(number - 1) else { return nil }
    return try read(page, in: file, try? TextExtractor(file))
  }

  private func open(_ bytes: FileBytes) throws(PluginFailure) -> (file: PDFFile, pages: PageTree) {
    var limits = Limits.standard
    limits.decodedStream = 1 << 30
    let file: PDFFile
    let pages: PageTree
    do {
      file = try PDFFile(bytes, passwords: options.passwords, limits: limits)
      pages = try PageTree(file)
    } catch {
      throw PDFInput.failure(error, afterTrying: options.passwords.count)
    }
    try options.limits.check(pages: pages.count)
    return (file, pages)
  }

  private func report(
    _ lost: [Int], kept: Int, facts: inout OCRFacts
  ) throws(PluginFailure) {
    guard let first = lost.first else { return }
    guard kept > 0 || !facts.read.isEmpty else {
      throw PluginFailure(
        .input, "pdf.picture", "the scanned pages are damaged or coded in an unknown way",
        page: first)
    }
    facts.isPartial = true
    for page in lost.prefix(20) {
      facts.notes.append("The picture of page \(page) cannot be decoded.")
    }
  }

  /// Puts the text that was read on its page.
  ///
  /// - Parameter update: takes it, unless the file is to stay as it is.
  /// - Returns: the page as it was read, for the outputs beside the PDF.
  private func add(
    _ recognized: PagePart.Recognized, at placement: Matrix, to page: Page,
    _ content: PageContent, _ update: inout ScanUpdate, isSigned: Bool
  ) -> ReadPage {
    let scan = ScanPlacement(
      placement: placement, page: page, width: recognized.storedWidth,
      height: recognized.storedHeight)
    let geometry = ShownPicture(
      width: recognized.storedWidth, height: recognized.storedHeight,
      orientation: scan?.orientation ?? Orientation(tag: 1),
      resolution: scan?.resolution ?? recognized.resolution)
    let reading = recognized.reading
    var toUserSpace = scan?.toUserSpace(geometry.recognizedToUnit(reading)) ?? .identity
    var rotation = page.rotation
    if let scan, !isSigned {
      let place = update.add(
        reading, to: page, content: content, toUserSpace: toUserSpace,
        level: scan.toUserSpace(geometry.recognizedToUnit(reading, levelled: false)),
        straightening: options.straightening)
      (toUserSpace, rotation) = (place.toUserSpace, place.rotation)
      if let image = recognized.image, let number = recognized.replaces {
        update.replace(number, by: image)
      }
    }
    let box = page.cropBox
    let (width, height) = rotation % 180 == 0 ? (box.width, box.height) : (box.height, box.width)
    return ReadPage(
      number: page.number, content: reading.page, languages: reading.languages, width: width,
      height: height, toPage: toUserSpace.then(Matrix(showing: page, rotation: rotation)),
      picture: geometry.picture(of: reading))
  }
}
