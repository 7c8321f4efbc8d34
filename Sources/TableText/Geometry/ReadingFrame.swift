import PDFText

/// How a page is turned, and mirrored if its text is right-to-left, so that most of it reads from left to right.
struct ReadingFrame {
  /// Quarters by which the text is turned clockwise.
  let turn: Int
  /// The size of the page as shown.
  let width: Double
  let height: Double
  /// Whether left and right are exchanged, after the turn.
  let isMirrored: Bool

  /// - Parameter mirrors: whether to exchange left and right where most text is right-to-left.
  init(_ page: TextPage, mirrors: Bool = false) {
    var counts = [0, 0, 0, 0]
    for word in page.words where word.angle % 90 == 0 { counts[word.angle / 90 & 3] += 1 }
    turn = counts.firstIndex(of: counts.max() ?? 0) ?? 0
    width = page.width
    height = page.height
    isMirrored = mirrors && PlacedWord.isMostlyRightToLeft(page)
  }

  /// A box of the page as shown, in the frame of its text.
  func turned(_ box: TextPage.Box) -> TextPage.Box { mirrored(quartersTurned(box)) }

  /// A box with left and right exchanged if the frame is mirrored.
  func mirrored(_ box: TextPage.Box) -> TextPage.Box {
    guard isMirrored else { return box }
    let width = turn.isMultiple(of: 2) ? width : height
    return TextPage.Box(x0: width - box.x1, y0: box.y0, x1: width - box.x0, y1: box.y1)
  }

  private func quartersTurned(_ box: TextPage.Box) -> TextPage.Box {
    switch turn {
    case 1: TextPage.Box(x0: box.y0, y0: width - box.x1, x1: box.y1, y1: width - box.x0)
    case 2:
      TextPage.Box(x0: width - box.x1, y0: height - box.y1, x1: width - box.x0, y1: height - box.y0)
    case 3: TextPage.Box(x0: height - box.y1, y0: box.x0, x1: height - box.y0, y1: box.x1)
    default: box
    }
  }

  /// A box in the frame of the text, on the page as shown.
  func shown(_ box: TextPage.Box) -> TextPage.Box {
    let box = mirrored(box)
    return switch turn {
    case 1: TextPage.Box(x0: width - box.y1, y0: box.x0, x1: width - box.y0, y1: box.x1)
    case 3: TextPage.Box(x0: box.y0, y0: height - box.x1, x1: box.y1, y1: height - box.x0)
    default: quartersTurned(box)
    }
  }

  /// A line of the page as shown, in the frame of its text.
  func turned(_ rule: TextPage.Rule) -> TextPage.Rule {
    guard turn != 0 || isMirrored else { return rule }
    let extent = rule.extent
    let box = turned(
      rule.isHorizontal
        ? TextPage.Box(x0: extent.lowerBound, y0: rule.place, x1: extent.upperBound, y1: rule.place)
        : TextPage.Box(x0: rule.place, y0: extent.lowerBound, x1: rule.place, y1: extent.upperBound)
    )
    let isHorizontal = rule.isHorizontal == turn.isMultiple(of: 2)
    return isHorizontal
      ? TextPage.Rule(isHorizontal: true, place: box.y0, extent: box.x0...max(box.x0, box.x1))
      : TextPage.Rule(isHorizontal: false, place: box.x0, extent: box.y0...max(box.y0, box.y1))
  }
}
