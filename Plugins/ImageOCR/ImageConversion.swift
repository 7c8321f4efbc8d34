internal import Bytes
internal import ImageHeaders
internal import PDFWriter

/// Converts an image file to a searchable PDF and plain text.
struct ImageConversion {
  let options: OCROptions
  let reader: PageReader

  static let producer = "procd"

  /// What came of a file.
  struct Result {
    var facts: OCRFacts
    /// The text of all pages, with a form feed between them.
    var text: [UInt8]
  }

  /// Converts one file.
  ///
  /// - Parameters:
  ///   - bytes: the whole file.
  ///   - progress: takes the number of pages done and of all pages.
  ///   - output: takes the bytes of the PDF piece by piece.
  func convert(
    _ bytes: Span<UInt8>, progress: (Int, Int) -> Void,
    output: ([UInt8]) throws(OCRFailure) -> Void
  ) throws(OCRFailure) -> Result {
    guard let header = ImageHeader.read(bytes) else { throw .unknownImage }
    try options.limits.check(header)
    var facts = OCRFacts()
    var text = ByteWriter()
    var document = ImageDocument()
    facts.isPartial = header.isTruncated
    progress(0, header.pages.count)
    for (index, page) in header.pages.enumerated() {
      guard let converted = try convert(bytes, header: header, page: page, facts: &facts) else {
        facts.isPartial = true
        facts.notes.append("Page \(index + 1) cannot be decoded and is left out.")
        continue
      }
      if document.pageCount > 0 { text.append(0x0C) }
      PageText.append(converted.reading.page, to: &text)
      document.append(converted.page)
      try output(document.takeBytes())
      progress(index + 1, header.pages.count)
    }
    guard document.pageCount > 0 else { throw .damagedImage(page: 1) }
    if header.isTruncated { facts.notes.append("The file ends early; the rest of it is missing.") }
    facts.pages = document.pageCount
    facts.claimsArchive = document.finish(
      title: options.title, producer: Self.producer,
      language: LanguageTag.tag(of: options.languages.first ?? ""))
    try output(document.takeBytes())
    return Result(facts: facts, text: text.bytes)
  }

  private func convert(
    _ bytes: Span<UInt8>, header: ImageHeader, page: ImageHeader.Page, facts: inout OCRFacts
  ) throws(OCRFailure) -> (page: ImagePage, reading: PageReader.Reading)? {
    let carried = ImageCoder.carriedOver(bytes, header: header)
    guard
      let decoded = PixelDecoder.decode(
        bytes, format: header.format, page: page, onlyLuminance: carried != nil)
    else { return nil }
    if decoded.isDamaged { facts.isPartial = true }
    let stored = decoded.pixels
    guard let image = ImageCoder.smaller(decoded.isDamaged ? nil : carried, stored) else {
      return nil
    }
    let orientation = Orientation(tag: page.orientation)
    var resolution = PageResolution(
      stated: page.resolution, width: stored.width, height: stored.height)
    resolution.fit(width: stored.width, height: stored.height)
    var geometry = ShownPicture(
      width: stored.width, height: stored.height, orientation: orientation, resolution: resolution)
    guard let grey = stored.grey(), let shown = geometry.shown(grey) else { return nil }
    let reading = try reader.read(shown, resolution: geometry.dotsPerInch)
    facts.add(reading)
    let text = PageText.commonHeight(of: reading.page)
    if resolution.isGuessed, text != nil || reading.sheet != nil {
      if let sheet = reading.sheet {
        resolution.refine(text: text, sheetWidth: sheet.width, sheetHeight: sheet.height)
        resolution.fit(width: stored.width, height: stored.height)
      } else if let text {
        resolution.refine(text: text, width: stored.width, height: stored.height)
      }
      geometry = ShownPicture(
        width: stored.width, height: stored.height, orientation: orientation,
        resolution: resolution)
    }
    if facts.dpi == nil {
      facts.dpi = resolution.x
      facts.dpiGuessed = resolution.isGuessed
    }
    let sheet = geometry.page(of: reading, straightening: options.straightening)
    let placed = ImagePage(
      image: image, width: sheet.width, height: sheet.height, placement: sheet.placement,
      text: PageText.layer(reading.page, toPage: sheet.recognizedToPage))
    return (placed, reading)
  }
}
