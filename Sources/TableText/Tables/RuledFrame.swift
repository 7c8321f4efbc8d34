import PDFText

/// The space between the first and the last of at least three lines that are drawn across, all of one width.
struct RuledFrame {
  private let top, bottom, start, end: Double
  /// More lines are a drawing.
  private static let mostRules = 300

  /// Returns the words in such a frame and the others, or nil if all words beside one another are in it.
  static func parted(
    _ lines: [TextLine], _ rules: [TextPage.Rule]
  ) -> (framed: [PlacedWord], others: [PlacedWord])? {
    let rules = rules.filter(\.isHorizontal)
    guard rules.count <= mostRules else { return nil }
    for rule in rules {
      guard let frame = RuledFrame(rule, among: rules), frame.isTable(beside: lines) else {
        continue
      }
      let words = lines.flatMap(\.words)
      return (words.filter(frame.holds), words.filter { !frame.holds($0) })
    }
    return nil
  }

  /// Nil if the rule is not the first of three.
  private init?(_ rule: TextPage.Rule, among rules: [TextPage.Rule]) {
    let places = rules.filter {
      ($0.extent.lowerBound - rule.extent.lowerBound).magnitude < 2
        && ($0.extent.upperBound - rule.extent.upperBound).magnitude < 2
    }.map(\.place)
    guard places.count >= 3, let last = places.max(), rule.place == places.min() else { return nil }
    (top, bottom) = (rule.place, last)
    (start, end) = (rule.extent.lowerBound - 2, rule.extent.upperBound + 2)
  }

  private func holds(_ word: PlacedWord) -> Bool {
    word.box.middleY > top && word.box.middleY < bottom && word.box.middleX > start
      && word.box.middleX < end
  }

  /// Whether there are rows between the rules, and other pieces beside them.
  private func isTable(beside lines: [TextLine]) -> Bool {
    let between = lines.filter { $0.middle > top && $0.middle < bottom }
    func isWithin(_ piece: TextLine.Piece) -> Bool { piece.start > start && piece.end < end }
    func isBeside(_ piece: TextLine.Piece) -> Bool { piece.start > end || piece.end < start }
    return between.contains { $0.pieces.contains(where: isBeside) }
      && between.allSatisfy { $0.pieces.allSatisfy { isWithin($0) || isBeside($0) } }
      && between.count { $0.pieces.count(where: isWithin) >= 2 } >= 2
  }
}
