import Bytes

// The values of strings and names, made only where somebody wants them.
extension Lexer {
  /// The name that a token stands for, its `#xx` resolved.
  public func name(_ token: Token) -> PDFName {
    var escaped = false
    var ascii = true
    for at in token.start..<token.end {
      let byte = bytes[at]
      if byte == 0x23 { escaped = true }
      if byte >= 0x80 { ascii = false }
    }
    if ascii, !escaped {
      let count = token.end - token.start
      let text = unsafe String(unsafeUninitializedCapacity: count) { buffer in
        for index in 0..<count { unsafe buffer[index] = bytes[token.start + index] }
        return count
      }
      return PDFName(stringLiteral: text)
    }
    var resolved: [UInt8] = []
    var at = token.start
    while at < token.end {
      let byte = bytes[at]
      if byte == 0x23, at + 2 < token.end, let high = CharacterClass.hexadecimal(bytes[at + 1]),
        let low = CharacterClass.hexadecimal(bytes[at + 2])
      {
        resolved.append(high << 4 | low)
        at += 3
      } else {
        resolved.append(byte)
        at += 1
      }
    }
    return PDFName(bytes: resolved)
  }

  /// The bytes of a literal or hexadecimal string token.
  public func string(_ token: Token) -> [UInt8] {
    var result: [UInt8] = []
    appendString(token, to: &result)
    return result
  }

  /// Appends the bytes of a literal or hexadecimal string token.
  public func appendString(_ token: Token, to result: inout [UInt8]) {
    if token.kind == .hexadecimalString {
      appendHexadecimal(token, to: &result)
    } else {
      appendLiteral(token, to: &result)
    }
  }

  private func appendHexadecimal(_ token: Token, to result: inout [UInt8]) {
    var high: UInt8?
    for at in token.start..<token.end {
      guard let digit = CharacterClass.hexadecimal(bytes[at]) else { continue }
      if let first = high {
        result.append(first << 4 | digit)
        high = nil
      } else {
        high = digit
      }
    }
    if let first = high { result.append(first << 4) }
  }

  private func appendLiteral(_ token: Token, to result: inout [UInt8]) {
    var at = token.start
    let end = token.end
    result.reserveCapacity(result.count + end - at)
    while at < end {
      let byte = bytes[at]
      at += 1
      if byte == 0x0D {
        // An end of line in a string is one line feed, however it is written (7.3.4.2).
        if at < end, bytes[at] == 0x0A { at += 1 }
        result.append(0x0A)
        continue
      }
      guard byte == 0x5C else {
        result.append(byte)
        continue
      }
      guard at < end else { break }
      let escape = bytes[at]
      at += 1
      switch escape {
      case 0x6E: result.append(0x0A)
      case 0x72: result.append(0x0D)
      case 0x74: result.append(0x09)
      case 0x62: result.append(0x08)
      case 0x66: result.append(0x0C)
      case 0x0A: break
      case 0x0D: if at < end, bytes[at] == 0x0A { at += 1 }
      case 0x30...0x37:
        var value = Int(escape - 0x30)
        var digits = 1
        while digits < 3, at < end, bytes[at] >= 0x30, bytes[at] <= 0x37 {
          value = value * 8 + Int(bytes[at] - 0x30)
          at += 1
          digits += 1
        }
        result.append(UInt8(truncatingIfNeeded: value))
      default: result.append(escape)
      }
    }
  }
}
