/// The text region of JBIG2 (ITU-T T.88, 6.4): symbols drawn in strips.
struct TextRegion {
  var width: Int
  var height: Int
  var instances: Int
  /// The binary logarithm of the height of a strip.
  var stripBits = 0
  /// The corner by which symbols are placed: 0 bottom left, 1 top left, 2 bottom right, 3 top right.
  var corner = 1
  var isTransposed = false
  var operation = BilevelBitmap.Operator.or
  var defaultPixel: UInt8 = 0
  var spacing = 0
  /// How symbols are refined; nil where they are not.
  var refinement: RefinementRegion?

  private static let far = 1 << 30

  /// Draws the region.
  ///
  /// - Parameters:
  ///   - coder: is left behind the region's data.
  ///   - refined: the contexts of the refinement.
  func decode(
    _ symbols: [BilevelBitmap], _ coder: inout TextCoder,
    _ refined: inout ArithmeticDecoder.Contexts, _ work: inout DecodingWork
  ) throws(JBIG2Damage) -> BilevelBitmap {
    try work.spend(width: width, height: height)
    var bitmap = BilevelBitmap(width: width, height: height, filledWith: defaultPixel)
    var strip = -(try coder.strip()) << stripBits
    var lineStart = 0
    var drawn = 0
    while drawn < instances {
      strip += try coder.strip() << stripBits
      lineStart += try coder.first()
      guard strip.magnitude < Self.far, lineStart.magnitude < Self.far else { throw .damaged }
      var along = lineStart
      var isFirst = true
      while true {
        if !isFirst {
          guard let step = try coder.step() else { break }
          along += step + spacing
        }
        isFirst = false
        guard drawn < instances, along.magnitude < Self.far else { throw .damaged }
        let across = strip + (stripBits == 0 ? 0 : try coder.inStrip(bits: stripBits))
        let number = try coder.symbol()
        guard symbols.indices.contains(number) else { throw .damaged }
        var symbol = symbols[number]
        if let refinement, try coder.refines() {
          symbol = try coder.refined(symbol, by: refinement, &refined, &work)
        }
        try work.spend(symbol.width * symbol.height + 32)
        let extent = (isTransposed ? symbol.height : symbol.width) - 1
        let isAtEnd = isTransposed ? corner == 0 || corner == 2 : corner >= 2
        if isAtEnd { along += extent }
        let (x, y) = isTransposed ? (across, along) : (along, across)
        bitmap.draw(
          symbol, x: corner >= 2 ? x - symbol.width + 1 : x,
          y: corner == 0 || corner == 2 ? y - symbol.height + 1 : y, by: operation)
        if !isAtEnd { along += extent }
        drawn += 1
      }
    }
    return bitmap
  }

  /// Decodes the data of a segment behind the region's place and size (7.4.3).
  ///
  /// - Parameter custom: the tables that other segments hold, in their order.
  static func segment(
    _ input: inout JBIG2Input, width: Int, height: Int, symbols: [BilevelBitmap],
    custom: [HuffmanTable], _ work: inout DecodingWork
  ) throws(JBIG2Damage) -> BilevelBitmap {
    let flags = try input.number(bytes: 2)
    let isHuffman = flags & 1 == 1
    var tables = TextCoder.Tables()
    if isHuffman {
      var custom = custom[...]
      try tables.choose(try input.number(bytes: 2), &custom)
    }
    let template = flags >> 15
    var refinement: RefinementRegion?
    if flags & 2 != 0 {
      refinement = try RefinementRegion(
        template: template, typicalPrediction: false,
        adaptive: try input.array(RefinementRegion.adaptiveBytes(template: template)))
    }
    let rawOffset = flags >> 10 & 31
    let region = TextRegion(
      width: width, height: height, instances: try input.number(bytes: 4),
      stripBits: flags >> 2 & 3, corner: flags >> 4 & 3, isTransposed: flags & 0x40 != 0,
      operation: BilevelBitmap.Operator(rawValue: flags >> 7 & 3) ?? .or,
      defaultPixel: flags & 0x200 != 0 ? 1 : 0,
      spacing: rawOffset > 15 ? rawOffset - 32 : rawOffset, refinement: refinement)
    var coder: TextCoder
    if isHuffman {
      try work.spend(32 * symbols.count)
      tables.symbols = try symbolCodes(&input, symbols: symbols.count)
      coder = TextCoder(input, tables: tables)
    } else {
      coder = TextCoder(
        ArithmeticDecoder(input.bytes, in: input.rest),
        symbolBits: TextCoder.bits(for: symbols.count))
    }
    var refined = RefinementRegion.contexts
    return try region.decode(symbols, &coder, &refined, &work)
  }

  /// The codes of the symbols, whose lengths are coded by runs (7.4.3.1.7).
  private static func symbolCodes(
    _ input: inout JBIG2Input, symbols: Int
  ) throws(JBIG2Damage) -> HuffmanTable {
    var runLengths: [Int] = []
    for _ in 0..<35 { runLengths.append(try input.bits(4)) }
    let runs = HuffmanTable(symbolLengths: runLengths)
    var lengths: [Int] = []
    while lengths.count < symbols {
      let code = try runs.number(&input)
      switch code {
      case 32:
        guard let last = lengths.last else { throw .damaged }
        lengths += [Int](repeating: last, count: try input.bits(2) + 3)
      case 33: lengths += [Int](repeating: 0, count: try input.bits(3) + 3)
      case 34: lengths += [Int](repeating: 0, count: try input.bits(7) + 11)
      default: lengths.append(code)
      }
    }
    guard lengths.count == symbols else { throw .damaged }
    input.align()
    return HuffmanTable(symbolLengths: lengths)
  }
}

extension TextCoder.Tables {
  /// Takes the tables that the flags of a text region name (7.4.3.1.2).
  mutating func choose(
    _ flags: Int, _ custom: inout ArraySlice<HuffmanTable>
  ) throws(JBIG2Damage) {
    numbers = [
      try .chosen(flags & 3, [6, 7], &custom), try .chosen(flags >> 2 & 3, [8, 9, 10], &custom),
      try .chosen(flags >> 4 & 3, [11, 12, 13], &custom),
      try .chosen(flags >> 6 & 3, [14, 15], &custom),
      try .chosen(flags >> 8 & 3, [14, 15], &custom),
      try .chosen(flags >> 10 & 3, [14, 15], &custom),
      try .chosen(flags >> 12 & 3, [14, 15], &custom),
      try .chosen(flags >> 14 & 1 == 0 ? 0 : 3, [1], &custom),
    ]
  }
}

extension HuffmanTable {
  /// A standard table, or, for 3, the next of those that other segments hold.
  static func chosen(
    _ choice: Int, _ standard: [Int], _ custom: inout ArraySlice<HuffmanTable>
  ) throws(JBIG2Damage) -> HuffmanTable {
    if choice == 3 {
      guard let next = custom.popFirst() else { throw .damaged }
      return next
    }
    guard choice < standard.count else { throw .damaged }
    return .standard(standard[choice])
  }
}
