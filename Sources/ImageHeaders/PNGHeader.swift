internal import Bytes

/// The chunks of a PNG file (ISO/IEC 15948) that matter here.
package struct PNGHeader: Sendable {
  package var width: Int
  package var height: Int
  package var bitDepth: Int
  /// 0 grey, 2 RGB, 3 palette, 4 grey and alpha, 6 RGB and alpha.
  package var colourType: UInt8
  package var isInterlaced: Bool
  package var hasTransparency = false
  package var palette: Range<Int>?
  /// Where the pieces of the image data lie in the file.
  package var data: [Range<Int>] = []
  package var resolution: ImageHeader.Resolution?
  package var orientation = 1
  package var isTruncated = true

  package var components: Int {
    switch colourType {
    case 2: 3
    case 4: 2
    case 6: 4
    default: 1
    }
  }

  package static func read(_ bytes: Span<UInt8>) -> ImageHeader? {
    guard let png = PNGHeader(bytes) else { return nil }
    let page = ImageHeader.Page(
      width: png.width, height: png.height, components: png.components,
      bitsPerSample: png.bitDepth, resolution: png.resolution, orientation: png.orientation)
    return ImageHeader(format: .png, pages: [page], isTruncated: png.isTruncated)
  }

  package init?(_ bytes: Span<UInt8>) {
    guard bytes.bigEndian32(at: 4) == 0x0D0A_1A0A, bytes.matches("IHDR", at: 12),
      let width = bytes.bigEndian32(at: 16), let height = bytes.bigEndian32(at: 20),
      bytes.count >= 29, width > 0, height > 0
    else { return nil }
    self.width = Int(width)
    self.height = Int(height)
    bitDepth = Int(bytes[24])
    colourType = bytes[25]
    isInterlaced = bytes[28] != 0
    var offset = 33
    while let length = bytes.bigEndian32(at: offset), offset + 8 <= bytes.count {
      let start = offset + 8
      let end = start + Int(length)
      if bytes.matches("IEND", at: offset + 4) {
        isTruncated = false
        break
      }
      guard end + 4 <= bytes.count else { break }
      if bytes.matches("IDAT", at: offset + 4) {
        data.append(start..<end)
      } else if bytes.matches("PLTE", at: offset + 4) {
        palette = start..<end
      } else if bytes.matches("tRNS", at: offset + 4) {
        hasTransparency = true
      } else if bytes.matches("pHYs", at: offset + 4), length >= 9, bytes[start + 8] == 1 {
        let x = Double(bytes.bigEndian32(at: start) ?? 0) * 0.0254
        let y = Double(bytes.bigEndian32(at: start + 4) ?? 0) * 0.0254
        resolution = ImageHeader.Resolution(x: x, y: y)
      } else if bytes.matches("eXIf", at: offset + 4) {
        orientation = TIFFDirectory.exif(bytes, in: start..<end)?.orientation ?? 1
      }
      offset = end + 4
    }
  }
}
