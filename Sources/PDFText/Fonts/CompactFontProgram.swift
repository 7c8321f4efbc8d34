import Bytes
import PDFSyntax

/// What text extraction needs of a CFF program (Adobe Technical Note 5176): the built-in encoding
/// and the names of glyphs.
struct CompactFontProgram {
  /// The names of the glyphs; empty for CID-keyed fonts.
  private(set) var glyphNames: [String] = []
  /// The glyph names by code.
  private(set) var encoding = Encoding.empty
  private(set) var isCIDKeyed = false
  /// The glyphs that draw nothing; none are looked for in CID-keyed fonts.
  private(set) var emptyGlyphs: Set<UInt32> = []
  /// Glyphs by code, of the encoding that the program has itself.
  private(set) var glyphByCode: [UInt32: UInt32] = [:]

  init?(_ bytes: Span<UInt8>) {
    guard bytes.count > 4, let nameIndex = Self.index(bytes, at: Int(bytes[2])),
      let topIndex = Self.index(bytes, at: nameIndex.end), let topRange = topIndex.items.first,
      let stringIndex = Self.index(bytes, at: topIndex.end)
    else { return nil }
    let top = Self.dictionary(bytes, topRange)
    isCIDKeyed = top[1230] != nil
    guard !isCIDKeyed, let glyphs = top[17].flatMap({ Self.index(bytes, at: $0) }) else { return }
    for (glyph, range) in glyphs.items.enumerated() where Self.isEmpty(bytes, range) {
      emptyGlyphs.insert(UInt32(glyph))
    }
    let count = glyphs.items.count
    let strings = stringIndex.items.map { bytes.array($0) }
    func name(_ identifier: Int) -> String {
      if identifier < Self.standardStrings.count { return Self.standardStrings[identifier] }
      let index = identifier - 391
      guard strings.indices.contains(index) else { return "" }
      return String(decoding: strings[index], as: UTF8.self)
    }
    let charset = Self.charset(bytes, at: top[15] ?? 0, count: count)
    glyphNames = charset.map { name($0) }
    switch top[16] ?? 0 {
    case 0: encoding = .standard
    case 1: encoding = .macExpert
    case let offset:
      readEncoding(bytes, at: offset)
      for (code, identifier) in Self.supplement(bytes, ofEncodingAt: offset) {
        encoding.names[code] = name(identifier)
      }
    }
  }

  private mutating func readEncoding(_ bytes: Span<UInt8>, at offset: Int) {
    guard offset > 0, offset + 1 < bytes.count else { return }
    let format = bytes[offset] & 0x7F
    let count = Int(bytes[offset + 1])
    var glyph = 1
    func put(_ code: Int) {
      if glyphNames.indices.contains(glyph), code < 256 {
        encoding.names[code] = glyphNames[glyph]
        glyphByCode[UInt32(code)] = UInt32(glyph)
      }
      glyph += 1
    }
    for index in 0..<count {
      if format == 0 {
        guard offset + 2 + index < bytes.count else { return }
        put(Int(bytes[offset + 2 + index]))
      } else {
        let at = offset + 2 + index * 2
        guard at + 1 < bytes.count else { return }
        for step in 0...Int(bytes[at + 1]) { put(Int(bytes[at]) + step) }
      }
    }
  }

  /// Further codes of glyphs that an encoding has codes for already, with the identifiers of their names (section 12).
  private static func supplement(
    _ bytes: Span<UInt8>, ofEncodingAt offset: Int
  ) -> [(code: Int, identifier: Int)] {
    guard offset > 0, offset + 1 < bytes.count, bytes[offset] & 0x80 != 0 else { return [] }
    let isFormat0 = bytes[offset] & 0x7F == 0
    let start = offset + 2 + Int(bytes[offset + 1]) * (isFormat0 ? 1 : 2)
    guard start < bytes.count else { return [] }
    var result: [(code: Int, identifier: Int)] = []
    for at in stride(from: start + 1, to: start + 1 + Int(bytes[start]) * 3, by: 3) {
      guard let identifier = bytes.bigEndian16(at: at + 1) else { break }
      result.append((Int(bytes[at]), Int(identifier)))
    }
    return result
  }

