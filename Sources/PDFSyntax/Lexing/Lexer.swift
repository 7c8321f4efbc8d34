import Bytes

/// Cuts bytes into tokens (PDF 32000-1, 7.2 and 7.3). Never fails: whatever the bytes, it ends with
/// `.end` after at most one token a byte.
public struct Lexer: ~Escapable {
  /// What is cut into tokens.
  public let bytes: Span<UInt8>
  /// The offset at which the next token is looked for.
  public var position: Int

  /// A lexer that begins at an offset, held inside the bytes.
  @_lifetime(copy bytes)
  public init(_ bytes: Span<UInt8>, at position: Int = 0) {
    self.bytes = bytes
    self.position = max(0, min(position, bytes.count))
  }

  /// Skips white space and comments.
  @_lifetime(self: copy self)
  public mutating func skipWhite() {
    let count = bytes.count
    var at = position
    while at < count {
      let byte = bytes[at]
      if CharacterClass.isWhite(byte) {
        at += 1
      } else if byte == 0x25 {
        at += 1
        while at < count, bytes[at] != 0x0A, bytes[at] != 0x0D { at += 1 }
      } else {
        break
      }
    }
    position = at
  }

  /// The next token.
  @_lifetime(self: copy self)
  public mutating func next() -> Token {
    skipWhite()
    let start = position
    guard start < bytes.count else { return Token(.end, start, start) }
    let byte = bytes[start]
    switch byte {
    case 0x30...0x39, 0x2B, 0x2D, 0x2E: return number()
    case 0x2F: return name()
    case 0x28: return literalString()
    case 0x3C:
      if start + 1 < bytes.count, bytes[start + 1] == 0x3C {
        return delimiter(.dictionaryOpen, 2)
      }
      return hexadecimalString()
    case 0x3E:
      if start + 1 < bytes.count, bytes[start + 1] == 0x3E {
        return delimiter(.dictionaryClose, 2)
      }
      // A lone bracket is junk: a keyword nobody knows.
      return delimiter(.keyword, 1)
    case 0x5B: return delimiter(.arrayOpen, 1)
    case 0x5D: return delimiter(.arrayClose, 1)
    case 0x7B, 0x7D, 0x29: return delimiter(.keyword, 1)
    default: return keyword()
    }
  }

  @_lifetime(self: copy self)
  private mutating func delimiter(_ kind: Token.Kind, _ length: Int) -> Token {
    let start = position
    position = start + length
    var token = Token(kind, start, position)
    token.word = UInt64(bytes[start])
    return token
  }

  @_lifetime(self: copy self)
  private mutating func keyword() -> Token {
    let count = bytes.count
    var at = position
    var word: UInt64 = 0
    while at < count, CharacterClass.isRegular(bytes[at]) {
      if at - position < 8 { word = word << 8 | UInt64(bytes[at]) }
      at += 1
    }
    var token = Token(.keyword, position, at)
    token.word = word
    position = at
    return token
  }

  @_lifetime(self: copy self)
  private mutating func name() -> Token {
    let count = bytes.count
    let start = position + 1
    var at = start
    while at < count, CharacterClass.isRegular(bytes[at]) { at += 1 }
    position = at
    return Token(.name, start, at)
  }

  // A number ends where a character stands that no number has, so that `1rg` is two tokens; signs
  // inside a number are passed over, as other readers do.
  @_lifetime(self: copy self)
  private mutating func number() -> Token {
    let count = bytes.count
    let start = position
    var at = start
    var negative = false
    while at < count, bytes[at] == 0x2D || bytes[at] == 0x2B {
      if bytes[at] == 0x2D { negative = true }
      at += 1
    }
    var whole = 0
    var digits = 0
    var large = 0.0
    while at < count {
      let byte = bytes[at]
      if CharacterClass.isDigit(byte) {
        digits += 1
        if digits <= 18 {
          whole = whole &* 10 &+ Int(byte &- 0x30)
        } else {
          if digits == 19 { large = Double(whole) }
          large = large * 10 + Double(byte &- 0x30)
        }
      } else if byte != 0x2D || digits == 0 {
        break
      }
      at += 1
    }
    if at < count, bytes[at] == 0x2E {
      at += 1
      var fraction = 0
      var scale = 1.0
      while at < count {
        let byte = bytes[at]
        if CharacterClass.isDigit(byte) {
          if scale < 1e15 {
            fraction = fraction &* 10 &+ Int(byte &- 0x30)
            scale *= 10
          }
        } else if byte != 0x2D {
          break
        }
        at += 1
      }
      var token = Token(.real, start, at)
      var value = digits > 18 ? large : Double(whole)
      if fraction != 0 { value += Double(fraction) / scale }
      token.real = negative ? -value : value
      token.integer = digits > 18 ? 0 : (negative ? -whole : whole)
      position = at
      return token
    }
    var token = Token(digits > 18 ? .real : .integer, start, at)
    token.integer = digits > 18 ? (negative ? Int.min / 2 : Int.max / 2) : negative ? -whole : whole
    token.real = digits > 18 ? (negative ? -large : large) : Double(token.integer)
    if at == start { at += 1 }
    position = at
    return token
  }

  @_lifetime(self: copy self)
  private mutating func literalString() -> Token {
    let count = bytes.count
    let start = position + 1
    var at = start
    var depth = 1
    while at < count {
      switch bytes[at] {
      case 0x5C: at += 1
      case 0x28: depth += 1
      case 0x29:
        depth -= 1
        if depth == 0 {
          position = at + 1
          return Token(.literalString, start, at)
        }
      default: break
      }
      at += 1
    }
    position = count
    return Token(.literalString, start, count)
  }

  @_lifetime(self: copy self)
  private mutating func hexadecimalString() -> Token {
    let count = bytes.count
    let start = position + 1
    var at = start
    while at < count, bytes[at] != 0x3E { at += 1 }
    position = min(count, at + 1)
    return Token(.hexadecimalString, start, at)
  }
}
