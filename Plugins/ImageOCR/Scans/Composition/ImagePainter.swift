internal import Glibc
internal import PDFSyntax
internal import PDFWriter
internal import PluginKit

/// Decodes the images of one page and paints them.
struct ImagePainter {
  let decoder: ScanDecoder
  let limits: OCRLimits
  let page: Int
  private(set) var painted = 0
  /// Whether an image was damaged or could not be decoded.
  private(set) var isDamaged = false
  /// Pixels that may still be decoded for this page, by several images together.
  private var pixelsLeft: Int
  /// The image decoded last; pages paint one many times in a row.
  private var last: (reference: PDFReference, decoded: Decoded)?

  private struct Decoded {
    var image: GreyValues
    var isStencil: Bool
    var opacity: GreyValues?
  }

  init(decoder: ScanDecoder, limits: OCRLimits, page: Int) {
    (self.decoder, self.limits, self.page) = (decoder, limits, page)
    pixelsLeft = 2 * limits.pixels
  }

  mutating func paint(
    _ picture: PageContent.Picture, on canvas: inout Canvas
  ) throws(PluginFailure) {
    guard let decoded = try decode(picture) else {
      isDamaged = true
      return
    }
    painted += 1
    let toCanvas = picture.placement.then(canvas.fromUserSpace)
    let placement = Self.thick(picture.placement, on: canvas)
    // Pixels of an image for each pixel of the canvas.
    let wide = max(1e-6, hypot(toCanvas.a, toCanvas.b))
    let high = max(1e-6, hypot(toCanvas.c, toCanvas.d))
    let opacity = Int((picture.look.opacity * 255).rounded())
    let sampler = ImageSampler(decoded.image, wide: wide, high: high)
    if decoded.isStencil {
      let ink = Int((picture.look.ink * 255).rounded())
      canvas.draw(placement: placement, look: picture.look) { x, y in
        (ink, (255 - sampler.value(x, y)) * opacity / 255)
      }
    } else if let own = decoded.opacity {
      let mask = ImageSampler(own, wide: wide, high: high)
      canvas.draw(placement: placement, look: picture.look) { x, y in
        let covers = mask.value(x, y) * opacity / 255
        return covers > 0 ? (sampler.value(x, y), covers) : (0, 0)
      }
    } else {
      canvas.draw(placement: placement, look: picture.look) { x, y in
        (sampler.value(x, y), opacity)
      }
    }
  }

  /// The placement of an image that is thinner than a pixel, made one pixel thick: rules are drawn so.
  private static func thick(
    _ placement: Matrix, on canvas: Canvas
  ) -> Matrix {
    let pixel = 1 / max(1e-9, hypot(canvas.fromUserSpace.a, canvas.fromUserSpace.b))
    var result = placement
    let wide = hypot(placement.a, placement.b)
    let high = hypot(placement.c, placement.d)
    if wide > 0, wide < pixel {
      let factor = pixel / wide
      result.e -= placement.a * (factor - 1) / 2
      result.f -= placement.b * (factor - 1) / 2
      result.a *= factor
      result.b *= factor
    }
    if high > 0, high < pixel {
      let factor = pixel / high
      result.e -= placement.c * (factor - 1) / 2
      result.f -= placement.d * (factor - 1) / 2
      result.c *= factor
      result.d *= factor
    }
    return result
  }

  private mutating func decode(
    _ picture: PageContent.Picture
  ) throws(PluginFailure) -> Decoded? {
    if let last, last.reference == picture.stream.reference { return last.decoded }
    let dictionary = picture.stream.dictionary
    let file = decoder.file
    let width = max(0, file.integer(dictionary, "Width") ?? 0)
    let height = max(0, file.integer(dictionary, "Height") ?? 0)
    try limits.check(width: width, height: height, page: page)
    pixelsLeft -= width * height + 1_000
    guard pixelsLeft > 0 else { return nil }
    guard
      let found = try decoder.decode(
        picture.stream, resources: picture.resources, page: page)
    else { return nil }
    if found.isDamaged { isDamaged = true }
    let decoded = Decoded(
      image: GreyValues(found.pixels),
      isStencil: file.resolve(dictionary["ImageMask"]).boolean ?? false,
      opacity: try decoder.opacity(
        of: picture.stream, resources: picture.resources, page: page,
        isDamaged: &isDamaged))
    guard decoded.image.values.count == decoded.image.width * decoded.image.height else {
      return nil
    }
    if let reference = picture.stream.reference { last = (reference, decoded) }
    return decoded
  }
}
