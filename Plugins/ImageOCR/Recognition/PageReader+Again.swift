internal import PDFSyntax
internal import PDFWriter
internal import PluginKit

/// What is read a second time: lines and cells that were read badly, and what was passed over.
extension PageReader {
  /// More cells than this are no few that went wrong but a page that was read badly.
  private static let mostCells = 24

  /// Reads the lines with garbled words once more in a picture that was prepared in another way, and
  /// keeps what is read more surely.
  func readLinesAgain(
    _ best: inout Reading, in level: borrowing Pixels, resolution: Double,
    with tesseract: Tesseract
  ) throws(PluginFailure) {
    let doubtful = best.page.lines.indices.filter { best.page.lines[$0].isGarbled }
    let again = try tesseract.recognize(
      lines: doubtful.map { best.page.lines[$0].box }, of: level,
      resolution: Int(resolution.rounded()))
    for (index, var line) in zip(doubtful, again)
    where line.certainty > best.page.lines[index].certainty {
      line.startsParagraph = best.page.lines[index].startsParagraph
      best.page.lines[index] = line
    }
  }

  /// Reads cells with garbled words once more, each alone, and keeps what is read surely: in lines with wide gaps the
  /// recognizer loses itself.
  func readCellsAgain(
    _ best: inout Reading, in level: borrowing Pixels, resolution: Double,
    with tesseract: Tesseract
  ) throws(PluginFailure) {
    var cells: [(line: Int, cell: RecognizedPage.Line.Cell)] = []
    for (index, line) in best.page.lines.enumerated() where line.isLevel && line.isGarbled {
      cells += line.unsureCells.map { (index, $0) }
    }
    guard !cells.isEmpty, cells.count <= Self.mostCells else { return }
    let again = try tesseract.recognize(
      lines: cells.map(\.cell.box), of: level, resolution: Int(resolution.rounded()))
    // From the last one, so that the places of those before stay.
    for ((index, cell), read) in zip(cells, again).reversed() where read.isSurelyRead {
      let old = best.page.lines[index].words[cell.words]
      guard read.certainty > RecognizedPage.certainty(old) else { continue }
      best.page.lines[index].words.replaceSubrange(cell.words, with: read.words)
    }
  }

  /// Reads what the layout analysis has passed over, and keeps what is surely text.
  ///
  /// - Parameters:
  ///   - level: the page with its paper made even and its lines level.
  ///   - ink: the same, bilevel.
  ///   - plain: the page as it is, its lines level.
  /// - Returns: how many letters seem to be on the page that are in no word.
  func readMissed(
    _ best: inout Reading, in level: borrowing Pixels, _ ink: borrowing Pixels,
    _ plain: borrowing Pixels, resolution: Double, with tesseract: Tesseract
  ) throws(PluginFailure) -> Int {
    let whole = Int(resolution.rounded())
    guard let loose = LooseInk(beside: best.page.lines, in: ink) else { return 0 }
    let missed = MissedLines.find(beside: best.page.lines, in: loose)
    let boxes = missed.lines + missed.figures
    // Frames and rules around it would be read as letters.
    if !boxes.isEmpty, let alone = loose.alone(in: level) {
      let read = try tesseract.recognize(lines: boxes, of: alone, resolution: whole)
      var sure = read.prefix(missed.lines.count).filter(\.isSurelyText).map(\.withCombsJoined)
      sure += RecognizedPage.Line.figures(Array(read.dropFirst(missed.lines.count)))
      for line in sure {
        best.page.add(missed: line)
        loose.clear(line)
      }
    }
    let bars = DarkBars.find(in: plain, height: 2 * loose.height)
    if !bars.isEmpty, let light = plain.inverted() {
      for line in try tesseract.recognize(lines: bars, of: light, resolution: whole)
      where line.isSurelyText {
        best.page.remove(in: line.box)
        best.page.add(missed: line)
        loose.clear(line)
      }
    }
    let pieces = AslantText.pieces(loose, in: level)
    for line in try AslantText.read(
      pieces, of: loose, in: level, resolution: resolution, with: tesseract)
    where line.isSurelyText {
      best.page.add(missed: line)
      loose.clear(line)
    }
    return AslantText.lettersInRows(loose)
  }

