extension JSON {
  /// The value as one line of UTF-8 without blanks, as the protocol wants it.
  public var line: [UInt8] {
    var bytes: [UInt8] = []
    write(into: &bytes, indent: nil)
    return bytes
  }

  /// The value as text for people: two blanks of indentation, short arrays of plain values on one
  /// line, a line break at the end.
  public var text: [UInt8] {
    var bytes: [UInt8] = []
    write(into: &bytes, indent: 0)
    bytes.append(0x0A)
    return bytes
  }

  private func write(into bytes: inout [UInt8], indent: Int?) {
    switch self {
    case .null: bytes.append(contentsOf: "null".utf8)
    case .bool(let value): bytes.append(contentsOf: (value ? "true" : "false").utf8)
    case .integer(let value): bytes.append(contentsOf: String(value).utf8)
    case .number(let value):
      bytes.append(contentsOf: (value.isFinite ? String(value) : "null").utf8)
    case .string(let value): Self.write(value, into: &bytes)
    case .array(let values):
      let deeper = values.contains { $0.members != nil || $0.arrayValue != nil } ? indent : nil
      write(values.count, "[", "]", into: &bytes, indent: deeper, blank: indent != nil) {
        index, bytes, indent in
        values[index].write(into: &bytes, indent: indent)
      }
    case .object(let members):
      write(members.count, "{", "}", into: &bytes, indent: indent, blank: false) {
        index, bytes, indent in
        Self.write(members[index].name, into: &bytes)
        bytes.append(UInt8(ascii: ":"))
        if indent != nil { bytes.append(0x20) }
        members[index].value.write(into: &bytes, indent: indent)
      }
    }
  }

  private func write(
    _ count: Int, _ open: Unicode.Scalar, _ close: Unicode.Scalar, into bytes: inout [UInt8],
    indent: Int?, blank: Bool, element: (Int, inout [UInt8], Int?) -> Void
  ) {
    bytes.append(UInt8(ascii: open))
    for index in 0..<count {
      if index > 0 { bytes.append(UInt8(ascii: ",")) }
      if let indent {
        bytes.append(0x0A)
        bytes.append(contentsOf: repeatElement(0x20, count: 2 * (indent + 1)))
      } else if blank, index > 0 {
        bytes.append(0x20)
      }
      element(index, &bytes, indent.map { $0 + 1 })
    }
    if let indent, count > 0 {
      bytes.append(0x0A)
      bytes.append(contentsOf: repeatElement(0x20, count: 2 * indent))
    }
    bytes.append(UInt8(ascii: close))
  }

  private static func write(_ text: String, into bytes: inout [UInt8]) {
    let digits: [UInt8] = Array("0123456789abcdef".utf8)
    func escape(_ value: UInt32) {
      bytes.append(contentsOf: "\\u".utf8)
      for shift in [12, 8, 4, 0] { bytes.append(digits[Int(value >> UInt32(shift) & 15)]) }
    }
    let start = bytes.count
    var isSuspect = false
    bytes.append(UInt8(ascii: "\""))
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"): bytes.append(contentsOf: [0x5C, byte])
      case 0x0A: bytes.append(contentsOf: "\\n".utf8)
      case 0x09: bytes.append(contentsOf: "\\t".utf8)
      case 0x0D: bytes.append(contentsOf: "\\r".utf8)
      case 0..<0x20, 0x7F: escape(UInt32(byte))
      case 0xC2, 0xD8, 0xE2, 0xEF:
        // The first byte of those that a terminal obeys or that turn text around; of many others too.
        isSuspect = true
        bytes.append(byte)
      default: bytes.append(byte)
      }
    }
    bytes.append(UInt8(ascii: "\""))
    guard isSuspect, text.unicodeScalars.contains(where: isSteering) else { return }
    bytes.removeLast(bytes.count - start)
    bytes.append(UInt8(ascii: "\""))
    for scalar in text.unicodeScalars {
      if isSteering(scalar) || scalar.value < 0x20 || scalar.value == 0x7F {
        escape(scalar.value)
      } else {
        if scalar == "\"" || scalar == "\\" { bytes.append(0x5C) }
        bytes.append(contentsOf: String(Character(scalar)).utf8)
      }
    }
    bytes.append(UInt8(ascii: "\""))
  }

  /// Characters above ASCII that a terminal obeys, that break a line or turn text around. JSON may hold them as
  /// they are; whoever shows it to people would be steered.
  private static func isSteering(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x80...0x9F, 0x61C, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069, 0xFEFF: true
    default: false
    }
  }
}
