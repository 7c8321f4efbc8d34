internal import PDFSyntax
internal import PluginKit

/// How opaque the pixels of an image are, with a size of its own: 255 where they cover what is below.
struct ImageOpacity {
  var width: Int
  var height: Int
  var values: [UInt8]
}

extension ScanDecoder {
  /// The soft mask, the stencil or the colours that hide parts of an image (PDF 32000-1, 8.9.6 and
  /// 11.6.5.3); nil where nothing does or where it cannot be decoded.
  func opacity(
    of stream: PDFStream, resources: PDFDictionary, page: Int
  ) throws(PluginFailure) -> ImageOpacity? {
    let dictionary = stream.dictionary
    if let mask = file.resolve(dictionary["SMask"]).stream {
      guard let decoded = try decode(mask, resources: resources, page: page) else { return nil }
      return ImageOpacity(
        width: decoded.pixels.width, height: decoded.pixels.height,
        values: decoded.pixels.lightness())
    }
    switch file.resolve(dictionary["Mask"]) {
    case .stream(let mask):
      // Where a stencil's sample is 0 the image shows. A mask that is no stencil is none.
      guard file.resolve(mask.dictionary["ImageMask"]).boolean ?? false,
        let decoded = try decode(mask, resources: resources, page: page)
      else { return nil }
      return ImageOpacity(
        width: decoded.pixels.width, height: decoded.pixels.height,
        values: decoded.pixels.lightness().map { 255 - $0 })
    case .array(let items):
      try limits.check(
        width: file.integer(dictionary, "Width") ?? 0,
        height: file.integer(dictionary, "Height") ?? 0, page: page)
      let key = items.map { file.resolve($0).number ?? 0 }
      let decoded = file.decode(stream)
      guard decoded.pending == nil,
        let reader = SampleReader(dictionary, resources: resources, file: file),
        let values = reader.opacity(decoded.bytes, key: key)
      else { return nil }
      return ImageOpacity(width: reader.width, height: reader.height, values: values)
    default: return nil
    }
  }
}
