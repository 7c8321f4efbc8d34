internal import Glibc

/// What XML looks like in bytes: names, attributes, ends of tags, entities.
enum XMLBytes {
  /// An attribute and where its value stands.
  struct FoundAttribute {
    var attribute: Attribute
    var start: Int
    var end: Int
  }

  /// A tag, from behind its `<` or `</` on.
  struct FoundTag {
    var key: UInt64
    /// Whether it ends with `/>`.
    var isEmpty = false
    /// Whether all of it was name and attributes.
    var isCorrect = true
    /// The place of its `>`.
    var end = 0
  }

  /// Reads a tag; nil where its end is not there yet.
  static func tag(
    _ bytes: Span<UInt8>, _ from: Int, _ to: Int, _ names: borrowing NameTable,
    into attributes: inout [FoundAttribute]
  ) -> FoundTag? {
    var (key, index) = name(bytes, from, to)
    var tag = FoundTag(key: key)
    while true {
      while index < to, isBlank(bytes[index]) { index += 1 }
      guard index < to else { return nil }
      if bytes[index] == 0x3E {
        tag.end = index
        return tag
      }
      if bytes[index] == 0x2F {
        guard index + 1 < to else { return nil }
        tag.isEmpty = bytes[index + 1] == 0x3E
        guard tag.isEmpty else { break }
        tag.end = index + 1
        return tag
      }
      let before = index
      (key, index) = name(bytes, index, to)
      while index < to, isBlank(bytes[index]) { index += 1 }
      guard index < to else { return nil }
      guard index > before, bytes[index] == 0x3D else { break }
      index += 1
      while index < to, isBlank(bytes[index]) { index += 1 }
      guard index < to else { return nil }
      let quote = bytes[index]
      guard quote == 0x22 || quote == 0x27 else { break }
      let last = find(quote, bytes, index + 1, to)
      guard last < to else { return nil }
      if attributes.count < Limits.attributes {
        attributes.append(
          FoundAttribute(
            attribute: Attribute(rawValue: names[key]) ?? .other, start: index + 1, end: last))
      } else {
        tag.isCorrect = false
      }
      index = last + 1
    }
    tag.isCorrect = false
    guard let end = tagEnd(bytes, index, to) else { return nil }
    tag.isEmpty = bytes[end - 1] == 0x2F
    tag.end = end
    return tag
  }

  /// The place of the next `>` that is not in quotes.
  private static func tagEnd(_ bytes: Span<UInt8>, _ from: Int, _ to: Int) -> Int? {
    var quote: UInt8 = 0
    for index in from..<max(from, to) {
      let byte = bytes[index]
      if quote != 0 {
        if byte == quote { quote = 0 }
      } else if byte == 0x3E {
        return index
      } else if byte == 0x22 || byte == 0x27 {
        quote = byte
      }
    }
    return nil
  }

  /// The key of the name at a place, and where it ends.
  static func name(_ bytes: Span<UInt8>, _ from: Int, _ to: Int) -> (key: UInt64, end: Int) {
    var index = from, key = NameTable.start
    while index < to, isName(bytes[index]) {
      key = NameTable.key(key, bytes[index])
      index += 1
    }
    return (key, index)
  }

  // MARK: - Text

  /// Appends text with its entities replaced.
  static func decode(
    _ bytes: Span<UInt8>, _ from: Int, _ to: Int, into text: inout [UInt8], _ mended: inout Int
  ) {
    var index = from
    while index < to {
      let next = find(0x26, bytes, index, to)
      unsafe bytes.extracting(index..<next).withUnsafeBufferPointer {
        unsafe text.append(contentsOf: $0)
      }
      guard next < to else { return }
      let last = find(0x3B, bytes, next + 1, min(to, next + 12))
      if last < to, last < next + 12, let scalar = entity(bytes, next + 1, last) {
        text.append(contentsOf: String(Character(scalar)).utf8)
        index = last + 1
      } else {
        // An ampersand that somebody forgot to write as `&amp;`, or an entity of the document's own.
        mended += 1
        text.append(0x26)
        index = next + 1
      }
    }
  }

  private static func entity(_ bytes: Span<UInt8>, _ from: Int, _ to: Int) -> Unicode.Scalar? {
    guard to > from else { return nil }
    if bytes[from] == 0x23 {
      let isHexadecimal = to > from + 1 && bytes[from + 1] | 0x20 == 0x78
      var value: UInt32 = 0, digits = 0
      for index in (from + (isHexadecimal ? 2 : 1))..<max(to, from + (isHexadecimal ? 2 : 1)) {
        guard let digit = Character(Unicode.Scalar(bytes[index])).hexDigitValue,
          isHexadecimal || digit < 10, value < 0x11_0000
        else { return nil }
        value = value * (isHexadecimal ? 16 : 10) + UInt32(digit)
        digits += 1
      }
      guard digits > 0 else { return nil }
      // Control characters mean nothing in a text.
      return value < 0x20 ? " " : Unicode.Scalar(value)
    }
    var name: UInt64 = 0
    for index in from..<min(to, from + 8) { name = name << 8 | UInt64(bytes[index]) }
    switch name {
    case 0x616D70: return "&"
    case 0x6C74: return "<"
    case 0x6774: return ">"
    case 0x7175_6F74: return "\""
    case 0x6170_6F73: return "'"
    case 0x6E62_7370: return "\u{A0}"
    default: return nil
    }
  }

  // MARK: - Bytes

  /// The place of a byte, else the end.
  static func find(_ byte: UInt8, _ bytes: Span<UInt8>, _ from: Int, _ to: Int) -> Int {
    guard from < to else { return from }
    return unsafe bytes.extracting(from..<to).withUnsafeBytes { part in
      guard let start = part.baseAddress, let found = unsafe memchr(start, Int32(byte), part.count)
      else { return to }
      return unsafe from + start.distance(to: found)
    }
  }

  static func isBlank(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09
  }

  static func isNameStart(_ byte: UInt8) -> Bool {
    byte | 0x20 >= 0x61 && byte | 0x20 <= 0x7A || byte == 0x5F || byte == 0x3A || byte >= 0x80
  }

  static func isName(_ byte: UInt8) -> Bool {
    if byte >= 0x80 { return true }
    // A bit for each letter of ASCII that may stand in a name.
    let bits: UInt64 = byte & 0x40 == 0 ? 0x07FF_6000_0000_0000 : 0x07FF_FFFE_87FF_FFFE
    return bits >> UInt64(byte & 0x3F) & 1 != 0
  }
}
