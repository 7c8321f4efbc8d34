/// The straight lines of tables and forms that a picture shows, level and upright.
enum DrawnRules {
  /// How long they are at least, in inches: the strokes of letters are shorter.
  private static let leastLevel = 0.4
  private static let leastUpright = 0.2
  /// How strong they are at most, in inches.
  private static let strongest = 0.05
  /// An upright one reaches a level one that is at most so far away, in inches: others are strokes of large letters.
  private static let near = 0.08
  /// Fewer make no table.
  private static let least = 3
  /// More are a drawing or a photograph.
  private static let most = 1_000

  /// Where they are.
  ///
  /// - Parameters:
  ///   - half: the page with its lines level, bilevel, in half its size.
  ///   - resolution: pixels per inch.
  /// - Returns: boxes as strong as the lines, in pixels from the top left; none where there are too few or too many.
  static func find(in half: borrowing Pixels, resolution: Double) -> [PixelBox] {
    let inch = resolution / 2
    // Most pages have no marks as wide as a line, which is found out in a quarter of the time.
    guard half.marks()?.contains(where: { $0.width >= leastLevel * inch }) == true else {
      return []
    }
    let level = lines(in: half, leastLevel * inch, 1).filter {
      $0.height <= strongest * inch
    }
    guard level.count >= 2 else { return [] }
    let near = near * inch
    // Lines along the edges are those of the scanner or of the sheet.
    let inside = PixelBox(
      left: near, top: near, right: Double(half.width) - near, bottom: Double(half.height) - near)
    let upright = lines(in: half, 1, leastUpright * inch).filter { line in
      line.width <= strongest * inch
        && level.contains {
          (line.left - near...line.right + near).overlaps($0.left...$0.right)
            && (line.top - near...line.bottom + near).overlaps($0.top...$0.bottom)
        }
    }
    let rules = (level + upright).filter { inside.contains(middleOf: $0) }
    return (least...most).contains(rules.count) ? rules.map(LooseInk.inPicture) : []
  }

  /// The boxes of marks that are at least so wide and high.
  private static func lines(
    in half: borrowing Pixels, _ width: Double, _ height: Double
  ) -> [PixelBox] {
    // A line that is not quite level is made of pieces that lie beside one another.
    let runs = half.opened(width, height)
    guard let joined = runs?.closed(3, 3) else { return [] }
    return joined.marks(most: most) ?? []
  }
}
