internal import Synchronization

/// Makes job identifiers: 26 characters of Crockford's base 32, the first ten from the time, so that
/// they sort by age. Of one millisecond, those of one process sort in the order in which they were made.
package struct JobIdentifiers: Sendable {
  private static let digits = Array("0123456789ABCDEFGHJKMNPQRSTVWXYZ".utf8)

  /// What was made last: its time, and 75 random bits in five-bit digits below one that begins at zero, so that counting
  /// up has room.
  private static let last = Mutex((milliseconds: Int64.min, tail: [UInt8](repeating: 0, count: 16)))

  /// - Parameter milliseconds: since 1970.
  package static func make(at milliseconds: Int64) -> String {
    let tail = last.withLock { last in
      last.tail =
        last.milliseconds == milliseconds ? Self.successor(of: last.tail) : Self.randomTail()
      last.milliseconds = milliseconds
      return last.tail
    }
    return prefix(at: milliseconds) + String(decoding: tail.map { digits[Int($0)] }, as: UTF8.self)
  }

  /// What identifiers of a millisecond begin with.
  package static func prefix(at milliseconds: Int64) -> String {
    let head = stride(from: 45, through: 0, by: -5).map {
      digits[Int(truncatingIfNeeded: milliseconds >> Int64($0)) & 31]
    }
    return String(decoding: head, as: UTF8.self)
  }

  /// A part of a name that nobody has, in the same digits.
  package static func random(_ count: Int) -> String {
    String(decoding: randomTail().suffix(count).map { digits[Int($0)] }, as: UTF8.self)
  }

  private static func randomTail() -> [UInt8] {
    var generator = SystemRandomNumberGenerator()
    return [0] + (0..<15).map { _ in UInt8.random(in: 0..<32, using: &generator) }
  }

  private static func successor(of tail: [UInt8]) -> [UInt8] {
    var tail = tail
    for index in tail.indices.reversed() {
      tail[index] = (tail[index] + 1) & 31
      if tail[index] != 0 { break }
    }
    return tail
  }
}
