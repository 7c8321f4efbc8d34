internal import Bytes
internal import ImageHeaders
internal import PDFWriter

/// One picture of an image file: its pixels, and how a PDF is to have it.
struct FilePicture: ~Copyable {
  let pixels: Pixels
  /// The picture as it is written.
  let image: PageImage
  /// As the file states it, or a guess.
  let resolution: PageResolution
  let orientation: Orientation
  private let format: ImageFormat
  private let fileBytes: Int
  /// Whether the pixels are only a part of what was stored.
  let isDamaged: Bool
  /// Whether it is the sheet of paper alone that a photo shows.
  let isSheet: Bool

  /// Decodes a picture; nil where nothing of it can be.
  ///
  /// - Parameters:
  ///   - number: of the picture in the file, from 1; must be one that the header names.
  ///   - header: within the limits.
  ///   - inColor: whether the pixels are wanted in color, and not only for reading.
  init?(
    _ number: Int, of bytes: Span<UInt8>, header: ImageHeader, inColor: Bool = false
  ) {
    let page = header.pages[number - 1]
    let carried = ImageCoder.carriedOver(bytes, header: header)
    guard
      let decoded = PixelDecoder.decode(
        bytes, format: header.format, page: page, onlyLuminance: carried != nil && !inColor),
      let image = ImageCoder.smaller(
        decoded.isDamaged ? nil : carried, decoded.pixels,
        format: Self.isLossless(bytes, header.format) ? .png : header.format, of: bytes.count),
      let pixels = decoded.pixels.shared()
    else { return nil }
    var resolution = PageResolution(
      stated: page.resolution, width: decoded.pixels.width, height: decoded.pixels.height)
    resolution.fit(width: decoded.pixels.width, height: decoded.pixels.height)
    self.pixels = pixels
    self.image = image
    self.resolution = resolution
    orientation = Orientation(tag: page.orientation)
    isDamaged = decoded.isDamaged
    isSheet = false
    format = header.format
    fileBytes = bytes.count
  }

  /// Whether a file of a format that may lose something loses nothing: WebP has both (RFC 9649, 2.5 and 2.6).
  private static func isLossless(_ bytes: Span<UInt8>, _ format: ImageFormat) -> Bool {
    format == .webp && bytes.matches("VP8L", at: 12)
  }

  /// The sheet of paper that a photo shows on a darker ground, as it looks from straight above and without the ground;
  /// nil where there is none.
  init?(sheetOf photo: borrowing FilePicture) {
    guard let shown = photo.geometry.shown(photo.pixels), let grey = shown.grey(),
      let pixels = SheetOutline.find(in: grey)?.cut(from: shown),
      let image = ImageCoder.coded(pixels, like: photo.format, of: photo.fileBytes)
    else { return nil }
    let dotsPerInch = photo.geometry.dotsPerInch
    resolution =
      photo.resolution.isGuessed
      ? PageResolution(stated: nil, width: pixels.width, height: pixels.height)
      : PageResolution(x: dotsPerInch, y: dotsPerInch, isGuessed: false)
    self.pixels = pixels
    self.image = image
    orientation = Orientation(tag: 1)
    isDamaged = photo.isDamaged
    isSheet = true
    format = photo.format
    fileBytes = photo.fileBytes
  }

  /// How it is shown.
  var geometry: ShownPicture {
    ShownPicture(
      width: pixels.width, height: pixels.height, orientation: orientation, resolution: resolution)
  }
}
