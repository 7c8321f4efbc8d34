import Bytes

/// How many bytes of a file may still be searched for the ends of its streams. A stream that lacks its end is
/// searched for to the end of the file, and every object may be one.
final class SearchBudget {
  private(set) var left: Int
  /// How many bytes were searched.
  private(set) var spent = 0

  /// - Parameter bytes: the size of the file. Where lengths are wrong each stream is searched once or a few times.
  init(forFileOf bytes: Int) {
    left = 64 << 20 + bytes.multipliedReportingOverflow(by: 8).partialValue
  }

  func spend(_ bytes: Int) {
    left -= min(left, bytes)
    spent += bytes
  }
}

/// How many bytes the filters of a file may still take and give.
struct DecodingBudget {
  var left: Int

  init(_ bytes: Int, forFileOf size: Int) {
    let (own, overflow) = size.multipliedReportingOverflow(by: 64)
    let (sum, tooMany) = bytes.addingReportingOverflow(own)
    left = overflow || tooMany ? .max : sum
  }
}

/// An indirect object as it stands in the file (PDF 32000-1, 7.3.10).
struct IndirectObject {
  var reference: PDFReference
  var object: PDFObject
  /// Whether a stream's length was right.
  var lengthIsRight = true
  /// The offset behind the object.
  var end = 0

  /// Reads `N G obj ...` at an offset, or nil where no object begins there.
  ///
  /// - Parameters:
  ///   - search: how many bytes may be searched for the ends of streams.
  ///   - lengthOf: resolves the value of a stream's `Length`.
  static func read(
    _ bytes: Span<UInt8>, at offset: Int, _ search: SearchBudget, lengthOf: (PDFObject) -> Int?
  ) -> IndirectObject? {
    guard offset >= 0, offset < bytes.count else { return nil }
    var parser = ObjectParser(bytes, at: offset)
    let number = parser.lexer.next()
    guard number.kind == .integer, number.integer >= 0 else { return nil }
    let generation = parser.lexer.next()
    guard generation.kind == .integer, generation.integer >= 0 else { return nil }
    let word = parser.lexer.next()
    guard word.kind == .keyword else { return nil }
    if !word.isKeyword("obj") {
      // `obj` may be glued to what follows.
      guard word.end - word.start > 3, bytes.matches("obj", at: word.start) else { return nil }
      parser.lexer.position = word.start + 3
    }
    let reference = PDFReference(number.integer, generation.integer)
    guard let object = parser.object() else {
      return IndirectObject(reference: reference, object: .null, end: parser.lexer.position)
    }
    guard case .dictionary(let dictionary) = object else {
      return IndirectObject(reference: reference, object: object, end: parser.lexer.position)
    }
    let behind = parser.lexer.position
    let keyword = parser.lexer.next()
    guard keyword.kind == .keyword, bytes.matches("stream", at: keyword.start) else {
      return IndirectObject(reference: reference, object: object, end: behind)
    }
    var start = keyword.start + 6
    // Blanks before the end of line, and a lone carriage return, are against 7.3.8.1 but happen.
    var probe = start
    while probe < bytes.count, bytes[probe] == 0x20 || bytes[probe] == 0x09 { probe += 1 }
    if probe < bytes.count, bytes[probe] == 0x0D || bytes[probe] == 0x0A { start = probe }
    if start < bytes.count, bytes[start] == 0x0D {
      start += 1
      if start < bytes.count, bytes[start] == 0x0A { start += 1 }
    } else if start < bytes.count, bytes[start] == 0x0A {
      start += 1
    }
    let declared = dictionary["Length"].flatMap { lengthOf($0) }
    let (end, right) = extent(bytes, from: start, declared: declared, search)
    let stream = PDFStream(
      dictionary: dictionary, source: .file(start..<end), reference: reference)
    return IndirectObject(
      reference: reference, object: .stream(stream), lengthIsRight: right, end: end)
  }

  /// Where a stream ends: at its length if `endstream` follows there, else at the next `endstream`
  /// or `endobj`, whichever comes first, else with the file.
  private static func extent(
    _ bytes: Span<UInt8>, from start: Int, declared: Int?, _ search: SearchBudget
  ) -> (Int, Bool) {
    if let declared, declared >= 0, declared <= bytes.count - start {
      var at = start + declared
      while at < bytes.count, CharacterClass.isWhite(bytes[at]) { at += 1 }
      if bytes.matches("endstream", at: at) || bytes.matches("endobj", at: at) {
        return (start + declared, true)
      }
    }
    let limit = min(bytes.count, start + search.left)
    let keyword = bytes.first(of: "endstream", in: start..<limit)
    // Where `endobj` comes first, the object's own `endstream` is broken.
    let object = bytes.first(of: "endobj", in: start..<(keyword ?? limit))
    search.spend((keyword ?? limit) - start)
    guard var end = object ?? keyword else { return (limit, false) }
    if end > start, bytes[end - 1] == 0x0A { end -= 1 }
    if end > start, bytes[end - 1] == 0x0D { end -= 1 }
    return (end, false)
  }
}
