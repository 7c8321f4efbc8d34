internal import Bytes
internal import PDFSyntax

/// Reads inline images (PDF 32000-1, 8.9.7), whose data may contain anything.
enum InlineImage {
  private static let longNames: [PDFName: PDFName] = [
    "BPC": "BitsPerComponent", "CS": "ColorSpace", "D": "Decode", "DP": "DecodeParms",
    "F": "Filter", "H": "Height", "IM": "ImageMask", "I": "Interpolate", "W": "Width",
  ]

  /// To be called behind `BI`; leaves the lexer behind `EI`.
  ///
  /// - Parameter resources: name colour spaces.
  /// - Returns: the image as a stream, or nil where there is none.
  @_lifetime(lexer: copy lexer)
  static func read(
    _ lexer: inout Lexer, resources: PDFDictionary, file: PDFFile
  ) -> PDFStream? {
    let bytes = lexer.bytes
    var parser = ObjectParser(bytes, at: lexer.position, references: false)
    var dictionary = PDFDictionary()
    while true {
      let token = parser.lexer.next()
      if token.kind == .end || token.isKeyword("EI") {
        lexer.position = parser.lexer.position
        return nil
      }
      if token.isKeyword("ID") { break }
      guard token.kind == .name else { continue }
      let key = parser.lexer.name(token)
      let before = parser.lexer.position
      if let value = parser.object() {
        dictionary[Self.longNames[key] ?? key] = value
      } else {
        parser.lexer.position = before
        if parser.lexer.next().isKeyword("ID") { break }
      }
    }
    var start = parser.lexer.position
    if start < bytes.count, CharacterClass.isWhite(bytes[start]) { start += 1 }
    let end = dataEnd(bytes, from: start, dictionary, resources: resources, file: file)
    lexer.position = end.behind
    dictionary["Length"] = nil
    return PDFStream(dictionary, bytes: bytes.array(start..<max(start, end.data)))
  }

  /// Where the data ends, and the offset behind `EI`.
  private static func dataEnd(
    _ bytes: Span<UInt8>, from start: Int, _ dictionary: PDFDictionary,
    resources: PDFDictionary, file: PDFFile
  ) -> (data: Int, behind: Int) {
    let filters = dictionary["Filter"]?.array ?? dictionary["Filter"].map { [$0] } ?? []
    // What is known exactly is tried first: the size of plain samples, the end mark of text.
    var known: Int?
    switch filters.first?.name {
    case nil:
      known = plainLength(dictionary, resources: resources, file: file).map { start + $0 }
    case "ASCII85Decode", "A85":
      known = bytes.first(of: "~>", in: start..<bytes.count).map { $0 + 2 }
    case "ASCIIHexDecode", "AHx":
      known = bytes.first(of: ">", in: start..<bytes.count).map { $0 + 1 }
    default: break
    }
    if let known, known <= bytes.count {
      var probe = Lexer(bytes, at: known)
      if probe.next().isKeyword("EI") { return (known, probe.position) }
    }
    // Otherwise the first `EI` between white space that is followed by what looks like content.
    var at = start
    while let place = bytes.first(of: "EI", in: at..<bytes.count) {
      at = place + 1
      let behind = place + 2
      guard place == start || CharacterClass.isWhite(bytes[place - 1]),
        behind >= bytes.count || !CharacterClass.isRegular(bytes[behind]),
        looksLikeContent(bytes, from: behind)
      else { continue }
      return (place > start ? place - 1 : place, behind)
    }
    return (bytes.count, bytes.count)
  }

  private static func looksLikeContent(_ bytes: Span<UInt8>, from start: Int) -> Bool {
    for index in start..<min(start + 16, bytes.count) {
      let byte = bytes[index]
      if byte > 0x7E || byte < 0x20 && !CharacterClass.isWhite(byte) || byte == 0 { return false }
    }
    return true
  }

  private static func plainLength(
    _ dictionary: PDFDictionary, resources: PDFDictionary, file: PDFFile
  ) -> Int? {
    guard let width = dictionary.integer("Width"), let height = dictionary.integer("Height"),
      (0...100_000).contains(width), (0...100_000).contains(height)
    else { return nil }
    var bits = dictionary.integer("BitsPerComponent") ?? 8
    var components = 1
    if dictionary.boolean("ImageMask") == true {
      bits = 1
    } else {
      components =
        ColourSpace(dictionary["ColorSpace"], resources: resources, file: file).components
    }
    guard (1...16).contains(bits) else { return nil }
    return (width * components * bits + 7) / 8 * height
  }
}
