/// Keeps the rows of tables and receipts apart for programs that read the text layer.
///
/// Such programs build blocks of lines that stand close below each other in one size, and read one
/// block after the other: all labels of a receipt first, and then all its amounts. Lines of
/// different sizes never share a block, and single lines side by side are read as a row.
enum TableRows {
  /// A gap between words wider than this many line heights separates cells.
  private static let cellGap = 2.0
  /// Lines whose baselines are at most this many line heights apart stand close.
  private static let closeWithin = 2.0
  /// What the heights of rows are stretched and shrunk by in turn. Twice this is just above the
  /// twentieth by which sizes in one block may differ for pdftotext.
  private static let step = 1.03

  /// The heights of lines with those of rows, and of lines close to them, made different from
  /// neighbour to neighbour.
  ///
  /// - Parameter heights: from ascenders to descenders in pixels, one for each line.
  static func apart(_ lines: [RecognizedPage.Line], heights: [Double]) -> [Double] {
    let rows = zip(lines, heights).map { hasCells($0, height: $1) }
    guard rows.contains(true) else { return heights }
    var result = heights
    var isLarge = false
    for index in lines.indices {
      let belongs =
        rows[index]
        || (index > 0 && rows[index - 1]
          && areClose(lines[index - 1], lines[index], heights[index]))
        || (index + 1 < lines.count && rows[index + 1]
          && areClose(lines[index], lines[index + 1], heights[index]))
      guard belongs else { continue }
      isLarge.toggle()
      result[index] *= isLarge ? step : 1 / step
    }
    return result
  }

  private static func hasCells(_ line: RecognizedPage.Line, height: Double) -> Bool {
    zip(line.words, line.words.dropFirst()).contains { left, right in
      right.box.left - left.box.right > cellGap * height
    }
  }

  private static func areClose(
    _ upper: RecognizedPage.Line, _ lower: RecognizedPage.Line, _ height: Double
  ) -> Bool {
    let distance = lower.baseline.from.y - upper.baseline.from.y
    return distance > 0 && distance < closeWithin * height
  }
}
