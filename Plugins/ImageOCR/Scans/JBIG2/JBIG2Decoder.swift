internal import Bytes

/// Decodes the JBIG2 data of a PDF image (PDF 32000-1, 7.4.7; ITU-T T.88): generic, text, halftone and
/// refinement regions in arithmetic, Huffman and fax coding.
struct JBIG2Decoder {
  private var page: BilevelBitmap
  private var dictionaries: [Int: SymbolDictionary] = [:]
  private var patterns: [Int: [BilevelBitmap]] = [:]
  private var tables: [Int: HuffmanTable] = [:]
  /// Regions that others refine.
  private var regions: [Int: BilevelBitmap] = [:]
  private var work: DecodingWork
  /// Whether anything was drawn.
  private var hasDrawn = false
  /// Why the data could not be decoded to its end, if so.
  private(set) var damage: JBIG2Damage?

  /// - Parameters:
  ///   - width: of the image in pixels, already held against the limits.
  ///   - height: of the image in pixels.
  init(width: Int, height: Int) {
    page = BilevelBitmap(width: width, height: height)
    work = DecodingWork(pixels: width * height, bytes: 0)
  }

  /// - Parameters:
  ///   - globals: the segments that several images share, if any.
  /// - Returns: the page's pixels, as far as they could be decoded (see ``damage``); nil where none
  ///   could.
  mutating func decode(_ data: [UInt8], globals: [UInt8]?) -> BilevelBitmap? {
    work = DecodingWork(
      pixels: page.width * page.height, bytes: data.count + (globals?.count ?? 0))
    do throws(JBIG2Damage) {
      if let globals { try read(globals) }
      try read(data)
    } catch {
      damage = error
    }
    return damage == nil || hasDrawn ? page : nil
  }

  /// The header of a segment (7.2).
  private struct Segment {
    var number: Int
    var kind: Int
    var references: [Int]
    var data: Range<Int>
    /// Whether it ends early.
    var isCut: Bool
  }

  private static func segment(_ bytes: Span<UInt8>, at start: Int) -> Segment? {
    guard let number = bytes.bigEndian32(at: start), start + 6 <= bytes.count else { return nil }
    let flags = bytes[start + 4]
    var offset = start + 5
    var count = Int(bytes[offset] >> 5)
    if count == 7 {
      count = Int((bytes.bigEndian32(at: offset) ?? 0) & 0x1FFF_FFFF)
      offset += 4 + (count + 8) / 8
    } else {
      offset += 1
    }
    let size = number <= 256 ? 1 : number <= 65_536 ? 2 : 4
    guard offset + count * size <= bytes.count else { return nil }
    var references: [Int] = []
    for _ in 0..<count {
      switch size {
      case 1: references.append(Int(bytes[offset]))
      case 2: references.append(Int(bytes.bigEndian16(at: offset) ?? 0))
      default: references.append(Int(bytes.bigEndian32(at: offset) ?? 0))
      }
      offset += size
    }
    offset += flags & 0x40 != 0 ? 4 : 1
    guard let length = bytes.bigEndian32(at: offset) else { return nil }
    offset += 4
    let kind = Int(flags & 63)
    var end = min(bytes.count, offset + Int(length))
    if length == 0xFFFF_FFFF {
      end = kind == 38 ? endOfUnknownLength(bytes, from: offset) : bytes.count
    }
    return Segment(
      number: Int(number), kind: kind, references: references, data: min(offset, end)..<end,
      isCut: length != 0xFFFF_FFFF && offset + Int(length) > bytes.count)
  }

  /// A generic region may have been begun before its length was known (7.2.7): it ends with a mark and
  /// the number of its rows.
  private static func endOfUnknownLength(_ bytes: Span<UInt8>, from start: Int) -> Int {
    guard start + 18 <= bytes.count else { return bytes.count }
    let mark: (UInt8, UInt8) = bytes[start + 17] & 1 == 1 ? (0, 0) : (0xFF, 0xAC)
    var at = start + 18
    while at + 6 <= bytes.count {
      if bytes[at] == mark.0, bytes[at + 1] == mark.1 { return at + 6 }
      at += 1
    }
    return bytes.count
  }

