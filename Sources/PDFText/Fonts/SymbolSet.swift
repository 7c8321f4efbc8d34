/// A font of symbols whose codes have signs of their own, not those of an alphabet: Symbol, Zapf Dingbats, and the fonts
/// that come with Windows.
///
/// Producers give their codes as Latin letters (`þ`) or as private values (U+F0FE), which nobody can read. The signs come
/// from Adobe's tables of Symbol and Zapf Dingbats (PDF 32000-1, Annex D) and from `SymbolEncodingData`.
struct SymbolSet {
  /// The signs by code, as names of glyphs.
  let encoding: Encoding
  /// Whether the names are those of Zapf Dingbats.
  let isDingbats: Bool
  /// The sign by code.
  private let signs: [UInt32: UInt32]
  /// All that a text in this font can rightly consist of.
  private let known: Set<UInt32>
  /// Whether it has digits and marks of punctuation at the codes of ASCII.
  private let hasASCII: Bool

  private init(_ encoding: Encoding, isDingbats: Bool = false, hasASCII: Bool = false) {
    self.encoding = encoding
    self.isDingbats = isDingbats
    self.hasASCII = hasASCII
    var signs: [UInt32: UInt32] = [:]
    for (code, name) in encoding.names.enumerated() {
      guard let name else { continue }
      signs[UInt32(code)] = GlyphList.scalars(name, dingbats: isDingbats)?.first
    }
    self.signs = signs
    known = Set(signs.values)
  }

  private static let symbol = SymbolSet(.symbol, hasASCII: true)
  private static let zapfDingbats = SymbolSet(.zapfDingbats, isDingbats: true)
  private static let wingdings = SymbolSet(Encoding(signs: SymbolEncodingData.wingdings))
  private static let wingdings2 = SymbolSet(Encoding(signs: SymbolEncodingData.wingdings2))
  private static let wingdings3 = SymbolSet(Encoding(signs: SymbolEncodingData.wingdings3))
  private static let webdings = SymbolSet(Encoding(signs: SymbolEncodingData.webdings))

  /// The set that a font's name stands for, or nil for a font of letters. A subset prefix has to be removed before.
  static func of(_ fontName: String) -> SymbolSet? {
    // Most fonts are of letters: nothing else is looked at once the beginning differs.
    guard let first = fontName.utf8.first, [0x53, 0x57, 0x5A, 0x4D, 0x49].contains(first & 0xDF)
    else { return nil }
    var name = String(
      decoding: fontName.utf8.filter { $0 | 0x20 >= 0x61 && $0 | 0x20 <= 0x7A || 0x32...0x33 ~= $0 }
        .map { 0x32...0x33 ~= $0 ? $0 : $0 | 0x20 }, as: UTF8.self)
    for style in ["itc", "monotype", "mt", "ps", "std", "regular", "bold", "italic", "oblique"] {
      if name.hasPrefix(style) { name.removeFirst(style.count) }
    }
    for style in ["oblique", "italic", "bold", "regular", "std", "ps", "mt"] {
      if name.hasSuffix(style) { name.removeLast(style.count) }
    }
    return switch name {
    case "symbol": symbol
    case "zapfdingbats", "dingbats", "sorts": zapfDingbats
    case "wingdings": wingdings
    case "wingdings2": wingdings2
    case "wingdings3": wingdings3
    case "webdings": webdings
    default: nil
    }
  }

  /// The signs that a text of this font stands for, if it consists of codes.
  func signs(for scalars: [UInt32]) -> [UInt32] {
    scalars.map { scalar in
      switch scalar {
      case 0xF020...0xF0FF: signs[scalar & 0xFF] ?? scalar
      case 0x21...0xFF where !known.contains(scalar):
        hasASCII && scalar < 0x80 && !Self.isLetter(scalar) ? scalar : signs[scalar] ?? scalar
      default: scalar
      }
    }
  }

  private static func isLetter(_ scalar: UInt32) -> Bool {
    0x41...0x5A ~= scalar || 0x61...0x7A ~= scalar
  }
}

extension Encoding {
  /// - Parameter signs: those of the codes from 0x20 on, as hexadecimal numbers, `-` for none.
  fileprivate init(signs: StaticString) {
    self = .empty
    for (index, digits) in signs.words.enumerated() where index < 224 && digits != "-" {
      names[0x20 + index] = (digits.utf8.count == 4 ? "uni" : "u") + digits
    }
  }
}
