internal import PDFSyntax
internal import PluginKit

extension ScanDecoder {
  /// How opaque an image is by the soft mask, the stencil or the colours that hide parts of it (PDF 32000-1, 8.9.6 and
  /// 11.6.5.3), with a size of its own; nil where nothing does or where it cannot be decoded, which is damage.
  func opacity(
    of stream: PDFStream, resources: PDFDictionary, page: Int, isDamaged: inout Bool
  ) throws(PluginFailure) -> GreyValues? {
    let dictionary = stream.dictionary
    if let mask = file.resolve(dictionary["SMask"]).stream {
      guard let decoded = try decode(mask, resources: resources, page: page) else {
        isDamaged = true
        return nil
      }
      if decoded.isDamaged { isDamaged = true }
      return GreyValues(decoded.pixels)
    }
    switch file.resolve(dictionary["Mask"]) {
    case .stream(let mask):
      // Where a stencil's sample is 0 the image shows. A mask that is no stencil is none.
      guard file.resolve(mask.dictionary["ImageMask"]).boolean ?? false else { return nil }
      guard let decoded = try decode(mask, resources: resources, page: page) else {
        isDamaged = true
        return nil
      }
      if decoded.isDamaged { isDamaged = true }
      var opacity = GreyValues(decoded.pixels)
      opacity.values = opacity.values.map { 255 - $0 }
      return opacity
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
      return GreyValues(width: reader.width, height: reader.height, values: values)
    default: return nil
    }
  }
}
