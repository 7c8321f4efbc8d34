import Bytes

/// What text extraction needs of a TrueType or OpenType program: its `cmap` and `post` tables.
struct TrueTypeProgram {
  private var tables: [UInt32: Range<Int>] = [:]
  /// Glyphs by code of the cmap for (platform, encoding), each flattened.
  private(set) var microsoftSymbol: [UInt32: UInt32] = [:]
  private(set) var macintosh: [UInt32: UInt32] = [:]
  private(set) var unicode: [UInt32: UInt32] = [:]
  /// Glyph names by glyph, from `post`.
  private(set) var names: [String] = []

  init?(_ bytes: Span<UInt8>) {
    guard var start = Optional(0), bytes.count > 12 else { return nil }
    if bytes.matches("ttcf", at: 0) { start = Int(bytes.bigEndian32(at: 12) ?? 0) }
    guard let count = bytes.bigEndian16(at: start + 4) else { return nil }
    for index in 0..<Int(min(count, 64)) {
      let at = start + 12 + index * 16
      guard let tag = bytes.bigEndian32(at: at), let offset = bytes.bigEndian32(at: at + 8),
        let length = bytes.bigEndian32(at: at + 12)
      else { break }
      let range = Int(offset)..<(Int(offset) + Int(length))
      tables[tag] = range.clamped(to: 0..<bytes.count)
    }
    if let cmap = tables[0x636D_6170], cmap.count > 4 { readMaps(bytes.extracting(cmap)) }
    if let post = tables[0x706F_7374], post.count > 32 { readNames(bytes.extracting(post)) }
  }

  /// The range of the `CFF ` table of an OpenType program.
  var compactFontFormat: Range<Int>? { tables[0x4346_4620] }

  /// Where the table with a tag stands.
  func table(_ tag: UInt32) -> Range<Int>? { tables[tag] }

  /// Unicode values by glyph; of several the lowest.
  var unicodeByGlyph: [UInt32: UInt32] {
    var result: [UInt32: UInt32] = [:]
    for (code, glyph) in unicode where glyph != 0 && code >= 0x20 {
      // Private values of symbol fonts tell nothing.
      if (0xE000..<0xF900).contains(code) { continue }
      result[glyph] = min(result[glyph] ?? .max, code)
    }
    return result
  }

  private mutating func readMaps(_ cmap: Span<UInt8>) {
    guard let count = cmap.bigEndian16(at: 2) else { return }
    // Codes that are looked at in all maps together: groups that overlap again and again are no real table.
    var work = 1 << 20
    for index in 0..<Int(min(count, 32)) {
      let at = 4 + index * 8
      guard let platform = cmap.bigEndian16(at: at), let kind = cmap.bigEndian16(at: at + 2),
        let offset = cmap.bigEndian32(at: at + 4), offset < cmap.count
      else { return }
      let map = Self.map(cmap.extracting(Int(offset)..<cmap.count), &work)
      switch (platform, kind) {
      case (3, 0): microsoftSymbol = map
      case (1, _): macintosh = map
      case (3, 10), (0, 4), (0, 6): unicode.merge(map) { _, new in new }
      case (3, 1), (0, _): unicode.merge(map) { old, _ in old }
      default: break
      }
    }
  }

  private static func map(_ table: Span<UInt8>, _ work: inout Int) -> [UInt32: UInt32] {
    switch table.bigEndian16(at: 0) {
    case 0:
      var result: [UInt32: UInt32] = [:]
      for code in 0..<256 where 6 + code < table.count && table[6 + code] != 0 {
        result[UInt32(code)] = UInt32(table[6 + code])
      }
      return result
    case 4: return segments(table, &work)
    case 6:
      guard let first = table.bigEndian16(at: 6), let count = table.bigEndian16(at: 8) else {
        return [:]
      }
      var result: [UInt32: UInt32] = [:]
      for index in 0..<Int(count) {
        guard let glyph = table.bigEndian16(at: 10 + index * 2) else { break }
        if glyph != 0 { result[UInt32(first) + UInt32(index)] = UInt32(glyph) }
      }
      return result
    case 12:
      guard let count = table.bigEndian32(at: 12) else { return [:] }
      var result: [UInt32: UInt32] = [:]
      for index in 0..<Int(min(count, 20_000)) {
        let at = 16 + index * 12
        guard let first = table.bigEndian32(at: at), let last = table.bigEndian32(at: at + 4),
          let glyph = table.bigEndian32(at: at + 8), first <= last, last <= 0x10FFFF
        else { break }
        for code in first...last {
          work -= 1
          guard work > 0, result.count < 200_000 else { return result }
          result[code] = glyph &+ (code - first)
        }
      }
      return result
    default: return [:]
    }
  }

  private static func segments(_ table: Span<UInt8>, _ work: inout Int) -> [UInt32: UInt32] {
    guard let doubled = table.bigEndian16(at: 6) else { return [:] }
    let count = Int(doubled) / 2
    var result: [UInt32: UInt32] = [:]
    for index in 0..<count where work > 0 {
      guard let last = table.bigEndian16(at: 14 + index * 2),
        let first = table.bigEndian16(at: 16 + count * 2 + index * 2),
        let delta = table.bigEndian16(at: 16 + count * 4 + index * 2),
        let offset = table.bigEndian16(at: 16 + count * 6 + index * 2), first <= last
      else { break }
      work -= Int(last - first) + 1
      for code in first...last where code != 0xFFFF {
        guard result.count < 70_000 else { return result }
        var glyph: UInt16
        if offset == 0 {
          glyph = code &+ delta
        } else {
          let at = 16 + count * 6 + index * 2 + Int(offset) + Int(code - first) * 2
          glyph = table.bigEndian16(at: at) ?? 0
          if glyph != 0 { glyph = glyph &+ delta }
        }
        if glyph != 0 { result[UInt32(code)] = UInt32(glyph) }
      }
    }
    return result
  }

  private mutating func readNames(_ post: Span<UInt8>) {
    if post.bigEndian32(at: 0) == 0x0001_0000 { names = Self.macintoshNames }
    guard post.bigEndian32(at: 0) == 0x0002_0000, let count = post.bigEndian16(at: 32) else {
      return
    }
    var strings: [String] = []
    var at = 34 + Int(count) * 2
    while at < post.count, strings.count < 65_536 {
      let length = Int(post[at])
      let range = (at + 1)..<(at + 1 + length)
      strings.append(String(decoding: post.array(range), as: UTF8.self))
      at += 1 + length
    }
    for glyph in 0..<Int(count) {
      let index = Int(post.bigEndian16(at: 34 + glyph * 2) ?? 0)
      if index < 258 {
        names.append(Self.macintoshNames[index])
      } else {
        names.append(index - 258 < strings.count ? strings[index - 258] : "")
      }
    }
  }

  /// The 258 glyphs of the standard Macintosh order (OpenType, `post`, format 1).
  private static let macintoshNames = EncodingData.macintoshOrder.words
}
