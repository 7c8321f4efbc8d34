internal import CTesseract

/// The dark ground that a sheet lies on, where the sheet's sides were not found: it reaches beyond the picture, is torn,
/// or was scanned with the lid open.
enum DarkGround {
  /// The picture with its ground as light as paper; nil where it shows none.
  ///
  /// - Parameter pixels: in 8-bit grey.
  static func lightened(_ pixels: borrowing Pixels) -> Pixels? {
    guard pixels.depth == 8, !pixels.hasColourMap, min(pixels.width, pixels.height) >= 300 else {
      return nil
    }
    let scale = min(1, Double(SheetPicture.side) / Double(max(pixels.width, pixels.height)))
    guard let rough = SheetPicture(sampling: pixels, scale: scale / 2), rough.showsGround,
      let small = unsafe Pixels(taking: pixScaleAreaMap(pixels.pix, Float(scale), Float(scale))),
      let dark = unsafe Pixels(taking: pixThresholdToBinary(small.pix, Int32(rough.threshold) + 1)),
      let frame = unsafe Pixels(taking: pixCreateTemplate(dark.pix)),
      unsafe pixSetOrClearBorder(frame.pix, 2, 2, 2, 2, Int32(PIX_SET)) == 0,
      let seed = unsafe Pixels(taking: pixAnd(nil, frame.pix, dark.pix)),
      let ground = unsafe Pixels(taking: pixSeedfillBinary(nil, seed.pix, dark.pix, 4)),
      // The edge of the sheet is blurred and casts a shadow.
      let wide = unsafe Pixels(taking: pixDilateBrick(nil, ground.pix, 5, 5)),
      let mask = unsafe Pixels(
        taking: pixScaleToSize(wide.pix, Int32(pixels.width), Int32(pixels.height))),
      let result = unsafe Pixels(taking: pixCopy(nil, pixels.pix)),
      unsafe pixSetMasked(result.pix, mask.pix, 255) == 0
    else { return nil }
    return result
  }
}
