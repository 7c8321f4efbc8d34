internal import CTesseract

/// Tells paper with nothing on it from a page that holds something, be it only a page number or a line in pencil.
///
/// What counts is how much darker a place is than the paper around it: shadows and gradients go away with the paper,
/// and what shines through from the other side is too faint. In doubt there is something on the page.
enum EmptyPaper {
  /// The picture is looked at with this resolution at most, in pixels per inch: strokes of a pen last, grain does not.
  private static let lookedAt = 120.0
  /// Pictures shorter than this in inches, or in pixels, are too small to tell.
  private static let leastSide = (inches: 1.0, pixels: 100)
  /// Grain that differs by more grey values from pixel to pixel may hide something.
  private static let mostNoise = 13.0

  /// What is looked for: lengths in inches.
  private struct Search {
    /// Marks narrower than this are seen.
    var window: Double
    /// Shorter marks are specks, and round ones up to half as long again.
    var speck: Double
    /// Grey values that a mark is darker than the paper beside it, at least.
    var contrast: Double
  }

  /// Strokes, and areas that are too wide to be seen as strokes.
  private static let strokes = Search(window: 0.45, speck: 0.05, contrast: 32)
  private static let areas = Search(window: 2.5, speck: 0.2, contrast: 40)
  /// Areas are looked for with this resolution.
  private static let coarse = 25.0

  /// A shadow at the edge of the paper reaches so far inward, and may be deeper on so many square inches.
  private static let shadow = (depth: 0.6, deeper: 0.01)
  /// Marks at the edge up to this length may be letters that are cut off, if there are so many.
  private static let cutLetters = (length: 0.4, count: 4)
  /// Punched holes: the diameter (ISO 838 has 0.24), which part of their box is dark (of a disc 0.79), how far from the
  /// edge of the sheet their middle is, and the short side of sheets that are punched.
  private static let hole = (diameter: 0.14...0.36, filled: 0.6...0.9, place: 0.75, leastSheet: 4.0)
  /// More large specks are a pattern.
  private static let mostSpecks = 200

  /// Whether nothing is on a page.
  ///
  /// - Parameters:
  ///   - pixels: in grey or bilevel, as it is.
  ///   - resolution: pixels per inch.
  static func isEmpty(_ pixels: borrowing Pixels, resolution: Double) -> Bool {
    let side = min(pixels.width, pixels.height)
    guard resolution > 0, side >= leastSide.pixels,
      Double(side) >= leastSide.inches * resolution, let grey = pixels.grey8(),
      let small = reduced(grey, from: resolution, to: lookedAt)
    else { return false }
    let fine = min(resolution, lookedAt)
    let noise = noise(of: small)
    guard noise <= mostNoise, !shows(strokes, in: small, resolution: fine, noise: noise),
      let rough = reduced(small, from: fine, to: coarse)
    else { return false }
    return !shows(areas, in: rough, resolution: min(fine, coarse), noise: 0)
  }

  private static func reduced(
    _ pixels: borrowing Pixels, from resolution: Double, to wanted: Double
  ) -> Pixels? {
    guard resolution > wanted else { return pixels.shared() }
    let scale = Float(wanted / resolution)
    return unsafe Pixels(taking: pixScaleAreaMap(pixels.pix, scale, scale))
  }

  /// The standard deviation of the grain: from how much pixels differ from the next ones.
  private static func noise(of pixels: borrowing Pixels) -> Double {
    let samples = pixels.samples()
    var histogram = [Int](repeating: 0, count: 256)
    // Pairs across the ends of rows are too few to count.
    for place in stride(from: 1, to: samples.count, by: 3) {
      let (a, b) = (samples[place - 1], samples[place])
      histogram[Int(max(a, b) - min(a, b))] += 1
    }
    let half = Double(histogram.reduce(0, +)) / 2
    var before = 0.0
    for (difference, count) in histogram.enumerated() {
      let count = Double(count)
      if before + count >= half, count > 0 {
        // The median lies within the step; of a difference of two it is 0.954 deviations.
        return max(0, Double(difference) + (half - before) / count - 0.5) / 0.954
      }
      before += count
    }
    return 0
  }

