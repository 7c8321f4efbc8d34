/// What decoding an image may still cost, counted in pixels; so a file of some bytes cannot keep the
/// decoder busy.
struct DecodingWork {
  /// Pixels that may still be decoded or drawn.
  private(set) var left: Int

  /// - Parameters:
  ///   - pixels: of the image.
  ///   - bytes: of its data. Symbols cost some hundred pixels a byte at most, since they are coded one
  ///     by one; blank areas are covered by the pixels.
  init(pixels: Int, bytes: Int) {
    left = 12 * min(pixels, 1 << 32) + 1024 * min(bytes, 1 << 28) + 4_000_000
  }

  /// Takes a bitmap's pixels, and something for the bitmap itself.
  mutating func spend(width: Int, height: Int) throws(JBIG2Damage) {
    guard (0...JBIG2Damage.longestSide).contains(width),
      (0...JBIG2Damage.longestSide).contains(height)
    else { throw .damaged }
    try spend(width * height + 64)
  }

  mutating func spend(_ pixels: Int) throws(JBIG2Damage) {
    left -= pixels
    guard left > 0 else { throw .tooMuchWork }
  }
}

/// Why JBIG2 data could not be decoded to its end.
enum JBIG2Damage: Error {
  case damaged
  case unknownCoding
  case tooMuchWork

  /// The longest side of a region or symbol in pixels.
  static let longestSide = 1 << 20
}
