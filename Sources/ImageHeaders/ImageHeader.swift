internal import Bytes

/// The image formats that are read, told apart by content.
package enum ImageFormat: String, Sendable {
  case png, jpeg, tiff, webp, gif, jpeg2000, heif, bmp, pnm
}

/// What an image file says about itself, read from its header bytes without decoding pixels.
package struct ImageHeader: Sendable, Equatable {
  package var format: ImageFormat
  package var pages: [Page]
  /// Whether the file ends before what its header announces.
  package var isTruncated = false
  /// How many pictures of the file are not among `pages`: the further ones of an animation or a series.
  package var leftOut = 0
  /// What kind of its format the file is where no decoder here reads that, such as "an animated WebP".
  package var unreadableKind: String?

  /// One picture of the file.
  package struct Page: Sendable, Equatable {
    /// As stored, in pixels.
    package var width: Int
    package var height: Int
    /// Pixels that decoding the picture unpacks beside its own: those of the other frames of an
    /// animation.
    package var furtherPixels = 0
    /// Samples per pixel, alpha included.
    package var components = 1
    package var bitsPerSample = 8
    /// Pixels per inch along the stored rows and columns, where the file states them.
    package var resolution: Resolution?
    /// How the stored picture is to be turned and mirrored for display, 1 to 8 as in EXIF
    /// (JEITA CP-3451, tag 274).
    package var orientation = 1
    /// How a TIFF file codes the picture (tag 259).
    package var compression = 1
    /// The place of the picture in the file, from 0, counting those that are left out of `pages`.
    package var index = 0
  }

  /// Pixels per inch in both directions.
  package struct Resolution: Sendable, Equatable {
    package var x: Double
    package var y: Double

    package init?(x: Double, y: Double) {
      guard x.isFinite, y.isFinite, x > 0, y > 0 else { return nil }
      (self.x, self.y) = (x, y)
    }
  }

  /// The pixels of all pictures together; the greatest number there is where they are more.
  package var pixels: Int {
    pages.reduce(0) { sum, page in
      let (area, isTooLarge) = page.width.multipliedReportingOverflow(by: page.height)
      let (total, overflows) = sum.addingReportingOverflow(area)
      return isTooLarge || overflows ? .max : max(total, total &+ page.furtherPixels)
    }
  }

  /// Reads the header of an image, or gives nil where the bytes are of no known format or end
  /// before its size is known.
  package static func read(_ bytes: Span<UInt8>) -> ImageHeader? {
    if bytes.bigEndian32(at: 0) == 0x8950_4E47 { return PNGHeader.read(bytes) }
    if bytes.bigEndian16(at: 0) == 0xFFD8 { return JPEGHeader.read(bytes)?.header }
    if bytes.matches("RIFF", at: 0), bytes.matches("WEBP", at: 8) { return WebPHeader.read(bytes) }
    if bytes.matches("GIF8", at: 0) { return GIFHeader.read(bytes) }
    if bytes.matches("II*\0", at: 0) || bytes.matches("MM\0*", at: 0) {
      return TIFFHeader.read(bytes)
    }
    if bytes.matches("jP  ", at: 4) || bytes.bigEndian32(at: 0) == 0xFF4F_FF51 {
      return JPEG2000Header.read(bytes)
    }
    if HEIFHeader.isHeader(bytes) { return HEIFHeader.read(bytes) }
    if bytes.matches("BM", at: 0) { return BMPHeader.read(bytes) }
    return PNMHeader.read(bytes)
  }
}
