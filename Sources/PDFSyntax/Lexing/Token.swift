/// One lexical token: what it is and where it stands. Flat on purpose, since tokens made into enums
/// with payloads halve the speed of lexing.
public struct Token: Sendable {
  /// What a token is (7.2 and 7.3).
  public enum Kind: UInt8, Sendable {
    case end
    case integer, real
    case literalString, hexadecimalString
    case name
    case arrayOpen, arrayClose
    case dictionaryOpen, dictionaryClose
    case keyword
  }

  /// What it is.
  public var kind: Kind
  /// The offset of its first byte: with delimiters, for names without the slash, for strings
  /// without parentheses and angle brackets.
  public var start: Int
  /// The offset behind its last byte, counted like ``start``.
  public var end: Int
  /// The value of an integer; of a real rounded towards zero.
  public var integer: Int = 0
  /// The value of an integer or real.
  public var real: Double = 0
  /// The first eight bytes of a keyword, the last of them in the lowest bits.
  public var word: UInt64 = 0

  init(_ kind: Kind, _ start: Int, _ end: Int) {
    self.kind = kind
    self.start = start
    self.end = end
  }

  /// Whether it is an integer or a real number.
  public var isNumber: Bool { kind == .integer || kind == .real }

  /// Whether this is the keyword `text` of at most eight characters.
  @inline(__always)
  public func isKeyword(_ wanted: Keyword) -> Bool {
    kind == .keyword && word == wanted.word && end - start <= 8
  }
}

/// A keyword of at most eight characters, packed for comparison with ``Token/word``.
public struct Keyword: Sendable, ExpressibleByStringLiteral {
  /// The characters, the last in the lowest bits.
  public let word: UInt64

  /// A keyword of at most eight ASCII characters; of longer ones the last eight count.
  public init(stringLiteral text: StaticString) {
    var packed: UInt64 = 0
    text.withUTF8Buffer { bytes in
      for index in bytes.indices { packed = unsafe packed << 8 | UInt64(bytes[index]) }
    }
    word = packed
  }
}
