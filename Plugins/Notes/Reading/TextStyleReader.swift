internal import PDFSyntax

/// Reads how the text of a FreeText looks (PDF 32000-1, 12.7.3.3).
enum TextStyleReader {
  static func read(_ dictionary: PDFDictionary, _ file: PDFFile) -> Note.TextStyle {
    var style = Note.TextStyle()
    if let alignment = file.integer(dictionary, "Q") {
      style.alignment = Note.Alignment(rawValue: alignment)
    }
    guard let bytes = file.string(dictionary, "DA"), bytes.count < 4096 else { return style }
    let alignment = style.alignment
    style = read(String(decoding: bytes, as: UTF8.self))
    style.alignment = alignment
    return style
  }

  /// What a default appearance says.
  static func read(_ text: String) -> Note.TextStyle {
    var style = Note.TextStyle()
    style.appearance = NoteText.line(text)
    // Few operators occur here; the numbers before each are its operands.
    var operands: [Double] = []
    for word in text.split(whereSeparator: \.isWhitespace).prefix(200) {
      switch word {
      case "Tf":
        if let size = operands.last, size > 0, size < 10_000 { style.size = size }
      case "g", "rg", "k": style.color = NoteColor(operands)
      default:
        if let number = Double(word), number.isFinite { operands.append(number) }
        continue
      }
      operands = []
    }
    return style
  }
}