  private mutating func read(_ bytes: [UInt8]) throws(JBIG2Damage) {
    var offset = 0
    while let segment = Self.segment(bytes.span, at: offset) {
      // Whatever a segment holds, there are not many without data.
      try work.spend(1000)
      offset = segment.data.upperBound
      if segment.isCut { damage = .damaged }
      var input = JBIG2Input(bytes, in: segment.data)
      switch segment.kind {
      case 0:
        dictionaries[segment.number] = try SymbolDictionary(
          &input, inherited: segment.references.compactMap { dictionaries[$0] },
          custom: segment.references.compactMap { tables[$0] }, &work)
      case 16: patterns[segment.number] = try HalftoneRegion.patterns(&input, &work)
      case 53: tables[segment.number] = try HuffmanTable(segment: &input)
      case 4, 6, 7, 20, 22, 23, 36, 38, 39, 40, 42, 43:
        try readRegion(segment, &input)
      case 48:
        // Bit 2 of the page's flags is the colour of its pixels at first (7.4.8.5).
        try input.skip(16)
        if try input.byte() & 4 != 0 {
          page = BilevelBitmap(width: page.width, height: page.height, filledWith: 1)
        }
      case 49, 50, 51, 52, 62: break
      default: throw .unknownCoding
      }
    }
    // The beginning of a header; there may be an end of line.
    if bytes[min(offset, bytes.count)...].contains(where: { ![0, 10, 13].contains($0) }) {
      damage = .damaged
    }
  }

  /// Decodes a region and draws it on the page, or keeps it for another that refines it (7.4.1).
  private mutating func readRegion(
    _ segment: Segment, _ input: inout JBIG2Input
  ) throws(JBIG2Damage) {
    let width = try input.number(bytes: 4)
    let height = try input.number(bytes: 4)
    let x = try input.signed()
    let y = try input.signed()
    let operation = BilevelBitmap.Operator(rawValue: try input.byte() & 7) ?? .or
    guard width <= JBIG2Damage.longestSide, height <= JBIG2Damage.longestSide else {
      throw .damaged
    }
    let region: BilevelBitmap
    switch segment.kind {
    case 4, 6, 7:
      region = try TextRegion.segment(
        &input, width: width, height: height,
        symbols: segment.references.flatMap { dictionaries[$0]?.symbols ?? [] },
        custom: segment.references.compactMap { tables[$0] }, &work)
    case 20, 22, 23:
      region = try HalftoneRegion.segment(
        &input, width: width, height: height,
        patterns: segment.references.flatMap { patterns[$0] ?? [] }, &work)
    case 36, 38, 39: region = try generic(&input, width: width, height: height)
    default:
      let flags = try input.byte()
      let template = flags & 1
      let refinement = try RefinementRegion(
        template: template, typicalPrediction: flags & 2 != 0,
        adaptive: try input.array(RefinementRegion.adaptiveBytes(template: template)))
      try work.spend(width: width, height: height)
      let reference =
        segment.references.compactMap { regions[$0] }.first
        ?? page.part(x: x, y: y, width: width, height: height)
      var decoder = ArithmeticDecoder(input.bytes, in: input.rest)
      var contexts = RefinementRegion.contexts
      region = try refinement.decode(
        width: width, height: height, reference: reference, dx: 0, dy: 0, &decoder, &contexts,
        &work)
      if decoder.isAstray { damage = .damaged }
    }
    if [4, 20, 36, 40].contains(segment.kind) {
      regions[segment.number] = region
    } else {
      try work.spend(width: width, height: height)
      page.draw(region, x: x, y: y, by: operation)
      hasDrawn = true
    }
  }

  private mutating func generic(
    _ input: inout JBIG2Input, width: Int, height: Int
  ) throws(JBIG2Damage) -> BilevelBitmap {
    let flags = try input.byte()
    if flags & 1 == 1 {
      try work.spend(width: width, height: height)
      var fax = FaxDecoder(
        input.bytes, in: input.rest, FaxDecoder.Parameters(k: -1, columns: width))
      let result = fax.decode(rows: height)
      if result.isDamaged { damage = .damaged }
      return result.bitmap
    }
    // Bit 4 stands for a template of twelve adaptive pixels, which nobody writes.
    guard flags & 16 == 0 || flags & 6 != 0 else { throw .unknownCoding }
    let template = flags >> 1 & 3
    let region = try GenericRegion(
      template: template, typicalPrediction: flags & 8 != 0,
      adaptive: try input.array(GenericRegion.adaptiveBytes(template: template)))
    var decoder = ArithmeticDecoder(input.bytes, in: input.rest)
    var contexts = GenericRegion.contexts
    let bitmap = try region.decode(
      width: width, height: height, &decoder, &contexts, &work)
    if decoder.isAstray { damage = .damaged }
    return bitmap
  }
}
