internal import CTesseract
internal import ImageHeaders

/// Colored ink, as of stamps, apart from the black it lies over.
struct ColoredInk: ~Copyable {
  /// The picture in grey without it, and with nothing else.
  let without: Pixels
  let alone: Pixels

  /// Pixels are colored whose parts of red, green and blue differ by this much.
  private static let leastDifference: Int32 = 60
  /// The share of a picture that is colored ink: less are the edges of letters, more are photographs or colored paper.
  private static let share = 0.0003...0.2

  /// Nil where there is none.
  ///
  /// - Parameter picture: with 32 bits a pixel.
  init?(in picture: borrowing Pixels) {
    guard let mask = Self.mask(of: picture),
      let black = unsafe Pixels(taking: pixInvert(nil, mask.pix)),
      let without = picture.grey8(), let alone = picture.grey8(),
      unsafe pixSetMasked(without.pix, mask.pix, 255) == 0,
      unsafe pixSetMasked(alone.pix, black.pix, 255) == 0
    else { return nil }
    self.without = without
    self.alone = alone
  }

  /// The picture of a JPEG in color where it has such ink: most pictures have none, which shows in a small one.
  static func picture(ofJPEG bytes: Span<UInt8>, page: ImageHeader.Page) -> Pixels? {
    guard page.components == 3, page.width * page.height <= LooseInk.mostPixels,
      let small = PixelDecoder.decode(bytes, format: .jpeg, page: page, reduction: 4),
      mask(of: small.pixels) != nil,
      let whole = PixelDecoder.decode(bytes, format: .jpeg, page: page)
    else { return nil }
    return whole.pixels.shared()
  }

  /// Black where it is; nil where none is.
  private static func mask(of picture: borrowing Pixels) -> Pixels? {
    guard picture.depth == 32, picture.width * picture.height <= LooseInk.mostPixels,
      let mask = unsafe Pixels(taking: pixMaskOverColorPixels(picture.pix, leastDifference, 1))
    else { return nil }
    var count: Int32 = 0
    guard unsafe pixCountPixels(mask.pix, &count, nil) == 0,
      share.contains(Double(count) / Double(max(1, picture.width * picture.height)))
    else { return nil }
    return mask
  }
}
