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
  /// The share of letters in lines that run from top to bottom, 0 to 1.
  var sidewaysShare = 0.0

  var wordCount: Int { lines.reduce(0) { $0 + $1.words.count } }

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
    var result = self
    let from = map(box.left, baselineY(at: box.left))
    let to = map(box.right, baselineY(at: box.right))
    result.baseline = RecognizedPage.Baseline(from: from, to: to)
    let middle = (box.left + box.right) / 2
    let base = baselineY(at: middle)
    result.rowHeight = map(middle, base).y - map(middle, base - rowHeight).y
    result.box = box.aslant(map)
    for index in result.words.indices { result.words[index].box = words[index].box.aslant(map) }
    result.isLevel = false
    return result
  }
}

extension PixelBox {
  /// Where the middles of its sides are then, which for a small slant is its ink's extent.
  fileprivate func aslant(_ map: (Double, Double) -> PixelPoint) -> PixelBox {
    let (x, y) = ((left + right) / 2, (top + bottom) / 2)
    return PixelBox(
      left: map(left, y).x, top: map(x, top).y, right: map(right, y).x, bottom: map(x, bottom).y)
  }
}
