internal import PDFText

// Statuses that are printed once for several rows, in a cell that the lines of the table draw around all of them.
extension StatusPage {
  /// Whether a list has fewer lines of statuses than rows, so that the drawn lines of the page are worth a look.
  var sharesStatuses: Bool { lists.contains(where: \.sharesStatuses) }

  /// Gives rows the statuses of the cells that reach over them.
  ///
  /// - Parameter rules: the lines of the page as shown.
  mutating func takeMergedCells(_ rules: [TextPage.Rule]) {
    guard sharesStatuses else { return }
    let grids = RuledGrid.grids(rules.map(frame.turned))
    for index in lists.indices where lists[index].sharesStatuses {
      lists[index].takeMergedCells(grids)
    }
  }
}

extension StatusPage.List {
  fileprivate var sharesStatuses: Bool {
    guard cells == nil, let first = anchors.first?.middle, let last = anchors.last?.middle else {
      return false
    }
    let own = lines.count { $0.middle > first - $0.size && $0.middle < last + $0.size }
    return own > 0 && own < anchors.count
  }

  fileprivate mutating func takeMergedCells(_ grids: [RuledGrid]) {
    for grid in grids {
      guard anchors.allSatisfy({ grid.cell($0.box.middleX, $0.middle) != nil }) else { continue }
      var own: [Int: Range<Int>] = [:], places: [Double] = []
      for (index, line) in lines.enumerated() {
        guard let cell = grid.cell(line.box.middleX, line.middle) else { continue }
        places.append(line.box.middleX)
        let owner = grid.owner[cell]
        own[owner] = (own[owner]?.lowerBound ?? index)..<(index + 1)
      }
      guard let place = places.sorted()[safe: places.count / 2] else { continue }
      let owners = anchors.map { anchor in
        grid.cell(place, anchor.middle).map { grid.owner[$0] }
      }
      let isMerged = zip(owners, owners.dropFirst()).contains { one, other in
        one == other && one.map { own[$0] != nil } == true
      }
      guard isMerged else { continue }
      cells = zip(anchors, owners).map { anchor, owner in
        let next = lines.partitioningIndex { $0.middle >= anchor.middle }
        return owner.flatMap { own[$0] } ?? next..<next
      }
      return
    }
  }
}
