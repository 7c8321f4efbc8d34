/// A JSON value that knows where it stands in its text, so that complaints can point at it.
public struct JSONNode: Sendable {
  /// The kinds of value that ``JSON`` has, with nodes inside.
  public enum Kind: Sendable {
    case null
    case bool(Bool)
    case integer(Int)
    case number(Double)
    case string(String)
    case array([JSONNode])
    case object([JSONMember])
  }
  /// The value itself.
  public var kind: Kind
  /// Byte offsets into the text.
  public var range: Range<Int>

  /// The value without its places.
  public var value: JSON {
    switch kind {
    case .null: .null
    case .bool(let value): .bool(value)
    case .integer(let value): .integer(value)
    case .number(let value): .number(value)
    case .string(let value): .string(value)
    case .array(let nodes): .array(nodes.map(\.value))
    case .object(let members): .object(members.map { JSON.Member($0.name, $0.value.value) })
    }
  }

  /// The members of an object in their order; none for other kinds.
  public var members: [JSONMember] { if case .object(let members) = kind { members } else { [] } }

  /// The last member of this name.
  public subscript(name: String) -> JSONNode? { members.last { $0.name == name }?.value }

  /// The same value with null for every value that has one of these places.
  public func withNull(at places: Set<Range<Int>>) -> JSONNode {
    if places.contains(range) { return JSONNode(kind: .null, range: range) }
    switch kind {
    case .array(let nodes):
      return JSONNode(kind: .array(nodes.map { $0.withNull(at: places) }), range: range)
    case .object(let members):
      let changed = members.map {
        JSONMember(
          name: $0.name, nameRange: $0.nameRange, value: $0.value.withNull(at: places))
      }
      return JSONNode(kind: .object(changed), range: range)
    default: return self
    }
  }
}

/// One member of an object, with the place of its name (quotes included).
public struct JSONMember: Sendable {
  /// The key, with its escapes resolved.
  public var name: String
  /// Byte offsets of the key in the text, its quotes included.
  public var nameRange: Range<Int>
  /// What stands behind the key.
  public var value: JSONNode
}

/// What is wrong with a text that is no JSON, and at which byte.
public struct JSONError: Error, Sendable, Equatable {
  /// Where reading stopped: a byte offset into the text.
  public var offset: Int
  /// What was expected there or is wrong, one sentence for people without full stop.
  public var message: String
}

/// Reads JSON (RFC 8259) from UTF-8 bytes. Total: any bytes give a value or a ``JSONError``; depth
/// is limited, so nothing recurses without bound. Names that occur twice are errors: which one
/// was meant cannot be known.
public struct JSONReader {
  private let bytes: [UInt8]
  private var offset = 0
  private static let deepest = 64

  private init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// Reads one value that fills the whole text, blanks around it apart.
  public static func read(_ bytes: [UInt8]) throws(JSONError) -> JSONNode {
    var reader = JSONReader(bytes)
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { reader.offset = 3 }
    let node = try reader.value(depth: 0)
    reader.skipBlanks()
    guard reader.offset == bytes.count else {
      throw reader.error("nothing may follow the value that ends here")
    }
    return node
  }

  /// Reads one value that fills the whole text; places count the bytes of its UTF-8.
  public static func read(_ text: String) throws(JSONError) -> JSONNode {
    try read(Array(text.utf8))
  }

  private func error(_ message: String) -> JSONError { JSONError(offset: offset, message: message) }

  private var next: UInt8? { offset < bytes.count ? bytes[offset] : nil }

  private mutating func skipBlanks() {
    while let byte = next, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 {
      offset += 1
    }
  }

