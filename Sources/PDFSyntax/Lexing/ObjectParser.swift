import Bytes

/// Builds objects out of tokens (PDF 32000-1, 7.3).
///
/// Never fails: what is cut off ends where the bytes end, what is odd is passed over. Nesting deeper
/// than the limit is read as null.
public struct ObjectParser: ~Escapable {
  /// Where the next object is looked for.
  public var lexer: Lexer
  private let depthLimit: Int
  /// Whether `N G R` is read as a reference; not so in content streams.
  private let readsReferences: Bool
  /// Whether a limit of depth or size cut something off.
  public private(set) var wasLimited = false
  private var budget: Int

  /// A parser that begins at an offset.
  ///
  /// - Parameters:
  ///   - bytes: the file, or a decoded stream.
  ///   - position: the offset in them.
  ///   - references: whether `N G R` is a reference, as it is outside content streams.
  ///   - depthLimit: how deep arrays and dictionaries may stand in one another.
  ///   - objectLimit: how many values one object may have, nested ones included.
  @_lifetime(copy bytes)
  public init(
    _ bytes: Span<UInt8>, at position: Int = 0, references: Bool = true,
    depthLimit: Int = Limits.standard.nesting, objectLimit: Int = Limits.standard.itemsInObject
  ) {
    lexer = Lexer(bytes, at: position)
    readsReferences = references
    self.depthLimit = depthLimit
    budget = objectLimit
  }

  /// The object at the lexer's position. A keyword that is no object (`endobj`, `]`, operators) is
  /// left unread and answered by nil.
  @_lifetime(self: copy self)
  public mutating func object() -> PDFObject? {
    let before = lexer.position
    let token = lexer.next()
    if let object = object(from: token, depth: 0) { return object }
    lexer.position = before
    return nil
  }

  /// The object that begins with a token already read, or nil where none does.
  @_lifetime(self: copy self)
  public mutating func object(from token: Token, depth: Int = 0) -> PDFObject? {
    budget -= 1
    if budget < 0 {
      wasLimited = true
      lexer.position = lexer.bytes.count
      return nil
    }
    switch token.kind {
    case .integer:
      if readsReferences, token.integer >= 0, let reference = reference(after: token) {
        return .reference(reference)
      }
      return .integer(token.integer)
    case .real: return .real(token.real)
    case .literalString, .hexadecimalString: return .string(lexer.string(token))
    case .name: return .name(lexer.name(token))
    case .arrayOpen: return array(depth: depth + 1)
    case .dictionaryOpen: return dictionary(depth: depth + 1).map { .dictionary($0) }
    case .keyword:
      if token.isKeyword("null") { return .null }
      if token.isKeyword("true") { return .boolean(true) }
      if token.isKeyword("false") { return .boolean(false) }
      return nil
    case .arrayClose, .dictionaryClose, .end: return nil
    }
  }

  @_lifetime(self: copy self)
  private mutating func reference(after number: Token) -> PDFReference? {
    // Look at the bytes before lexing: most integers are followed by no reference.
    let before = lexer.position
    let bytes = lexer.bytes
    var at = before
    while at < bytes.count, CharacterClass.isWhite(bytes[at]) { at += 1 }
    guard at > before, at < bytes.count, CharacterClass.isDigit(bytes[at]) else { return nil }
    let generation = lexer.next()
    if generation.kind == .integer, generation.integer <= 65_535 {
      let word = lexer.next()
      if word.isKeyword("R") { return PDFReference(number.integer, generation.integer) }
    }
    lexer.position = before
    return nil
  }

  @_lifetime(self: copy self)
  private mutating func array(depth: Int) -> PDFObject {
    var items: [PDFObject] = []
    while true {
      let before = lexer.position
      let token = lexer.next()
      if token.kind == .end || token.kind == .arrayClose { break }
      if token.kind == .dictionaryClose || endsObject(token) {
        lexer.position = before
        break
      }
      if depth > depthLimit {
        wasLimited = true
        skip(token, &items)
        continue
      }
      if let item = object(from: token, depth: depth) { items.append(item) }
    }
    return .array(items)
  }

  // Below the depth limit brackets are no longer matched: everything up to the end is passed over.
  @_lifetime(self: copy self)
  private mutating func skip(_ token: Token, _ items: inout [PDFObject]) {
    budget -= 1
    if budget < 0 { lexer.position = lexer.bytes.count }
  }

  @_lifetime(self: copy self)
  private mutating func dictionary(depth: Int) -> PDFDictionary? {
    var result = PDFDictionary()
    while true {
      let before = lexer.position
      let token = lexer.next()
      if token.kind == .end || token.kind == .dictionaryClose { break }
      if endsObject(token) {
        lexer.position = before
        break
      }
      guard token.kind == .name else { continue }
      let key = lexer.name(token)
      if depth > depthLimit {
        wasLimited = true
        continue
      }
      let beforeValue = lexer.position
      let first = lexer.next()
      if first.kind == .end { break }
      if first.kind == .dictionaryClose || endsObject(first) {
        lexer.position = beforeValue
        continue
      }
      if let value = object(from: first, depth: depth) { result[key] = value }
    }
    return result
  }

  private func endsObject(_ token: Token) -> Bool {
    guard readsReferences, token.kind == .keyword else { return false }
    return token.isKeyword("endobj") || token.isKeyword("stream")
      || (token.end - token.start == 9 && token.word == endstreamWord) || token.isKeyword("obj")
  }

  private var endstreamWord: UInt64 { Keyword("endstrea").word }
}
