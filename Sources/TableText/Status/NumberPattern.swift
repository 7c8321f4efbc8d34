/// What a case number looks like: so many digits, beginning with certain ones.
public struct NumberPattern: Sendable {
  public var digits: Int
  public var prefix: String

  /// - Parameters:
  ///   - digits: the length of a number.
  ///   - prefix: the digits it begins with.
  public init(digits: Int = 11, prefix: String = "2") {
    self.digits = digits
    self.prefix = prefix
  }

  /// Whether a word is a number, with nothing before or behind it.
  func matches(_ text: String) -> Bool {
    text.utf8.count == digits && text.hasPrefix(prefix)
      && text.utf8.allSatisfy { (0x30...0x39).contains($0) }
  }
}
