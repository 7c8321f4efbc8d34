internal import ImageHeaders

/// Prepares JPEG files of four components for a library that decides by an Adobe segment, and not by the
/// PDF image's `Decode`, whether their values are inverted.
enum JPEGColours {
  /// How a file of inks is to be decoded.
  enum Way {
    /// One decoding gives the colours.
    case once([UInt8])
    /// One gives cyan, magenta and yellow halved, the other black halved.
    case apart(inks: [UInt8], black: [UInt8])
  }

  /// - Parameters:
  ///   - bytes: a file with a header that can be read.
  ///   - isInverted: whether 255 stands for no ink.
  static func inks(_ bytes: [UInt8], isInverted: Bool) -> Way {
    guard let header = JPEGHeader.read(bytes.span) else { return .once(bytes) }
    var bytes = bytes
    var first = header.frame.lowerBound
    if !header.hasAdobeSegment {
      let segment: [UInt8] =
        [0xFF, 0xEE, 0, 14] + Array("Adobe".utf8) + [0, 100, 0, 0, 0, 0, 0]
      bytes.insert(contentsOf: segment, at: 2)
      first += segment.count
    }
    // The library multiplies inverted inks by inverted black; of others that would be nonsense.
    // Components whose quantisation is nought come out as 128 everywhere, so that the others can be
    // told.
    guard !isInverted, header.process <= 2, header.frame.count >= 18,
      header.frame.upperBound <= bytes.count
    else { return .once(bytes) }
    return .apart(
      inks: silenced(bytes, frame: first, components: [3]),
      black: silenced(bytes, frame: first, components: [0, 1, 2]))
  }

  private static func silenced(
    _ bytes: [UInt8], frame: Int, components: [Int]
  ) -> [UInt8] {
    var result = bytes
    let used = (0..<4).map { bytes[frame + 6 + 3 * $0 + 2] }
    guard let free = (0..<4).first(where: { !used.contains($0) }) else { return bytes }
    for component in components { result[frame + 6 + 3 * component + 2] = free }
    let table: [UInt8] = [0xFF, 0xDB, 0, 67, free] + [UInt8](repeating: 0, count: 64)
    // In front of the frame's marker and length.
    result.insert(contentsOf: table, at: frame - 4)
    return result
  }
}
