internal import CTesseract

extension Pixels {
  /// An 8-bit picture of values by their place, row by row.
  static func grey(width: Int, height: Int, _ value: (Int) -> UInt8) -> Pixels? {
    guard
      let pixels = unsafe Pixels(taking: pixCreateNoInit(Int32(width), Int32(height), 8)),
      let data = unsafe pixGetData(pixels.pix)
    else { return nil }
    let words = Int(unsafe pixGetWpl(pixels.pix))
    for row in 0..<height {
      let start = row * width
      for word in 0..<words {
        var packed: UInt32 = 0
        for place in 0..<4 {
          let column = word * 4 + place
          packed = packed << 8 | UInt32(column < width ? value(start + column) : 255)
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

  /// The lightness of each pixel, row by row, of a picture of 1, 8 or 32 bits a pixel.
  func lightness() -> [UInt8] {
    if depth == 8, !hasColourMap { return greyValues() }
    guard depth == 1 || depth == 32, !hasColourMap, let data = unsafe pixGetData(pix) else {
      guard let grey = unsafe Pixels(taking: pixConvertTo8(pix, 0)) else { return [] }
      return grey.greyValues()
    }
    let (width, height, words) = (width, height, Int(unsafe pixGetWpl(pix)))
    let isBilevel = depth == 1
    var values = [UInt8](repeating: 255, count: width * height)
    for y in 0..<height {
      for x in 0..<width {
        if isBilevel {
          let word = unsafe data[y * words + x / 32]
          if word << UInt32(x % 32) & 0x8000_0000 != 0 { values[y * width + x] = 0 }
        } else {
          let pixel = unsafe data[y * words + x]
          let sum = (pixel >> 24) * 77 + (pixel >> 16 & 0xFF) * 151 + (pixel >> 8 & 0xFF) * 28
          values[y * width + x] = UInt8(truncatingIfNeeded: sum >> 8)
        }
      }
    }
    return values
  }

  /// Red, green and blue of each pixel of a picture of 32 bits, row by row.
  func colours() -> [UInt8] {
    guard depth == 32, let data = unsafe pixGetData(pix) else { return [] }
    let (width, height, words) = (width, height, Int(unsafe pixGetWpl(pix)))
    var values: [UInt8] = []
    values.reserveCapacity(3 * width * height)
    for y in 0..<height {
      for x in 0..<width {
        let pixel = unsafe data[y * words + x]
        for shift: UInt32 in [24, 16, 8] {
          values.append(UInt8(truncatingIfNeeded: pixel >> shift))
        }
      }
    }
    return values
  }
}
