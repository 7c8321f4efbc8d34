internal import Bytes
internal import CTesseract
internal import ImageHeaders
internal import PDFWriter

/// Chooses how the pixels of a picture are stored in a PDF: as the file has them where PDF can read
/// that, else losslessly anew.
enum ImageCoder {
  /// The coded bytes of the source carried over, or nil where PDF readers could not decode them or
  /// the file is damaged.
  static func carriedOver(_ bytes: Span<UInt8>, header: ImageHeader) -> PageImage? {
    guard header.pages.count == 1, let page = header.pages.first, !header.isTruncated else {
      return nil
    }
    switch header.format {
    case .jpeg: return jpeg(bytes, page)
    case .jpeg2000: return jpeg2000(bytes, page)
    case .png: return png(bytes)
    default: return nil
    }
  }

  private static func jpeg(_ bytes: Span<UInt8>, _ page: ImageHeader.Page) -> PageImage? {
    guard let jpeg = JPEGHeader.read(bytes), jpeg.process <= 2, page.bitsPerSample == 8 else {
      return nil
    }
    let colour: PageImage.Colour
    switch page.components {
    case 1: colour = .gray
    case 3: colour = .rgb
    case 4: colour = .cmyk
    default: return nil
    }
    return PageImage(
      width: page.width, height: page.height, bitsPerComponent: 8, colour: colour,
      coding: .jpeg(inverted: colour == .cmyk && jpeg.hasAdobeSegment),
      bytes: bytes.array(0..<bytes.count))
  }

  /// Only whole JP2 files of one or three samples: a bare codestream names no colours, and further
  /// samples may be opacity.
  private static func jpeg2000(_ bytes: Span<UInt8>, _ page: ImageHeader.Page) -> PageImage? {
    guard bytes.matches("jP  ", at: 4), page.components == 1 || page.components == 3 else {
      return nil
    }
    return PageImage(
      width: page.width, height: page.height, bitsPerComponent: page.bitsPerSample,
      colour: page.components == 1 ? .gray : .rgb,
      coding: .jpeg2000, bytes: bytes.array(0..<bytes.count))
  }

  /// The compressed rows of a PNG file are what FlateDecode with a PNG predictor reads, unless they
  /// are interlaced, carry opacity, or have 16 bits a sample.
  static func png(_ bytes: Span<UInt8>) -> PageImage? {
    guard let png = PNGHeader(bytes), !png.isInterlaced, !png.hasTransparency, !png.isTruncated,
      png.bitDepth <= 8
    else { return nil }
    let colour: PageImage.Colour
    switch png.colourType {
    case 0: colour = .gray
    case 2: colour = .rgb
    case 3:
      guard let range = png.palette, range.count >= 3, range.count <= 768 else { return nil }
      colour = .indexed(bytes.array(range.lowerBound..<(range.lowerBound + range.count / 3 * 3)))
    default: return nil
    }
    var data: [UInt8] = []
    for range in png.data { data += bytes.array(range) }
    return PageImage(
      width: png.width, height: png.height, bitsPerComponent: png.bitDepth, colour: colour,
      coding: .png, bytes: data)
  }

  /// The pixels coded anew without loss: JBIG2 or Group 4 where they are black and white, whichever is
  /// smaller, else Flate.
  static func recoded(_ pixels: borrowing Pixels) -> PageImage? {
    if pixels.depth == 1, !pixels.hasColourMap {
      guard let jbig2 = jbig2(pixels) else { return group4(pixels) }
      guard let group4 = group4(pixels), group4.bytes.count < jbig2.bytes.count else {
        return jbig2
      }
      return group4
    }
    if pixels.depth == 32, isGrey(pixels),
      let grey = unsafe Pixels(taking: pixGetRGBComponent(pixels.pix, Int32(COLOR_RED)))
    {
      return flate(grey)
    }
    return flate(pixels)
  }

  /// Pixels that a PDF cannot have as the file has them: with loss if those of the file were coded so, and not much
  /// larger than they were there.
  ///
  /// - Parameter bytes: the size of the file.
  static func coded(
    _ pixels: borrowing Pixels, like format: ImageFormat, of bytes: Int
  ) -> PageImage? {
    guard [.jpeg, .heif, .webp].contains(format), pixels.depth >= 8 else { return recoded(pixels) }
    var smallest: PageImage?
    for quality in qualities {
      guard let image = jpeg(pixels, quality: quality) else { return recoded(pixels) }
      if image.bytes.count * 10 <= bytes * 13 { return image }
      smallest = image
    }
    return smallest
  }

