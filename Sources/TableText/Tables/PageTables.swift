internal import PDFText

/// Finds the tables of a page, ruled and unruled.
struct PageTables: Sendable {
  let options: TableOptions
  /// Fewer lines beside a gutter may be the head of a table, whose names have several lines.
  private static let fewestLines = 6

  init(options: TableOptions = TableOptions()) { self.options = options }

  /// The tables from top to bottom, those side by side from left to right.
  func tables(_ page: TextPage) -> [PageTable] {
    let frame = ReadingFrame(page, mirrors: true)
    var words = PlacedWord.words(page, frame)
    var rules = page.rules.map { frame.turned($0) }
    if let area = options.area.map({ frame.turned($0) }) {
      words = words.filter {
        $0.box.middleX >= area.x0 && $0.box.middleX <= area.x1 && $0.box.middleY >= area.y0
          && $0.box.middleY <= area.y1
      }
      rules = rules.filter { rule in
        rule.isHorizontal
          ? rule.place >= area.y0 - 3 && rule.place <= area.y1 + 3
          : rule.place >= area.x0 - 3 && rule.place <= area.x1 + 3
      }
    }
    guard !words.isEmpty else { return [] }
    let unruled = UnruledTables(
      page: page.number, frame: frame, rules: RuledGrid.merged(rules.filter(\.isHorizontal)))
    if !options.columnsAt.isEmpty {
      let lines = TextLine.lines(words)
      return unruled.table(lines, columns(words, frame)).map { [$0] } ?? []
    }
    var result: [PageTable] = []
    let grids = RuledGrid.grids(rules).sorted { $0.rows * $0.columns > $1.rows * $1.columns }
    let turned = grids.isEmpty ? [] : [1, 3].flatMap { PlacedWord.words(page, frame, turn: $0) }
    for grid in grids {
      let box = grid.box
      func isInside(_ word: PlacedWord) -> Bool {
        word.box.middleX > box.x0 - 2 && word.box.middleX < box.x1 + 2
          && word.box.middleY > box.y0 - 2 && word.box.middleY < box.y1 + 2
      }
      let inside = words.filter(isInside)
      let names = turned.filter(isInside)
      switch RuledTable.read(grid, inside, turned: names, page: page.number, frame: frame) {
      case .table(let table):
        result.append(table)
        words.removeAll(where: isInside)
      case .chart: words.removeAll(where: isInside)
      case .other: break
      }
    }
    result += unruled.tables(
      words, verticals: rules.filter { !$0.isHorizontal },
      gutters: page.gutters.filter { $0.lines >= Self.fewestLines }.map { frame.turned($0.box) })
    return result.sorted { above, below in
      // Side by side where their heights overlap by more than half of the lower one's.
      let shared = min(above.box.y1, below.box.y1) - max(above.box.y0, below.box.y0)
      if shared > Measures.sideBySide * min(above.box.height, below.box.height) {
        return above.box.x0 < below.box.x0
      }
      return above.box.y0 < below.box.y0
    }
  }

  /// The columns between places that were given.
  private func columns(_ words: [PlacedWord], _ frame: ReadingFrame) -> [ClosedRange<Double>] {
    let places = options.columnsAt.map {
      frame.mirrored(TextPage.Box(x0: $0, y0: 0, x1: $0, y1: 0)).x0
    }.sorted()
    let low = min(words.map(\.box.x0).min() ?? 0, (places.first ?? 0) - 1)
    let high = max(words.map(\.box.x1).max() ?? 0, (places.last ?? 0) + 1)
    let edges = [low] + places + [high]
    return zip(edges, edges.dropFirst()).map { $0...$1 }
  }
}
