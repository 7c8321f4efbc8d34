import Bytes

/// The objects that a file really has, found by looking for `N G obj` from its first byte to its
/// last. Used where cross-references are missing or wrong, for a whole file and for one object.
struct ObjectScan {
  struct Found {
    var reference: PDFReference
    var offset: Int
  }

  /// In the order of the file; of objects with the same number the last one counts.
  private(set) var objects: [Found] = []
  /// The dictionaries behind `trailer`, in the order of the file.
  private(set) var trailers: [PDFDictionary] = []
  /// Where the last object with a number stands.
  private(set) var lastPlace: [Int: Int] = [:]
  /// How many bytes were read for trailers.
  private(set) var readForTrailers = 0

  init(_ bytes: Span<UInt8>, limits: Limits) {
    var at = 0
    let count = bytes.count
    // A dictionary that is never closed is read to the end of the file, and there may be one at every word.
    let mostForTrailers = count + 1 << 20
    // "obj" and "trailer" are both found by one rare letter: j, and the l of "trailer".
    while at < count {
      let byte = bytes[at]
      if byte == 0x6A {
        if at >= 2, bytes[at - 1] == 0x62, bytes[at - 2] == 0x6F,
          let found = Self.header(bytes, before: at - 2, limits: limits)
        {
          objects.append(found)
          lastPlace[found.reference.number] = found.offset
        }
      } else if byte == 0x74, readForTrailers < mostForTrailers, bytes.matches("trailer", at: at) {
        var parser = ObjectParser(bytes, at: at + 7)
        let token = parser.lexer.next()
        if token.kind == .dictionaryOpen,
          let dictionary = parser.object(from: token)?.dictionary
        {
          trailers.append(dictionary)
        }
        readForTrailers += parser.lexer.position - at
        at += 6
      }
      at += 1
    }
  }

  /// Reads `N G ` backwards from `obj`.
  private static func header(
    _ bytes: Span<UInt8>, before: Int, limits: Limits
  ) -> Found? {
    var at = before
    func skipWhite() -> Bool {
      let from = at
      while at > 0, CharacterClass.isWhite(bytes[at - 1]) { at -= 1 }
      return at < from
    }
    func number() -> Int? {
      let end = at
      while at > 0, end - at < 12, CharacterClass.isDigit(bytes[at - 1]) { at -= 1 }
      guard at < end else { return nil }
      var value = 0
      for index in at..<end { value = value * 10 + Int(bytes[index] - 0x30) }
      return value
    }
    guard skipWhite(), let generation = number(), generation <= 65_535, skipWhite(),
      let number = number(), number <= limits.objectNumber
    else { return nil }
    return Found(reference: PDFReference(number, generation), offset: at)
  }
}
