internal import PDFSyntax
internal import PDFWriter

extension PageContent {
  /// Where one content stream shows text.
  struct StreamNotes {
    /// An operator that shows text with its operands, by its place in the decoded stream.
    struct Show {
      var range: Range<Int>
      /// The operators that do the same but for the text.
      var rest: String
      /// The number among all of the page.
      var number: Int
    }

    /// A text object from `BT` to `ET`.
    struct TextObject {
      var range: Range<Int>
      /// Whether it has no operators but those for text.
      var isPlain: Bool
    }

    /// A form that is drawn, and the place of its notes in ``PageContent/streams``.
    struct Form {
      var name: PDFName
      var stream: PDFStream
      var notes: Int
    }

    var shows: [Show] = []
    var textObjects: [TextObject] = []
    var forms: [Form] = []
  }

  /// Operators that show text, numbered in their order, forms included.
  struct ShownText {
    /// How one of them shows text.
    struct Place {
      /// Where it lies, or nil if it cannot be told.
      var extent: TextPlacing.Extent?
      /// The lightness of what fills its letters, 0 to 1; nil if their outlines are drawn.
      var ink: Double?
      var opacity: Double
      var clip: Rectangle?
      var onlyClips: Bool
      var isUnseen: Bool
      /// Whether its mode or its font says that it is not to be seen.
      var isMeantUnseen: Bool
    }

    /// All of them.
    private(set) var count = 0
    /// Those that are not seen.
    private(set) var unseen = 0
    /// Whether some are not seen because of their mode, their font or a picture that fills the page: an earlier program
    /// for text recognition put them there.
    private(set) var isHidden = false
    /// Those that are kept, by their number.
    private(set) var places: [Place] = []
    private var covered = 0
    /// Text that something is seen through.
    private(set) var openClips: [Range<Int>] = []

    /// Whether any text is seen.
    var isSeen: Bool { unseen < count }

    func isUnseen(_ number: Int) -> Bool { number < places.count && places[number].isUnseen }

    mutating func add(_ state: PaintState, bytes: Int, isHidden: Bool) {
      var state = state
      count += 1
      if isHidden {
        unseen += 1
        self.isHidden = true
      }
      guard places.count < PageContent.noteLimit else { return }
      places.append(
        Place(
          extent: state.textPlacing.show(bytes: bytes, toUserSpace: state.matrix),
          ink: state.textMode == 0 || state.textMode == 4 ? state.ink : nil,
          opacity: state.opacity, clip: state.clip.isEmpty ? nil : state.clip.box,
          onlyClips: state.textMode == 7, isUnseen: isHidden, isMeantUnseen: isHidden))
    }

    mutating func hide(_ number: Int) {
      guard number < places.count, !places[number].isUnseen else { return }
      places[number].isUnseen = true
      unseen += 1
    }

    /// Notes that a picture fills the page over all text so far.
    mutating func cover(before number: Int) {
      guard number > covered else { return }
      for number in covered..<min(number, places.count) { hide(number) }
      (covered, isHidden) = (number, true)
    }

    /// Notes that something is painted through text.
    mutating func noteClip(_ numbers: Range<Int>?) {
      guard let numbers, openClips.last != numbers, openClips.count < 1_000 else { return }
      openClips.append(numbers)
    }
  }
}

// MARK: - Text that cannot be seen because of its place, size or color

extension PageContent {
  /// Letters lower than this cannot be read, in points.
  private static let leastHeight = 1.0
  /// Colors that are nearer to each other than this are taken for one, of 1 from black to white.
  private static let leastContrast = 0.1
  /// So often a text and what may cover it are held against each other at most.
  private static let mostComparisons = 2_000_000

  /// Finds text that is clipped away, outside the page, too small, transparent, a clip for nothing, or below something.
  mutating func findUnseenText() {
    let covers = items.compactMap { item -> (box: Rectangle, before: Int)? in
      switch item {
      case .picture(let picture):
        let m = picture.placement
        guard isOpaque(picture), picture.look.clip.paths.isEmpty,
          m.b.magnitude + m.c.magnitude < 0.01 || m.a.magnitude + m.d.magnitude < 0.01
        else { return nil }
        return m.bounds(.unit).intersection(picture.look.clip.box).map { ($0, picture.textBefore) }
      case .area(let area):
        guard area.look.opacity > 0.99, area.look.blend == .normal, area.path.isLevelRectangle,
          area.look.clip.paths.isEmpty
        else { return nil }
        return area.path.box?.intersection(area.look.clip.box).map { ($0, area.textBefore) }
      }
    }
    var comparisons = 0
    for (number, place) in text.places.enumerated() where !place.isUnseen {
      if place.onlyClips {
        if !text.openClips.contains(where: { $0.contains(number) }) { text.hide(number) }
        continue
      }
      guard let extent = place.extent else { continue }
      guard place.opacity > 0.01, extent.height >= Self.leastHeight,
        let clip = place.clip?.intersection(cropBox), extent.reach.intersection(clip) != nil
      else {
        text.hide(number)
        continue
      }
      guard let shown = extent.box.intersection(clip) else { continue }
      comparisons += covers.count
      guard comparisons < Self.mostComparisons else { continue }
      let later = covers.drop { $0.before <= number }
      let middle = (shown.y0 + shown.y1) / 2
      let isCovered = [shown.x0 + shown.width / 8, (shown.x0 + shown.x1) / 2].allSatisfy { x in
        later.contains { $0.box.contains(x: x, y: middle) }
      }
      if isCovered { text.hide(number) }
    }
  }

  /// Whether some text is light, so that it may not be seen on paper.
  var hasLightText: Bool {
    !hasShading
      && text.places.contains { !$0.isUnseen && $0.ink ?? 0 > 1 - Self.leastContrast }
  }

  /// Finds light text on a ground that is as light.
  ///
  /// - Parameters:
  ///   - pixels: what the page shows but for its text.
  ///   - placement: leads from the unit square of that picture to user space.
  mutating func findTextInGround(_ pixels: borrowing Pixels, placement: Matrix) {
    guard let toUnit = placement.inverse else { return }
    let ground = GreyValues(pixels)
    let toPixels = toUnit.then(
      Matrix(Double(ground.width), 0, 0, -Double(ground.height), 0, Double(ground.height)))
    for (number, place) in text.places.enumerated() where !place.isUnseen {
      guard let ink = place.ink, ink > 1 - Self.leastContrast,
        let box = place.extent?.box.intersection(cropBox).map({ toPixels.bounds($0) })
      else { continue }
      // On scans there is ink of the same words, so it is the paper that counts: what most pixels are.
      var light = 0, all = 0
      let steps = 32
      for y in 0..<steps {
        for x in 0..<steps {
          let column = Int(box.x0 + (Double(x) + 0.5) / Double(steps) * box.width)
          let row = Int(box.y0 + (Double(y) + 0.5) / Double(steps) * box.height)
          guard column >= 0, column < ground.width, row >= 0, row < ground.height else { continue }
          let value = Double(ground.values[row * ground.width + column]) / 255
          all += 1
          if (value - ink).magnitude < Self.leastContrast { light += 1 }
        }
      }
      if light * 2 > all { text.hide(number) }
    }
  }
}
