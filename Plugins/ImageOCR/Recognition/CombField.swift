internal import CTesseract

/// A field of a form with a box for each letter, as a comb field of a PDF has them.
///
/// The layout analysis takes the strokes between the boxes for letters. Put close together, the letters are read as the
/// word that they are.
struct CombField {
  /// The white inside of its boxes from left to right, in half the size of the picture.
  private let boxes: [PixelBox]
  /// The ink in each of them, nil where there is none, in that size.
  private let letters: [PixelBox?]

  /// How high and wide boxes are inside, in inches, and how wide at most in their heights.
  private static let sides = 0.07...0.5
  private static let mostWidth = 1.3
  /// So many boxes stand side by side at least.
  private static let leastBoxes = 4
  /// How far the sides of two boxes may differ, and how far they may be apart, in sides of one.
  private static let sameSide = 0.2
  private static let apart = 0.6
  /// Boxes right below one another are the cells of a table.
  private static let below = 0.2
  /// Marks lower than this, in heights of a box, are dots, accents and commas.
  private static let leastLetter = 0.25
  /// More white areas than this are a drawing or noise.
  private static let mostAreas = 20_000
  /// What is put between two letters, and for empty boxes, in heights of a box.
  private static let letterGap = 0.1
  private static let wordGap = 0.6
  /// Even paper is at least this light.
  private static let paper: Int32 = 200

  /// With all boxes, in pixels of the picture.
  var box: PixelBox { LooseInk.inPicture(boxes[0].union(boxes[boxes.count - 1])) }
  /// How many boxes have something in them.
  var letterCount: Int { letters.count { $0 != nil } }

  /// The fields in which something was written.
  ///
  /// - Parameters:
  ///   - half: the page with its lines level, bilevel, in half its size.
  ///   - resolution: pixels per inch.
  static func find(in half: borrowing Pixels, resolution: Double) -> [CombField] {
    let sides = Self.sides.lowerBound * resolution / 2...Self.sides.upperBound * resolution / 2
    guard let paper = half.inverted(),
      let areas = paper.marks(most: mostAreas, connectivity: 4)
    else { return [] }
    let cells = areas.filter {
      sides.contains($0.width) && sides.contains($0.height) && $0.width <= mostWidth * $0.height
    }.sorted { $0.left < $1.left }
    var rows: [[PixelBox]] = []
    for cell in cells {
      if let row = rows.firstIndex(where: { $0[$0.count - 1].isBeside(cell, sameSide, apart) }) {
        rows[row].append(cell)
      } else {
        rows.append([cell])
      }
    }
    rows.removeAll { $0.count < leastBoxes }
    let fields = rows.filter { row in
      !rows.contains { row[0].isRightAbove($0, below) || $0[0].isRightAbove(row, below) }
    }
    return fields.compactMap { CombField($0, in: half) }
  }

  /// Nil where no letters are in the boxes, or several in most of them.
  private init?(_ boxes: [PixelBox], in half: borrowing Pixels) {
    var single = 0
    var letters: [PixelBox?] = []
    for box in boxes {
      let marks = half.clipped(box)?.marks() ?? []
      if marks.count(where: { $0.height >= Self.leastLetter * box.height }) == 1 { single += 1 }
      letters.append(
        PixelBox.around(
          marks.map {
            PixelBox(
              left: box.left + $0.left, top: box.top + $0.top, right: box.left + $0.right,
              bottom: box.top + $0.bottom)
          }))
    }
    (self.boxes, self.letters) = (boxes, letters)
    guard single >= 2, single * 3 >= letterCount * 2 else { return nil }
  }

  /// Its letters put close together.
  ///
  /// - Parameter picture: the page with its lines level, in grey or bilevel.
  func row(from picture: borrowing Pixels) -> Row? {
    let height = (2 * boxes[0].height).rounded()
    let margin = (Self.wordGap * height).rounded()
    var words: [Row.Word] = []
    var places: [(letter: PixelBox, x: Double)] = []
    var x = margin
    var wasEmpty = true
    for letter in letters {
      guard let letter = letter.map(LooseInk.inPicture) else {
        wasEmpty = true
        continue
      }
      if wasEmpty, !words.isEmpty { x += margin }
      places.append((letter, x))
      let place = PixelBox(left: x, top: margin, right: x + letter.width, bottom: margin + height)
      if wasEmpty {
        words.append(Row.Word(place: place, onPage: letter))
      } else {
        words[words.count - 1].add(place: place, onPage: letter)
      }
      x += letter.width + (Self.letterGap * height).rounded()
      wasEmpty = false
    }
    guard
      let row = unsafe Pixels(taking: pixCreate(Int32(x + margin), Int32(height + 2 * margin), 8)),
      unsafe pixSetAll(row.pix) == 0
    else { return nil }
    for (letter, x) in places {
      // All of the height of a box: where in it a mark stands tells a comma from an apostrophe.
      let whole = PixelBox(
        left: letter.left, top: box.top, right: letter.right, bottom: box.bottom)
      guard let part = picture.clipped(whole)?.grey8(),
        unsafe pixRasterop(
          row.pix, Int32(x), Int32(margin), Int32(part.width), Int32(part.height), Int32(PIX_SRC),
          part.pix, 0, 0) == 0
      else { return nil }
    }
    // The paper of the boxes becomes as white as what is around them.
    guard let even = unsafe Pixels(taking: pixGammaTRC(nil, row.pix, 1, 0, Self.paper)) else {
      return nil
    }
    return Row(pixels: even, words: words)
  }

  /// The letters of a field as a line of words.
  struct Row: ~Copyable {
    /// What was written without an empty box between.
    struct Word {
      /// In the row, in pixels.
      var place: PixelBox
      /// In the picture that the row is from, in pixels.
      var onPage: PixelBox

      mutating func add(place: PixelBox, onPage: PixelBox) {
        self.place = self.place.union(place)
        self.onPage = self.onPage.union(onPage)
      }
    }

    let pixels: Pixels
    fileprivate let words: [Word]

    var box: PixelBox { words[0].place.union(words[words.count - 1].place) }

    /// What was read of it, where that is on the page; nil where words of it have no text.
    func line(_ read: RecognizedPage.Line) -> RecognizedPage.Line? {
      var line = RecognizedPage.Line(
        words: [], box: words[0].onPage.union(words[words.count - 1].onPage),
        baseline: read.baseline,
        rowHeight: 0, startsParagraph: true)
      line.baseline = line.box.foot
      for word in words {
        let parts = read.words.filter {
          (word.place.left...word.place.right).contains(($0.box.left + $0.box.right) / 2)
        }
        guard !parts.isEmpty else { return nil }
        line.words.append(
          .init(
            text: parts.map(\.text).joined(), box: word.onPage,
            confidence: parts.reduce(100) { min($0, $1.confidence) }))
      }
      return line
    }
  }
}

extension PixelBox {
  /// Whether another box of about this size stands right of it.
  fileprivate func isBeside(_ other: PixelBox, _ sameSide: Double, _ apart: Double) -> Bool {
    (0...apart * width).contains(other.left - right)
      && max(
        (top - other.top).magnitude, (bottom - other.bottom).magnitude,
        (width - other.width).magnitude) <= sameSide * height
  }

  /// Whether the first of the boxes of another row that it stands above is right below it.
  fileprivate func isRightAbove(_ row: [PixelBox], _ below: Double) -> Bool {
    row.contains {
      $0.left < right && $0.right > left && (0...below * height).contains($0.top - bottom)
    }
  }
}
