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
  /// Whether the pixels are only a part of what was stored.
  let isDamaged: Bool

  /// Decodes a picture; nil where nothing of it can be.
  ///
  /// - Parameters:
  ///   - number: of the picture in the file, from 1; must be one that the header names.
  ///   - header: within the limits.
  init?(_ number: Int, of bytes: Span<UInt8>, header: ImageHeader) {
    let page = header.pages[number - 1]
    let carried = ImageCoder.carriedOver(bytes, header: header)
    guard
      let decoded = PixelDecoder.decode(
        bytes, format: header.format, page: page, onlyLuminance: carried != nil),
      let image = ImageCoder.smaller(decoded.isDamaged ? nil : carried, decoded.pixels),
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
  }

  /// How it is shown.
  var geometry: ShownPicture {
    ShownPicture(
      width: pixels.width, height: pixels.height, orientation: orientation, resolution: resolution)
  }
}
