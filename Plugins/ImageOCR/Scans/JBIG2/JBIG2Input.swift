internal import Bytes

/// Reads the parts of a JBIG2 segment: whole numbers, and bits for its Huffman codes.
struct JBIG2Input {
  let bytes: [UInt8]
  /// The next byte.
  var position: Int
  let end: Int
  /// Bits of the byte before `position` that were not read yet.
  private var bitsLeft = 0

  init(_ bytes: [UInt8], in range: Range<Int>) {
    self.bytes = bytes
    position = min(range.lowerBound, bytes.count)
    end = min(range.upperBound, bytes.count)
  }

  /// What was not read yet.
  var rest: Range<Int> { min(position, end)..<end }

  mutating func byte() throws(JBIG2Damage) -> Int {
    guard position < end else { throw .damaged }
    bitsLeft = 0
    position += 1
    return Int(bytes[position - 1])
  }

  /// A number of some bytes, the highest first.
  mutating func number(bytes count: Int) throws(JBIG2Damage) -> Int {
    var value = 0
    for _ in 0..<count { value = try value << 8 | byte() }
    return value
  }

  /// A number of four bytes with a sign.
  mutating func signed() throws(JBIG2Damage) -> Int {
    Int(Int32(truncatingIfNeeded: try number(bytes: 4)))
  }

  mutating func array(_ count: Int) throws(JBIG2Damage) -> [UInt8] {
    guard count >= 0, count <= end - position else { throw .damaged }
    defer { position += count }
    bitsLeft = 0
    return Array(bytes[position..<(position + count)])
  }

  mutating func skip(_ count: Int) throws(JBIG2Damage) {
    guard count >= 0, count <= end - position else { throw .damaged }
    position += count
    bitsLeft = 0
  }

  mutating func bit() throws(JBIG2Damage) -> Int {
    if bitsLeft == 0 {
      guard position < end else { throw .damaged }
      position += 1
      bitsLeft = 8
    }
    bitsLeft -= 1
    return Int(bytes[position - 1] >> UInt8(bitsLeft)) & 1
  }

  /// A number of up to 32 bits, the highest first.
  mutating func bits(_ count: Int) throws(JBIG2Damage) -> Int {
    var value = 0
    for _ in 0..<count { value = try value << 1 | bit() }
    return value
  }

  /// Passes over the bits up to the next whole byte.
  mutating func align() { bitsLeft = 0 }
}
