/// A growing run of bytes with the few number formats that PDF, JSON and CSV output need.
///
/// Numbers are written by hand: interpolation into a `String` measured four times slower, and
/// `String(format:)` forty times.
public struct ByteWriter: Sendable {
  /// What was written so far.
  public private(set) var bytes: [UInt8] = []

  /// An empty run with room for this many bytes, which are taken from the heap at once.
  public init(reserving capacity: Int = 0) { bytes.reserveCapacity(capacity) }

  /// How many bytes were written so far.
  public var count: Int { bytes.count }

  /// How many bytes ``takeBytes()`` has handed out.
  public private(set) var taken = 0

  /// Hands out what was written since the last call.
  public mutating func takeBytes() -> [UInt8] {
    defer { bytes = [] }
    taken += bytes.count
    return bytes
  }

  /// Writes one byte.
  public mutating func append(_ byte: UInt8) { bytes.append(byte) }

  /// Writes the UTF-8 of a literal, without making a `String` of it.
  public mutating func append(_ text: StaticString) {
    text.withUTF8Buffer { unsafe bytes.append(contentsOf: $0) }
  }

  /// Writes a text in UTF-8.
  public mutating func append(_ text: String) { bytes.append(contentsOf: text.utf8) }

  /// Writes bytes as they are.
  public mutating func append(contentsOf more: some Sequence<UInt8>) {
    bytes.append(contentsOf: more)
  }

  /// Writes bytes as they are.
  public mutating func append(_ span: Span<UInt8>) {
    bytes.reserveCapacity(bytes.count + span.count)
    for index in span.indices { bytes.append(span[index]) }
  }

  /// Writes an integer in decimal.
  public mutating func append(decimal value: Int) {
    if value < 0 { bytes.append(0x2D) }
    var rest = value.magnitude
    let start = bytes.count
    repeat {
      bytes.append(UInt8(truncatingIfNeeded: 0x30 + rest % 10))
      rest /= 10
    } while rest > 0
    bytes[start...].reverse()
  }

  /// Writes a non-negative integer in decimal with leading zeros up to `width` digits.
  public mutating func append(decimal value: Int, width: Int) {
    var divisor = 1
    for _ in 1..<max(1, min(width, 18)) { divisor *= 10 }
    let rest = max(0, value)
    while divisor > 1, rest < divisor {
      bytes.append(0x30)
      divisor /= 10
    }
    append(decimal: rest)
  }

  /// Writes a number in fixed point with at most `digits` decimals (at most 9), without trailing
  /// zeros and never in exponent form. Not-a-number and infinities are written as 0.
  public mutating func append(fixed value: Double, digits: Int = 4) {
    guard value.isFinite else { return bytes.append(0x30) }
    var scale = 1.0
    let places = max(0, min(digits, 9))
    for _ in 0..<places { scale *= 10 }
    let scaled = (value.magnitude * scale).rounded()
    guard scaled < 9e18 else { return append(decimal: Int(max(-9e18, min(9e18, value)))) }
    let units = Int(scaled)
    if value < 0, units > 0 { bytes.append(0x2D) }
    append(decimal: units / Int(scale))
    var fraction = units % Int(scale)
    guard fraction > 0 else { return }
    bytes.append(0x2E)
    var unit = Int(scale) / 10
    while fraction > 0, unit > 0 {
      bytes.append(UInt8(truncatingIfNeeded: 0x30 + fraction / unit))
      fraction %= unit
      unit /= 10
    }
  }

  /// Writes bytes as lower-case hexadecimal digits.
  public mutating func append(hexadecimal more: some Sequence<UInt8>) {
    for byte in more {
      bytes.append(Self.digit(byte >> 4))
      bytes.append(Self.digit(byte & 15))
    }
  }

  /// Writes a scalar in UTF-8.
  public mutating func append(_ scalar: Unicode.Scalar) {
    for byte in UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter { bytes.append(byte) }
  }

  private static func digit(_ value: UInt8) -> UInt8 { value < 10 ? 0x30 + value : 0x57 + value }
}
