/// A name object (PDF 32000-1, 7.3.5), with `#xx` already resolved and without its slash.
///
/// A name is a run of bytes. It is kept as a `String` in which each byte is the scalar of the same
/// value, so that nothing is lost, names compare byte by byte, and the short ASCII names that
/// nearly all files use need no allocation.
public struct PDFName: Hashable, Sendable, ExpressibleByStringLiteral, CustomStringConvertible {
  /// The bytes of the name as scalars U+0000 to U+00FF.
  public let text: String

  /// A name of scalars up to U+00FF, which are its bytes; those above are not checked for.
  public init(stringLiteral value: String) { text = value }

  /// A name of scalars up to U+00FF; others are written as their UTF-8 bytes.
  public init(_ value: String) {
    if value.utf8.allSatisfy({ $0 < 0x80 }) || value.unicodeScalars.allSatisfy({ $0.value < 256 }) {
      self.init(stringLiteral: value)
    } else {
      self.init(bytes: Array(value.utf8))
    }
  }

  /// A name of these bytes.
  public init(bytes: [UInt8]) {
    if bytes.allSatisfy({ $0 < 0x80 }) {
      text = String(decoding: bytes, as: UTF8.self)
    } else {
      var scalars = String.UnicodeScalarView()
      for byte in bytes { scalars.append(Unicode.Scalar(byte)) }
      text = String(scalars)
    }
  }

  /// The bytes of the name.
  public var bytes: [UInt8] {
    text.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) }
  }

  /// The name read as UTF-8, as 7.3.5 recommends where it is shown to people.
  public var display: String { String(decoding: bytes, as: UTF8.self) }

  /// The name with its slash, for people.
  public var description: String { "/" + display }

  // No two strings of scalars up to U+00FF are canonically equivalent, so this compares bytes.
  /// Whether both have the same bytes.
  public static func == (left: PDFName, right: PDFName) -> Bool {
    left.text.utf8.count == right.text.utf8.count && left.text == right.text
  }

  /// Feeds the bytes of the name.
  public func hash(into hasher: inout Hasher) { hasher.combine(text) }
}
