/// A box in pixels from the top left of the picture that was recognized.
struct PixelBox: Sendable, Equatable, Codable {
  var left: Double
  var top: Double
  var right: Double
  var bottom: Double

  var width: Double { right - left }
  var height: Double { bottom - top }

  /// Its lower side as a baseline.
  var foot: RecognizedPage.Baseline {
    .init(from: PixelPoint(x: left, y: bottom), to: PixelPoint(x: right, y: bottom))
  }
}

/// What the recognizer read on one page.
struct RecognizedPage: Sendable, Equatable, Codable {
  struct Word: Sendable, Equatable, Codable {
    var text: String
    var box: PixelBox
    /// 0 to 100.
    var confidence: Double
  }

  /// The line that the letters of a line stand on, from its left end to its right end.
  struct Baseline: Sendable, Equatable, Codable {
    var from: PixelPoint
    var to: PixelPoint
  }

  struct Line: Sendable, Equatable, Codable {
    var words: [Word]
    var box: PixelBox
    var baseline: Baseline
    /// From ascenders to descenders as the recognizer estimates them for the whole row, in pixels;
    /// 0 where it does not.
    var rowHeight: Double
    /// Whether the first line of a paragraph, or of a block of text.
    var startsParagraph: Bool
    /// Whether the line runs level in the picture. One seen aslant in a photo does not, and each of
    /// its words stands at a height of its own.
    var isLevel = true
    /// Whether it stands on its head in a picture whose other lines are upright: its words go from right to left, and their
    /// letters hang from the baseline.
    var isUpsideDown = false

    /// From ascenders to descenders in pixels: that of the row, or of the ink where it is not known.
    var height: Double { rowHeight > 0 ? rowHeight : box.height }

    /// The height of the baseline at a place along it.
    func baselineY(at x: Double) -> Double {
      let run = baseline.to.x - baseline.from.x
      guard run.magnitude >= 1 else { return (baseline.from.y + baseline.to.y) / 2 }
      return baseline.from.y + (baseline.to.y - baseline.from.y) * (x - baseline.from.x) / run
    }
  }

  var lines: [Line] = []
  /// The straight lines of tables and forms, in boxes as strong as they are.
  var rules: [PixelBox] = []
  /// The share of letters in lines that run from top to bottom, 0 to 1.
  var sidewaysShare = 0.0

  var wordCount: Int { lines.reduce(0) { $0 + $1.words.count } }

  var letterCount: Int {
    lines.reduce(0) { $0 + $1.words.reduce(0) { $0 + $1.text.unicodeScalars.count } }
  }

  /// The mean confidence of the words weighted by their length, 0 to 100; nil without words.
  var confidence: Double? {
    var sum = 0.0
    var weight = 0.0
    for line in lines {
      for word in line.words {
        let length = Double(word.text.unicodeScalars.count)
        sum += word.confidence * length
        weight += length
      }
    }
    return weight > 0 ? sum / weight : nil
  }
}

extension RecognizedPage.Line {
  /// The line where a turn or a projection puts it, aslant.
  ///
  /// - Parameter map: where a place in the picture is then, in pixels.
  func aslant(_ map: (Double, Double) -> PixelPoint) -> RecognizedPage.Line {
    var result = mapped(map)
    result.isLevel = false
    return result
  }

  /// The line in another picture.
  ///
  /// - Parameter map: where a place is there, in pixels.
  func mapped(_ map: (Double, Double) -> PixelPoint) -> RecognizedPage.Line {
    var result = self
    let ends = [box.left, box.right].map { map($0, baselineY(at: $0)) }.sorted { $0.x < $1.x }
    result.baseline = RecognizedPage.Baseline(from: ends[0], to: ends[1])
    let middle = (box.left + box.right) / 2
    let base = baselineY(at: middle)
    result.rowHeight = (map(middle, base).y - map(middle, base - rowHeight).y).magnitude
    result.box = box.mapped(map)
    for index in result.words.indices { result.words[index].box = words[index].box.mapped(map) }
    return result
  }
}

extension PixelBox {
  /// Where the middles of its sides are then, which for a small slant is its ink's extent.
  func mapped(_ map: (Double, Double) -> PixelPoint) -> PixelBox {
    let (x, y) = ((left + right) / 2, (top + bottom) / 2)
    let across = (map(left, y).x, map(right, y).x), down = (map(x, top).y, map(x, bottom).y)
    return PixelBox(
      left: min(across.0, across.1), top: min(down.0, down.1), right: max(across.0, across.1),
      bottom: max(down.0, down.1))
  }
}
