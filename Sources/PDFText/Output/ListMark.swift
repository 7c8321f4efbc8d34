/// The mark that begins an item of a list: a bullet, or a number with its stop.
package enum ListMark {
  case bullet(bytes: Int)
  /// The number as it stands, its stop included.
  case number(bytes: Int)

  private static let bullets: [String] = [
    "•", "‣", "◦", "▪", "▸", "●", "○", "■", "–", "-", "*", "·",
  ]

  /// The mark at the beginning of a line that text follows behind a blank.
  package static func begins(_ line: ArraySlice<UInt8>) -> ListMark? {
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
}
