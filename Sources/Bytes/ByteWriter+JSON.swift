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
}