  private mutating func value(depth: Int) throws(JSONError) -> JSONNode {
    guard depth < Self.deepest else { throw error("values are nested too deeply") }
    skipBlanks()
    let start = offset
    guard let byte = next else { throw error("the text ends where a value is expected") }
    let kind: JSONNode.Kind
    switch byte {
    case UInt8(ascii: "{"): kind = .object(try object(depth: depth))
    case UInt8(ascii: "["): kind = .array(try array(depth: depth))
    case UInt8(ascii: "\""): kind = .string(try string())
    case UInt8(ascii: "t"): kind = .bool(try word("true", true))
    case UInt8(ascii: "f"): kind = .bool(try word("false", false))
    case UInt8(ascii: "n"): _ = try word("null", true); kind = .null
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): kind = try number()
    default: throw error(Self.habit(byte) ?? "a value is expected here")
    }
    return JSONNode(kind: kind, range: start..<offset)
  }

  /// What is written otherwise elsewhere, by its first byte; nil for what is not known.
  private static func habit(_ byte: UInt8) -> String? {
    switch byte {
    case UInt8(ascii: "/"), UInt8(ascii: "#"): "JSON has no comments; use a \"$comment\" member"
    case UInt8(ascii: "'"): "texts and names have double quotes in JSON: \""
    default: nil
    }
  }

  private mutating func word(_ text: StaticString, _ value: Bool) throws(JSONError) -> Bool {
    let length = text.utf8CodeUnitCount
    let fits = offset + length <= bytes.count
    let same = fits && String(decoding: bytes[offset..<offset + length], as: UTF8.self) == "\(text)"
    guard same else { throw error("a value is expected here; did you forget quotes?") }
    offset += length
    return value
  }

  private mutating func object(depth: Int) throws(JSONError) -> [JSONMember] {
    offset += 1
    var members: [JSONMember] = []
    var names: Set<String> = []
    skipBlanks()
    if next == UInt8(ascii: "}") { offset += 1; return [] }
    while true {
      skipBlanks()
      let start = offset
      guard next == UInt8(ascii: "\"") else {
        throw error(
          next == UInt8(ascii: "}")
            ? "the comma before this brace is one too many"
            : next.flatMap(Self.habit) ?? "a name in quotes is expected here")
      }
      let name = try string()
      let nameRange = start..<offset
      guard names.insert(name).inserted else {
        throw JSONError(offset: start, message: "\"\(name)\" is given twice")
      }
      skipBlanks()
      guard next == UInt8(ascii: ":") else { throw error("a colon is expected after \"\(name)\"") }
      offset += 1
      members.append(
        JSONMember(name: name, nameRange: nameRange, value: try value(depth: depth + 1)))
      skipBlanks()
      switch next {
      case UInt8(ascii: ","): offset += 1
      case UInt8(ascii: "}"): offset += 1; return members
      default: throw error("a comma or a closing brace is expected here")
      }
    }
  }

  private mutating func array(depth: Int) throws(JSONError) -> [JSONNode] {
    offset += 1
    var nodes: [JSONNode] = []
    skipBlanks()
    if next == UInt8(ascii: "]") { offset += 1; return [] }
    while true {
      skipBlanks()
      if next == UInt8(ascii: "]") { throw error("the comma before this bracket is one too many") }
      nodes.append(try value(depth: depth + 1))
      skipBlanks()
      switch next {
      case UInt8(ascii: ","): offset += 1
      case UInt8(ascii: "]"): offset += 1; return nodes
      default: throw error("a comma or a closing bracket is expected here")
      }
    }
  }

  /// Digits, of which there must be one; nil where there is none.
  ///
  /// - Returns: how many, and what they say where that is a number of Swift.
  private mutating func digits() -> (count: Int, value: Int?)? {
    let start = offset
    var value = 0, isWhole = true
    while let byte = next, byte >= UInt8(ascii: "0"), byte <= UInt8(ascii: "9") {
      let (tens, isTooMuch) = value.multipliedReportingOverflow(by: 10)
      let (sum, isMore) = tens.addingReportingOverflow(Int(byte - UInt8(ascii: "0")))
      isWhole = isWhole && !isTooMuch && !isMore
      value = sum
      offset += 1
    }
    return offset > start ? (offset - start, isWhole ? value : nil) : nil
  }

  private mutating func skips(_ byte: UInt8) -> Bool {
    guard next == byte else { return false }
    offset += 1
    return true
  }

  /// A number of the grammar's (RFC 8259, section 6).
  private mutating func number() throws(JSONError) -> JSONNode.Kind {
    let start = offset
    let isNegative = skips(UInt8(ascii: "-")), first = next
    guard let whole = digits(), whole.count == 1 || first != UInt8(ascii: "0") else {
      throw noNumber(start)
    }
    var isInteger = true
    if skips(UInt8(ascii: ".")) {
      isInteger = false
      guard digits() != nil else { throw noNumber(start) }
    }
    if skips(UInt8(ascii: "e")) || skips(UInt8(ascii: "E")) {
      isInteger = false
      if !skips(UInt8(ascii: "+")) { _ = skips(UInt8(ascii: "-")) }
      guard digits() != nil else { throw noNumber(start) }
    }
    if let next, Self.isOfNumber(next) { throw noNumber(start) }
    if isInteger, let value = whole.value { return .integer(isNegative ? -value : value) }
    let text = String(decoding: bytes[start..<offset], as: UTF8.self)
    // The least of all numbers of Swift has no counterpart above zero.
    if isInteger, let value = Int(text) { return .integer(value) }
    guard let value = Double(text), value.isFinite else { throw noNumber(start) }
    return .number(value)
  }

  private static func isOfNumber(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "+"),
      UInt8(ascii: "-"), UInt8(ascii: "e"), UInt8(ascii: "E"):
      true
    default: false
    }
  }

  private func noNumber(_ start: Int) -> JSONError {
    let text = bytes[start...].prefix(while: Self.isOfNumber)
    return JSONError(
      offset: start, message: "\(String(decoding: text, as: UTF8.self)) is no number")
  }

  private mutating func string() throws(JSONError) -> String {
    offset += 1
    var text: [UInt8] = [], start = offset
    while true {
      // What needs no second look is taken as a whole.
      while let byte = next, byte >= 0x20, byte != UInt8(ascii: "\""), byte != UInt8(ascii: "\\") {
        offset += 1
      }
      guard let byte = next else { throw error("the text ends inside a string") }
      guard byte >= 0x20 else {
        throw error("a string may not hold a line break or control character")
      }
      let span = bytes[start..<offset]
      offset += 1
      if byte == UInt8(ascii: "\"") {
        let string =
          text.isEmpty
          ? String(validating: span, as: UTF8.self)
          : String(validating: text + span, as: UTF8.self)
        guard let string else { throw error("the string before this place is not UTF-8") }
        return string
      }
      text += span
      try escape(into: &text)
      start = offset
    }
  }

  private mutating func escape(into text: inout [UInt8]) throws(JSONError) {
    guard let byte = next else { throw error("the text ends inside a string") }
    offset += 1
    switch byte {
    case UInt8(ascii: "n"): text.append(0x0A)
    case UInt8(ascii: "t"): text.append(0x09)
    case UInt8(ascii: "r"): text.append(0x0D)
    case UInt8(ascii: "b"): text.append(0x08)
    case UInt8(ascii: "f"): text.append(0x0C)
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): text.append(byte)
    case UInt8(ascii: "u"):
      var code = try hexadecimal()
      if (0xD800..<0xDC00).contains(code), next == UInt8(ascii: "\\"), offset + 1 < bytes.count,
        bytes[offset + 1] == UInt8(ascii: "u")
      {
        offset += 2
        let low = try hexadecimal()
        guard (0xDC00..<0xE000).contains(low) else { throw error("half a surrogate pair") }
        code = 0x10000 + (code - 0xD800) << 10 + (low - 0xDC00)
      }
      // A lone surrogate is no scalar value; it becomes the replacement character.
      let scalar = Unicode.Scalar(code) ?? "\u{FFFD}"
      text.append(contentsOf: String(scalar).utf8)
    default:
      offset -= 1
      throw error("this escape is not JSON; a backslash itself is written twice")
    }
  }

  private mutating func hexadecimal() throws(JSONError) -> UInt32 {
    var value: UInt32 = 0
    for _ in 0..<4 {
      guard let byte = next, let digit = Character(Unicode.Scalar(byte)).hexDigitValue else {
        throw error("four hexadecimal digits are expected here")
      }
      value = value << 4 | UInt32(digit)
      offset += 1
    }
    return value
  }
}
