/// Makes job identifiers: 26 characters of Crockford's base 32, the first ten from the time, so that
/// they sort by age.
package struct JobIdentifiers: Sendable {
  private static let digits = Array("0123456789ABCDEFGHJKMNPQRSTVWXYZ".utf8)

  /// - Parameter milliseconds: since 1970.
  package static func make(at milliseconds: Int64) -> String {
    var generator = SystemRandomNumberGenerator()
    var text: [UInt8] = []
    for shift in stride(from: 45, through: 0, by: -5) {
      text.append(digits[Int(truncatingIfNeeded: milliseconds >> Int64(shift)) & 31])
    }
    for _ in 0..<2 {
      var random: UInt64 = generator.next()
      for _ in 0..<8 {
        text.append(digits[Int(truncatingIfNeeded: random & 31)])
        random >>= 5
      }
    }
    return String(decoding: text, as: UTF8.self)
  }
}
