import Bytes
import PDFSyntax

/// Skips inline images (PDF 32000-1, 8.9.7), whose data may contain anything.
enum InlineImage {
  /// To be called behind `BI`; leaves the lexer behind `EI`.
  static func skip(_ lexer: inout Lexer) {
    let bytes = lexer.bytes
    var parser = ObjectParser(bytes, at: lexer.position, references: false)
    var dictionary = PDFDictionary()
    while true {
      let token = parser.lexer.next()
      if token.kind == .end {
        lexer.position = bytes.count
        return
      }
      if token.isKeyword("ID") { break }
      if token.isKeyword("EI") {
        lexer.position = parser.lexer.position
        return
      }
      guard token.kind == .name else { continue }
      let key = parser.lexer.name(token)
      let before = parser.lexer.position
      if let value = parser.object() {
        dictionary[key] = value
      } else {
        parser.lexer.position = before
        let next = parser.lexer.next()
        if next.isKeyword("ID") { break }
      }
    }
    var start = parser.lexer.position
    if start < bytes.count, CharacterClass.isWhite(bytes[start]) { start += 1 }
    // Without a filter the size is known exactly.
    if let length = plainLength(dictionary), length <= bytes.count - start {
      var probe = Lexer(bytes, at: start + length)
      if probe.next().isKeyword("EI") {
        lexer.position = probe.position
        return
      }
    }
    lexer.position = end(bytes, from: start)
  }

  private static func plainLength(_ dictionary: PDFDictionary) -> Int? {
    guard dictionary["F"] == nil, dictionary["Filter"] == nil,
      let width = (dictionary["W"] ?? dictionary["Width"])?.integer,
      let height = (dictionary["H"] ?? dictionary["Height"])?.integer,
      (0...100_000).contains(width), (0...100_000).contains(height)
    else { return nil }
    var components = 1
    switch (dictionary["CS"] ?? dictionary["ColorSpace"])?.name {
    case "RGB", "DeviceRGB": components = 3
    case "CMYK", "DeviceCMYK": components = 4
    default: break
    }
    var bits = (dictionary["BPC"] ?? dictionary["BitsPerComponent"])?.integer ?? 8
    if (dictionary["IM"] ?? dictionary["ImageMask"])?.boolean == true { bits = 1 }
    guard (1...16).contains(bits) else { return nil }
    return (width * components * bits + 7) / 8 * height
  }

  /// Behind the first `EI` between white space that is followed by what looks like content.
  private static func end(_ bytes: Span<UInt8>, from start: Int) -> Int {
    var at = start
    while let place = bytes.first(of: "EI", in: at..<bytes.count) {
      at = place + 1
      let behind = place + 2
      guard place == start || CharacterClass.isWhite(bytes[place - 1]),
        behind >= bytes.count || !CharacterClass.isRegular(bytes[behind])
      else { continue }
      var isContent = true
      for index in behind..<min(behind + 12, bytes.count) {
        let byte = bytes[index]
        if byte > 0x7E || byte < 0x20 && !CharacterClass.isWhite(byte) || byte == 0 {
          isContent = false
          break
        }
      }
      if isContent { return behind }
    }
    return bytes.count
  }
}
