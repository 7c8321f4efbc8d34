internal import Bytes

/// Decodes the JBIG2 data of a PDF image (PDF 32000-1, 7.4.7; ITU-T T.88): generic regions, and
/// symbols with text regions, in arithmetic coding.
struct JBIG2Decoder {
  private var page: BilevelBitmap
  private var dictionaries: [Int: [BilevelBitmap]] = [:]
  private var budget: Int

  /// - Parameters:
  ///   - width: of the image in pixels, already held against the limits.
  ///   - height: of the image in pixels.
  init(width: Int, height: Int) {
    page = BilevelBitmap(width: width, height: height)
    budget = 8 * width * height + 50_000_000
  }

  /// - Parameters:
  ///   - globals: the segments that several images share, if any.
  /// - Returns: the page's pixels; nil where a segment is damaged or coded in a way that is not
  ///   known.
  mutating func decode(_ data: [UInt8], globals: [UInt8]?) -> BilevelBitmap? {
    if let globals { guard read(globals) else { return nil } }
    return read(data) ? page : nil
  }

  /// The header of a segment (7.2).
  private struct Segment {
    var number: Int
    var kind: Int
    var references: [Int]
    var data: Range<Int>
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
    // A length that is not known, or that is too large, ends with the data.
    let end = length == 0xFFFF_FFFF ? bytes.count : min(bytes.count, offset + Int(length))
    return Segment(
      number: Int(number), kind: Int(flags & 63), references: references,
      data: min(offset, end)..<end)
  }

  private mutating func read(_ bytes: [UInt8]) -> Bool {
    var offset = 0
    while let segment = Self.segment(bytes.span, at: offset) {
      offset = segment.data.upperBound
      switch segment.kind {
      case 0:
        let inherited = segment.references.flatMap { dictionaries[$0] ?? [] }
        guard
          let symbols = SymbolDictionary.decode(
            bytes, segment.data, inherited: inherited, budget: &budget)
        else { return false }
        dictionaries[segment.number] = symbols
      case 6, 7, 38, 39:
        guard drawRegion(bytes, segment) else { return false }
      case 48:
        // Bit 2 of the page's flags is the colour of its pixels at first (7.4.8.5).
        let flags = segment.data.lowerBound + 16
        if flags < bytes.count, bytes[flags] & 4 != 0 {
          page = BilevelBitmap(width: page.width, height: page.height, filledWith: 1)
        }
      case 49, 50, 51, 52, 62: break
      default: return false
      }
    }
    return true
  }

  /// Decodes a text or generic region and draws it on the page (7.4.1).
  private mutating func drawRegion(_ bytes: [UInt8], _ segment: Segment) -> Bool {
    let span = bytes.span
    let start = segment.data.lowerBound
    guard segment.data.count > 18, let width = span.bigEndian32(at: start).map(Int.init),
      let height = span.bigEndian32(at: start + 4).map(Int.init),
      let x = span.bigEndian32(at: start + 8).map(Int.init),
      let y = span.bigEndian32(at: start + 12).map(Int.init), width <= 1 << 20, height <= 1 << 20
    else { return false }
    budget -= width * height
    guard budget > 0 else { return false }
    let body = (start + 17)..<segment.data.upperBound
    let region: BilevelBitmap?
    if segment.kind >= 38 {
      region = generic(bytes, body, width: width, height: height)
    } else {
      region = SymbolText.decode(
        bytes, body, width: width, height: height,
        symbols: segment.references.flatMap { dictionaries[$0] ?? [] }, budget: &budget)
    }
    guard let region else { return false }
    let operation = BilevelBitmap.Operator(rawValue: Int(bytes[start + 16] & 7)) ?? .or
    page.draw(region, x: x, y: y, by: operation)
    return true
  }

  private func generic(_ bytes: [UInt8], _ body: Range<Int>, width: Int, height: Int)
    -> BilevelBitmap?
  {
    let flags = bytes[body.lowerBound]
    // Bit 0 stands for the fax coding, which encoders of scans do not use.
    guard flags & 1 == 0 else { return nil }
    let template = Int(flags >> 1 & 3)
    let start = body.lowerBound + 1
    let count = GenericRegion.adaptiveBytes(template: template)
    guard start + count <= body.upperBound,
      let region = GenericRegion(
        template: template, typicalPrediction: flags & 8 != 0,
        adaptive: Array(bytes[start..<(start + count)]))
    else { return nil }
    var decoder = ArithmeticDecoder(bytes, in: (start + count)..<body.upperBound)
    var contexts = region.contexts
    return region.decode(width: width, height: height, &decoder, &contexts)
  }
}