  /// Reads a picture once more where colored ink in it seems to be text that was not read, such as a stamp: the black and
  /// the colored alone. The first reading stays where no more is read so.
  ///
  /// - Parameters:
  ///   - picture: with 32 bits a pixel, of the size that the first was read in.
  ///   - resolution: pixels per inch.
  func read(
    colored picture: borrowing Pixels, after first: Reading, resolution: Double
  ) throws(PluginFailure) -> Reading {
    guard let ink = ColoredInk(in: picture) else { return first }
    let level = try straightened(ink.alone, as: first)
    guard let marks = level.ink(), let loose = LooseInk(beside: first.page.lines, in: marks) else {
      return first
    }
    let pieces = AslantText.pieces(loose, in: level, alsoLevel: true)
    guard !pieces.isEmpty || first.doubts.contains(.partly) else { return first }
    var reading = try read(ink.without, resolution: resolution)
    let stamps = try AslantText.read(
      pieces, of: loose, in: level, resolution: resolution,
      with: recognizers.engine(for: reading.languages))
    let toReading = (first.transform.inverse ?? .identity).then(reading.transform)
    for line in stamps where line.isSurelyText {
      reading.page.add(
        missed: line.aslant { x, y in
          let place = toReading.apply(x, y)
          return PixelPoint(x: place.x, y: place.y)
        })
    }
    guard reading.page.certainty > first.page.certainty else { return first }
    // What both together have not read is still to be told.
    guard let grey = picture.grey8(), let even = Preprocessing.evened(grey) else { return first }
    let whole = try straightened(even, as: reading)
    guard let black = whole.ink(), let left = LooseInk(beside: reading.page.lines, in: black) else {
      return first
    }
    reading.doubts = PageDoubt.all(
      of: reading, resolution: resolution, in: whole, missed: AslantText.lettersInRows(left))
    return reading
  }
}

extension RecognizedPage {
  /// Words below this confidence are misread more often than not.
  static let garbledBelow = 50.0

  private func sum(_ value: (Word) -> Double) -> Double {
    lines.reduce(0) { $0 + $1.words.reduce(0) { $0 + value($1) * Double($1.text.utf8.count) } }
  }

  /// The share of letters in words that were hardly read, 0 to 1.
  var garbledShare: Double { sum { $0.isGarbled ? 1 : 0 } / max(1, sum { _ in 1 }) }

  /// How much was read and how surely: grows with each letter that counts for more than a guess.
  var certainty: Double { lines.reduce(0) { $0 + $1.certainty } }

  static func certainty(_ words: some Sequence<Word>) -> Double {
    words.reduce(0) { sum, word in
      sum + max(0, word.confidence - garbledBelow) * Double(word.text.utf8.count)
    }
  }
}

extension RecognizedPage.Word {
  /// Whether it was hardly read.
  var isGarbled: Bool { confidence < RecognizedPage.garbledBelow }
}

extension RecognizedPage.Line {
  /// The share of letters in well read words with which a line is text.
  private static let sureShare = 0.75
  /// Words are read well from this confidence.
  private static let sure = 75.0
  /// Words below this confidence may be misread.
  private static let unsureBelow = 65.0
  /// A gap wider than so many heights of the line separates cells, of which this much is left beside another one.
  private static let cellGap = 1.2
  private static let besideCell = 0.4
  /// A line whose box is higher than so many of its own heights has words of another one.
  private static let mostHeight = 1.5

  /// Whether most of it was read well, and letters are most of it: rules and drawings are read as dashes
  /// and strokes.
  fileprivate var isSurelyText: Bool {
    var (all, letters, sure) = (0, 0, 0)
    for word in words {
      let scalars = word.text.unicodeScalars
      let count = scalars.count {
        $0.properties.isAlphabetic || $0.properties.numericType != nil
      }
      all += scalars.count
      letters += count
      if word.confidence >= Self.sure { sure += count }
    }
    return sure >= 3 && letters * 4 >= all * 3 && Double(sure) >= Self.sureShare * Double(letters)
  }

