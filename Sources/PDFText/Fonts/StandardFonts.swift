import PDFSyntax

/// The metrics of the standard 14 fonts (PDF 32000-1, 9.6.2.2) and of those that pass for them.
enum StandardFonts {
  enum Family {
    case helvetica, helveticaBold, timesRoman, timesBold, timesItalic, timesBoldItalic
    case courier, symbol, zapfDingbats
  }

  /// The family that a font's name stands for. A subset prefix has to be removed before.
  ///
  /// - Parameter guess: whether any other name is taken as one of them by what it contains.
  static func family(_ name: String, guess: Bool) -> Family? {
    let plain = name.utf8.filter { $0 != 0x20 && $0 != 0x2D && $0 != 0x2C }.map { $0 | 0x20 }
    let text = String(decoding: plain, as: UTF8.self)
    let isBold = text.contains("bold") || text.contains("black") || text.contains("heavy")
    let isItalic = text.contains("italic") || text.contains("oblique")
    if text.hasPrefix("helvetica") || text.hasPrefix("arial") {
      return isBold ? .helveticaBold : .helvetica
    }
    if text.hasPrefix("times") {
      return isBold
        ? (isItalic ? .timesBoldItalic : .timesBold) : isItalic ? .timesItalic : .timesRoman
    }
    if text.hasPrefix("courier") { return .courier }
    if text == "symbol" || text.hasPrefix("symbol") && text.count < 12 { return .symbol }
    if text.hasPrefix("zapfdingbats") { return .zapfDingbats }
    guard guess else { return nil }
    if text.contains("mono") || text.contains("typewriter") || text.contains("cour") {
      return .courier
    }
    if text.contains("serif") && !text.contains("sans") || text.contains("roman") {
      return isBold ? .timesBold : .timesRoman
    }
    return isBold ? .helveticaBold : .helvetica
  }

  /// The width of a glyph in thousandths, or nil where the font has no such glyph.
  static func width(_ name: String, in family: Family) -> Double? {
    let table: StaticString
    switch family {
    case .helvetica: table = StandardWidthData.helvetica
    case .helveticaBold: table = StandardWidthData.helveticaBold
    case .timesRoman: table = StandardWidthData.timesRoman
    case .timesBold: table = StandardWidthData.timesBold
    case .timesItalic: table = StandardWidthData.timesItalic
    case .timesBoldItalic: table = StandardWidthData.timesBoldItalic
    case .courier: return 600
    case .symbol: table = StandardWidthData.symbol
    case .zapfDingbats: table = StandardWidthData.zapfDingbats
    }
    guard let digits = NameTable(text: table).value(of: name.utf8) else { return nil }
    return Double(digits.reduce(0) { $0 &* 10 &+ Int($1) &- 0x30 })
  }
}
