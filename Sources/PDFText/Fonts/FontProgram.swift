import Bytes
import PDFSyntax

/// The encoding inside an embedded font program (PDF 32000-1, 9.9).
struct FontProgram {
  var encoding: Encoding?
  /// Unicode values by code, from a TrueType program's tables.
  var unicodeByCode: [UInt32: UInt32] = [:]
  /// Unicode values by glyph.
  var unicodeByGlyph: [UInt32: UInt32] = [:]
  /// Names by glyph, of a CFF program that is not keyed by CIDs or of a TrueType program.
  var glyphNames: [String] = []

  /// The program that a descriptor names, read once however many fonts share it.
  static func of(_ descriptor: PDFDictionary, file: PDFFile) -> FontProgram? {
    for key in ["FontFile3", "FontFile2", "FontFile"] as [PDFName] {
      guard case .stream(let stream) = file.resolve(descriptor[key]) else { continue }
      return file.derived(key.display, of: stream) {
        FontProgram(key, file.decode(stream, limit: 32 << 20).bytes)
      }
    }
    return nil
  }

  private init(_ key: PDFName, _ bytes: [UInt8]) {
    switch key {
    case "FontFile3":
      if bytes.starts(with: [0x4F, 0x54, 0x54, 0x4F]) || bytes.starts(with: [0, 1, 0, 0]) {
        readTrueType(bytes)
      } else {
        readCompact(bytes.span)
      }
    case "FontFile2": readTrueType(bytes)
    default:
      if bytes.starts(with: [1, 0]) {
        readCompact(bytes.span)
      } else if bytes.starts(with: [0, 1, 0, 0]) {
        readTrueType(bytes)
      } else {
        encoding = Type1Program.encoding(bytes.span)
      }
    }
  }

  private mutating func readCompact(_ bytes: Span<UInt8>) {
    guard let program = CompactFontProgram(bytes), !program.isCIDKeyed else { return }
    encoding = program.encoding
    glyphNames = program.glyphNames
  }

  private mutating func readTrueType(_ bytes: [UInt8]) {
    guard let program = TrueTypeProgram(bytes.span) else { return }
    unicodeByGlyph = program.unicodeByGlyph
    glyphNames = program.names
    if let range = program.compactFontFormat { readCompact(bytes.span.extracting(range)) }
    var byCode: [UInt32: UInt32] = [:]
    func put(_ code: UInt32, _ glyph: UInt32) {
      guard code < 256 else { return }
      if let value = unicodeByGlyph[glyph] {
        byCode[code] = value
      } else if program.names.indices.contains(Int(glyph)),
        let scalars = GlyphList.scalars(program.names[Int(glyph)]), scalars.count == 1
      {
        byCode[code] = scalars[0]
      }
    }
    for (code, glyph) in program.macintosh { put(code, glyph) }
    for (code, glyph) in program.microsoftSymbol { put(code & 0xFF, glyph) }
    // A Macintosh map without names: its codes are Mac Roman.
    if byCode.isEmpty, !program.macintosh.isEmpty, program.microsoftSymbol.isEmpty {
      for code in program.macintosh.keys where code < 256 {
        if let name = Encoding.macRoman.names[Int(code)], let scalars = GlyphList.scalars(name),
          scalars.count == 1
        {
          byCode[code] = scalars[0]
        }
      }
    }
    unicodeByCode = byCode
    if !byCode.isEmpty { encoding = .empty }
  }
}
