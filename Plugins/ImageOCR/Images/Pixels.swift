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

  /// In half the size; a bilevel picture in grey then.
  func halved() -> Pixels? {
    unsafe Pixels(taking: depth == 1 ? pixScaleToGray2(pix) : pixScaleAreaMap2(pix))
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

  /// The samples row by row, each row padded to whole bytes: eight pixels of one bit to a byte from its highest bit, a
  /// byte for a grey value, red, green and blue for a pixel of 32 bits. Empty where there is no memory for them.
  func samples() -> [UInt8] {
    var data: UnsafeMutablePointer<UInt8>?
    var count = 0
    guard unsafe pixGetRasterData(pix, &data, &count) == 0, let start = unsafe data else {
      return []
    }
    defer { unsafe lept_free(start) }
    return unsafe Array(UnsafeBufferPointer(start: start, count: count))
  }

  /// A bilevel picture of the ink: as it is, or what is darker than paper that was made even.
  func ink() -> Pixels? {
    depth == 1 ? shared() : unsafe Pixels(taking: pixConvertTo1(pix, Self.inkBelow))
  }

  /// Grey values darker than this are ink on paper that was made even.
  private static let inkBelow: Int32 = 150

  /// A bilevel picture in half the size: of four pixels two have ink.
  func halvedInk() -> Pixels? { unsafe Pixels(taking: pixReduceRankBinary2(pix, 2, nil)) }

  /// The ink of a bilevel picture that is at least so wide and high, in pixels.
  func opened(_ width: Double, _ height: Double) -> Pixels? {
    unsafe Pixels(taking: pixOpenBrick(nil, pix, Int32(max(1, width)), Int32(max(1, height))))
  }

  /// The ink of a bilevel picture with gaps filled that are narrower and lower, in pixels.
  func closed(_ width: Double, _ height: Double) -> Pixels? {
    unsafe Pixels(taking: pixCloseBrick(nil, pix, Int32(max(1, width)), Int32(max(1, height))))
  }

  /// The boxes around the connected marks of a bilevel picture; nil where there are more than wanted.
  ///
  /// - Parameter connectivity: 8 where pixels that touch at a corner are connected, else 4.
  func marks(most: Int = .max, connectivity: Int32 = 8) -> [PixelBox]? {
    var marks = unsafe pixConnCompBB(pix, connectivity)
    defer { unsafe boxaDestroy(&marks) }
    let count = unsafe boxaGetCount(marks)
    guard Int(count) <= most else { return nil }
    var boxes: [PixelBox] = []
    for index in 0..<max(0, count) {
      var (x, y, w, h): (Int32, Int32, Int32, Int32) = (0, 0, 0, 0)
      guard unsafe boxaGetBoxGeometry(marks, index, &x, &y, &w, &h) == 0 else { continue }
      boxes.append(
        PixelBox(left: Double(x), top: Double(y), right: Double(x + w), bottom: Double(y + h)))
    }
    return boxes
  }

  /// The share of black pixels in a box of a bilevel picture, 0 to 1.
  func blackness(of box: PixelBox) -> Double {
    var area = unsafe boxCreate(
      Int32(box.left), Int32(box.top), Int32(box.width), Int32(box.height))
    defer { unsafe boxDestroy(&area) }
    var count: Int32 = 0
    guard unsafe pixCountPixelsInRect(pix, area, &count, nil) == 0 else { return 0 }
    return Double(count) / max(1, box.width * box.height)
  }

  /// Light for dark.
  func inverted() -> Pixels? { unsafe Pixels(taking: pixInvert(nil, pix)) }

  /// A part of it.
  func clipped(_ box: PixelBox) -> Pixels? {
    var area = unsafe boxCreate(
      Int32(clamping: Int(box.left)), Int32(clamping: Int(box.top)),
      Int32(clamping: Int(box.width)),
      Int32(clamping: Int(box.height)))
    defer { unsafe boxDestroy(&area) }
    return unsafe Pixels(taking: pixClipRectangle(pix, area, nil))
  }

  /// A picture in 8-bit grey or in color whose pixel at a place has the value found where `source` leads from there,
  /// white where that is outside.
  ///
  /// - Parameters:
  ///   - width: of the result in pixels, at most this picture's.
  ///   - height: of the result in pixels, at most this picture's.
  func projected(_ source: Projection, width: Int, height: Int) -> Pixels? {
    var coefficients = source.betweenPixels
    let whole = unsafe Pixels(taking: pixProjective(pix, &coefficients, Int32(L_BRING_IN_WHITE)))
    return whole?.clipped(
      PixelBox(left: 0, top: 0, right: Double(width), bottom: Double(height)))
  }
}
