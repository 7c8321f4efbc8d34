internal import PDFSyntax
internal import PDFText
internal import PDFWriter
internal import PluginKit

extension ScanConversion {
  /// The picture of a page that is read.
  struct Picture: ~Copyable {
    var pixels: Pixels
    /// Leads from its unit square to user space.
    var placement: Matrix
    /// Whether an image was damaged, or some part of it left out.
    var isDamaged: Bool
    /// What is to come in the place of a damaged image, and of which object.
    var image: PageImage?
    var replaces: Int?
  }

  /// Reads a page; nil where it is to stay as it is.
  ///
  /// - Parameter native: gives the text that is there; nil where none can be had, and the page stays one with text then.
  func read(
    _ page: Page, in file: PDFFile, _ native: TextExtractor?
  ) throws(PluginFailure) -> PagePart? {
    let content = PageContent(of: page, in: file)
    let isRead = options.mode.reads(
      content,
      isScanWithLine: native?.isScanWithLine(page.number - 1) ?? false)
    guard isRead, page.reference != nil else { return nil }
    guard let picture = try Picture.of(page, content, in: file, limits: options.limits) else {
      // A page that is more than its pictures is not lost with them.
      return content.isMostlyPictures ? PagePart(number: page.number) : nil
    }
    guard
      let placement = ScanPlacement(
        placement: picture.placement, page: page, width: picture.pixels.width,
        height: picture.pixels.height)
    else { return PagePart(number: page.number) }
    let (width, height) = (picture.pixels.width, picture.pixels.height)
    let geometry = ShownPicture(
      width: width, height: height, orientation: placement.orientation,
      resolution: placement.resolution)
    guard let grey = picture.pixels.grey(), let shown = geometry.shown(grey) else {
      throw .damagedImage(page: page.number)
    }
    var reading = try reader.read(shown, resolution: geometry.dotsPerInch)
    if let only = content.onlyPicture(on: page, in: file),
      let colored = ScanDecoder(file: file, limits: options.limits).colored(only.stream),
      let shown = geometry.shown(colored)
    {
      reading = try reader.read(
        colored: shown, after: reading, resolution: geometry.dotsPerInch)
    }
    if content.text.isSeen, let seen = native?.seenText(page.number - 1) {
      let toShown = placement.toUserSpace(geometry.recognizedToUnit(reading))
        .then(Matrix(showing: page))
      reading.page.removeWords(of: seen, toShown: toShown)
    }
    return PagePart(
      number: page.number,
      recognized: PagePart.Recognized(
        reading: reading, storedWidth: width, storedHeight: height,
        resolution: placement.resolution, image: picture.image, isDamaged: picture.isDamaged,
        placement: picture.placement, replaces: picture.replaces))
  }
}

extension ScanConversion.Picture {
  /// The page's only picture as it is stored, or else what a viewer would show of its pictures; nil
  /// where nothing can be decoded.
  static func of(
    _ page: Page, _ content: PageContent, in file: PDFFile, limits: OCRLimits
  ) throws(PluginFailure) -> ScanConversion.Picture? {
    let decoder = ScanDecoder(file: file, limits: limits)
    if let only = content.onlyPicture(on: page, in: file) {
      guard
        let decoded = try decoder.decode(
          only.stream, resources: only.resources, page: page.number)
      else { return nil }
      var picture = ScanConversion.Picture(
        pixels: decoded.pixels, placement: only.placement, isDamaged: decoded.isDamaged)
      // A JPEG that readers would warn of or refuse is put in order in the copy that counts.
      if picture.isDamaged, file.decode(only.stream, limit: 1 << 30).pending?.isJPEG ?? false {
        picture.image = ImageCoder.recoded(picture.pixels)
        picture.replaces = only.stream.reference?.number
      }
      return picture
    }
    let composer = PageComposer(file: file, decoder: decoder, limits: limits)
    return try composer.compose(content, of: page)
  }
}

extension PDFName {
  fileprivate var isJPEG: Bool { self == "DCTDecode" || self == "DCT" }
}

extension RecognizedPage {
  /// Leaves out the words that stand where the page has text that is seen: they are the same words.
  ///
  /// - Parameter toShown: leads from the recognized picture to the page as shown.
  mutating func removeWords(of seen: TextPage, toShown: Matrix) {
    // Boxes by the bands of the page that they reach into, so that many words stay cheap.
    let band = 20.0
    var bands: [Int: [TextPage.Box]] = [:]
    func place(_ y: Double) -> Int { Int(max(-1e6, min(1e6, y / band)).rounded(.down)) }
    for word in seen.words {
      let first = place(word.box.y0)
      for place in first...min(first + 100, max(first, place(word.box.y1))) {
        bands[place, default: []].append(word.box)
      }
    }
    for index in lines.indices {
      lines[index].words.removeAll { word in
        let middle = toShown.apply(
          (word.box.left + word.box.right) / 2, (word.box.top + word.box.bottom) / 2)
        guard middle.y.isFinite else { return false }
        return (bands[place(middle.y)] ?? []).contains {
          middle.x >= $0.x0 && middle.x <= $0.x1 && middle.y >= $0.y0 && middle.y <= $0.y1
        }
      }
    }
    lines.removeAll { $0.words.isEmpty }
  }
}
