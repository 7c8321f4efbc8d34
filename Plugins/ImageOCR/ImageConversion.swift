internal import Bytes
internal import ImageHeaders
internal import PDFSyntax
internal import PDFWriter
internal import PluginKit

/// Converts an image file to a searchable PDF and plain text.
struct ImageConversion {
  let options: OCROptions
  let reader: PageReader

  static let producer = "procd"

  /// What came of a file.
  struct Result {
    var facts: OCRFacts
    var outputs: PageOutputs
  }

  /// Converts one file.
  ///
  /// - Parameters:
  ///   - bytes: the whole file.
  ///   - part: gives a page that was read before, by its number from 1; nil reads it here.
  ///   - progress: takes the number of pages done and of all pages.
  ///   - output: takes the bytes of the PDF piece by piece.
  func convert(
    _ bytes: Span<UInt8>, part: ((Int) throws(PluginFailure) -> PagePart)? = nil,
    progress: (Int, Int) -> Void, output: ([UInt8]) throws(PluginFailure) -> Void
  ) throws(PluginFailure) -> Result {
    let header = try header(bytes)
    var facts = OCRFacts(languages: options.languages)
    var outputs = PageOutputs(options.outputs)
    var document = ImageDocument()
    facts.isPartial = header.isTruncated || header.leftOut > 0
    progress(0, header.pages.count)
    for number in 1...header.pages.count {
      let page: PagePart
      if let part {
        page = try part(number)
      } else {
        page = try read(number, of: bytes, header: header)
      }
      guard let recognized = page.recognized, let image = recognized.image else {
        facts.isPartial = true
        facts.notes.append(header.pages[number - 1].sentenceOfLoss(page: number))
        facts.perPage.append(PageFacts(number: number, origin: .lost))
        continue
      }
      if options.dropsBlankPages, recognized.reading.isEmpty {
        facts.addDropped(number)
        continue
      }
      let orientation = Orientation(
        tag: recognized.isCropped ? 1 : header.pages[number - 1].orientation)
      let shown = show(recognized, image, orientation: orientation, number: number)
      document.append(shown.page)
      outputs.add(shown.read)
      guard outputs.count <= options.limits.output else { throw .tooMuchText(page: number) }
      if recognized.isDamaged {
        facts.isPartial = true
        if !header.isTruncated {
          facts.notes.append("The picture of page \(number) is damaged; part of it is missing.")
        }
      }
      facts.add(recognized, number: number, head: options.head)
      try output(document.takeBytes())
      progress(number, header.pages.count)
    }
    if document.pageCount == 0, facts.isBlank {
      // A document has at least one page, so one of blank pages stays whole. Nothing of it was written yet.
      var result = try ImageConversion(options: options.keepingBlankPages, reader: reader)
        .convert(bytes, part: part, progress: progress, output: output)
      result.facts.keepsBlankPages = true
      return result
    }
    guard document.pageCount > 0 else { throw .undecodable(header, page: 1) }
    if header.isTruncated { facts.notes.append("The file ends early; the rest of it is missing.") }
    if header.leftOut > 0 { facts.notes.append(header.sentenceOfLeftOut) }
    facts.pages = document.pageCount
    let obstacle = document.finish(
      title: facts.head?.title, date: facts.head?.date, producer: Self.producer,
      language: facts.language.flatMap(LanguageTag.tag),
      files: outputs.finish().filter { options.attached.contains($0.role) }.map(\.embedded))
    (facts.claimsArchive, facts.whyNoArchive) = (obstacle == nil, obstacle?.reason)
    try output(document.takeBytes())
    return Result(facts: facts, outputs: outputs)
  }

  /// Reads one page.
  ///
  /// - Parameter number: from 1.
  func read(_ number: Int, of bytes: Span<UInt8>) throws(PluginFailure) -> PagePart {
    try read(number, of: bytes, header: header(bytes))
  }

  func header(_ bytes: Span<UInt8>) throws(PluginFailure) -> ImageHeader {
    guard let header = ImageHeader.read(bytes), !header.pages.isEmpty else {
      throw .unknownImage(bytes)
    }
    try options.limits.check(header)
    return header
  }

  private func read(
    _ number: Int, of bytes: Span<UInt8>, header: ImageHeader
  ) throws(PluginFailure) -> PagePart {
    guard header.pages.indices.contains(number - 1) else { throw .damagedImage(page: number) }
    let crops = options.cropsToSheet
    guard let picture = FilePicture(number, of: bytes, header: header, inColor: crops) else {
      return PagePart(number: number)
    }
    // What was hardly read may be no sheet: the picture stays whole then.
    if crops, let sheet = FilePicture(sheetOf: picture), let read = try recognized(sheet),
      (read.reading.page.confidence ?? 0) >= PageReader.doubtful
    {
      return PagePart(number: number, recognized: read)
    }
    guard var read = try recognized(picture) else { return PagePart(number: number) }
    let colored =
      picture.pixels.depth == 32
      ? picture.pixels.shared()
      : header.format == .jpeg
        ? ColoredInk.picture(ofJPEG: bytes, page: header.pages[number - 1]) : nil
    if let colored, let shown = picture.geometry.shown(colored) {
      read.reading = try reader.read(
        colored: shown, after: read.reading, resolution: picture.geometry.dotsPerInch)
    }
    return PagePart(number: number, recognized: read)
  }

  /// Nil where there is no memory for it.
  private func recognized(
    _ picture: borrowing FilePicture
  ) throws(PluginFailure) -> PagePart.Recognized? {
    let (width, height) = (picture.pixels.width, picture.pixels.height)
    var resolution = picture.resolution
    let geometry = picture.geometry
    guard let grey = picture.pixels.grey(), let shown = geometry.shown(grey) else { return nil }
    let reading = try reader.read(shown, resolution: geometry.dotsPerInch)
    let text = PageText.commonHeight(of: reading.page)
    if resolution.isGuessed {
      let sheet = picture.isSheet ? (Double(width), Double(height)) : nil
      if let (sheetWidth, sheetHeight) = sheet ?? reading.sheet?.size {
        resolution.refine(text: text, sheetWidth: sheetWidth, sheetHeight: sheetHeight)
        resolution.fit(width: width, height: height)
      } else if let text {
        resolution.refine(text: text, width: width, height: height)
      }
    }
    return PagePart.Recognized(
      reading: reading, storedWidth: width, storedHeight: height, resolution: resolution,
      image: picture.image, isDamaged: picture.isDamaged, isCropped: picture.isSheet)
  }

  private func show(
    _ recognized: PagePart.Recognized, _ image: PageImage, orientation: Orientation, number: Int
  ) -> (page: ImagePage, read: ReadPage) {
    let geometry = ShownPicture(
      width: recognized.storedWidth, height: recognized.storedHeight, orientation: orientation,
      resolution: recognized.resolution)
    let reading = recognized.reading
    let sheet = geometry.page(of: reading, straightening: options.straightening)
    let page = ImagePage(
      image: image, width: sheet.width, height: sheet.height, placement: sheet.placement,
      text: PageText.layer(reading.page, toPage: sheet.recognizedToPage))
    let fromTop = Matrix(1, 0, 0, -1, 0, sheet.height)
    let read = ReadPage(
      number: number, content: reading.page, languages: reading.languages, width: sheet.width,
      height: sheet.height, toPage: sheet.recognizedToPage.then(fromTop),
      picture: geometry.picture(of: reading))
    return (page, read)
  }
}
