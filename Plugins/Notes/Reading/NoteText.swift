/// Texts of notes, made fit to be shown.
enum NoteText {
  /// Ends of lines as line feeds, without control characters and blanks at the end.
  static func cleaned(_ text: String) -> String {
    // Nearly all texts are plain.
    if text.utf8.allSatisfy({ (0x20..<0x7F).contains($0) }), text.utf8.last != 0x20 { return text }
    var result = String.UnicodeScalarView()
    var last: Unicode.Scalar?
    for scalar in text.unicodeScalars {
      defer { last = scalar }
      switch scalar.value {
      case 0x0A where last == "\r": break
      case 0x0A, 0x0D, 0x2028, 0x2029, 0x85: result.append("\n")
      case 0x09: result.append(scalar)
      case 0..<0x20, 0x7F..<0xA0, 0xFFFE, 0xFFFF: break
      default: result.append(scalar)
      }
    }
    while let end = result.last, end.properties.isWhitespace { result.removeLast() }
    return String(result)
  }

  /// The same in one line.
  static func line(_ text: String) -> String {
    cleaned(text).split(whereSeparator: \.isWhitespace).joined(separator: " ")
  }

  /// Without blanks around.
  static func trimmed(_ text: some StringProtocol) -> String {
    var text = Substring(text)
    while text.first?.isWhitespace == true { text.removeFirst() }
    while text.last?.isWhitespace == true { text.removeLast() }
    return String(text)
  }
}
