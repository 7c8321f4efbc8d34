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
    let content = try content(of: page, in: file)
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
    if let seen = seenText(of: page, content, native) {
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

extension ScanConversion {
  /// What is on a page; unless pages with text stay as they are, also which text of it is not seen.
  func content(of page: Page, in file: PDFFile) throws(PluginFailure) -> PageContent {
    var content = PageContent(of: page, in: file, findsUnseenText: options.mode != .skip)
    guard options.mode != .skip, content.hasPicturesToRead, content.hasLightText else {
      return content
    }
    let composer = PageComposer(
      file: file, decoder: ScanDecoder(file: file, limits: options.limits), limits: options.limits)
    if let ground = try composer.compose(content, of: page) {
      content.findTextInGround(ground.pixels, placement: ground.placement)
    }
    return content
  }

  /// Text that a page has beside its pictures.
  struct SeenText {
    var words: [TextPage.Word]
    /// As it is written.
    var utf8: [UInt8]
  }

  /// The text that is seen on a page; nil if there is none.
  func seenText(of page: Page, _ content: PageContent, _ native: TextExtractor?) -> SeenText? {
    guard content.text.isSeen, let text = native?.seenText(page.number - 1) else { return nil }
    let showing = Matrix(showing: page)
    let unseen = content.text.places.compactMap { place -> Rectangle? in
      guard place.isUnseen, !place.isMeantUnseen, var box = place.extent?.box else { return nil }
      // What the widths may be wrong by.
      box.x1 += box.width / 2
      return showing.bounds(box)
    }
    guard !unseen.isEmpty else { return SeenText(words: text.words, utf8: text.utf8) }
    var seen = SeenText(words: [], utf8: [])
    for line in text.lines {
      let words = text.words[line.words].filter { word in
        !unseen.contains { $0.contains(x: word.box.middleX, y: word.box.middleY) }
      }
      guard !words.isEmpty else { continue }
      seen.words += words
      seen.utf8 += words.map { text.utf8[$0.range] }.joined(separator: [0x20])
      seen.utf8.append(0x0A)
    }
    return seen.words.isEmpty ? nil : seen
  }
}

extension PDFName {
  fileprivate var isJPEG: Bool { self == "DCTDecode" || self == "DCT" }
}

extension RecognizedPage {
  /// Leaves out the words that stand where the page has text that is seen: they are the same words.
  ///
  /// - Parameter toShown: leads from the recognized picture to the page as shown.
  mutating func removeWords(of seen: ScanConversion.SeenText, toShown: Matrix) {
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
