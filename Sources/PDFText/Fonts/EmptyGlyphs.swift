import Bytes
import PDFSyntax

/// The glyphs of an embedded font program that draw nothing: blanks, whatever the file calls them. Programs of Type 1 are
/// not looked into, because their glyphs have names.
struct EmptyGlyphs {
  private(set) var glyphs: Set<UInt32> = []
  /// Glyphs by code, where the program has a map for simple fonts.
  private(set) var byCode: [UInt32: UInt32] = [:]

  /// Those of the program that a descriptor names, looked for once however many fonts share it.
  static func of(_ descriptor: PDFDictionary, file: PDFFile) -> EmptyGlyphs {
    for key in ["FontFile2", "FontFile3", "FontFile"] as [PDFName] {
      guard case .stream(let stream) = file.resolve(descriptor[key]) else { continue }
      return file.derived("EmptyGlyphs", of: stream) {
        EmptyGlyphs(file.decode(stream, limit: 32 << 20).bytes)
      }
    }
    return EmptyGlyphs([])
  }

  private init(_ bytes: [UInt8]) {
    let isTrueType = [[0, 1, 0, 0], Array("OTTO".utf8), Array("true".utf8), Array("ttcf".utf8)]
      .contains { bytes.starts(with: $0) }
    guard isTrueType, let program = TrueTypeProgram(bytes.span) else {
      readCompact(bytes.span)
      return
    }
    glyphs = program.emptyGlyphs(bytes.span)
    for (code, glyph) in program.macintosh { byCode[code] = glyph }
    for (code, glyph) in program.microsoftSymbol { byCode[code & 0xFF] = glyph }
    if let range = program.compactFontFormat { readCompact(bytes.span.extracting(range)) }
  }

  private mutating func readCompact(_ bytes: Span<UInt8>) {
    guard let program = CompactFontProgram(bytes) else { return }
    glyphs.formUnion(program.emptyGlyphs)
    for (code, glyph) in program.glyphByCode { byCode[code] = glyph }
  }
}

extension TrueTypeProgram {
  /// The glyphs without an outline: those whose places in `loca` are one (OpenType, `loca`).
  fileprivate func emptyGlyphs(_ bytes: Span<UInt8>) -> Set<UInt32> {
    guard let head = table(0x6865_6164), let loca = table(0x6C6F_6361) else { return [] }
    let header = bytes.extracting(head), places = bytes.extracting(loca)
    let isLong = header.bigEndian16(at: 50) == 1
    let count = min(places.count / (isLong ? 4 : 2), 65_536)
    func place(_ glyph: Int) -> UInt32? {
      isLong
        ? places.bigEndian32(at: glyph * 4) : places.bigEndian16(at: glyph * 2).map(UInt32.init)
    }
    var result: Set<UInt32> = []
    for glyph in 0..<max(0, count - 1) where place(glyph) == place(glyph + 1) {
      result.insert(UInt32(glyph))
    }
    return result
  }
}
