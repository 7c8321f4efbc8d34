import Bytes

extension TextPage {
  /// The plain text with words that a line's end divides put together again.
  ///
  /// A hyphen is taken away where a letter stands before it and a small letter begins the next line;
  /// it stays where the whole word, hyphen included, stands elsewhere on the page.
  public func joinedText() -> [UInt8] {
    var output = ByteWriter(reserving: utf8.count)
    appendJoined(to: &output)
    return output.bytes
  }

  private func appendJoined(to output: inout ByteWriter) {
    var start = 0
    for (line, next) in zip(lines, lines.dropFirst()) {
      guard let last = words[line.words].last, let first = words[next.words].first,
        last.angle == first.angle, let hyphen = hyphen(last, first)
      else { continue }
      let end = last.range.upperBound
      let follows = first.range.lowerBound
      guard follows > end, end > start else { continue }
      let keeps = stands(utf8[last.range] + utf8[first.range])
      output.append(contentsOf: utf8[start..<(keeps ? end : end - hyphen)])
      // The rest of the word comes up to its line; what was behind it begins the next one.
      output.append(contentsOf: utf8[first.range])
      output.append(0x0A)
      start = first.range.upperBound
      if start < utf8.count, utf8[start] == 0x20 || utf8[start] == 0x0A { start += 1 }
    }
    output.append(contentsOf: utf8[min(start, utf8.count)...])
  }

  /// The bytes of the hyphen that divides a word between two lines, or nil.
  func hyphen(_ last: Word, _ first: Word) -> Int? {
    let before = utf8[last.range]
    let behind = String(decoding: utf8[first.range].prefix(8), as: UTF8.self)
    guard let letter = behind.unicodeScalars.first, letter.properties.isLowercase else {
      return nil
    }
    for hyphen in ["-", "\u{AD}", "\u{2010}"] {
      let bytes = Array(hyphen.utf8)
      guard before.count > bytes.count, before.suffix(bytes.count).elementsEqual(bytes) else {
        continue
      }
      let word = String(decoding: before.dropLast(bytes.count).suffix(8), as: UTF8.self)
      return word.unicodeScalars.last?.properties.isAlphabetic == true ? bytes.count : nil
    }
    return nil
  }

  /// Whether a word stands on the page within one line.
  func stands(_ word: ArraySlice<UInt8>) -> Bool {
    words.contains { utf8[$0.range].count >= word.count && utf8[$0.range].starts(with: word) }
  }
}
