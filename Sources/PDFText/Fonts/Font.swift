import PDFSyntax

/// A font as text extraction needs it: how strings are cut into codes, and the text and the advance
/// of each code (PDF 32000-1, 9.5 to 9.10).
final class Font {
  private enum Kind {
    case simple(SimpleFont)
    case composite(CompositeFont)
  }

  /// One code of a string.
  struct Code {
    var value: UInt32
    /// The number of bytes it takes.
    var length: Int
  }

  /// What a code shows.
  struct Shown {
    /// In units of the font size; downwards for vertical fonts.
    var advance: Double
    /// Several scalars are in ``strings``.
    var text: GlyphText
  }

  private let kind: Kind
  /// Whether codes of it were taken for Latin-1.
  var isGuessed: Bool {
    guard case .simple(let font) = kind else { return false }
    return font.isGuessed
  }
  /// Whether text runs downwards (9.7.4.3).
  let isVertical: Bool
  /// Extents above and below the baseline, in units of the font size.
  let ascent: Double
  let descent: Double
  /// The height of the font's em in units of the font size: 1 but for Type 3 fonts.
  let scale: Double
  private(set) var face: FontFace
  /// Texts of several scalars.
  private(set) var strings: [[UInt32]] = []
  private var compositeCodes: [UInt32: Shown] = [:]
  /// What the 256 codes of a simple font show, nil for those that nobody asked for yet; none for a composite font. To be
  /// taken once a string: each access to what a class keeps is checked for exclusivity while the program runs.
  private(set) var simpleCodes: [Shown?] = []

  private let keepsLigatures: Bool
  private let file: PDFFile
  private let descriptor: PDFDictionary
  /// Read where a code is met of which nobody knows the text.
  private lazy var emptyGlyphs = EmptyGlyphs.of(descriptor, file: file)
  private lazy var substitutions = GlyphSubstitutions.of(descriptor, file: file)
  private let toUnicode: CharacterMap?
  /// Whether the map gives a blank for one code only. Some producers give blanks for all letters that they don't know.
  private lazy var givesOneBlank = toUnicode?.count(of: 0x20) ?? 0 <= 1
  /// The signs that its codes stand for, if it is a font of symbols.
  private let symbols: SymbolSet?

  /// - Parameter keepsLigatures: whether a ligature is one scalar (U+FB01), not the letters it is made of; so with forms
  ///   of Arabic letters.
  init(_ dictionary: PDFDictionary, file: PDFFile, keepsLigatures: Bool = false) {
    self.keepsLigatures = keepsLigatures
    self.file = file
    var descriptor = file.dictionary(dictionary, "FontDescriptor") ?? PDFDictionary()
    var em = 1.0
    let toUnicode = Self.toUnicode(dictionary, file: file)
    self.toUnicode = toUnicode
    let name = file.name(dictionary, "BaseFont")?.text ?? ""
    let symbols: SymbolSet?
    if file.name(dictionary, "Subtype") == "Type0" {
      let font = CompositeFont(dictionary, toUnicode: toUnicode, file: file)
      descriptor = font.descriptor
      symbols = Self.symbols(name, descriptor, file)
      isVertical = font.isVertical
      kind = .composite(font)
    } else {
      symbols = Self.symbols(name, descriptor, file)
      let font = SimpleFont(
        dictionary, descriptor: descriptor, symbols: symbols, file: file)
      em = font.scale
      isVertical = false
      kind = .simple(font)
      simpleCodes = [Shown?](repeating: nil, count: 256)
    }
    self.symbols = symbols
    scale = em
    self.descriptor = descriptor
    face = FontFace(baseFont: name, descriptor: descriptor, file: file)
    let above = (file.number(descriptor, "Ascent") ?? 0) / 1000
    let below = (file.number(descriptor, "Descent") ?? 0) / 1000
    ascent = above > 0.4 && above < 1.3 ? above : 0.8
    let magnitude = below.magnitude
    descent = magnitude > 0.05 && magnitude < 0.6 ? -magnitude : -0.2
    // The flag is set for fonts that are nothing of the kind; the widths know.
    if face.isFixedPitch, widthsVary { face.isFixedPitch = false }
  }

  /// The signs of a font of symbols, by whatever name the file gives it.
  private static func symbols(
    _ name: String, _ descriptor: PDFDictionary, _ file: PDFFile
  ) -> SymbolSet? {
    SymbolSet.of(SimpleFont.plainName(name))
      ?? SymbolSet.of(SimpleFont.plainName(file.name(descriptor, "FontName")?.text ?? ""))
      ?? file.string(descriptor, "FontFamily").flatMap { SymbolSet.of(TextString.text($0)) }
  }

  /// Whether letters have more widths than one, or than one and its double, as those of fixed pitch do.
  private var widthsVary: Bool {
    let widths: [Double] =
      switch kind {
      case .simple(let font): (0x21...0x7E).map { font.width(UInt32($0)) }
      case .composite(let font): font.statedWidths
      }
    let drawn = widths.filter { $0 > 0.05 }
    guard let least = drawn.min() else { return false }
    let odd = drawn.count { width in
      ![1.0, 2.0].contains { (width - $0 * least).magnitude < 0.03 * least }
    }
    return odd * 4 > drawn.count
  }

  /// The code that begins at an offset of a string.
  func code(in string: [UInt8], at offset: Int) -> Code {
    switch kind {
    case .simple: Code(value: UInt32(string[offset]), length: 1)
    case .composite(let font): font.code(in: string, at: offset)
    }
  }

