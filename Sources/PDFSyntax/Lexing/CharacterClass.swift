/// The three classes of characters (PDF 32000-1, 7.2.2).
public enum CharacterClass {
  /// NUL, tab, line feed, form feed, carriage return, blank.
  @inline(__always)
  public static func isWhite(_ byte: UInt8) -> Bool {
    byte <= 0x20
      && (byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 || byte == 0
        || byte == 0x0C)
  }

  /// One of `( ) < > [ ] { } / %`.
  @inline(__always)
  public static func isDelimiter(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x25, 0x28, 0x29, 0x2F, 0x3C, 0x3E, 0x5B, 0x5D, 0x7B, 0x7D: true
    default: false
    }
  }

  /// Neither white space nor a delimiter.
  @inline(__always)
  public static func isRegular(_ byte: UInt8) -> Bool { !isWhite(byte) && !isDelimiter(byte) }

  /// A decimal digit.
  @inline(__always)
  public static func isDigit(_ byte: UInt8) -> Bool { byte &- 0x30 < 10 }

  /// The value of a hexadecimal digit, or nil.
  @inline(__always)
  public static func hexadecimal(_ byte: UInt8) -> UInt8? {
    switch byte {
    case 0x30...0x39: byte - 0x30
    case 0x41...0x46: byte - 0x37
    case 0x61...0x66: byte - 0x57
    default: nil
    }
  }
}
