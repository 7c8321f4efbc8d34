extension ByteWriter {
  /// Writes a JSON string of UTF-8 bytes.
  public mutating func append(json text: some Collection<UInt8>) {
    append(0x22)
    for byte in text {
      switch byte {
      case 0x22, 0x5C:
        append(0x5C)
        append(byte)
      case 0x0A: append("\\n")
      case 0..<0x20:
        append("\\u00")
        append(hexadecimal: CollectionOfOne(byte))
      default: append(byte)
      }
    }
    append(0x22)
  }
  // MARK: Objects and arrays, between braces that the caller writes

  /// Writes the name of a member, and the comma before it where it is not the first.
  public mutating func append(member name: StaticString) {
    if bytes.last != UInt8(ascii: "{") { append(0x2C) }
    append(0x22)
    append(name)
    append("\":")
  }

  /// Writes a member; nil as `null`.
  public mutating func append(member name: StaticString, text: String?) {
    append(member: name)
    if let text { append(json: text.utf8) } else { append("null") }
  }

  /// Writes a member with a whole number in decimal.
  public mutating func append(member name: StaticString, integer: Int) {
    append(member: name)
    append(decimal: integer)
  }

  /// Writes a member with a number as ``append(fixed:digits:)`` has it.
  public mutating func append(member name: StaticString, fixed value: Double, digits: Int) {
    append(member: name)
    append(fixed: value, digits: digits)
  }

  /// Writes a member that is `true` or `false`.
  public mutating func append(member name: StaticString, flag: Bool) {
    append(member: name)
    flag ? append("true") : append("false")
  }

  /// Writes an array with its brackets.
  public mutating func append<Elements: Sequence>(
    array elements: Elements, _ write: (inout ByteWriter, Elements.Element) -> Void
  ) {
    append("[")
    var isFirst = true
    for element in elements {
      if !isFirst { append(0x2C) }
      isFirst = false
      write(&self, element)
    }
    append("]")
  }
}