  /// The single words among some that are surely figures, or letters that stand below one another in a column, as the
  /// marks of debit and credit do.
  fileprivate static func figures(_ lines: [RecognizedPage.Line]) -> [RecognizedPage.Line] {
    let single = lines.filter { $0.words.count == 1 && $0.words[0].confidence >= sure }
    let letters = single.filter { $0.words[0].text.count == 1 && $0.isLetter }
    return single.filter { line in
      line.isFigure
        || line.isLetter
          && letters.count { ($0.box.left - line.box.left).magnitude < line.box.height }
            >= leastLetters
    }
  }

  /// So many letters below one another are no accident.
  private static let leastLetters = 3
  /// Circles, strokes and corners are read as the others.
  private static let drawn = Set("OQIJLCUV")

  private var isFigure: Bool {
    let bytes = words[0].text.utf8
    return bytes.contains { (0x30...0x39).contains($0) }
      && bytes.allSatisfy { (0x30...0x39).contains($0) || $0 == 0x2C || $0 == 0x2E }
  }

  private var isLetter: Bool {
    guard let letter = words[0].text.first else { return false }
    return letter.isUppercase && !Self.drawn.contains(letter)
  }

  /// The line with letters that stand each in a box of its own, as forms have them, made one word.
  fileprivate var withCombsJoined: RecognizedPage.Line {
    guard words.count >= Self.leastComb, words.allSatisfy({ $0.text.count == 1 }) else {
      return self
    }
    let middles = words.map { ($0.box.left + $0.box.right) / 2 }
    let steps = zip(middles, middles.dropFirst()).map { $1 - $0 }
    let usual = steps.sorted()[steps.count / 2]
    guard steps.allSatisfy({ (0.7 * usual...1.4 * usual).contains($0) }) else { return self }
    var joined = self
    joined.words = [
      RecognizedPage.Word(
        text: words.map(\.text).joined(),
        box: words.dropFirst().reduce(words[0].box) { $0.union($1.box) },
        confidence: words.map(\.confidence).reduce(0, +) / Double(words.count))
    ]
    return joined
  }

  /// Fewer letters with a space between them are no word.
  private static let leastComb = 4

  /// Whether a word in it was hardly read.
  var isGarbled: Bool { words.contains(where: \.isGarbled) }

  /// How much was read and how surely.
  var certainty: Double { RecognizedPage.certainty(words) }

  /// Whether all of it was read well.
  fileprivate var isSurelyRead: Bool {
    !words.isEmpty && words.allSatisfy { $0.confidence >= Self.sure }
  }

  /// A part of a line between wide gaps.
  struct Cell {
    var words: Range<Int>
    /// With the gaps, in which letters may be that were not read.
    var box: PixelBox
  }

  /// Its words in groups with wide gaps between them.
  var cells: [Range<Int>] {
    let height = rowHeight > 0 ? rowHeight : box.height
    var cells: [Range<Int>] = []
    var start = 0
    for index in words.indices.dropFirst()
    where words[index].box.left - words[index - 1].box.right > Self.cellGap * height {
      cells.append(start..<index)
      start = index
    }
    return words.isEmpty ? [] : cells + [start..<words.count]
  }

  /// The cells with words that may be misread, neighbors as one; none in lines whose boxes reach into others.
  fileprivate var unsureCells: [Cell] {
    let height = rowHeight > 0 ? rowHeight : box.height
    guard box.height <= Self.mostHeight * height else { return [] }
    var groups = self.cells
    groups.removeAll { words[$0].allSatisfy { $0.confidence >= Self.unsureBelow } }
    var cells: [Cell] = []
    for group in groups {
      if let last = cells.last, last.words.upperBound == group.lowerBound {
        cells[cells.count - 1].words = last.words.lowerBound..<group.upperBound
      } else {
        cells.append(Cell(words: group, box: box))
      }
    }
    for index in cells.indices {
      let (first, end) = (cells[index].words.lowerBound, cells[index].words.upperBound)
      if first > 0 { cells[index].box.left = words[first - 1].box.right + Self.besideCell * height }
      if end < words.count {
        cells[index].box.right = words[end].box.left - Self.besideCell * height
      }
    }
    // Words of a garbled line may lie over one another.
    return cells.filter { $0.box.width > 0 }
  }
}
