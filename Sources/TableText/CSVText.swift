public import Bytes

extension ByteWriter {
  /// Writes a field of RFC 4180, in quotes where it needs them.
  public mutating func append(csvField text: String) {
    let needsQuotes = text.utf8.contains { [0x22, 0x2C, 0x0A, 0x0D].contains($0) }
    guard needsQuotes else { return append(text) }
    append(0x22)
    for byte in text.utf8 {
      if byte == 0x22 { append(0x22) }
      append(byte)
    }
    append(0x22)
  }
}