  /// At the first letters look as they did; at the last, with the loss of the file's own coding, they are as easy to
  /// read, and HEIC and WebP files are seldom much smaller.
  private static let qualities: [Int32] = [90, 82, 75]

  private static func jpeg(_ pixels: borrowing Pixels, quality: Int32) -> PageImage? {
    var data: UnsafeMutablePointer<UInt8>?
    var size = 0
    guard unsafe pixWriteMemJpeg(&data, &size, pixels.pix, quality, 0) == 0, let start = unsafe data
    else { return nil }
    defer { unsafe lept_free(start) }
    let span = unsafe UnsafeBufferPointer(start: start, count: size).span
    return ImageHeader.read(span).flatMap { carriedOver(span, header: $0) }
  }

  private static func isGrey(_ pixels: borrowing Pixels) -> Bool {
    let words = Int(unsafe pixGetWpl(pixels.pix)) * pixels.height
    guard let data = unsafe pixGetData(pixels.pix) else { return false }
    for index in 0..<words {
      let pixel = unsafe data[index]
      // Red, green and blue from the top; the lowest byte is not used.
      if (pixel >> 24) != (pixel >> 16 & 0xFF) || (pixel >> 24) != (pixel >> 8 & 0xFF) {
        return false
      }
    }
    return true
  }

  /// Written as a PNG file in memory, whose compressed rows are then taken.
  private static func flate(_ pixels: borrowing Pixels) -> PageImage? {
    var data: UnsafeMutablePointer<UInt8>?
    var size = 0
    guard unsafe pixWriteMemPng(&data, &size, pixels.pix, 0) == 0, let start = unsafe data else {
      return nil
    }
    defer { unsafe lept_free(start) }
    let span = unsafe UnsafeBufferPointer(start: start, count: size).span
    return png(span)
  }

  private static func jbig2(_ pixels: borrowing Pixels) -> PageImage? {
    let (width, height) = (pixels.width, pixels.height)
    let rows = pixels.samples()
    guard
      let bytes = JBIG2Encoder.encode(
        rows.span, width: width, height: height, stride: rows.count / max(1, height))
    else { return nil }
    return PageImage(
      width: width, height: height, bitsPerComponent: 1, colour: .gray, coding: .jbig2, bytes: bytes
    )
  }

  /// Written as a TIFF file in memory of one strip, which is then taken.
  private static func group4(_ pixels: borrowing Pixels) -> PageImage? {
    var data: UnsafeMutablePointer<UInt8>?
    var size = 0
    guard unsafe pixWriteMemTiff(&data, &size, pixels.pix, Int32(IFF_TIFF_G4)) == 0,
      let start = unsafe data
    else { return flate(pixels) }
    defer { unsafe lept_free(start) }
    let span = unsafe UnsafeBufferPointer(start: start, count: size).span
    guard let strip = TIFFHeader.onlyStrip(span), let page = TIFFHeader.read(span)?.pages.first
    else { return flate(pixels) }
    return PageImage(
      width: page.width, height: page.height, bitsPerComponent: 1, colour: .gray,
      coding: .group4(blackIs1: !strip.whiteIsZero), bytes: span.array(strip.range))
  }
}

extension ImageCoder {
  /// The carried-over form, or the pixels coded anew where there is none or where they are black
  /// and white, for which JBIG2 and Group 4 are smaller as a rule.
  ///
  /// - Parameters:
  ///   - format: of the file.
  ///   - bytes: the size of the file.
  static func smaller(
    _ carried: PageImage?, _ stored: borrowing Pixels, format: ImageFormat, of bytes: Int
  ) -> PageImage? {
    guard let carried else { return coded(stored, like: format, of: bytes) }
    guard carried.coding == .png, stored.depth == 1, !stored.hasColourMap,
      let anew = recoded(stored), anew.bytes.count < carried.bytes.count
    else { return carried }
    return anew
  }
}
