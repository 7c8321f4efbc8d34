internal import Bytes
internal import CTesseract
internal import ImageHeaders

/// Decodes pictures from bytes in memory; files and names play no part.
enum PixelDecoder {
  /// A decoded picture.
  struct Decoded: ~Copyable {
    var pixels: Pixels
    /// Whether the data was damaged, so that part of the pixels are made up.
    var isDamaged: Bool

    init(pixels: consuming Pixels, isDamaged: Bool) {
      self.pixels = pixels
      self.isDamaged = isDamaged
    }

    /// A picture is damaged if its decoder found fewer rows without a fault than it has.
    init(pixels: consuming Pixels, rows: Int) {
      isDamaged = rows < pixels.height
      self.pixels = pixels
    }
  }

  /// Decodes one picture of a file as it is stored, not turned.
  ///
  /// Transparency is composed on white and 16 bits a sample become 8.
  ///
  /// - Parameters:
  ///   - onlyLuminance: whether the grey values suffice, which spares time and memory for JPEG.
  ///   - reduction: 1, 2, 4 or 8: a JPEG is decoded in that part of its size, which spares most of the time.
  /// - Returns: nil where the library refuses the bytes.
  static func decode(
    _ bytes: Span<UInt8>, format: ImageFormat, page: ImageHeader.Page, onlyLuminance: Bool = false,
    reduction: Int32 = 1
  ) -> Decoded? {
    setMsgSeverity(Int32(L_SEVERITY_NONE))
    if format == .tiff {
      guard
        let decoded = unsafe bytes.withUnsafeBufferPointer({
          unsafe TIFFDecoder.decode($0, page: page)
        }), let pixels = flattened(decoded.pixels)
      else { return nil }
      return Decoded(pixels: pixels, isDamaged: decoded.isDamaged)
    }
    let hint = onlyLuminance && page.components == 3 ? Int32(L_JPEG_READ_LUMINANCE) : 0
    if let sound = read(bytes, format: format, page: page, hint: hint, reduction) {
      guard let pixels = flattened(sound) else { return nil }
      return Decoded(pixels: pixels, isDamaged: false)
    }
    // A JPEG that is cut off still has its upper part.
    guard format == .jpeg,
      let rest = read(
        bytes, format: format, page: page, hint: Int32(L_JPEG_CONTINUE_WITH_BAD_DATA),
        reduction),
      let pixels = flattened(rest)
    else { return nil }
    return Decoded(pixels: pixels, isDamaged: true)
  }

  private static func read(
    _ bytes: Span<UInt8>, format: ImageFormat, page: ImageHeader.Page, hint: Int32,
    _ reduction: Int32
  ) -> Pixels? {
    unsafe bytes.withUnsafeBufferPointer { buffer -> Pixels? in
      let start = buffer.baseAddress
      let count = buffer.count
      switch format {
      case .png: return unsafe Pixels(taking: pixReadMemPng(start, count))
      case .jpeg:
        return unsafe Pixels(taking: pixReadMemJpeg(start, count, 0, reduction, nil, hint))
      // `TIFFDecoder` counts its rows.
      case .tiff: return nil
      case .webp: return unsafe Pixels(taking: pixReadMemWebP(start, count))
      case .gif: return unsafe Pixels(taking: pixReadMemGif(start, count))
      case .jpeg2000: return unsafe Pixels(taking: pixReadMemJp2k(start, count, 1, nil, 0, 0))
      case .heif: return unsafe HEIFDecoder.decode(buffer)
      case .bmp: return unsafe Pixels(taking: pixReadMemBmp(start, count))
      case .pnm: return unsafe Pixels(taking: pixReadMemPnm(start, count))
      }
    }
  }

  /// Without alpha and with at most 8 bits a sample.
  private static func flattened(_ pixels: borrowing Pixels) -> Pixels? {
    if pixels.depth == 16 {
      return unsafe Pixels(taking: pixConvert16To8(pixels.pix, Int32(L_MS_BYTE)))
    }
    if pixels.hasAlpha { return pixels.composedOnWhite() }
    // A copy is made only where there is a colour map with transparency.
    guard let opaque = unsafe Pixels(taking: pixRemoveAlpha(pixels.pix)) else { return nil }
    return opaque
  }
}
