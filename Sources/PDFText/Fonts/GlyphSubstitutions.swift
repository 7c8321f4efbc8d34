import Bytes
import PDFSyntax

/// The glyphs that a font program puts in the place of others (OpenType, `GSUB`), read backwards: what a ligature or
/// another form of a letter is made of. Of use for glyphs that neither a map nor a name tells of.
struct GlyphSubstitutions {
  /// The glyphs that each glyph stands for.
  private(set) var parts: [UInt32: [UInt32]] = [:]
  /// What may still be looked at; lists that are named again and again are no real table.
  private var work = 1 << 18
  private var table: [UInt8]

  private init(_ table: [UInt8]) {
    self.table = table
    read()
    self.table = []
  }

  /// Those of the program that a descriptor names, read once however many fonts share it.
  static func of(_ descriptor: PDFDictionary, file: PDFFile) -> GlyphSubstitutions {
    for key in ["FontFile2", "FontFile3", "FontFile"] as [PDFName] {
      guard case .stream(let stream) = file.resolve(descriptor[key]) else { continue }
      return file.derived("GlyphSubstitutions", of: stream) {
        let bytes = file.decode(stream, limit: 32 << 20).bytes
        guard let range = TrueTypeProgram(bytes.span)?.table(0x4753_5542) else {
          return GlyphSubstitutions([])
        }
        return GlyphSubstitutions(Array(bytes[range]))
      }
    }
    return GlyphSubstitutions([])
  }

  private mutating func read() {
    guard let start = table.span.bigEndian16(at: 8).map(Int.init),
      let count = table.span.bigEndian16(at: start)
    else { return }
    for index in 0..<Int(count) {
      guard let offset = table.span.bigEndian16(at: start + 2 + index * 2) else { return }
      readLookup(at: start + Int(offset))
    }
  }

  private mutating func readLookup(at start: Int) {
    guard let kind = table.span.bigEndian16(at: start),
      let count = table.span.bigEndian16(at: start + 4)
    else { return }
    for index in 0..<Int(count) where work > 0 {
      work -= 1
      guard let offset = table.span.bigEndian16(at: start + 6 + index * 2) else { return }
      var place = start + Int(offset)
      var kind = kind
      // An extension: the same, farther away.
      if kind == 7 {
        guard let real = table.span.bigEndian16(at: place + 2),
          let offset = table.span.bigEndian32(at: place + 4)
        else { continue }
        kind = real
        place += Int(offset)
      }
      switch kind {
      case 1: readSingle(at: place)
      case 3: readLists(at: place) { $0.readAlternates(of: $1, at: $2) }
      case 4: readLists(at: place) { $0.readLigatures(first: $1, at: $2) }
      default: break
      }
    }
  }

  private mutating func put(_ glyph: UInt32, _ from: [UInt32]) {
    if parts[glyph] == nil, !from.contains(glyph) { parts[glyph] = from }
  }

  private mutating func readSingle(at start: Int) {
    guard let format = table.span.bigEndian16(at: start),
      let value = table.span.bigEndian16(at: start + 4)
    else { return }
    for (index, glyph) in covered(at: start).enumerated() {
      if format == 1 {
        put(UInt32(UInt16(truncatingIfNeeded: glyph) &+ value), [glyph])
      } else if let other = table.span.bigEndian16(at: start + 6 + index * 2) {
        put(UInt32(other), [glyph])
      }
    }
  }

  /// Reads the list of each covered glyph.
  private mutating func readLists(
    at start: Int, _ read: (inout GlyphSubstitutions, UInt32, Int) -> Void
  ) {
    for (index, glyph) in covered(at: start).enumerated() {
      guard let offset = table.span.bigEndian16(at: start + 6 + index * 2) else { return }
      read(&self, glyph, start + Int(offset))
    }
  }

  private mutating func readAlternates(of glyph: UInt32, at start: Int) {
    for index in 0..<Int(table.span.bigEndian16(at: start) ?? 0) where work > 0 {
      work -= 1
      guard let other = table.span.bigEndian16(at: start + 2 + index * 2) else { return }
      put(UInt32(other), [glyph])
    }
  }

  private mutating func readLigatures(first: UInt32, at start: Int) {
    for index in 0..<Int(table.span.bigEndian16(at: start) ?? 0) where work > 0 {
      work -= 1
      guard let offset = table.span.bigEndian16(at: start + 2 + index * 2) else { return }
      let place = start + Int(offset)
      guard let ligature = table.span.bigEndian16(at: place),
        let count = table.span.bigEndian16(at: place + 2), (1...16).contains(count)
      else { continue }
      let others = (1..<Int(count)).compactMap { table.span.bigEndian16(at: place + 2 + $0 * 2) }
      put(UInt32(ligature), [first] + others.map(UInt32.init))
    }
  }

  /// The glyphs that a subtable is about, in order.
  private mutating func covered(at start: Int) -> [UInt32] {
    guard let offset = table.span.bigEndian16(at: start + 2) else { return [] }
    let place = start + Int(offset)
    guard let format = table.span.bigEndian16(at: place),
      let count = table.span.bigEndian16(at: place + 2)
    else { return [] }
    var result: [UInt32] = []
    for index in 0..<Int(count) where work > 0 {
      if format == 1 {
        guard let glyph = table.span.bigEndian16(at: place + 4 + index * 2) else { break }
        work -= 1
        result.append(UInt32(glyph))
      } else {
        let at = place + 4 + index * 6
        guard let first = table.span.bigEndian16(at: at),
          let last = table.span.bigEndian16(at: at + 2),
          first <= last
        else { break }
        work -= Int(last - first) + 1
        result += (first...last).map(UInt32.init)
      }
    }
    return result
  }
}
