internal import CTesseract

/// A raster image in memory: the owner of a Leptonica picture.
@safe struct Pixels: ~Copyable {
  let pix: UnsafeMutablePointer<PIX>

  /// Takes over a picture that a Leptonica call returned; nil where the call failed.
  init?(taking pix: UnsafeMutablePointer<PIX>?) {
    guard let pix = unsafe pix else { return nil }
    unsafe self.pix = pix
  }

  deinit {
    var pointer: UnsafeMutablePointer<PIX>? = unsafe pix
    unsafe pixDestroy(&pointer)
  }

  var width: Int { Int(unsafe pixGetWidth(pix)) }
  var height: Int { Int(unsafe pixGetHeight(pix)) }
  /// Bits per pixel: 1, 2, 4, 8, 16 or 32.
  var depth: Int { Int(unsafe pixGetDepth(pix)) }
  var hasColourMap: Bool { unsafe pixGetColormap(pix) != nil }

  /// Whether the lowest byte of a pixel of 32 bits is its opacity.
  var hasAlpha: Bool { unsafe depth == 32 && pixGetSpp(pix) == 4 }

  /// A picture with opacity as it looks on white paper, rounded to the nearest value; Leptonica's own
  /// blending cuts off, which makes half of the values too dark by one.
  func composedOnWhite() -> Pixels? {
    guard hasAlpha, let result = unsafe Pixels(taking: pixCopy(nil, pix)),
      let data = unsafe pixGetData(result.pix)
    else { return nil }
    let count = Int(unsafe pixGetWpl(result.pix)) * height
    for index in 0..<count {
      let pixel = unsafe data[index]
      let opacity = pixel & 0xFF
      guard opacity < 255 else { continue }
      var composed: l_uint32 = 0xFF
      for shift: l_uint32 in [24, 16, 8] {
        let value = pixel >> shift & 0xFF
        let onWhite = (value * opacity + 255 * (255 - opacity) + 127) / 255
        composed |= onWhite << shift
      }
      unsafe data[index] = composed
    }
    unsafe pixSetSpp(result.pix, 3)
    return result
  }

  /// Another owner of the same picture (Leptonica counts them).
  func shared() -> Pixels? { unsafe Pixels(taking: pixClone(pix)) }

  /// The picture in 8-bit grey, or as it is where it has one bit a pixel and no colour map.
  func grey() -> Pixels? {
    if depth == 1, !hasColourMap { return shared() }
    return unsafe Pixels(taking: pixConvertTo8(pix, 0))
  }

  /// The picture in 8-bit grey.
  func grey8() -> Pixels? { unsafe Pixels(taking: pixConvertTo8(pix, 0)) }

  /// Turned by quarters of a circle clockwise.
  func turned(_ quarters: Int) -> Pixels? {
    let quarters = ((quarters % 4) + 4) % 4
    return quarters == 0 ? shared() : unsafe Pixels(taking: pixRotateOrth(pix, Int32(quarters)))
  }

  /// Mirrored left to right.
  func mirrored() -> Pixels? { unsafe Pixels(taking: pixFlipLR(nil, pix)) }

  /// Scaled by a factor in each direction.
  func scaled(x: Double, y: Double) -> Pixels? {
    unsafe Pixels(taking: pixScale(pix, Float(x), Float(y)))
  }

  /// With white added on the left and right, and above and below, for 8-bit pictures.
  func enlarged(_ x: Int, _ y: Int) -> Pixels? {
    guard x > 0 || y > 0 else { return shared() }
    let (x, y) = (Int32(clamping: x), Int32(clamping: y))
    return unsafe Pixels(taking: pixAddBorderGeneral(pix, x, x, y, y, 255))
  }

  /// Turned clockwise by an angle in radians about the centre, the size kept, white brought in.
  func rotated(_ angle: Double) -> Pixels? {
    unsafe Pixels(
      taking: pixRotate(
        pix, Float(angle), Int32(L_ROTATE_AREA_MAP), Int32(L_BRING_IN_WHITE), 0, 0))
  }

  /// The rows as they lie in memory, each padded to whole words of four bytes, the leftmost pixel in the
  /// highest bits of the first byte.
  func packedRows() -> [UInt8] {
    guard let data = unsafe pixGetData(pix) else { return [] }
    let words = Int(unsafe pixGetWpl(pix)) * height
    return unsafe [UInt8](unsafeUninitializedCapacity: 4 * words) { buffer, count in
      for index in 0..<words {
        let word = unsafe data[index]
        unsafe buffer[4 * index] = UInt8(truncatingIfNeeded: word >> 24)
        unsafe buffer[4 * index + 1] = UInt8(truncatingIfNeeded: word >> 16)
        unsafe buffer[4 * index + 2] = UInt8(truncatingIfNeeded: word >> 8)
        unsafe buffer[4 * index + 3] = UInt8(truncatingIfNeeded: word)
      }
      count = 4 * words
    }
  }

  /// The values of an 8-bit picture, a byte for each pixel, row by row; empty for other depths.
  func greyValues() -> [UInt8] {
    guard depth == 8, let data = unsafe pixGetData(pix) else { return [] }
    let (width, height, words) = (width, height, Int(unsafe pixGetWpl(pix)))
    var values: [UInt8] = []
    values.reserveCapacity(width * height)
    for y in 0..<height {
      for x in 0..<width {
        // The leftmost of four pixels is the highest byte of a word.
        let word = unsafe data[y * words + x / 4]
        values.append(UInt8(truncatingIfNeeded: word >> UInt32(24 - 8 * (x % 4))))
      }
    }
    return values
  }

  /// An 8-bit picture whose pixel at a place has the value found where `source` leads from there,
  /// white where that is outside.
  ///
  /// - Parameters:
  ///   - width: of the result in pixels, at most this picture's.
  ///   - height: of the result in pixels, at most this picture's.
  func projected(_ source: Projection, width: Int, height: Int) -> Pixels? {
    var coefficients = source.betweenPixels
    let whole = unsafe Pixels(taking: pixProjectiveGray(pix, &coefficients, 255))
    var box = unsafe boxCreate(0, 0, Int32(clamping: width), Int32(clamping: height))
    defer { unsafe boxDestroy(&box) }
    guard let whole else { return nil }
    return unsafe Pixels(taking: pixClipRectangle(whole.pix, box, nil))
  }
}
