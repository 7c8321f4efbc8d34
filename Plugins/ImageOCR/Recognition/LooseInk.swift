internal import CTesseract

/// The ink of a page that is in no word, without the frames and rules of tables.
struct LooseInk: ~Copyable {
  /// In half the size of the picture: that keeps letters and quarters the work.
  private let ink: Pixels
  /// Of the usual line, in pixels of the half size.
  let height: Double
  /// Marks higher than so many lines are no letters: frames with the rules between their cells, drawings.
  private static let highest = 3.0
  /// Lines lower than so many pixels cannot be told from specks.
  private static let leastHeight = 12.0

  /// Nil on pages without lines, and where that fails.
  ///
  /// - Parameters:
  ///   - lines: what was read.
  ///   - picture: the picture it was read in, in grey or bilevel.
  ///   - combs: fields with a box for each letter, whose ink is left out, and whose letters are no measure of others.
  init?(
    beside lines: [RecognizedPage.Line], in picture: borrowing Pixels,
    without combs: [CombField] = []
  ) {
    let others = lines.filter { line in !combs.contains { $0.box.contains(middleOf: line.box) } }
    let heights = (others.isEmpty ? lines : others).map(\.height).sorted()
    guard !heights.isEmpty, heights[heights.count / 2] >= Self.leastHeight,
      let binary = picture.ink(),
      let half = binary.halvedInk()
    else { return nil }
    let height = heights[heights.count / 2] / 2
    // Before words are taken out: that cuts frames into pieces as small as letters. Most pages have none.
    let highest = Self.highest * height
    if half.marks()?.contains(where: { $0.height > highest }) ?? true {
      guard
        let low = unsafe Pixels(
          taking: pixSelectBySize(
            half.pix, 0, Int32(highest), 8, Int32(L_SELECT_HEIGHT), Int32(L_SELECT_IF_LTE), nil))
      else { return nil }
      ink = low
    } else {
      ink = half
    }
    self.height = height
    for line in lines { clear(line) }
    for comb in combs { clear(comb.box, margin: 0.1 * comb.box.height) }
  }

  /// Takes out the words of a line.
  func clear(_ line: RecognizedPage.Line) {
    // A line that runs down the page is as wide as others are high.
    let height = min(line.box.height, line.box.width)
    for word in line.words { clear(word.box, margin: 0.25 * height) }
  }

  /// Takes out what is in a box.
  private func clear(_ box: PixelBox, margin: Double) {
    var area = unsafe boxCreate(
      Int32(max(0, box.left - margin) / 2), Int32(max(0, box.top - margin) / 2),
      Int32((box.width + 2 * margin) / 2 + 1), Int32((box.height + 2 * margin) / 2 + 1))
    unsafe pixClearInRect(ink.pix, area)
    unsafe boxDestroy(&area)
  }

  /// A box of the half size in pixels of the picture.
  static func inPicture(_ box: PixelBox) -> PixelBox {
    PixelBox(left: 2 * box.left, top: 2 * box.top, right: 2 * box.right, bottom: 2 * box.bottom)
  }

  /// The ink with marks joined that are at most so many line heights apart.
  func joined(_ across: Double, _ down: Double) -> Pixels? {
    ink.closed(max(across > 0 ? 3 : 1, across * height), max(down > 0 ? 3 : 1, down * height))
  }

  /// Pages with more marks in no word are photographs or noise.
  private static let mostMarks = 4_000
  /// How high letters are, in heights of the usual line.
  private static let letterHeights = 0.3...2.5

  /// The marks that may be letters, in the half size; none where there are too many.
  var letters: [PixelBox] {
    (marks(most: Self.mostMarks) ?? []).filter {
      Self.letterHeights.contains($0.height / height) && $0.width < 3 * height
    }
  }

  /// How many letters seem to stand in rows.
  var lettersInRows: Int { TextMarks.inRows(letters) }

  /// Its marks as boxes of the half size; nil where there are more than wanted.
  func marks(most: Int) -> [PixelBox]? { ink.marks(most: most) }

  /// The share of black pixels in a box of the half size, 0 to 1.
  func blackness(of box: PixelBox) -> Double { ink.blackness(of: box) }

  /// Larger pictures have no room for copies in grey or color.
  static let mostPixels = 40_000_000

  /// What a picture shows of this ink, all else white; a large one as it is.
  func alone(in picture: borrowing Pixels) -> Pixels? {
    guard picture.width * picture.height <= Self.mostPixels else { return picture.shared() }
    return cut(
      PixelBox(left: 0, top: 0, right: Double(ink.width), bottom: Double(ink.height)), from: picture
    )
  }

  /// What a picture shows in a box of the half size, all white but this ink and what is close to it.
  func cut(_ box: PixelBox, from picture: borrowing Pixels) -> Pixels? {
    guard let clip = picture.clipped(Self.inPicture(box)), let part = clip.grey8(),
      let clipped = ink.clipped(box),
      let wide = unsafe Pixels(taking: pixDilateBrick(nil, clipped.pix, 3, 3)),
      let mask = unsafe Pixels(taking: pixExpandReplicate(wide.pix, 2)),
      let outside = unsafe Pixels(taking: pixInvert(nil, mask.pix))
    else { return nil }
    guard unsafe pixSetMasked(part.pix, outside.pix, 255) == 0 else { return nil }
    return part.shared()
  }
}
