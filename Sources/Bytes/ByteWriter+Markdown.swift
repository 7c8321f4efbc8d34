extension ByteWriter {
  /// Writes text of strangers into Markdown, where it stays text: a backslash stands before what would be a mark,
  /// an entity, the beginning of HTML, or the middle of a link or an image (CommonMark 0.31.2, 2.4). Control
  /// characters, line ends among them, become blanks.
  ///
  /// - Parameters:
  ///   - text: UTF-8. Marks are bytes; an accent upon one changes nothing.
  ///   - beginsBlock: whether it stands at the beginning of a block.
  ///   - inTable: whether it stands in a cell.
  ///   - goesOn: whether it stands right behind other text.
  public mutating func append(
    markdown text: ArraySlice<UInt8>, beginsBlock: Bool = false, inTable: Bool = false,
    goesOn: Bool = false
  ) {
    for index in text.indices {
      let byte = text[index]
      switch byte {
      case 0x2A, 0x5F, 0x60, 0x5C, 0x3C: append(0x5C)
      case 0x7C where inTable: append(0x5C)
      // "](", "][" and "]:" make links, images and what they refer to.
      case 0x5D where Self.opens(text.dropFirst(index + 1 - text.startIndex).first): append(0x5C)
      case 0x26 where Self.isEntity(text[index...]): append(0x5C)
      default:
        guard index == text.startIndex else { break }
        if beginsBlock, [0x23, 0x2B, 0x2D, 0x3E, 0x7E].contains(byte) { append(0x5C) }
        if goesOn, Self.opens(byte) { append(0x5C) }
      }
      append(byte < 0x20 ? 0x20 : byte)
    }
  }

  /// Whether it makes a link of the bracket before it.
  private static func opens(_ byte: UInt8?) -> Bool { byte == 0x28 || byte == 0x5B || byte == 0x3A }

  /// Whether it begins like `&lt;` or `&#60;`.
  private static func isEntity(_ text: ArraySlice<UInt8>) -> Bool {
    let name = text.dropFirst().prefix(33).prefix {
      (0x30...0x39).contains($0) || (0x41...0x5A).contains($0 & 0xDF) || $0 == 0x23
    }
    let end = text.startIndex + 1 + name.count
    return !name.isEmpty && end < text.endIndex && text[end] == 0x3B
  }
}
