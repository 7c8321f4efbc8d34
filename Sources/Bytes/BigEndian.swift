extension Span where Element == UInt8 {
  /// The big-endian unsigned 16-bit number at `offset`, or nil where the bytes end before.
  public func bigEndian16(at offset: Int) -> UInt16? {
    guard offset >= 0, offset <= count - 2 else { return nil }
    return UInt16(self[offset]) << 8 | UInt16(self[offset + 1])
  }

  /// The big-endian unsigned 32-bit number at `offset`, or nil where the bytes end before.
  public func bigEndian32(at offset: Int) -> UInt32? {
    guard let high = bigEndian16(at: offset), let low = bigEndian16(at: offset + 2) else {
      return nil
    }
    return UInt32(high) << 16 | UInt32(low)
  }

  /// The little-endian unsigned 16-bit number at `offset`, or nil where the bytes end before.
  public func littleEndian16(at offset: Int) -> UInt16? { bigEndian16(at: offset)?.byteSwapped }

  /// The little-endian unsigned 32-bit number at `offset`, or nil where the bytes end before.
  public func littleEndian32(at offset: Int) -> UInt32? { bigEndian32(at: offset)?.byteSwapped }
}
