internal import PDFSyntax
internal import PDFWriter
internal import PluginKit

/// What is read a second time: lines and cells that were read badly, and what was passed over.
extension PageReader {
  /// More cells than this are no few that went wrong but a page that was read badly.
  private static let mostCells = 24
  /// More figures than this are no amounts of a page but a table of numbers, which costs too much.
  private static let mostFigures = 400

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

  /// Reads figures once more with the English model, and keeps what is read more surely: others take one digit for another
  /// more often. Where the two differ and neither is surer, the figure counts as hardly read.
  ///
  /// - Parameter level: the page with its lines level.
  func readFiguresAgain(
    _ best: inout Reading, in level: borrowing Pixels, resolution: Double
  ) throws(PluginFailure) {
    guard best.languages != ["eng"], let english = try recognizers.english() else { return }
    var places: [(line: Int, word: Int)] = []
    for (index, line) in best.page.lines.enumerated() where line.isLevel && !line.isUpsideDown {
      for word in line.words.indices where line.words[word].isDoubtfulFigure {
        places.append((index, word))
      }
    }
    guard !places.isEmpty, places.count <= Self.mostFigures else { return }
    let again = try english.recognize(
      lines: places.map { best.page.lines[$0.line].words[$0.word].box }, of: level,
      resolution: Int(resolution.rounded()))
    for (place, read) in zip(places, again) {
      best.page.lines[place.line].words[place.word].check(against: read)
    }
  }

  /// Reads what the layout analysis has passed over, and keeps what is surely text.
  ///
  /// - Parameters:
  ///   - level: the page with its paper made even and its lines level.
  ///   - ink: the same, bilevel.
  ///   - plain: the page as it is, its lines level.
  ///   - combs: fields with a box for each letter, which were read.
  /// - Returns: how many letters seem to be on the page that are in no word.
  func readMissed(
    _ best: inout Reading, in level: borrowing Pixels, _ ink: borrowing Pixels,
    _ plain: borrowing Pixels, besides combs: [CombField], resolution: Double,
    with tesseract: Tesseract
  ) throws(PluginFailure) -> Int {
    let whole = Int(resolution.rounded())
    // What is read of them alone takes the place of columns that were read from top to bottom.
    let columns = best.page.lines.filter(\.isUnsureColumn)
    best.page.lines.removeAll(where: \.isUnsureColumn)
    defer {
      best.page.lines += columns.filter { column in
        !best.page.lines.contains { $0.words.contains { column.box.contains(middleOf: $0.box) } }
      }
    }
    guard let loose = LooseInk(beside: best.page.lines, in: ink, without: combs) else { return 0 }
    let missed = MissedLines.find(beside: best.page.lines, in: loose)
    let boxes = missed.lines + missed.figures
    // Frames and rules around it would be read as letters.
    if !boxes.isEmpty, let alone = loose.alone(in: level) {
      let read = try tesseract.recognize(lines: boxes, of: alone, resolution: whole)
      var sure = read.prefix(missed.lines.count).filter(\.isSurelyText)
      sure += RecognizedPage.Line.figures(Array(read.dropFirst(missed.lines.count)))
      for line in sure {
        best.page.add(missed: line)
        loose.clear(line)
      }
    }
    let bars = DarkBars.find(in: plain, height: 2 * loose.height)
    if !bars.isEmpty, let light = plain.inverted() {
      var read = RecognizedPage(
        lines: try tesseract.recognize(lines: bars, of: light, resolution: whole))
      DrawnBars.remove(from: &read, in: light)
      for line in read.lines where line.isSurelyText {
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
    return loose.lettersInRows
  }

  /// Reads fields with a box for each letter, of which the layout analysis makes words of strokes.
  ///
  /// - Returns: how many letters are in those that were not surely read.
  func readCombs(
    _ fields: [CombField], _ best: inout Reading, in level: borrowing Pixels, resolution: Double,
    with tesseract: Tesseract
  ) throws(PluginFailure) -> Int {
    var unread = 0
    for field in fields {
      guard let row = field.row(from: level) else { continue }
      let read = try tesseract.recognize(
        lines: [row.box], of: row.pixels, resolution: Int(resolution.rounded()))
      var page = best.page
      page.remove(in: field.box)
      if let first = read.first, let line = row.line(first), line.certainty > 0 {
        page.add(missed: line)
      }
      // What was hardly read, the strokes between the boxes, is no reason to take a page for one without text.
      if page.certainty >= best.page.certainty { best.page = page }
      if read.first?.isSurelyText != true { unread += field.letterCount }
    }
    return unread
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
      of: reading, resolution: resolution, in: whole, missed: left.lettersInRows)
    return reading
  }
}
