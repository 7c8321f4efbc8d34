internal import Bytes

/// The symbol dictionary segment of JBIG2 (ITU-T T.88, 6.5 and 7.4.2) in arithmetic coding without
/// refinement, which is what encoders of scans write.
enum SymbolDictionary {
  private static let mostSymbols = 1_000_000

  /// The symbols that the segment exports; nil where it is coded in another way or damaged.
  ///
  /// - Parameters:
  ///   - inherited: the symbols of the dictionaries it refers to.
  ///   - budget: pixels that may still be decoded.
  static func decode(
    _ data: [UInt8], _ range: Range<Int>, inherited: [BilevelBitmap], budget: inout Int
  ) -> [BilevelBitmap]? {
    let span = data.span
    guard let flags = span.bigEndian16(at: range.lowerBound), flags & 3 == 0 else { return nil }
    let template = Int(flags >> 10 & 3)
    var offset = range.lowerBound + 2
    let count = GenericRegion.adaptiveBytes(template: template)
    let adaptive = span.array(offset..<(offset + count))
    offset += count
    guard
      let region = GenericRegion(
        template: template, typicalPrediction: false, adaptive: adaptive),
      let exported = span.bigEndian32(at: offset), let added = span.bigEndian32(at: offset + 4),
      exported <= mostSymbols, added <= mostSymbols, offset + 8 <= range.upperBound
    else { return nil }
    var decoder = ArithmeticDecoder(data, in: (offset + 8)..<range.upperBound)
    var pixels = region.contexts
    var heights = ArithmeticDecoder.Contexts(count: 512)
    var widths = ArithmeticDecoder.Contexts(count: 512)
    var runs = ArithmeticDecoder.Contexts(count: 512)
    var symbols = inherited
    let total = inherited.count + Int(added)
    var height = 0
    while symbols.count < total {
      guard let step = decoder.integer(&heights), !decoder.isExhausted else { return nil }
      height += step
      var width = 0
      while let step = decoder.integer(&widths) {
        width += step
        guard symbols.count < total, (0...65_535).contains(width), (0...65_535).contains(height),
          !decoder.isExhausted
        else { return nil }
        budget -= width * height + 64
        guard budget > 0 else { return nil }
        symbols.append(region.decode(width: width, height: height, &decoder, &pixels))
      }
    }
    // Runs of symbols that are exported and that are not take turns.
    var result: [BilevelBitmap] = []
    var index = 0
    var isExported = false
    while index < total {
      guard let run = decoder.integer(&runs), run >= 0, index + run <= total,
        !decoder.isExhausted
      else { return nil }
      if isExported { result += symbols[index..<(index + run)] }
      index += run
      isExported.toggle()
    }
    return result.count == Int(exported) ? result : nil
  }
}
