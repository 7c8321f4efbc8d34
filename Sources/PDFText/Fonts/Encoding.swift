import PDFSyntax

/// The glyph names of the 256 codes of a simple font (PDF 32000-1, 9.6.6).
struct Encoding {
  /// Nil where a code has no name.
  var names: [String?]

  init(names: [String?]) { self.names = names }

  static let empty = Encoding(names: [String?](repeating: nil, count: 256))

  private init(_ text: StaticString) {
    var names = [String?](repeating: nil, count: 256)
    for (index, word) in text.words.enumerated() where index < 256 && word != "-" {
      names[index] = word
    }
    self.names = names
  }

  static let standard = Encoding(EncodingData.standard)
  static let winAnsi = Encoding(EncodingData.winAnsi)
  static let macRoman = Encoding(EncodingData.macRoman)
  static let macExpert = Encoding(EncodingData.macExpert)
  static let symbol = Encoding(EncodingData.symbol)
  static let zapfDingbats = Encoding(EncodingData.zapfDingbats)
  private static let cork = Encoding(TeXEncodingData.cork)
  private static let computerModern = Encoding(TeXEncodingData.computerModern)

  /// A predefined encoding by its name in a PDF file.
  static func named(_ name: PDFName?) -> Encoding? {
    switch name {
    case "StandardEncoding": standard
    case "WinAnsiEncoding": winAnsi
    case "MacRomanEncoding": macRoman
    case "MacExpertEncoding": macExpert
    default: nil
    }
  }

  /// Reads the names of a bitmap font by TeX, `a` and the code, by the encoding that the font has by all appearance; none
  /// is taken where nothing tells, such as in fonts of mathematics.
  mutating func readBitmapNames() {
    let codes = names.indices.filter { names[$0] == "a\($0)" }
    guard !codes.isEmpty, codes.count == names.count(where: { $0 != nil && $0 != ".notdef" })
    else { return }
    // Letters beyond ASCII are in T1 alone; the ligatures of f lie at other codes in each.
    let isCork = codes.contains { $0 >= 0x80 || 0x1B...0x1F ~= $0 || 0x15...0x16 ~= $0 }
    let isComputerModern = codes.contains { 0x0B...0x0F ~= $0 }
    // The fonts of mathematics have arrows and Greek letters at such codes, and no marks of punctuation.
    let isText =
      codes.contains { $0 >= 0x80 }
      || codes.contains { 0x2C...0x2E ~= $0 } && codes.count { Self.isLowercase($0) } >= 8
    guard isText, isCork != isComputerModern || codes.contains(where: { $0 >= 0x80 }) else {
      return
    }
    let encoding = isCork ? Self.cork : Self.computerModern
    for code in codes { names[code] = encoding.names[code] ?? names[code] }
  }

  private static func isLowercase(_ code: Int) -> Bool { 0x61...0x7A ~= code }

  /// Applies a `Differences` array (9.6.6.1).
  mutating func apply(_ differences: [PDFObject]) {
    var code = 0
    for item in differences {
      switch item {
      case .integer, .real: code = max(-1, min(256, item.integer ?? 0))
      case .name(let name):
        if names.indices.contains(code) { names[code] = name.text }
        code = min(256, code + 1)
      default: break
      }
    }
  }
}

extension StaticString {
  /// What blanks and ends of lines divide.
  var words: [String] {
    let text = withUTF8Buffer { unsafe Array($0) }
    return text.split(whereSeparator: { $0 == 0x20 || $0 == 0x0A }).map {
      String(decoding: $0, as: UTF8.self)
    }
  }
}
