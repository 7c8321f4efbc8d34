/// The mark that begins an item of a list: a bullet, or a number with its stop.
package enum ListMark {
  case bullet(bytes: Int)
  /// The number as it stands, its stop included.
  case number(bytes: Int)
  /// A mark that says something itself: a letter, a number in brackets, or a box: `a)`, `(iv)`, `(2)`, `☑`.
  case letter(bytes: Int)

  /// Those of text, of dingbats, and U+F0A7, U+F0B7 and others of fonts of symbols.
  private static let bullets: [String] = [
    "•", "‣", "◦", "▪", "▫", "▸", "▹", "►", "●", "○", "■", "□", "◆", "◇", "♦", "⁃", "∙", "⋅", "–",
    "-", "*",
    "·", "✓", "✔", "✗", "➢", "➤", "➔", "❖", "❑", "❒", "→", "⇒", "\u{F0A7}", "\u{F0B7}", "\u{F0D8}",
    "\u{F0FC}", "\u{F076}",
  ]

  /// Those of forms.
  private static let boxes = ["☐", "☑", "☒"]

  /// The mark at the beginning of a line that text follows behind a blank.
  package static func begins(_ line: ArraySlice<UInt8>) -> ListMark? {
    guard let first = line.first else { return nil }
    // Most lines begin with a letter, a few with a small one and a bracket.
    if first < 0x80, first | 0x20 >= 0x61, first | 0x20 <= 0x7A { return letter(line, from: 0) }
    if first == 0x28 { return letter(line, from: 1) }
    for box in boxes where line.starts(with: box.utf8) {
      let length = box.utf8.count
      return line.count > length + 1 && line[line.startIndex + length] == 0x20
        ? .letter(bytes: length) : nil
    }
    for bullet in bullets where line.starts(with: bullet.utf8) {
      let length = bullet.utf8.count
      guard line.count > length + 1, line[line.startIndex + length] == 0x20 else { return nil }
      return .bullet(bytes: length)
    }
    let digits = line.prefix { (0x30...0x39).contains($0) }.count
    guard (1...3).contains(digits), line.count > digits + 2 else { return nil }
    let stop = line[line.startIndex + digits]
    guard stop == 0x2E || stop == 0x29, line[line.startIndex + digits + 1] == 0x20 else {
      return nil
    }
    return .number(bytes: digits + 1)
  }

  /// A small letter or Roman number before a closing bracket; behind an opening one a number too.
  private static func letter(_ line: ArraySlice<UInt8>, from start: Int) -> ListMark? {
    let text = line.dropFirst(start).prefix(5)
    let mark = text.prefix { $0 != 0x29 }
    guard (1...4).contains(mark.count), line.count > start + mark.count + 2,
      line[line.startIndex + start + mark.count + 1] == 0x20
    else { return nil }
    let isRoman = mark.allSatisfy { [0x69, 0x76, 0x78].contains($0) }
    let isLetter = mark.count == 1 && mark.allSatisfy { (0x61...0x7A).contains($0) }
    let isNumber = start > 0 && mark.count <= 3 && mark.allSatisfy { (0x30...0x39).contains($0) }
    return isRoman || isLetter || isNumber ? .letter(bytes: start + mark.count + 1) : nil
  }
}
