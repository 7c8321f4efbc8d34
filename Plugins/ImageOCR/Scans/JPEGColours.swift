internal import Bytes

/// Prepares JPEG files of four components for a library that decides by an Adobe segment, and not by the
/// PDF image's `Decode`, whether their values are inverted.
enum JPEGColours {
  /// What is to be known of the file's segments.
  private struct Segments {
    /// The Adobe segment, without its marker.
    var adobe: Range<Int>?
    /// The frame header, without its marker.
    var frame: Range<Int>?
  }

  private static func segments(_ bytes: [UInt8]) -> Segments {
    var segments = Segments()
    let span = bytes.span
    var offset = 2
    while offset + 4 <= bytes.count, bytes[offset] == 0xFF {
      let marker = bytes[offset + 1]
      if marker == 0xFF {
        offset += 1
        continue
      }
      guard let length = span.bigEndian16(at: offset + 2), length >= 2, marker != 0xDA else {
        break
      }
      let range = (offset + 4)..<(offset + 2 + Int(length))
      guard range.upperBound <= bytes.count else { break }
      if marker == 0xEE, range.count >= 12, span.matches("Adobe", at: range.lowerBound) {
        segments.adobe = range
      }
      if (0xC0...0xC2).contains(marker) { segments.frame = range }
      offset = range.upperBound
    }
    return segments
  }

  /// How a file of inks is to be decoded.
  enum Way {
    /// One decoding gives the colours.
    case once([UInt8])
    /// One gives red, green and blue halved and inverted, the other black halved.
    case apart(colours: [UInt8], black: [UInt8])
  }

  /// - Parameter isInverted: whether 255 stands for no ink.
  static func inks(_ bytes: [UInt8], isInverted: Bool) -> Way {
    let segments = segments(bytes)
    guard let adobe = segments.adobe else {
      guard isInverted else { return .once(bytes) }
      let segment: [UInt8] =
        [0xFF, 0xEE, 0, 14] + Array("Adobe".utf8) + [0, 100, 0, 0, 0, 0, 0]
      return .once(Array(bytes.prefix(2)) + segment + Array(bytes.dropFirst(2)))
    }
    if isInverted { return .once(bytes) }
    if bytes[adobe.upperBound - 1] == 0 {
      var plain = bytes
      plain[adobe.lowerBound] = 0x20
      return .once(plain)
    }
    // Luminance and chrominance of inks that are not inverted: the library would take them for
    // inverted ones and multiply them by black. Components whose quantisation is nought come out as
    // 128 everywhere, so that the others can be told.
    guard let frame = segments.frame, frame.count >= 18 else { return .once(bytes) }
    return .apart(
      colours: silenced(bytes, frame: frame, components: [3]),
      black: silenced(bytes, frame: frame, components: [0, 1, 2]))
  }

  private static func silenced(
    _ bytes: [UInt8], frame: Range<Int>, components: [Int]
  ) -> [UInt8] {
    var result = bytes
    let used = (0..<4).map { bytes[frame.lowerBound + 6 + 3 * $0 + 2] }
    guard let free = (0..<4).first(where: { !used.contains($0) }) else { return bytes }
    for component in components { result[frame.lowerBound + 6 + 3 * component + 2] = free }
    let table: [UInt8] = [0xFF, 0xDB, 0, 67, free] + [UInt8](repeating: 0, count: 64)
    // In front of the frame's marker and length.
    result.insert(contentsOf: table, at: frame.lowerBound - 4)
    return result
  }
}
