/// A box in pixels from the top left of the picture that was recognised.
struct PixelBox: Sendable, Equatable {
  var left: Double
  var top: Double
  var right: Double
  var bottom: Double

  var width: Double { right - left }
  var height: Double { bottom - top }
}

/// What the recogniser read on one page.
struct RecognizedPage: Sendable, Equatable {
  struct Word: Sendable, Equatable {
    var text: String
    var box: PixelBox
    /// 0 to 100.
    var confidence: Double
  }

  struct Line: Sendable, Equatable {
    var words: [Word]
    var box: PixelBox
    /// From the left end of the baseline to its right end.
    var baseline: (from: (x: Double, y: Double), to: (x: Double, y: Double))
    /// From ascenders to descenders as the recogniser estimates them for the whole row, in pixels;
    /// 0 where it does not.
    var rowHeight: Double
    /// Whether the first line of a paragraph, or of a block of text.
    var startsParagraph: Bool
    /// Whether the line runs level in the picture. One seen aslant in a photo does not, and each of
    /// its words stands at a height of its own.
    var isLevel = true

    /// The height of the baseline at a place along it.
    func baselineY(at x: Double) -> Double {
      let run = baseline.to.x - baseline.from.x
      guard run.magnitude >= 1 else { return (baseline.from.y + baseline.to.y) / 2 }
      return baseline.from.y + (baseline.to.y - baseline.from.y) * (x - baseline.from.x) / run
    }

    static func == (left: Line, right: Line) -> Bool {
      left.words == right.words && left.box == right.box
        && left.baseline.from == right.baseline.from
        && left.baseline.to == right.baseline.to && left.rowHeight == right.rowHeight
        && left.startsParagraph == right.startsParagraph && left.isLevel == right.isLevel
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
