/// Lines that belong together: a paragraph, a heading, an item of a list.
public struct TextBlock: Sendable {
  /// The indices of its lines in ``TextPage/lines``.
  public var lines: Range<Int>
  /// The box around its lines, in points.
  public var box: TextPage.Box
  /// The most frequent size of its words, in points.
  public var size: Double
}

extension TextPage {
  /// The lines of the page as blocks, in reading order.
  ///
  /// A block ends where the next line is further away than the lines of the block are, has another
  /// size or direction, stands elsewhere, is indented as a first line is, or begins an item of a list.
  public func blocks() -> [TextBlock] {
    var result: [TextBlock] = []
    var left = 0.0
    for index in lines.indices {
      let line = lines[index]
      let size = size(of: line)
      if var block = result.last, let last = block.lines.last,
        continues(lines[last], line, block, left: left, size: size)
      {
        if block.lines.count == 1 { left = line.box.x0 }
        block.lines = block.lines.lowerBound..<index + 1
        block.box = block.box.union(line.box)
        result[result.count - 1] = block
      } else {
        left = line.box.x0
        result.append(TextBlock(lines: index..<index + 1, box: line.box, size: size))
      }
    }
    return result
  }

  /// The size of most letters of a line, in points.
  package func size(of line: Line) -> Double {
    var best = (letters: 0, size: 0.0)
    for word in words[line.words] where word.range.count > best.letters {
      best = (word.range.count, word.size)
    }
    return best.size
  }

  private func continues(
    _ above: Line, _ below: Line, _ block: TextBlock, left: Double, size: Double
  ) -> Bool {
    guard let first = words[above.words].first, let next = words[below.words].first,
      first.angle == next.angle, size < block.size * 1.12, size > block.size * 0.88
    else { return false }
    guard first.angle == 0 else {
      // Turned text is rare and short; its lines stay together while they touch.
      let reach = 0.8 * size
      return below.box.x0 < above.box.x1 + reach && above.box.x0 < below.box.x1 + reach
        && below.box.y0 < above.box.y1 + reach && above.box.y0 < below.box.y1 + reach
    }
    let step = below.box.y1 - above.box.y1
    guard step > 0.3 * size, step < 1.75 * size else { return false }
    // The indents of code are part of it.
    if face(of: first)?.isFixedPitch == true, face(of: next)?.isFixedPitch == true { return true }
    guard below.box.x0 < block.box.x1, above.box.x0 < below.box.x1, block.box.x0 < below.box.x1
    else { return false }
    if block.lines.count >= 2 {
      let before = lines[block.lines.upperBound - 2]
      let usual = above.box.y1 - before.box.y1
      if step > usual * 1.25 + 0.1 * size { return false }
      // An indented first line.
      if below.box.x0 > left + 0.8 * size, below.box.x0 < left + 4 * size { return false }
    }
    if ListMark.begins(bytes(of: below)) != nil { return false }
    // The mark of a note.
    if let mark = shifts(from: next.range.lowerBound).first, mark.isRaised,
      mark.range.lowerBound == next.range.lowerBound
    {
      return false
    }
    let isBold = face(of: first)?.isBold == true
    let goesOnBold = face(of: next)?.isBold == true
    if goesOnBold, beginsRunInHead(below), endsSentence(above) { return false }
    return isBold == goesOnBold || !isWhollyBold(above) && !isWhollyBold(below)
  }

  /// Whether a line begins with a few bold words that end in a colon or a stop, and goes on in plain type.
  private func beginsRunInHead(_ line: Line) -> Bool {
    let bold = line.words.prefix { face($0)?.isBold == true }
    guard bold.count < min(line.words.count, 8), let last = bold.last else { return false }
    return [0x2E, 0x3A].contains(utf8[words[last].range].last ?? 0)
  }

  private func endsSentence(_ line: Line) -> Bool {
    guard let last = words[line.words].last, face(line.words.upperBound - 1)?.isBold == false else {
      return false
    }
    return [0x21, 0x2E, 0x3A, 0x3F].contains(utf8[last.range].last ?? 0)
  }

  /// Whether the last letter of one word and the first one of the next stand together where a line's end parts them.
  package func joinsOverLines(_ last: Word, _ next: Word) -> Bool {
    let before = String(decoding: utf8[last.range].suffix(4), as: UTF8.self).unicodeScalars.last
    let behind = String(decoding: utf8[next.range].prefix(4), as: UTF8.self).unicodeScalars.first
    guard let before, let behind else { return false }
    return Scripts.joinsOverLines(before.value) && Scripts.joinsOverLines(behind.value)
  }

  private func isWhollyBold(_ line: Line) -> Bool {
    words[line.words].allSatisfy { face(of: $0)?.isBold == true }
  }

  /// The text of a line, without its end.
  package func bytes(of line: Line) -> ArraySlice<UInt8> {
    guard let first = words[line.words].first, let last = words[line.words].last,
      first.range.lowerBound <= last.range.upperBound
    else { return [] }
    return utf8[first.range.lowerBound..<last.range.upperBound]
  }

  /// The face of a word, nil where the page tells none.
  package func face(_ word: Int) -> FontFace? { face(of: words[word]) }

  private func face(of word: Word) -> FontFace? {
    fonts.indices.contains(word.font) ? fonts[word.font] : nil
  }

  /// Whether a word is the last one of its line.
  package func lineEnds(at word: Int) -> Bool {
    let end = words[word].range.upperBound
    return end >= utf8.count || utf8[end] == 0x0A
  }
}
