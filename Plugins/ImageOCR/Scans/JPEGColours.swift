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
    /// One gives cyan, magenta and yellow halved, the other black halved.
    case apart(inks: [UInt8], black: [UInt8])
  }

  /// - Parameter isInverted: whether 255 stands for no ink.
  static func inks(_ bytes: [UInt8], isInverted: Bool) -> Way {
    var bytes = bytes
    if segments(bytes).adobe == nil {
      let segment: [UInt8] =
        [0xFF, 0xEE, 0, 14] + Array("Adobe".utf8) + [0, 100, 0, 0, 0, 0, 0]
      bytes.insert(contentsOf: segment, at: min(2, bytes.count))
    }
    // The library multiplies inverted inks by inverted black; of others that would be nonsense.
    // Components whose quantisation is nought come out as 128 everywhere, so that the others can be
    // told.
    guard !isInverted, let frame = segments(bytes).frame, frame.count >= 18 else {
      return .once(bytes)
    }
    return .apart(
      inks: silenced(bytes, frame: frame, components: [3]),
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
