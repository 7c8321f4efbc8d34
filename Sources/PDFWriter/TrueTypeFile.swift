/// A TrueType font file (ISO/IEC 14496-22) with two glyphs without area and the tables that readers
/// of embedded fonts ask for.
enum TrueTypeFile {
  /// - Parameters:
  ///   - advance: the width of both glyphs in units of a thousandth of an em.
  ///   - ascent: the height above the baseline.
  ///   - descent: the depth below the baseline, negative.
  static func empty(advance: Int, ascent: Int, descent: Int) -> [UInt8] {
    let head =
      long(0x0001_0000, 0x0001_0000, 0, 0x5F0F_3CF5)
      + short(0b1011, 1000) + long(0, 0, 0, 0)
      + short(0, descent, advance, ascent, 0, 8, 2, 0, 0)
    let horizontal =
      long(0x0001_0000)
      + short(ascent, descent, 0, advance, 0, 0, advance, 1, 0, 0, 0, 0, 0, 0, 0, 2)
    let limits =
      long(0x0001_0000) + short(2, 3, 1, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0)
    // One format 4 subtable with the closing segment only.
    let characters =
      short(0, 1, 3, 1) + long(12)
      + short(4, 24, 0, 2, 2, 0, 0, 0xFFFF, 0, 0xFFFF, 1, 0)
    let names = short(0, 0, 6)
    let post =
      long(0x0003_0000, 0, 0, 1, 0, 0, 0, 0)
    let metrics = short(advance, 0, advance, 0)
    // Glyph 1 is a line there and back across the font box: it paints nothing, but has the box's
    // extent. Readers that measure outlines would take an empty one for text without size.
    let line =
      short(1, 0, descent, advance, ascent, 2, 0) + [1, 1, 1]
      + short(0, advance, -advance, descent, ascent - descent, descent - ascent)
    let outline = line + [UInt8](repeating: 0, count: (4 - line.count % 4) % 4)
    let places = short(0, 0, outline.count / 2)
    // In the order of the tags, as the format wants.
    return file([
      ("cmap", characters), ("glyf", outline), ("head", head), ("hhea", horizontal),
      ("hmtx", metrics), ("loca", places), ("maxp", limits), ("name", names), ("post", post),
    ])
  }

  private static func file(_ tables: [(tag: String, bytes: [UInt8])]) -> [UInt8] {
    var directory =
      long(0x0001_0000) + short(tables.count, 128, 3, tables.count * 16 - 128)
    var body: [UInt8] = []
    let start = 12 + tables.count * 16
    var headOffset = 0
    for table in tables {
      if table.tag == "head" { headOffset = start + body.count }
      directory += Array(table.tag.utf8) + long(sum(table.bytes))
      directory += long(UInt32(truncatingIfNeeded: start + body.count))
      directory += long(UInt32(truncatingIfNeeded: table.bytes.count))
      body += table.bytes
      while body.count % 4 != 0 { body.append(0) }
    }
    var file = directory + body
    let adjustment = 0xB1B0_AFBA &- sum(file)
    for (index, byte) in long(adjustment).enumerated() { file[headOffset + 8 + index] = byte }
    return file
  }

  private static func sum(_ bytes: [UInt8]) -> UInt32 {
    var total: UInt32 = 0
    for (index, byte) in bytes.enumerated() {
      total &+= UInt32(byte) << (24 - 8 * UInt32(index % 4))
    }
    return total
  }

  private static func short(_ values: Int...) -> [UInt8] {
    values.flatMap { bigEndian(Int16(truncatingIfNeeded: $0)) }
  }

  private static func long(_ values: UInt32...) -> [UInt8] { values.flatMap { bigEndian($0) } }
}