  /// Whether a charstring of Type 2 ends before it draws: numbers, and nothing but `endchar` (Technical Note 5177).
  private static func isEmpty(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Bool {
    guard range.count <= 12 else { return false }
    var at = range.lowerBound
    while at < range.upperBound {
      switch bytes[at] {
      case 14: return true
      case 28: at += 3
      case 32...246: at += 1
      case 247...254: at += 2
      case 255: at += 5
      default: return false
      }
    }
    return false
  }

  private static func charset(_ bytes: Span<UInt8>, at offset: Int, count: Int) -> [Int] {
    // The predefined charsets begin like the standard strings.
    guard offset > 2, offset < bytes.count else { return Array(0..<min(count, 391)) }
    var result = [0]
    var at = offset + 1
    switch bytes[offset] {
    case 0:
      while result.count < count, let value = bytes.bigEndian16(at: at) {
        result.append(Int(value))
        at += 2
      }
    case 1, 2:
      let isWide = bytes[offset] == 2
      while result.count < count, let first = bytes.bigEndian16(at: at) {
        let left: Int
        if isWide {
          guard let value = bytes.bigEndian16(at: at + 2) else { return result }
          left = Int(value)
        } else {
          guard at + 2 < bytes.count else { return result }
          left = Int(bytes[at + 2])
        }
        for step in 0...left where result.count < count { result.append(Int(first) + step) }
        at += isWide ? 4 : 3
      }
    default: break
    }
    return result
  }

  private static func index(
    _ bytes: Span<UInt8>, at offset: Int
  ) -> (items: [Range<Int>], end: Int)? {
    guard let count = bytes.bigEndian16(at: offset) else { return nil }
    guard count > 0 else { return ([], offset + 2) }
    guard offset + 2 < bytes.count else { return nil }
    let size = Int(bytes[offset + 2])
    guard (1...4).contains(size) else { return nil }
    let base = offset + 3 + (Int(count) + 1) * size - 1
    func place(_ index: Int) -> Int? {
      let at = offset + 3 + index * size
      guard at + size <= bytes.count else { return nil }
      var value = 0
      for step in 0..<size { value = value << 8 | Int(bytes[at + step]) }
      return base + value
    }
    var items: [Range<Int>] = []
    guard var start = place(0) else { return nil }
    for index in 1...Int(count) {
      guard let end = place(index), end >= start, end <= bytes.count else { return nil }
      items.append(start..<end)
      start = end
    }
    return (items, start)
  }

  /// The last integer operand of each operator; two-byte operators count from 1200.
  private static func dictionary(_ bytes: Span<UInt8>, _ range: Range<Int>) -> [Int: Int] {
    var result: [Int: Int] = [:]
    var operand = 0
    var at = range.lowerBound
    while at < range.upperBound {
      let byte = Int(bytes[at])
      at += 1
      switch byte {
      case 12:
        guard at < range.upperBound else { return result }
        result[1200 + Int(bytes[at])] = operand
        at += 1
      case 0...21: result[byte] = operand
      case 28:
        operand = Int(Int16(bitPattern: bytes.bigEndian16(at: at) ?? 0))
        at += 2
      case 29:
        operand = Int(Int32(bitPattern: bytes.bigEndian32(at: at) ?? 0))
        at += 4
      case 30:
        while at < range.upperBound, bytes[at] & 15 != 15, bytes[at] >> 4 != 15 { at += 1 }
        at += 1
      case 32...246: operand = byte - 139
      case 247...250:
        guard at < range.upperBound else { return result }
        operand = (byte - 247) * 256 + Int(bytes[at]) + 108
        at += 1
      case 251...254:
        guard at < range.upperBound else { return result }
        operand = -(byte - 251) * 256 - Int(bytes[at]) - 108
        at += 1
      default: break
      }
    }
    return result
  }

  private static let standardStrings = CompactFontStrings.list.words
}
