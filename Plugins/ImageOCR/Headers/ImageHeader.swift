internal import Bytes

/// The image formats that are read, told apart by content.
enum ImageFormat: String, Sendable {
  case png, jpeg, tiff, webp, gif, jpeg2000, bmp, pnm
}

/// What an image file says about itself, read from its header bytes without decoding pixels.
struct ImageHeader: Sendable, Equatable {
  var format: ImageFormat
  var pages: [Page]
  /// Whether the file ends before what its header announces.
  var isTruncated = false

  /// One picture of the file.
  struct Page: Sendable, Equatable {
    /// As stored, in pixels.
    var width: Int
    var height: Int
    /// Samples per pixel, alpha included.
    var components = 1
    var bitsPerSample = 8
    /// Pixels per inch along the stored rows and columns, where the file states them.
    var resolution: Resolution?
    /// How the stored picture is to be turned and mirrored for display, 1 to 8 as in EXIF
    /// (JEITA CP-3451, tag 274).
    var orientation = 1
    /// The place of the picture in the file, from 0, counting those that are left out of `pages`.
    var index = 0
  }

  /// Pixels per inch in both directions.
  struct Resolution: Sendable, Equatable {
    var x: Double
    var y: Double

    init?(x: Double, y: Double) {
      guard x.isFinite, y.isFinite, x > 0, y > 0 else { return nil }
      (self.x, self.y) = (x, y)
    }
  }

  /// Reads the header of an image, or gives nil where the bytes are of no known format or end
  /// before its size is known.
  static func read(_ bytes: Span<UInt8>) -> ImageHeader? {
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
    if bytes.matches("BM", at: 0) { return BMPHeader.read(bytes) }
    return PNMHeader.read(bytes)
  }
}
