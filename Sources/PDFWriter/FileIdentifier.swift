/// Sixteen bytes that stand for the content of a file (PDF 32000-1, 14.4), the same for the same
/// content.
///
/// The standard asks for a value that is likely to be unique, not for a cryptographic digest: two
/// FNV-1a sums with different starting values serve.
struct FileIdentifier: Sendable {
  private var first: UInt64 = 0xCBF2_9CE4_8422_2325
  private var second: UInt64 = 0x9AE1_6A3B_2F90_404F

  mutating func add(_ bytes: [UInt8]) {
    for byte in bytes {
      first = (first ^ UInt64(byte)) &* 0x0000_0100_0000_01B3
      second = (second ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 ^ second >> 29
    }
  }

  var bytes: [UInt8] {
    [first, second].flatMap { bigEndian($0) }
  }
}
