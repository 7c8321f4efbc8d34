import PDFText

/// A grid of drawn lines that cross: the cells of a ruled table.
struct RuledGrid {
  /// The places of the vertical and the horizontal lines, from left to right and top to bottom.
  var xs: [Double]
  var ys: [Double]
  /// For each unit cell, row by row, the first unit cell of the merged cell that it belongs to.
  var owner: [Int] = []

  var columns: Int { xs.count - 1 }
  var rows: Int { ys.count - 1 }
  var box: TextPage.Box {
    TextPage.Box(x0: xs[0], y0: ys[0], x1: xs[xs.count - 1], y1: ys[ys.count - 1])
  }

  /// A page whose lines are more than this is a drawing.
  private static let mostLines = 3000
  /// How far a line may end before the one it meets, in points.
  private static let reach = 3.5

  /// The grids of a page, each of at least two cells.
  static func grids(_ rules: [TextPage.Rule]) -> [RuledGrid] {
    let horizontal = merged(rules.filter(\.isHorizontal))
    let vertical = merged(rules.filter { !$0.isHorizontal })
    guard !horizontal.isEmpty, !vertical.isEmpty,
      horizontal.count + vertical.count <= mostLines
    else { return [] }
    // Lines that meet belong together.
    var parent = Array(0..<(horizontal.count + vertical.count))
    for (h, line) in horizontal.enumerated() {
      for (v, other) in vertical.enumerated()
      where line.extent.lowerBound - reach <= other.place
        && other.place <= line.extent.upperBound + reach
        && other.extent.lowerBound - reach <= line.place
        && line.place <= other.extent.upperBound + reach
      {
        let (a, b) = (root(h, &parent), root(horizontal.count + v, &parent))
        if a != b { parent[b] = a }
      }
    }
    var groups: [Int: (horizontal: [TextPage.Rule], vertical: [TextPage.Rule])] = [:]
    for (index, line) in (horizontal + vertical).enumerated() {
      let key = root(index, &parent)
      if line.isHorizontal {
        groups[key, default: ([], [])].horizontal.append(line)
      } else {
        groups[key, default: ([], [])].vertical.append(line)
      }
    }
    return groups.sorted { $0.key < $1.key }.compactMap {
      RuledGrid($0.value.horizontal, $0.value.vertical)
    }
  }

  private static func root(_ index: Int, _ parent: inout [Int]) -> Int {
    var index = index
    while parent[index] != index {
      parent[index] = parent[parent[index]]
      index = parent[index]
    }
    return index
  }

  /// Puts lines on one place together where they touch; double lines become one.
  static func merged(_ rules: [TextPage.Rule]) -> [TextPage.Rule] {
    var result: [TextPage.Rule] = []
    var group: [TextPage.Rule] = []
    func close() {
      guard let first = group.first else { return }
      let place = group.reduce(0) { $0 + $1.place } / Double(group.count)
      for rule in group.sorted(by: { $0.extent.lowerBound < $1.extent.lowerBound }) {
        let extent = rule.extent
        if let last = result.last, last.place == place,
          extent.lowerBound - last.extent.upperBound < reach
        {
          let upper = max(last.extent.upperBound, extent.upperBound)
          result[result.count - 1].extent = last.extent.lowerBound...upper
        } else {
          result.append(
            TextPage.Rule(isHorizontal: first.isHorizontal, place: place, extent: extent))
        }
      }
      group = []
    }
    for rule in rules.sorted(by: { $0.place < $1.place }) {
      if let first = group.first, rule.place - first.place > 3 { close() }
      group.append(rule)
    }
    close()
    return result.filter { $0.extent.upperBound - $0.extent.lowerBound >= 5 }
  }

