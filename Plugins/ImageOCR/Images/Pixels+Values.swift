internal import CTesseract

extension Pixels {
  /// An 8-bit picture of values by their row and column.
  static func grey(
    width: Int, height: Int, _ value: (_ row: Int, _ column: Int) -> UInt8
  ) -> Pixels? {
    guard
      let pixels = unsafe Pixels(taking: pixCreateNoInit(Int32(width), Int32(height), 8)),
      let data = unsafe pixGetData(pixels.pix)
    else { return nil }
    let words = Int(unsafe pixGetWpl(pixels.pix))
    for row in 0..<height {
      for word in 0..<words {
        var packed: UInt32 = 0
        for column in (word * 4)..<(word * 4 + 4) {
          packed = packed << 8 | UInt32(column < width ? value(row, column) : 255)
        }
        unsafe data[row * words + word] = packed
      }
    }
    return pixels
  }

  /// A picture of one bit a pixel, black where a byte has a value, row by row.
  static func bilevel(width: Int, height: Int, _ values: [UInt8], black: UInt8) -> Pixels? {
    guard values.count >= width * height,
      let pixels = unsafe Pixels(taking: pixCreateNoInit(Int32(width), Int32(height), 1)),
      let data = unsafe pixGetData(pixels.pix)
    else { return nil }
    let words = Int(unsafe pixGetWpl(pixels.pix))
    let span = values.span
    for row in 0..<height {
      for word in 0..<words {
        let start = row * width + word * 32
        let count = min(32, width - word * 32)
        var packed: UInt32 = 0
        for place in start..<(start + count) {
          packed = packed << 1 | (span[place] == black ? 1 : 0)
        }
        unsafe data[row * words + word] = packed << UInt32(32 - count)
      }
    }
    return pixels
  }

  /// The lightness of each pixel, row by row.
  func lightness() -> [UInt8] {
    if depth == 8, !hasColourMap { return samples() }
    guard depth == 32, !hasColourMap, let data = unsafe pixGetData(pix) else {
      guard let grey = grey8() else { return [] }
      return grey.samples()
    }
    // Rows of whole words have no padding.
    return (0..<width * height).map { place in
      let pixel = unsafe data[place]
      let sum = (pixel >> 24) * 77 + (pixel >> 16 & 0xFF) * 151 + (pixel >> 8 & 0xFF) * 28
      return UInt8(truncatingIfNeeded: sum >> 8)
    }
  }
}
