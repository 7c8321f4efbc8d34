import PDFText

/// Tells the head of a table from its rows.
enum TableHead {
  /// How many of the first rows are the head: those above the first row with figures in columns that
  /// hold figures, else a first row in bold letters.
  ///
  /// - Parameters:
  ///   - spanned: how many rows drawn groups of columns take, 0 where there are none.
  ///   - isRuled: whether drawn lines part the rows; a head is one row then, but for groups.
  static func count(_ rows: [PageTable.Row], spanned: Int, isRuled: Bool) -> Int {
    guard rows.count >= 2, let width = rows.first?.cells.count else { return 0 }
    let figures = (0..<width).filter { column in
      let texts = rows.compactMap { $0.cells[column].isEmpty ? nil : $0.cells[column] }
      let count = texts.count { isFigure($0) }
      return count > 0 && count * 10 >= 6 * texts.count
    }
    if !figures.isEmpty {
      // Years or running numbers in bold letters above columns of figures are names.
      let namesAreBold = rows.count > 2 && !rows[1].isBold
      let first = rows.firstIndex { row in
        let own = figures.filter { isFigure(row.cells[$0]) && row.cells[$0] != "" }
        return own.contains { hasDigit(row.cells[$0]) } && !(row.isBold && namesAreBold)
      }
      guard var first else { return min(spanned, rows.count - 1) }
      // Categories right above the first row are none of the head.
      while first > 1, rows[first - 1].isCategory { first -= 1 }
      let title = rows.first?.isCategory == true ? 1 : 0
      if isRuled { first = min(first, max(title + 1, rows.prefix { $0.isBold }.count)) }
      first = max(first, spanned)
      return first <= 4 && first < rows.count ? first : 0
    }
    if spanned > 0 { return min(spanned, rows.count - 1) }
    let bold = rows.prefix { $0.isBold && !$0.isCategory }.count
    return bold < rows.count && bold <= 3 ? bold : 0
  }

  static func isFigure(_ text: String) -> Bool {
    ColumnKinds.isFigure(
      text.split(separator: " ").map {
        PlacedWord(text: String($0), box: .init(x0: 0, y0: 0, x1: 0, y1: 0), size: 1)
      })
  }

  private static func hasDigit(_ text: String) -> Bool {
    text.unicodeScalars.contains { $0.properties.numericType != nil }
  }
}
