import Bytes
import PDFSyntax

/// Reads CMap files, tolerantly: counts are not believed, odd strings are padded, what cannot be
/// understood is passed over.
struct CharacterMapParser {
  private(set) var map = CharacterMap()
  /// Whether texts are read as UTF-8, which is against 9.10.3.
  private var isUTF8 = false
  /// Texts of several bytes that are one scalar of UTF-8 beyond ASCII; nil once there was another.
  private var scalarsOfUTF8: Int? = 0
  private let limit = 400_000

  /// - Parameter unicode: whether values are text in UTF-16 (a ToUnicode CMap) or CIDs.
  static func parse(_ bytes: Span<UInt8>, unicode: Bool) -> CharacterMap {
    var parser = CharacterMapParser()
    parser.read(bytes, unicode: unicode)
    // By chance, one of four texts in UTF-16 looks so, and only if it is Korean.
    if unicode, let count = parser.scalarsOfUTF8, count >= 6 {
      parser = CharacterMapParser()
      parser.isUTF8 = true
      parser.read(bytes, unicode: true)
    }
    parser.map.finish()
    return parser.map
  }

  private mutating func read(_ bytes: Span<UInt8>, unicode: Bool) {
    var lexer = Lexer(bytes)
    var previous: Token?
    while true {
      let token = lexer.next()
      if token.kind == .end { return }
      if token.kind == .keyword {
        let length = token.end - token.start
        if length == 19, bytes.matches("begincodespacerange", at: token.start) {
          codespaces(&lexer)
        } else if length == 11, bytes.matches("beginbfchar", at: token.start) {
          characters(&lexer, unicode: true)
        } else if length == 12, bytes.matches("begincidchar", at: token.start) {
          characters(&lexer, unicode: false)
        } else if length == 12, bytes.matches("beginbfrange", at: token.start) {
          ranges(&lexer, unicode: true)
        } else if length == 13, bytes.matches("begincidrange", at: token.start) {
          ranges(&lexer, unicode: false)
        } else if length == 7, bytes.matches("usecmap", at: token.start), let previous,
          previous.kind == .name
        {
          map.base = lexer.name(previous).text
        }
      } else if token.kind == .name, token.end - token.start == 5,
        bytes.matches("WMode", at: token.start)
      {
        let value = lexer.next()
        if value.kind == .integer { map.isVertical = value.integer == 1 }
      }
      previous = token
    }
  }

  private func isEnd(_ token: Token) -> Bool { token.kind == .end || token.kind == .keyword }

  private mutating func codespaces(_ lexer: inout Lexer) {
    while true {
      let low = lexer.next()
      if isEnd(low) { return }
      let high = lexer.next()
      if isEnd(high) { return }
      let lowBytes = lexer.string(low)
      let length = max(1, min(4, lowBytes.count))
      map.addCodespace(
        length: length, low: Self.code(lowBytes), high: Self.code(lexer.string(high)))
    }
  }

  private mutating func characters(_ lexer: inout Lexer, unicode: Bool) {
    while map.count < limit {
      let source = lexer.next()
      if isEnd(source) { return }
      let target = lexer.next()
      if isEnd(target) { return }
      let code = self.code(source, lexer)
      if unicode {
        if let scalars = scalars(target, lexer) { map.add(code: code, scalars: scalars) }
      } else if target.kind == .integer, target.integer >= 0 {
        map.add(low: code, high: code, value: UInt32(clamping: target.integer))
      }
    }
  }

  private mutating func ranges(_ lexer: inout Lexer, unicode: Bool) {
    while map.count < limit {
      let first = lexer.next()
      if isEnd(first) { return }
      let last = lexer.next()
      if isEnd(last) { return }
      let target = lexer.next()
      if isEnd(target) { return }
      let low = code(first, lexer)
      let high = code(last, lexer)
      if target.kind == .arrayOpen {
        var code = low
        while true {
          let item = lexer.next()
          if item.kind == .arrayClose || isEnd(item) { break }
          if code <= high, let scalars = scalars(item, lexer) {
            map.add(code: code, scalars: scalars)
          }
          code = code &+ 1
        }
      } else if target.kind == .integer, target.integer >= 0 {
        map.add(low: low, high: high, value: UInt32(clamping: target.integer))
      } else if let scalars = scalars(target, lexer) {
        addRange(low, high, scalars)
      }
    }
  }

  private mutating func addRange(_ low: UInt32, _ high: UInt32, _ scalars: [UInt32]) {
    guard scalars.count != 1 else { return map.add(low: low, high: high, value: scalars[0]) }
    map.add(low: low, high: max(low, min(high, low &+ 65_535)), scalars: scalars)
  }

  private func code(_ token: Token, _ lexer: borrowing Lexer) -> UInt32 {
    if token.kind == .integer { return UInt32(clamping: token.integer) }
    return Self.code(lexer.string(token))
  }

  private static func code(_ bytes: [UInt8]) -> UInt32 {
    bytes.suffix(4).reduce(0) { $0 << 8 | UInt32($1) }
  }

  private mutating func scalars(_ token: Token, _ lexer: borrowing Lexer) -> [UInt32]? {
    switch token.kind {
    case .hexadecimalString, .literalString:
      let bytes = lexer.string(token)
      if isUTF8 {
        return String(decoding: bytes, as: UTF8.self).unicodeScalars.map(\.value)
      }
      if let count = scalarsOfUTF8, bytes.count > 1 {
        scalarsOfUTF8 = Self.isScalarOfUTF8(bytes) ? count + 1 : nil
      }
      return Self.scalars(utf16: bytes)
    case .name: return GlyphList.scalars(lexer.name(token).text)
    default: return nil
    }
  }

  private static func isScalarOfUTF8(_ bytes: [UInt8]) -> Bool {
    guard bytes[0] >= 0xC2, bytes.dropFirst().allSatisfy({ $0 & 0xC0 == 0x80 }) else {
      return false
    }
    return String(validating: bytes, as: UTF8.self)?.unicodeScalars.count == 1
  }

  /// Text in UTF-16BE, unpaired surrogates left out; one byte stands for itself.
  static func scalars(utf16 bytes: [UInt8]) -> [UInt32] {
    if bytes.count == 1 { return [UInt32(bytes[0])] }
    var result: [UInt32] = []
    var at = 0
    while at + 1 < bytes.count {
      let unit = UInt32(bytes[at]) << 8 | UInt32(bytes[at + 1])
      at += 2
      if unit >= 0xD800, unit < 0xDC00, at + 1 < bytes.count {
        let low = UInt32(bytes[at]) << 8 | UInt32(bytes[at + 1])
        if low >= 0xDC00, low < 0xE000 {
          result.append(0x10000 + ((unit - 0xD800) << 10) + (low - 0xDC00))
          at += 2
        }
      } else if unit < 0xD800 || unit >= 0xE000 {
        result.append(unit)
      }
    }
    return result
  }
}
