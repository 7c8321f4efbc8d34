/// Reads the numbers of text regions and symbol dictionaries, in arithmetic or in Huffman coding.
struct TextCoder {
  /// What Huffman codes stand for (ITU-T T.88, 7.4.3.1.6).
  struct Tables {
    var firsts = HuffmanTable.standard(6)
    var steps = HuffmanTable.standard(8)
    var strips = HuffmanTable.standard(11)
    var refinedWidths = HuffmanTable.standard(15)
    var refinedHeights = HuffmanTable.standard(15)
    var refinedX = HuffmanTable.standard(15)
    var refinedY = HuffmanTable.standard(15)
    var refinedSizes = HuffmanTable.standard(1)
    var symbols = HuffmanTable([])
  }

  /// The adaptive contexts of the numbers in arithmetic coding.
  struct Contexts {
    var strips = ArithmeticDecoder.Contexts(count: 512)
    var firsts = ArithmeticDecoder.Contexts(count: 512)
    var steps = ArithmeticDecoder.Contexts(count: 512)
    var inStrip = ArithmeticDecoder.Contexts(count: 512)
    var refines = ArithmeticDecoder.Contexts(count: 512)
    var refinedWidths = ArithmeticDecoder.Contexts(count: 512)
    var refinedHeights = ArithmeticDecoder.Contexts(count: 512)
    var refinedX = ArithmeticDecoder.Contexts(count: 512)
    var refinedY = ArithmeticDecoder.Contexts(count: 512)
    var symbols: ArithmeticDecoder.Contexts
  }

  let isHuffman: Bool
  /// The length of a symbol's number in bits.
  let symbolBits: Int
  var arithmetic: ArithmeticDecoder
  var input: JBIG2Input
  var tables = Tables()
  private var contexts: Contexts

  /// A coder for data in arithmetic coding.
  init(_ decoder: ArithmeticDecoder, symbolBits: Int) {
    isHuffman = false
    self.symbolBits = symbolBits
    arithmetic = decoder
    input = JBIG2Input([], in: 0..<0)
    contexts = Contexts(symbols: .init(count: 1 << (symbolBits + 1)))
  }

  /// A coder for data in Huffman codes.
  init(_ input: JBIG2Input, tables: Tables) {
    isHuffman = true
    symbolBits = 0
    arithmetic = ArithmeticDecoder([], in: 0..<0)
    self.input = input
    self.tables = tables
    contexts = Contexts(symbols: .init(count: 0))
  }

  /// The bits that tell the symbols of a text apart.
  static func bits(for symbols: Int) -> Int {
    var bits = 0
    while 1 << bits < symbols { bits += 1 }
    return bits
  }

  private mutating func number(
    _ context: WritableKeyPath<Contexts, ArithmeticDecoder.Contexts>,
    _ table: KeyPath<Tables, HuffmanTable>
  ) throws(JBIG2Damage) -> Int? {
    if isHuffman { return try tables[keyPath: table].decode(&input) }
    guard !arithmetic.isExhausted else { throw .damaged }
    return arithmetic.integer(&contexts[keyPath: context])
  }

  private mutating func certain(
    _ context: WritableKeyPath<Contexts, ArithmeticDecoder.Contexts>,
    _ table: KeyPath<Tables, HuffmanTable>
  ) throws(JBIG2Damage) -> Int {
    guard let value = try number(context, table) else { throw .damaged }
    return value
  }

  /// How far the next strip lies below the one before, in strips.
  mutating func strip() throws(JBIG2Damage) -> Int { try certain(\.strips, \.strips) }

  /// How far the first symbol of a strip lies from the first of the one before.
  mutating func first() throws(JBIG2Damage) -> Int { try certain(\.firsts, \.firsts) }

  /// How far the next symbol lies from the end of the one before; nil ends the strip.
  mutating func step() throws(JBIG2Damage) -> Int? { try number(\.steps, \.steps) }

  /// Where a symbol lies in a strip of some height.
  mutating func inStrip(bits: Int) throws(JBIG2Damage) -> Int {
    if isHuffman { return try input.bits(bits) }
    guard let value = arithmetic.integer(&contexts.inStrip) else { throw .damaged }
    return value
  }

  /// The number of a symbol.
  mutating func symbol() throws(JBIG2Damage) -> Int {
    if isHuffman { return try tables.symbols.number(&input) }
    guard !arithmetic.isExhausted else { throw .damaged }
    return arithmetic.symbol(&contexts.symbols, bits: symbolBits)
  }

  /// Whether the next symbol is refined.
  mutating func refines() throws(JBIG2Damage) -> Bool {
    if isHuffman { return try input.bit() == 1 }
    guard let value = arithmetic.integer(&contexts.refines) else { throw .damaged }
    return value != 0
  }

  /// A symbol of a text refined (6.4.11).
  mutating func refined(
    _ symbol: BilevelBitmap, by region: RefinementRegion,
    _ pixels: inout ArithmeticDecoder.Contexts, _ work: inout DecodingWork
  ) throws(JBIG2Damage) -> BilevelBitmap {
    let width = try certain(\.refinedWidths, \.refinedWidths)
    let height = try certain(\.refinedHeights, \.refinedHeights)
    let dx = try certain(\.refinedX, \.refinedX)
    let dy = try certain(\.refinedY, \.refinedY)
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
    let dx = try certain(\.refinedX, \.refinedX)
    let dy = try certain(\.refinedY, \.refinedY)
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
    let size = try tables.refinedSizes.number(&input)
    input.align()
    var decoder = ArithmeticDecoder(input.bytes, in: input.rest)
    let bitmap = try region.decode(
      width: width, height: height, reference: symbol, dx: dx, dy: dy, &decoder, &pixels, &work)
    try input.skip(size)
    return bitmap
  }
}
