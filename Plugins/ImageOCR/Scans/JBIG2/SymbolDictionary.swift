/// The symbol dictionary of JBIG2 (ITU-T T.88, 6.5 and 7.4.2).
struct SymbolDictionary {
  /// The symbols that it exports.
  private(set) var symbols: [BilevelBitmap] = []
  /// The contexts for a dictionary that goes on where this one ended.
  private var kept: Kept?

  private struct Kept {
    var pixels: ArithmeticDecoder.Contexts
    var refined: ArithmeticDecoder.Contexts
  }

  private static let mostSymbols = 1_000_000

  /// How the symbols are coded.
  fileprivate struct Coding {
    var isHuffman: Bool
    var region: GenericRegion
    /// Nil where symbols are not refined from others.
    var refinement: RefinementRegion?
    var heights = HuffmanTable.standard(4)
    var widths = HuffmanTable.standard(2)
    var sizes = HuffmanTable.standard(1)
    var instances = HuffmanTable.standard(1)
  }

  /// The state of the decoder from one symbol to the next.
  fileprivate struct Progress {
    var input: JBIG2Input
    var pixels: ArithmeticDecoder.Contexts
    var refined: ArithmeticDecoder.Contexts
    var text: TextCoder
    var heights = ArithmeticDecoder.Contexts(count: 512)
    var widths = ArithmeticDecoder.Contexts(count: 512)
    var instances = ArithmeticDecoder.Contexts(count: 512)
    var runs = ArithmeticDecoder.Contexts(count: 512)
  }

  /// Decodes the data of a segment.
  ///
  /// - Parameters:
  ///   - inherited: the dictionaries it refers to.
  ///   - custom: the Huffman tables it refers to.
  init(
    _ input: inout JBIG2Input, inherited: [SymbolDictionary], custom: [HuffmanTable],
    _ work: inout DecodingWork
  ) throws(JBIG2Damage) {
    let flags = try input.number(bytes: 2)
    let coding = try Self.coding(flags, &input, custom)
    let exported = try input.number(bytes: 4)
    let added = try input.number(bytes: 4)
    var all: [BilevelBitmap] = inherited.flatMap(\.symbols)
    guard exported <= Self.mostSymbols, added <= Self.mostSymbols, all.count <= Self.mostSymbols
    else { throw .damaged }
    try work.spend(all.count * 16)
    let total = all.count + added
    let symbolBits = max(coding.isHuffman ? 1 : 0, TextCoder.bits(for: total))
    var text: TextCoder
    if coding.isHuffman {
      var tables = TextCoder.Tables()
      if coding.refinement != nil {
        try work.spend(32 * total)
        tables.symbols = HuffmanTable(
          symbolLengths: [Int](repeating: symbolBits, count: total))
      }
      text = TextCoder(input, tables: tables)
    } else {
      text = TextCoder(
        ArithmeticDecoder(input.bytes, in: input.rest), symbolBits: symbolBits)
    }
    let before = flags & 0x100 != 0 ? inherited.last?.kept : nil
    var progress = Progress(
      input: input, pixels: before?.pixels ?? GenericRegion.contexts,
      refined: before?.refined ?? RefinementRegion.contexts, text: text)
    let inheritedCount = all.count
    try Self.add(
      added, to: &all, coding, &progress, symbolBits: symbolBits, &work)
    guard all.count == inheritedCount + added else { throw .damaged }
    symbols = try Self.exported(all, coding, &progress)
    guard symbols.count == exported else { throw .damaged }
    if flags & 0x200 != 0 { kept = Kept(pixels: progress.pixels, refined: progress.refined) }
  }

  private static func coding(
    _ flags: Int, _ input: inout JBIG2Input, _ custom: [HuffmanTable]
  ) throws(JBIG2Damage) -> Coding {
    let isHuffman = flags & 1 == 1
    let refines = flags & 2 != 0
    let template = flags >> 10 & 3
    var adaptive: [UInt8]?
    if !isHuffman { adaptive = try input.array(GenericRegion.adaptiveBytes(template: template)) }
    var coding = Coding(
      isHuffman: isHuffman,
      region: try GenericRegion(
        template: template, typicalPrediction: false, adaptive: adaptive))
    if refines {
      let template = flags >> 12 & 1
      coding.refinement = try RefinementRegion(
        template: template, typicalPrediction: false,
        adaptive: try input.array(RefinementRegion.adaptiveBytes(template: template)))
    }
    if isHuffman {
      var custom = custom[...]
      coding.heights = try .chosen(flags >> 2 & 3, [4, 5], &custom)
      coding.widths = try .chosen(flags >> 4 & 3, [2, 3], &custom)
      coding.sizes = try .chosen(flags >> 6 & 1 == 0 ? 0 : 3, [1], &custom)
      coding.instances = try .chosen(flags >> 7 & 1 == 0 ? 0 : 3, [1], &custom)
    }
    return coding
  }

  // MARK: Symbols