  private init?(_ horizontal: [TextPage.Rule], _ vertical: [TextPage.Rule]) {
    xs = Self.places(vertical, ends: horizontal)
    ys = Self.places(horizontal, ends: vertical)
    guard xs.count >= 2, ys.count >= 2, xs.count + ys.count > 4,
      TableSize.holds(rows: rows, columns: columns)
    else { return nil }
    findCells(horizontal, vertical)
  }

  /// The different places of lines, and where the others end beyond them: tables may lack the lines
  /// at their sides.
  private static func places(_ lines: [TextPage.Rule], ends: [TextPage.Rule]) -> [Double] {
    var places = Array(Set(lines.map(\.place))).sorted()
    guard let first = places.first, let last = places.last else { return [] }
    let low = ends.map(\.extent.lowerBound).min() ?? first
    let high = ends.map(\.extent.upperBound).max() ?? last
    if low < first - 8 { places.insert(low, at: 0) }
    if high > last + 8 { places.append(high) }
    return places
  }

  private mutating func findCells(_ horizontal: [TextPage.Rule], _ vertical: [TextPage.Rule]) {
    let walls = Self.walls(vertical, places: xs, between: ys)
    let floors = Self.walls(horizontal, places: ys, between: xs)
    let count = columns * rows
    var parent = Array(0..<count)
    for row in 0..<rows {
      for column in 0..<columns {
        let cell = row * columns + column
        if column + 1 < columns, !walls[(column + 1) * rows + row] {
          Self.join(cell, cell + 1, &parent)
        }
        if row + 1 < rows, !floors[(row + 1) * columns + column] {
          Self.join(cell, cell + columns, &parent)
        }
      }
    }
    owner = (0..<count).map { Self.root($0, &parent) }
    dissolveRagged()
  }

  private static func join(_ a: Int, _ b: Int, _ parent: inout [Int]) {
    let (a, b) = (root(a, &parent), root(b, &parent))
    // The first of the cells stays the owner.
    if a < b { parent[b] = a } else { parent[a] = b }
  }

  /// Merged cells are rectangles; others were joined by a line that is missing.
  private mutating func dissolveRagged() {
    var extents: [Int: (count: Int, x0: Int, x1: Int, y0: Int, y1: Int)] = [:]
    for (cell, first) in owner.enumerated() {
      let (row, column) = (cell / columns, cell % columns)
      let known = extents[first] ?? (0, column, column, row, row)
      extents[first] = (
        known.count + 1, min(known.x0, column), max(known.x1, column), min(known.y0, row),
        max(known.y1, row)
      )
    }
    for (cell, first) in owner.enumerated() {
      guard let extent = extents[first] else { continue }
      let area = (extent.x1 - extent.x0 + 1) * (extent.y1 - extent.y0 + 1)
      if area != extent.count { owner[cell] = cell }
    }
  }

  /// Whether a line stands at each place along each stretch: `place * stretches + stretch`.
  private static func walls(
    _ lines: [TextPage.Rule], places: [Double], between ends: [Double]
  ) -> [Bool] {
    let stretches = ends.count - 1
    var result = [Bool](repeating: false, count: places.count * stretches)
    for line in lines {
      let place = places.partitioningIndex { $0 >= line.place }
      guard places[safe: place] == line.place else { continue }
      for stretch in 0..<stretches {
        let (low, high) = (ends[stretch], ends[stretch + 1])
        let covered = min(high, line.extent.upperBound) - max(low, line.extent.lowerBound)
        if covered >= Measures.wall * (high - low) { result[place * stretches + stretch] = true }
      }
    }
    return result
  }

  /// The unit cell that a point lies in.
  func cell(_ x: Double, _ y: Double) -> Int? {
    guard x >= xs[0] - 2, y >= ys[0] - 2, x <= xs[columns] + 2, y <= ys[rows] + 2 else {
      return nil
    }
    let column = min(columns - 1, max(0, xs.partitioningIndex { $0 > x } - 1))
    let row = min(rows - 1, max(0, ys.partitioningIndex { $0 > y } - 1))
    return row * columns + column
  }
}