  /// Whether a picture has marks, or whether that cannot be told.
  private static func shows(
    _ search: Search, in pixels: borrowing Pixels, resolution: Double, noise: Double
  ) -> Bool {
    // Paper is what remains of the picture without anything dark that is narrower than the window.
    let window = Int32(search.window * resolution) | 1
    let contrast = Int32(max(search.contrast, 26 + 3 * noise))
    guard let smooth = unsafe Pixels(taking: pixBlockconv(pixels.pix, 2, 2)),
      let paper = unsafe Pixels(taking: pixCloseGray(smooth.pix, window, window)),
      let darker = unsafe Pixels(taking: pixSubtractGray(nil, paper.pix, pixels.pix)),
      let marks = unsafe Pixels(
        taking: pixGenerateMaskByBand(darker.pix, contrast, 255, 1, 0)),
      let frame = unsafe Pixels(taking: pixCreateTemplate(marks.pix)),
      unsafe pixSetOrClearBorder(frame.pix, 3, 3, 3, 3, Int32(PIX_SET)) == 0,
      let seed = unsafe Pixels(taking: pixAnd(nil, frame.pix, marks.pix)),
      let edge = unsafe Pixels(taking: pixSeedfillBinary(nil, seed.pix, marks.pix, 8)),
      let inside = unsafe Pixels(taking: pixSubtract(nil, marks.pix, edge.pix)),
      let deep = unsafe Pixels(taking: pixCopy(nil, edge.pix))
    else { return true }
    let depth = Int32(shadow.depth * resolution)
    var deeper: Int32 = 0
    guard unsafe pixSetOrClearBorder(deep.pix, depth, depth, depth, depth, Int32(PIX_CLR)) == 0,
      unsafe pixCountPixels(deep.pix, &deeper, nil) == 0,
      Double(deeper) <= shadow.deeper * resolution * resolution,
      let cut = edge.marks(), let inner = inside.inkedMarks()
    else { return true }
    let speck = search.speck * resolution
    let letters = cut.count {
      max($0.width, $0.height) >= speck && min($0.width, $0.height) >= speck / 2
        && max($0.width, $0.height) <= cutLetters.length * resolution
    }
    guard letters < cutLetters.count else { return true }
    let isLarge = Double(min(pixels.width, pixels.height)) >= hole.leastSheet * resolution
    var specks: [PixelBox] = []
    for (box, filled) in inner {
      let (long, short) = (max(box.width, box.height), min(box.width, box.height))
      if long < speck { continue }
      if long < 1.5 * speck, short >= 0.7 * long, filled >= 0.6 {
        specks.append(box)
        continue
      }
      let diameter = hole.diameter.lowerBound * resolution...hole.diameter.upperBound * resolution
      let (x, y) = ((box.left + box.right) / 2, (box.top + box.bottom) / 2)
      let place = min(x, y, Double(pixels.width) - x, Double(pixels.height) - y)
      let isHole =
        isLarge && diameter.contains(long) && short >= 0.75 * long && hole.filled.contains(filled)
        && place <= hole.place * resolution
      if !isHole { return true }
    }
    return hasPair(specks, within: 2 * speck)
  }

  /// Whether two large specks stand side by side, as letters and dots do, and dirt hardly ever.
  private static func hasPair(_ specks: [PixelBox], within gap: Double) -> Bool {
    guard specks.count <= mostSpecks else { return true }
    return specks.indices.contains { index in
      specks[..<index].contains { other in
        let box = specks[index]
        return max(box.left, other.left) - min(box.right, other.right) <= gap
          && max(box.top, other.top) - min(box.bottom, other.bottom) <= gap
      }
    }
  }
}

extension Pixels {
  /// The connected marks of a bilevel picture: the box around each, and the part of it that is black.
  fileprivate func inkedMarks() -> [(box: PixelBox, filled: Double)]? {
    var pieces: UnsafeMutablePointer<PIXA>?
    var boxes = unsafe pixConnComp(pix, &pieces, 8)
    defer {
      unsafe boxaDestroy(&boxes)
      unsafe pixaDestroy(&pieces)
    }
    guard unsafe boxes != nil, unsafe pieces != nil else { return nil }
    var marks: [(box: PixelBox, filled: Double)] = []
    for index in 0..<max(0, unsafe pixaGetCount(pieces)) {
      var (x, y, w, h): (Int32, Int32, Int32, Int32) = (0, 0, 0, 0)
      var black: Int32 = 0
      guard unsafe boxaGetBoxGeometry(boxes, index, &x, &y, &w, &h) == 0,
        let piece = unsafe Pixels(taking: pixaGetPix(pieces, index, Int32(L_CLONE))),
        unsafe pixCountPixels(piece.pix, &black, nil) == 0, w > 0, h > 0
      else { return nil }
      let box = PixelBox(
        left: Double(x), top: Double(y), right: Double(x + w), bottom: Double(y + h))
      marks.append((box, Double(black) / (box.width * box.height)))
    }
    return marks
  }
}
