import Bytes
import PDFSyntax

/// The encoding inside an embedded font program (PDF 32000-1, 9.9).
struct FontProgram {
  var encoding: Encoding?
  /// Texts by code, from a TrueType program's tables.
  var textByCode: [UInt32: [UInt32]] = [:]
  /// Glyphs by code, of a program that has a map for simple fonts.
  var glyphByCode: [UInt32: UInt32] = [:]
  /// Unicode values by glyph.
  var unicodeByGlyph: [UInt32: UInt32] = [:]
  /// Names by glyph, of a CFF program that is not keyed by CIDs or of a TrueType program.
  var glyphNames: [String] = []
  /// The codes U+F020 to U+F0FF of a font of symbols by glyph.
  var symbolByGlyph: [UInt32: UInt32] = [:]

  /// The text of a glyph, or nil if neither the map nor the names of the program give it.
  func scalars(ofGlyph glyph: UInt32) -> [UInt32]? {
    if let value = unicodeByGlyph[glyph] { return [value] }
    return glyph < glyphNames.count ? GlyphList.scalars(glyphNames[Int(glyph)]) : nil
  }

  /// The text of a code of a simple font, or nil if the program does not give it.
  ///
  /// - Parameter name: the name of its glyph, if the font's dictionary gives one that says nothing by itself.
  func text(ofCode code: UInt32, named name: String? = nil) -> [UInt32]? {
    if let text = textByCode[code] { return text }
    guard let name else {
      return encoding?.names[Int(code & 255)].flatMap { GlyphList.scalars($0) }
    }
    return glyphNames.firstIndex(of: name).flatMap { scalars(ofGlyph: UInt32($0)) }
  }

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
    for (code, glyph) in program.microsoftSymbol where 0xF020...0xF0FF ~= code {
      symbolByGlyph[glyph] = min(symbolByGlyph[glyph] ?? .max, code)
    }
    for (code, glyph) in program.macintosh where code < 256 { glyphByCode[code] = glyph }
    for (code, glyph) in program.microsoftSymbol { glyphByCode[code & 0xFF] = glyph }
    textByCode = glyphByCode.compactMapValues { scalars(ofGlyph: $0) }
    // A Macintosh map without names: its codes are Mac Roman.
    if textByCode.isEmpty, !program.macintosh.isEmpty, program.microsoftSymbol.isEmpty {
      for code in program.macintosh.keys where code < 256 {
        if let name = Encoding.macRoman.names[Int(code)], let scalars = GlyphList.scalars(name) {
          textByCode[code] = scalars
        }
      }
    }
    if !textByCode.isEmpty { encoding = .empty }
  }
}
