import Bytes

extension TextPage {
  /// The text as it stands on the page: blanks keep columns in their places, empty lines keep gaps.
  /// Turned text follows at the end.
  public func layoutText() -> [UInt8] {
    let level = words.indices.filter { words[$0].angle == 0 }
    var output = ByteWriter(reserving: utf8.count * 2)
    if !level.isEmpty { write(rows(level), to: &output) }
    for line in lines {
      guard let first = words[line.words].first, first.angle != 0 else { continue }
      output.append(contentsOf: bytes(of: line))
      output.append(0x0A)
    }
    return output.bytes
  }

  /// Words that stand beside one another, from top to bottom and left to right.
  func rows(_ chosen: [Int]) -> [[Int]] {
    let sorted = chosen.sorted {
      let (a, b) = (words[$0].box, words[$1].box)
      return a.middleY != b.middleY ? a.middleY < b.middleY : a.x0 < b.x0
    }
    var rows: [[Int]] = []
    var middle = 0.0
    for index in sorted {
      let box = words[index].box
      if let last = rows.last?.last,
        box.middleY - middle < 0.4 * min(box.height, words[last].box.height)
      {
        rows[rows.count - 1].append(index)
      } else {
        rows.append([index])
        middle = box.middleY
      }
    }
    return rows.map { $0.sorted { words[$0].box.x0 < words[$1].box.x0 } }
  }

  private func write(_ rows: [[Int]], to output: inout ByteWriter) {
    let unit = columnWidth()
    let left = words.lazy.filter { $0.angle == 0 }.map(\.box.x0).min() ?? 0
    let pitch = linePitch(rows)
    var previous: Double?
    var blanks = Self.blanks
    for row in rows {
      let bottom = words[row[0]].box.middleY
      if let previous, pitch > 0 {
        let gap = Int(((bottom - previous) / pitch).rounded())
        for _ in 1..<max(1, min(gap, 4)) { output.append(0x0A) }
      }
      previous = bottom
      var column = 0
      var end = -Double.infinity
      for (index, x0, x1) in inReadingOrder(row) {
        let word = words[index]
        // No page is wider than this in letters; a word far to the right costs no more blanks.
        let wanted = Int(max(0, min(1000, ((x0 - left) / unit).rounded())))
        // Words of one phrase stay one blank apart, whatever the raster says.
        let isClose = x0 - end < Self.phraseGap * word.size
        var start = column == 0 ? wanted : isClose ? column + 1 : max(column + 2, wanted)
        if start - column > blanks { start = min(start, column + 1) }
        blanks -= max(0, start - column)
        for _ in column..<max(column, start) { output.append(0x20) }
        output.append(contentsOf: utf8[word.range])
        column = max(column, start) + letters(word)
        end = x1
      }
      output.append(0x0A)
    }
  }

  /// Words closer than this belong to one phrase, in units of their size.
  private static let phraseGap = 0.9

  /// The words of a row, each with where it begins and ends: from left to right, but phrases with words from right to
  /// left in the order of reading. Such a phrase stands where it stood as a whole.
  private func inReadingOrder(_ row: [Int]) -> [(word: Int, x0: Double, x1: Double)] {
    var placed = row.map { (word: $0, x0: words[$0].box.x0, x1: words[$0].box.x1) }
    guard zip(row, row.dropFirst()).contains(where: >) else { return placed }
    var first = 0
    while first < placed.count {
      let x0 = placed[first].x0
      var (last, x1) = (first + 1, placed[first].x1)
      while last < placed.count, placed[last].x0 - x1 < Self.phraseGap * words[row[last]].size {
        x1 = max(x1, placed[last].x1)
        last += 1
      }
      if row[first..<last].contains(where: isRightToLeft) {
        placed.replaceSubrange(first..<last, with: row[first..<last].sorted().map { ($0, x0, x1) })
      }
      first = last
    }
    return placed
  }

  private func isRightToLeft(_ word: Int) -> Bool {
    text(words[word]).unicodeScalars.contains { Scripts.isRightToLeft($0.value) }
  }

  /// Blanks on a page before words are kept only one apart: a thousand full rows of a wide page.
  private static let blanks = 1_000_000

  private func letters(_ word: Word) -> Int {
    utf8[word.range].reduce(0) { $0 + ($1 & 0xC0 == 0x80 ? 0 : 1) }
  }

  /// The width of a letter of the raster: that of the page's narrower words, so that no column runs
  /// into the next one.
  private func columnWidth() -> Double {
    var widths: [(width: Double, letters: Int)] = []
    var all = 0
    for word in words where word.angle == 0 {
      let count = letters(word)
      guard count > 0, word.box.width > 0 else { continue }
      widths.append((word.box.width / Double(count), count))
      all += count
    }
    widths.sort { $0.width < $1.width }
    var seen = 0
    for entry in widths {
      seen += entry.letters
      if seen * 10 >= all * 4 { return max(entry.width, 0.5) }
    }
    return 5
  }

  /// The usual distance of rows, in points.
  private func linePitch(_ rows: [[Int]]) -> Double {
    var steps: [Double] = []
    for (above, below) in zip(rows, rows.dropFirst()) {
      steps.append(words[below[0]].box.middleY - words[above[0]].box.middleY)
    }
    guard !steps.isEmpty else { return 0 }
    steps.sort()
    return steps[steps.count / 3]
  }
}
