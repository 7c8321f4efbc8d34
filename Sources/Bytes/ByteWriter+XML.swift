extension String {
  /// A text as an attribute or the content of an element has it.
  public init(markup text: String) {
    var writer = ByteWriter()
    writer.append(markup: text, isAttribute: true)
    self.init(decoding: writer.bytes, as: UTF8.self)
  }
}

extension ByteWriter {
  /// Appends text for XML, HTML and WebVTT, with what means something there replaced. What XML has no place for
  /// (XML 1.0, 2.2) becomes U+FFFD.
  ///
  /// - Parameters:
  ///   - text: as it is meant, nothing in it replaced yet.
  ///   - isAttribute: whether it stands between quotes, where a reader takes ends of lines for blanks.
  public mutating func append(markup text: String, isAttribute: Bool = false) {
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": append("&amp;")
      case "<": append("&lt;")
      case ">": append("&gt;")
      case "\"" where isAttribute: append("&quot;")
      case "\n" where isAttribute: append("&#10;")
      case "\t" where isAttribute: append("&#9;")
      case "\u{0}"..."\u{8}", "\u{B}", "\u{C}", "\u{E}"..."\u{1F}", "\u{FFFE}", "\u{FFFF}":
        append("\u{FFFD}" as Unicode.Scalar)
      default: append(scalar)
      }
    }
  }
}
