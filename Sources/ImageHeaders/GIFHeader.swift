internal import Bytes

/// The screen of a GIF file and the pictures on it (GIF89a, sections 18 to 20).
enum GIFHeader {
  static func read(_ bytes: Span<UInt8>) -> ImageHeader? {
    guard let width = bytes.littleEndian16(at: 6), let height = bytes.littleEndian16(at: 8),
      width > 0, height > 0
    else { return nil }
    var page = ImageHeader.Page(width: Int(width), height: Int(height))
    // Decoders unpack every picture, and those may be larger than the screen.
    let frames = frames(bytes)
    if let first = frames.first {
      page.width = max(page.width, first.width)
      page.height = max(page.height, first.height)
    }
    page.furtherPixels = frames.dropFirst().reduce(0) { $0 + $1.width * $1.height }
    return ImageHeader(format: .gif, pages: [page], leftOut: max(0, frames.count - 1))
  }

  /// The sizes of the pictures, found by stepping over their data.
  private static func frames(_ bytes: Span<UInt8>) -> [(width: Int, height: Int)] {
    guard bytes.count > 13 else { return [] }
    var frames: [(width: Int, height: Int)] = []
    var offset = 13 + colourTable(bytes[10])
    // A size takes ten bytes of the file, so there are never too many.
    while offset < bytes.count {
      switch bytes[offset] {
      case 0x21:
        offset = behindBlocks(bytes, offset + 2)
      case 0x2C:
        guard let width = bytes.littleEndian16(at: offset + 5),
          let height = bytes.littleEndian16(at: offset + 7), offset + 9 < bytes.count
        else { return frames }
        frames.append((Int(width), Int(height)))
        offset = behindBlocks(bytes, offset + 11 + colourTable(bytes[offset + 9]))
      default: return frames
      }
    }
    return frames
  }

  /// The bytes of the colour table that follows a field of flags.
  private static func colourTable(_ flags: UInt8) -> Int {
    flags & 0x80 == 0 ? 0 : 3 << (Int(flags & 7) + 1)
  }

  private static func behindBlocks(_ bytes: Span<UInt8>, _ start: Int) -> Int {
    var offset = start
    while offset < bytes.count, bytes[offset] > 0 { offset += Int(bytes[offset]) + 1 }
    return offset + 1
  }
}
