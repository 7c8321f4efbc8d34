internal import Bytes

/// An image within a content stream (PDF 32000-1, 8.9.7), whose data may contain anything.
public struct InlineImage {
  /// With the long names of keys.
  public var dictionary: PDFDictionary
  /// Where its data lies in the content stream.
  public var data: Range<Int>

  private static let longNames: [PDFName: PDFName] = [
    "BPC": "BitsPerComponent", "CS": "ColorSpace", "D": "Decode", "DP": "DecodeParms",
    "F": "Filter", "H": "Height", "IM": "ImageMask", "I": "Interpolate", "W": "Width",
  ]

  /// Reads one behind `BI`, and leaves the lexer behind `EI`.
  ///
  /// - Parameters:
  ///   - lexer: right behind `BI`.
  ///   - components: how many a color space has, for data that goes by its size; gray, RGB and CMYK are known.
  /// - Returns: nil where there is none.
  public static func read(
    _ lexer: inout Lexer, components: (PDFObject) -> Int? = { _ in nil }
  ) -> InlineImage? {
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
        dictionary[longNames[key] ?? key] = value
      } else {
        parser.lexer.position = before
        if parser.lexer.next().isKeyword("ID") { break }
      }
    }
    var start = parser.lexer.position
    if start < bytes.count, CharacterClass.isWhite(bytes[start]) { start += 1 }
    let end = dataEnd(bytes, from: start, dictionary, components)
    lexer.position = end.behind
    dictionary["Length"] = nil
    return InlineImage(dictionary: dictionary, data: start..<max(start, end.data))
  }

  /// Where the data ends, and the offset behind `EI`.
  private static func dataEnd(
    _ bytes: Span<UInt8>, from start: Int, _ dictionary: PDFDictionary,
    _ components: (PDFObject) -> Int?
  ) -> (data: Int, behind: Int) {
    let filters = dictionary["Filter"]?.array ?? dictionary["Filter"].map { [$0] } ?? []
    // What is known exactly is tried first: the size of plain samples, the end mark of text.
    var known: Int?
    switch filters.first?.name {
    case nil: known = plainLength(dictionary, components).map { start + $0 }
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
    _ dictionary: PDFDictionary, _ components: (PDFObject) -> Int?
  ) -> Int? {
    guard let width = dictionary.integer("Width"), let height = dictionary.integer("Height"),
      (0...100_000).contains(width), (0...100_000).contains(height)
    else { return nil }
    var bits = dictionary.integer("BitsPerComponent") ?? 8
    var count = 1
    if dictionary.boolean("ImageMask") == true {
      bits = 1
    } else if let space = dictionary["ColorSpace"] {
      count =
        switch space.name {
        case "G", "DeviceGray": 1
        case "RGB", "DeviceRGB": 3
        case "CMYK", "DeviceCMYK": 4
        default: components(space) ?? 1
        }
    }
    guard (1...16).contains(bits), (1...64).contains(count) else { return nil }
    return (width * count * bits + 7) / 8 * height
  }
}
