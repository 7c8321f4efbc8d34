/// Reads the numbers of text regions and symbol dictionaries, in arithmetic or in Huffman coding.
struct TextCoder {
  /// The numbers that are coded, each in contexts and by a Huffman table of its own (ITU-T T.88, 7.4.3.1.6).
  enum Number: Int, CaseIterable {
    case firsts, steps, strips, refinedWidths, refinedHeights, refinedX, refinedY, refinedSizes
    /// Without tables: among Huffman codes they are plain bits.
    case inStrip, refines
  }

  /// What Huffman codes stand for.
  struct Tables {
    /// By ``Number``.
    var numbers = [6, 8, 11, 15, 15, 15, 15, 1].map(HuffmanTable.standard)
    var symbols = HuffmanTable([])
  }

  let isHuffman: Bool
  /// The length of a symbol's number in bits.
  let symbolBits: Int
  var arithmetic: ArithmeticDecoder
  var input: JBIG2Input
  var tables = Tables()
  /// The adaptive contexts in arithmetic coding, by ``Number``.
  private var contexts = Number.allCases.map { _ in ArithmeticDecoder.Contexts(count: 512) }
  private var symbolContexts: ArithmeticDecoder.Contexts

  /// A coder for data in arithmetic coding.
  init(_ decoder: ArithmeticDecoder, symbolBits: Int) {
    isHuffman = false
    self.symbolBits = symbolBits
    arithmetic = decoder
    input = JBIG2Input([], in: 0..<0)
    symbolContexts = .init(count: 1 << (symbolBits + 1))
  }

  /// A coder for data in Huffman codes.
  init(_ input: JBIG2Input, tables: Tables) {
    isHuffman = true
    symbolBits = 0
    arithmetic = ArithmeticDecoder([], in: 0..<0)
    self.input = input
    self.tables = tables
    symbolContexts = .init(count: 0)
  }

  /// The bits that tell the symbols of a text apart.
  static func bits(for symbols: Int) -> Int {
    var bits = 0
    while 1 << bits < symbols { bits += 1 }
    return bits
  }

  private mutating func number(_ number: Number) throws(JBIG2Damage) -> Int? {
    if isHuffman { return try tables.numbers[number.rawValue].decode(&input) }
    guard !arithmetic.isExhausted else { throw .damaged }
    return arithmetic.integer(&contexts[number.rawValue])
  }

  private mutating func certain(_ number: Number) throws(JBIG2Damage) -> Int {
    guard let value = try self.number(number) else { throw .damaged }
    return value
  }

  /// How far the next strip lies below the one before, in strips.
  mutating func strip() throws(JBIG2Damage) -> Int { try certain(.strips) }

  /// How far the first symbol of a strip lies from the first of the one before.
  mutating func first() throws(JBIG2Damage) -> Int { try certain(.firsts) }

  /// How far the next symbol lies from the end of the one before; nil ends the strip.
  mutating func step() throws(JBIG2Damage) -> Int? { try number(.steps) }

  /// Where a symbol lies in a strip of some height.
  mutating func inStrip(bits: Int) throws(JBIG2Damage) -> Int {
    if isHuffman { return try input.bits(bits) }
    return try certain(.inStrip)
  }

  /// The number of a symbol.
  mutating func symbol() throws(JBIG2Damage) -> Int {
    if isHuffman { return try tables.symbols.number(&input) }
    guard !arithmetic.isExhausted else { throw .damaged }
    return arithmetic.symbol(&symbolContexts, bits: symbolBits)
  }

  /// Whether the next symbol is refined.
  mutating func refines() throws(JBIG2Damage) -> Bool {
    if isHuffman { return try input.bit() == 1 }
    return try certain(.refines) != 0
  }

  /// A symbol of a text refined (6.4.11).
  mutating func refined(
    _ symbol: BilevelBitmap, by region: RefinementRegion,
    _ pixels: inout ArithmeticDecoder.Contexts, _ work: inout DecodingWork
  ) throws(JBIG2Damage) -> BilevelBitmap {
    let width = try certain(.refinedWidths)
    let height = try certain(.refinedHeights)
    let dx = try certain(.refinedX)
    let dy = try certain(.refinedY)
    return try refined(
      symbol, width: symbol.width + width, height: symbol.height + height,
      dx: (width >> 1) + dx, dy: (height >> 1) + dy, by: region, &pixels, &work)
  }

  /// A symbol that refines another one of the same dictionary alone (6.5.8.2.2).
  mutating func refined(
    _ symbols: [BilevelBitmap], width: Int, height: Int, by region: RefinementRegion,
    symbolBits bits: Int, _ pixels: inout ArithmeticDecoder.Contexts, _ work: inout DecodingWork
  ) throws(JBIG2Damage) -> BilevelBitmap {
    let number = try isHuffman ? input.bits(bits) : symbol()
    let dx = try certain(.refinedX)
    let dy = try certain(.refinedY)
    guard symbols.indices.contains(number) else { throw .damaged }
    return try refined(
      symbols[number], width: width, height: height, dx: dx, dy: dy, by: region, &pixels, &work)
  }

  private mutating func refined(
    _ symbol: BilevelBitmap, width: Int, height: Int, dx: Int, dy: Int,
    by region: RefinementRegion, _ pixels: inout ArithmeticDecoder.Contexts,
    _ work: inout DecodingWork
  ) throws(JBIG2Damage) -> BilevelBitmap {
    guard isHuffman else {
      return try region.decode(
        width: width, height: height, reference: symbol, dx: dx, dy: dy, &arithmetic, &pixels,
        &work)
    }
    // Among Huffman codes the refinement is a run of bytes of its own.
    let size = try certain(.refinedSizes)
    input.align()
    var decoder = ArithmeticDecoder(input.bytes, in: input.rest)
    let bitmap = try region.decode(
      width: width, height: height, reference: symbol, dx: dx, dy: dy, &decoder, &pixels, &work)
    try input.skip(size)
    return bitmap
  }
}
