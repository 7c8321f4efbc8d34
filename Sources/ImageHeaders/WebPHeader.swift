internal import Bytes

/// The chunks of a WebP file (RFC 9649).
enum WebPHeader {
  static func read(_ bytes: Span<UInt8>) -> ImageHeader? {
    var page: ImageHeader.Page?
    var truncated = false, isAnimated = false
    var offset = 12
    while let length = bytes.littleEndian32(at: offset + 4) {
      let start = offset + 8
      let end = start + Int(length)
      if end > bytes.count { truncated = true }
      if bytes.matches("VP8X", at: offset), let width = short24(bytes, start + 4),
        let height = short24(bytes, start + 7)
      {
        page = ImageHeader.Page(width: width + 1, height: height + 1, components: 3)
      } else if bytes.matches("VP8L", at: offset), let bits = bytes.littleEndian32(at: start + 1) {
        page =
          page
          ?? ImageHeader.Page(
            width: Int(bits & 0x3FFF) + 1, height: Int(bits >> 14 & 0x3FFF) + 1, components: 4)
      } else if bytes.matches("VP8 ", at: offset), let width = bytes.littleEndian16(at: start + 6),
        let height = bytes.littleEndian16(at: start + 8)
      {
        page =
          page
          ?? ImageHeader.Page(
            width: Int(width & 0x3FFF), height: Int(height & 0x3FFF), components: 3)
      } else if bytes.matches("ANMF", at: offset) {
        isAnimated = true
      } else if bytes.matches("EXIF", at: offset), end <= bytes.count {
        let skip = bytes.matches("Exif\0\0", at: start) ? 6 : 0
        let exif = start + skip <= end ? TIFFDirectory.exif(bytes, in: (start + skip)..<end) : nil
        page?.orientation = exif?.orientation ?? 1
        page?.resolution = exif?.resolution
      }
      offset = end + Int(length & 1)
    }
    guard let page, page.width > 0, page.height > 0 else { return nil }
    return ImageHeader(
      format: .webp, pages: [page], isTruncated: truncated,
      unreadableKind: isAnimated ? "an animated WebP" : nil)
  }

  private static func short24(_ bytes: Span<UInt8>, _ offset: Int) -> Int? {
    guard let low = bytes.littleEndian16(at: offset), offset + 2 < bytes.count else { return nil }
    return Int(low) | Int(bytes[offset + 2]) << 16
  }
}