  private static func add(
    _ added: Int, to all: inout [BilevelBitmap], _ coding: Coding, _ progress: inout Progress,
    symbolBits: Int, _ work: inout DecodingWork
  ) throws(JBIG2Damage) {
    let total = all.count + added
    var height = 0
    while all.count < total {
      height += try progress.height(coding)
      var width = 0
      var widths: [Int] = []
      while let step = try progress.width(coding) {
        width += step
        guard all.count + widths.count < total else { throw .damaged }
        try work.spend(width: width, height: height)
        if coding.isHuffman, coding.refinement == nil {
          widths.append(width)
        } else if let refinement = coding.refinement {
          all.append(
            try progress.refinedSymbol(
              all, width: width, height: height, coding, refinement, symbolBits: symbolBits, &work))
        } else {
          all.append(
            try coding.region.decode(
              width: width, height: height, &progress.text.arithmetic, &progress.pixels, &work))
        }
      }
      guard !widths.isEmpty else { continue }
      // The symbols of one height stand side by side in one bitmap.
      let row = try progress.row(
        width: widths.reduce(0, +), height: height, coding, &work)
      var left = 0
      for width in widths {
        all.append(row.part(x: left, y: 0, width: width, height: height))
        left += width
      }
    }
  }

  /// Runs of symbols that are exported and that are not take turns (6.5.10).
  private static func exported(
    _ all: [BilevelBitmap], _ coding: Coding, _ progress: inout Progress
  ) throws(JBIG2Damage) -> [BilevelBitmap] {
    var result: [BilevelBitmap] = []
    var index = 0
    var isExported = false
    var emptyRuns = 0
    while index < all.count {
      let run = try progress.run(coding)
      emptyRuns = run == 0 ? emptyRuns + 1 : 0
      guard run >= 0, run <= all.count - index, emptyRuns < 5 else { throw .damaged }
      if isExported { result += all[index..<(index + run)] }
      index += run
      isExported.toggle()
    }
    return result
  }
}

extension SymbolDictionary.Progress {
  private mutating func number(
    _ contexts: WritableKeyPath<Self, ArithmeticDecoder.Contexts>, _ table: HuffmanTable
  ) throws(JBIG2Damage) -> Int? {
    if text.isHuffman { return try table.decode(&text.input) }
    guard !text.arithmetic.isExhausted else { throw .damaged }
    var own = self[keyPath: contexts]
    defer { self[keyPath: contexts] = own }
    return text.arithmetic.integer(&own)
  }

  fileprivate mutating func height(
    _ coding: SymbolDictionary.Coding
  ) throws(JBIG2Damage) -> Int {
    guard let step = try number(\.heights, coding.heights) else { throw .damaged }
    return step
  }

  /// How much wider the next symbol is than the one before; nil ends the symbols of one height.
  fileprivate mutating func width(
    _ coding: SymbolDictionary.Coding
  ) throws(JBIG2Damage) -> Int? {
    try number(\.widths, coding.widths)
  }

  fileprivate mutating func run(_ coding: SymbolDictionary.Coding) throws(JBIG2Damage) -> Int {
    guard let run = try number(\.runs, .standard(1)) else { throw .damaged }
    return run
  }

  /// A symbol made of others (6.5.8.2).
  fileprivate mutating func refinedSymbol(
    _ all: [BilevelBitmap], width: Int, height: Int, _ coding: SymbolDictionary.Coding,
    _ refinement: RefinementRegion, symbolBits: Int, _ work: inout DecodingWork
  ) throws(JBIG2Damage) -> BilevelBitmap {
    guard let count = try number(\.instances, coding.instances) else { throw .damaged }
    if count == 1 {
      return try text.refined(
        all, width: width, height: height, by: refinement, symbolBits: symbolBits, &refined, &work)
    }
    let region = TextRegion(
      width: width, height: height, instances: count, refinement: refinement)
    return try region.decode(all, &text, &refined, &work)
  }

  /// The symbols of one height among Huffman codes (6.5.9): fax data, or plain where it has no size.
  fileprivate mutating func row(
    width: Int, height: Int, _ coding: SymbolDictionary.Coding, _ work: inout DecodingWork
  ) throws(JBIG2Damage) -> BilevelBitmap {
    try work.spend(width: width, height: height)
    let size = try coding.sizes.number(&text.input)
    text.input.align()
    if size == 0 {
      var bitmap = BilevelBitmap(width: width, height: height)
      for y in 0..<height {
        for x in 0..<width {
          bitmap.pixels[y * width + x] = UInt8(truncatingIfNeeded: try text.input.bit())
        }
        text.input.align()
      }
      return bitmap
    }
    let data = text.input.rest.prefix(size)
    guard data.count == size else { throw .damaged }
    var fax = FaxDecoder(
      text.input.bytes, in: data, FaxDecoder.Parameters(k: -1, columns: width))
    let bitmap = fax.decode(rows: height).bitmap
    try text.input.skip(size)
    return bitmap
  }
}
