internal import Bytes

/// The header boxes of a JPEG 2000 file (ISO/IEC 15444-1, annex I), or of a bare codestream.
enum JPEG2000Header {
  static func read(_ bytes: Span<UInt8>) -> ImageHeader? {
    if bytes.bigEndian32(at: 0) == 0xFF4F_FF51 {
      return codestream(bytes, at: 0).map { ImageHeader(format: .jpeg2000, pages: [$0]) }
    }
    var page: ImageHeader.Page?
    var resolution: ImageHeader.Resolution?
    for box in MediaBox.boxes(of: bytes, in: 0..<bytes.count) {
      if box.isOf("jp2h", in: bytes) {
        for inner in MediaBox.boxes(of: bytes, in: box.content) {
          if inner.isOf("ihdr", in: bytes) {
            page = size(bytes, inner.content) ?? page
          } else if inner.isOf("res ", in: bytes) {
            // The last one stated is believed: that of display stands behind that of capture.
            for stated in MediaBox.boxes(of: bytes, in: inner.content)
            where stated.isOf("resc", in: bytes) || stated.isOf("resd", in: bytes) {
              resolution = perMetre(bytes, at: stated.content.lowerBound) ?? resolution
            }
          }
        }
      } else if box.isOf("jp2c", in: bytes) {
        // What decoders make room for is what the codestream says, whatever stands in the header.
        let stream = codestream(bytes, at: box.content.lowerBound)
        if var known = page, let stream {
          known.width = max(known.width, stream.width)
          known.height = max(known.height, stream.height)
          page = known
        } else {
          page = page ?? stream
        }
        break
      }
    }
    guard var page else { return nil }
    page.resolution = resolution
    return ImageHeader(format: .jpeg2000, pages: [page])
  }

  /// The image header box (I.5.3.1).
  private static func size(_ bytes: Span<UInt8>, _ content: Range<Int>) -> ImageHeader.Page? {
    let start = content.lowerBound
    guard content.count >= 11, let height = bytes.bigEndian32(at: start),
      let width = bytes.bigEndian32(at: start + 4),
      let components = bytes.bigEndian16(at: start + 8), width > 0, height > 0
    else { return nil }
    let bits = bytes[start + 10]
    return ImageHeader.Page(
      width: Int(width), height: Int(height), components: Int(components),
      bitsPerSample: bits == 255 ? 8 : Int(bits & 0x7F) + 1)
  }

  /// The SIZ segment of a codestream (A.5.1).
  private static func codestream(_ bytes: Span<UInt8>, at start: Int) -> ImageHeader.Page? {
    guard let right = bytes.bigEndian32(at: start + 8),
      let bottom = bytes.bigEndian32(at: start + 12),
      let left = bytes.bigEndian32(at: start + 16), let top = bytes.bigEndian32(at: start + 20),
      let components = bytes.bigEndian16(at: start + 40), right > left, bottom > top
    else { return nil }
    return ImageHeader.Page(
      width: Int(right - left), height: Int(bottom - top), components: Int(components))
  }

  /// A resolution box (I.5.3.7): fractions with a decimal exponent, in samples per metre.
  private static func perMetre(_ bytes: Span<UInt8>, at start: Int) -> ImageHeader.Resolution? {
    guard let yUp = bytes.bigEndian16(at: start), let yDown = bytes.bigEndian16(at: start + 2),
      let xUp = bytes.bigEndian16(at: start + 4), let xDown = bytes.bigEndian16(at: start + 6),
      start + 10 <= bytes.count, yDown > 0, xDown > 0
    else { return nil }
    func power(_ exponent: UInt8) -> Double {
      let steps = Int(Int8(bitPattern: exponent))
      var result = 1.0
      for _ in 0..<min(steps.magnitude, 20) { result *= steps > 0 ? 10 : 0.1 }
      return result
    }
    return ImageHeader.Resolution(
      x: Double(xUp) / Double(xDown) * power(bytes[start + 9]) * 0.0254,
      y: Double(yUp) / Double(yDown) * power(bytes[start + 8]) * 0.0254)
  }
}
