extension Span where Element == UInt8 {
  /// Whether the bytes at `offset` are those of `text`; false where they do not fit.
  public func matches(_ text: StaticString, at offset: Int) -> Bool {
    let length = text.utf8CodeUnitCount
    guard offset >= 0, offset <= count - length else { return false }
    return text.withUTF8Buffer { wanted in
      for index in 0..<length where unsafe self[offset + index] != wanted[index] { return false }
      return true
    }
  }

  /// The offset of the first occurrence of `text` in `range`, wholly inside it.
  public func first(of text: StaticString, in range: Range<Int>) -> Int? {
    let length = text.utf8CodeUnitCount
    let bounds = range.clamped(to: 0..<count)
    guard length > 0, bounds.count >= length else { return nil }
    let lead = unsafe text.utf8Start[0]
    var offset = bounds.lowerBound
    let last = bounds.upperBound - length
    while offset <= last {
      if self[offset] == lead, matches(text, at: offset) { return offset }
      offset += 1
    }
    return nil
  }

  /// The offset of the last occurrence of `text` in `range`, wholly inside it.
  public func last(of text: StaticString, in range: Range<Int>) -> Int? {
    let length = text.utf8CodeUnitCount
    let bounds = range.clamped(to: 0..<count)
    guard length > 0, bounds.count >= length else { return nil }
    let lead = unsafe text.utf8Start[0]
    var offset = bounds.upperBound - length
    while offset >= bounds.lowerBound {
      if self[offset] == lead, matches(text, at: offset) { return offset }
      offset -= 1
    }
    return nil
  }

  /// The bytes of a range as an array; the range is clamped to what is there.
  public func array(_ range: Range<Int>) -> [UInt8] {
    let bounds = range.clamped(to: 0..<count)
    return unsafe [UInt8](unsafeUninitializedCapacity: bounds.count) { buffer, initialized in
      for index in bounds { unsafe buffer[index - bounds.lowerBound] = self[index] }
      initialized = bounds.count
    }
  }
}
