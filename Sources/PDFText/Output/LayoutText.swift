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
      for index in row {
        let word = words[index]
        // No page is wider than this in letters; a word far to the right costs no more blanks.
        let wanted = Int(max(0, min(1000, ((word.box.x0 - left) / unit).rounded())))
        // Words of one phrase stay one blank apart, whatever the raster says.
        let isClose = word.box.x0 - end < 0.9 * word.size
        var start = column == 0 ? wanted : isClose ? column + 1 : max(column + 2, wanted)
        if start - column > blanks { start = min(start, column + 1) }
        blanks -= max(0, start - column)
        for _ in column..<max(column, start) { output.append(0x20) }
        output.append(contentsOf: utf8[word.range])
        column = max(column, start) + letters(word)
        end = word.box.x1
      }
      output.append(0x0A)
    }
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
