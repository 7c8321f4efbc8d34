internal import Bytes

/// The text region of JBIG2 (ITU-T T.88, 6.4 and 7.4.3) in arithmetic coding without refinement:
/// symbols drawn in strips.
enum SymbolText {
  /// - Parameters:
  ///   - range: the segment's data after the region information.
  ///   - budget: pixels that may still be drawn.
  /// - Returns: nil where the region is coded in another way or damaged.
  static func decode(
    _ data: [UInt8], _ range: Range<Int>, width: Int, height: Int, symbols: [BilevelBitmap],
    budget: inout Int
  ) -> BilevelBitmap? {
    let span = data.span
    guard let flags = span.bigEndian16(at: range.lowerBound).map(Int.init), flags & 3 == 0,
      let instances = span.bigEndian32(at: range.lowerBound + 2),
      range.lowerBound + 6 <= range.upperBound, !symbols.isEmpty
    else { return nil }
    let stripSize = 1 << (flags >> 2 & 3)
    let corner = flags >> 4 & 3
    let isTransposed = flags & 0x40 != 0
    let operation = BilevelBitmap.Operator(rawValue: flags >> 7 & 3) ?? .or
    let rawOffset = flags >> 10 & 31
    let spacing = rawOffset > 15 ? rawOffset - 32 : rawOffset
    var bits = 0
    while 1 << bits < symbols.count { bits += 1 }

    var decoder = ArithmeticDecoder(data, in: (range.lowerBound + 6)..<range.upperBound)
    var stripSteps = ArithmeticDecoder.Contexts(count: 512)
    var firsts = ArithmeticDecoder.Contexts(count: 512)
    var steps = ArithmeticDecoder.Contexts(count: 512)
    var inStrip = ArithmeticDecoder.Contexts(count: 512)
    var numbers = ArithmeticDecoder.Contexts(count: 1 << (bits + 1))
    var bitmap = BilevelBitmap(
      width: width, height: height, filledWith: flags & 0x200 != 0 ? 1 : 0)
    let far = 1 << 30
    var strip = -(decoder.integer(&stripSteps) ?? 0) * stripSize
    var lineStart = 0
    var drawn = 0
    while drawn < instances {
      guard let step = decoder.integer(&stripSteps), let first = decoder.integer(&firsts),
        !decoder.isExhausted
      else { return nil }
      strip += step * stripSize
      lineStart += first
      var along = lineStart
      while true {
        let across = strip + (stripSize == 1 ? 0 : decoder.integer(&inStrip) ?? 0)
        let number = decoder.symbol(&numbers, bits: bits)
        guard symbols.indices.contains(number), along.magnitude < far, across.magnitude < far,
          strip.magnitude < far, lineStart.magnitude < far, !decoder.isExhausted
        else { return nil }
        let symbol = symbols[number]
        budget -= symbol.width * symbol.height + 1
        guard budget > 0, drawn < instances else { return nil }
        // Corners: 0 bottom left, 1 top left, 2 bottom right, 3 top right.
        let extent = (isTransposed ? symbol.height : symbol.width) - 1
        let isAtEnd = isTransposed ? corner == 0 || corner == 2 : corner >= 2
        if isAtEnd { along += extent }
        let (x, y) = isTransposed ? (across, along) : (along, across)
        bitmap.draw(
          symbol, x: corner >= 2 ? x - symbol.width + 1 : x,
          y: corner == 0 || corner == 2 ? y - symbol.height + 1 : y, by: operation)
        if !isAtEnd { along += extent }
        drawn += 1
        guard let step = decoder.integer(&steps) else { break }
        along += step + spacing
      }
    }
    return bitmap
  }
}