  /// How far the middle of a glyph lies to the right of its line of vertical text, in units of the
  /// font size.
  func verticalOffset(_ code: UInt32) -> Double {
    guard case .composite(let font) = kind else { return 0 }
    return font.verticalOffset(code)
  }

  /// What a code shows.
  func shown(_ code: UInt32) -> Shown {
    switch kind {
    case .simple(let font):
      let index = Int(code & 255)
      if let known = simpleCodes[index] { return known }
      let shown = Shown(advance: font.width(code), text: packed(scalars(code), of: code))
      if font.isGuessed {
        file.diagnostics.add(
          .repaired,
          "a font does not say what its letters are; its codes were taken for Latin-1")
      }
      simpleCodes[index] = shown
      return shown
    case .composite(let font):
      if let known = compositeCodes[code] { return known }
      let shown = Shown(advance: font.advance(code), text: packed(scalars(code), of: code))
      if compositeCodes.count < 70_000 { compositeCodes[code] = shown }
      return shown
    }
  }

  /// The text of a code. Empty: the glyph has none; 0: nobody knows.
  ///
  /// The ToUnicode map comes first (9.10.2). What it leaves out, or gives as something that nobody can read, the font may
  /// know itself.
  private func scalars(_ code: UInt32) -> [UInt32] {
    let stated = toUnicode?.scalars(code)
    // A map that gives the text of a whole run to its first glyph gives none to the others.
    if stated == [], toUnicode?.hasRuns == true { return [] }
    // The number of a glyph tells nothing of its sign.
    let isNumber = symbols != nil && stated == [code] && simpleCodes.isEmpty
    let mapped = isNumber ? [code] : signs(stated ?? [])
    if Self.isText(mapped), !isNumber, mapped != [0x20] || givesOneBlank { return mapped }
    let own = signs(ownScalars(code))
    if Self.isText(own) { return own }
    return mapped.contains { $0 != 0 && $0 != GlyphText.unknown.scalar } ? mapped : own
  }

  private func signs(_ scalars: [UInt32]) -> [UInt32] { symbols?.signs(for: scalars) ?? scalars }

  /// The text of a code by the font's encoding and its program.
  private func ownScalars(_ code: UInt32) -> [UInt32] {
    let (scalars, glyph): ([UInt32], UInt32?)
    switch kind {
    case .simple(let font):
      scalars = font.scalars(code)
      glyph = scalars == [0] ? font.glyph(code) : nil
    case .composite(let font):
      scalars = font.scalars(code)
      glyph = scalars == [0] ? font.glyph(code) : nil
    }
    guard let glyph, let parts = substitutions.parts[glyph] else { return scalars }
    var result: [UInt32] = []
    for part in parts {
      let text =
        switch kind {
        case .simple(let font): font.scalars(ofGlyph: part)
        case .composite(let font): font.scalars(ofGlyph: part)
        }
      guard let text else { return scalars }
      result += text
    }
    return result
  }

  /// Whether scalars can be read: no control characters, private values or marks of what is unknown.
  private static func isText(_ scalars: [UInt32]) -> Bool {
    !scalars.isEmpty
      && scalars.allSatisfy { scalar in
        switch scalar {
        case 0..<0x20, 0x7F..<0xA0, 0xD800..<0xF900, 0xFFF0...0xFFFF, 0xF_0000...: false
        default: true
        }
      }
  }

  private func packed(_ scalars: [UInt32], of code: UInt32) -> GlyphText {
    var valid = scalars.filter { Unicode.Scalar($0) != nil && $0 != 0 }
    if !keepsLigatures, valid.contains(where: { $0 >= 0xFB00 && $0 <= 0xFEFC }) {
      valid = valid.flatMap { GlyphList.letters(of: $0) ?? [$0] }
    }
    if valid.count == 1 { return GlyphText(scalar: Self.plain(valid[0])) }
    if valid.isEmpty {
      guard !scalars.isEmpty else { return GlyphText(several: empty()) }
      guard drawsNothing(code) else { return .unknown }
      let advance =
        switch kind {
        case .simple(let font): font.width(code)
        case .composite(let font): font.advance(code)
        }
      return advance > 0 ? .space : GlyphText(several: empty())
    }
    strings.append(Array(valid.prefix(64)))
    return GlyphText(several: strings.count - 1)
  }

  /// Whether the embedded program has an empty glyph for a code.
  private func drawsNothing(_ code: UInt32) -> Bool {
    let glyph: UInt32? =
      switch kind {
      case .simple: emptyGlyphs.byCode[code & 255]
      case .composite(let font): font.glyph(code)
      }
    return glyph.map { emptyGlyphs.glyphs.contains($0) } ?? false
  }

  private func empty() -> Int {
    if let place = strings.firstIndex(of: []) { return place }
    strings.append([])
    return strings.count - 1
  }

  /// Control characters stand for blanks.
  private static func plain(_ scalar: UInt32) -> UInt32 { scalar < 0x20 ? 0x20 : scalar }

  /// The ToUnicode map of a font (9.10.3), or nil.
  static func toUnicode(_ dictionary: PDFDictionary, file: PDFFile) -> CharacterMap? {
    guard case .stream(let stream) = file.resolve(dictionary["ToUnicode"]) else { return nil }
    let map = file.derived("ToUnicode", of: stream) {
      CharacterMapParser.parse(file.decode(stream, limit: 16 << 20).bytes.span, unicode: true)
    }
    return map.isEmpty && map.base == nil ? nil : map
  }
}
