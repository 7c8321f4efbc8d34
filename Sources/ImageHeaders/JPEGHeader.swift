internal import Bytes

/// The marker segments of a JPEG file (ITU-T T.81, annex B) up to its first scan.
package struct JPEGHeader: Sendable {
  package var header: ImageHeader
  /// The number in the SOF marker: 0 baseline, 1 extended, 2 progressive, and others.
  package var process: UInt8
  /// Whether an Adobe segment is there; such files store CMYK inverted.
  package var hasAdobeSegment: Bool
  /// Where the parameters of the frame lie (B.2.2).
  package var frame: Range<Int>

  package static func read(_ bytes: Span<UInt8>) -> JPEGHeader? {
    var page: ImageHeader.Page?
    var process: UInt8 = 0
    var frame = 0..<0
    var adobe = false
    var density: ImageHeader.Resolution?
    var exif: TIFFDirectory?
    var offset = 2
    while offset + 4 <= bytes.count {
      guard bytes[offset] == 0xFF else { return nil }
      let marker = bytes[offset + 1]
      if marker == 0xFF {
        offset += 1
        continue
      }
      if marker == 0x01 || (0xD0...0xD8).contains(marker) {
        offset += 2
        continue
      }
      guard let length = bytes.bigEndian16(at: offset + 2), length >= 2 else { return nil }
      let start = offset + 4
      let end = offset + 2 + Int(length)
      switch marker {
      case 0xC0...0xC3, 0xC5...0xC7, 0xC9...0xCB, 0xCD...0xCF:
        guard let height = bytes.bigEndian16(at: start + 1),
          let width = bytes.bigEndian16(at: start + 3), start + 6 <= bytes.count,
          width > 0, height > 0
        else { return nil }
        process = marker - 0xC0
        frame = start..<max(start, end)
        page = ImageHeader.Page(
          width: Int(width), height: Int(height), components: Int(bytes[start + 5]),
          bitsPerSample: Int(bytes[start]))
      case 0xE0 where bytes.matches("JFIF\0", at: start) && end <= bytes.count && end - start >= 12:
        density = Self.density(
          unit: bytes[start + 7], x: bytes.bigEndian16(at: start + 8),
          y: bytes.bigEndian16(at: start + 10))
      case 0xE1 where bytes.matches("Exif\0\0", at: start) && end >= start + 6:
        exif = exif ?? TIFFDirectory.exif(bytes, in: (start + 6)..<end)
      case 0xEE where bytes.matches("Adobe", at: start) && end >= start + 12: adobe = true
      case 0xDA:
        guard var page else { return nil }
        page.resolution = density ?? exif?.resolution
        page.orientation = exif?.orientation ?? 1
        let whole = endsWithMarker(bytes, from: end)
        return JPEGHeader(
          header: ImageHeader(format: .jpeg, pages: [page], isTruncated: !whole),
          process: process, hasAdobeSegment: adobe, frame: frame)
      default: break
      }
      offset = end
    }
    return nil
  }

  /// Whether the end-of-image marker stands after `start`, perhaps with other bytes after it.
  private static func endsWithMarker(_ bytes: Span<UInt8>, from start: Int) -> Bool {
    var offset = bytes.count - 2
    while offset >= start {
      if bytes[offset] == 0xFF, bytes[offset + 1] == 0xD9 { return true }
      offset -= 1
    }
    return false
  }

  private static func density(unit: UInt8, x: UInt16?, y: UInt16?) -> ImageHeader.Resolution? {
    let scale: Double
    switch unit {
    case 1: scale = 1
    case 2: scale = 2.54
    default: return nil
    }
    return ImageHeader.Resolution(x: Double(x ?? 0) * scale, y: Double(y ?? 0) * scale)
  }
}
