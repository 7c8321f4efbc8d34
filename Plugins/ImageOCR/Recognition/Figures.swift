/// Figures: those that two models read, and those that stand alone in a cell.
extension RecognizedPage.Word {
  /// Fewer digits are seldom an amount, and lost in other text.
  private static let leastDigits = 3
  /// What is in amounts, dates and numbers besides digits.
  private static let signs = Set(".,:-/'’".unicodeScalars)

  private static func isDigit(_ scalar: Unicode.Scalar) -> Bool {
    ("0"..."9").contains(scalar)
  }

  /// Read with this confidence, a figure is right: of 1,800 amounts that a German model read, 14 % had less, and 13 of the 16
  /// of which it took a digit for another.
  private static let surely = 92.0

  /// Whether it is a figure that another model may know better.
  var isDoubtfulFigure: Bool { confidence < Self.surely && isFigure }

  /// Whether it is a number, but for a single letter that a digit may have been taken for.
  var isFigure: Bool {
    let scalars = text.unicodeScalars
    let digits = scalars.count(where: Self.isDigit)
    let others = scalars.count { !Self.isDigit($0) && !Self.signs.contains($0) }
    return digits >= Self.leastDigits && others <= 1
  }

  private var isOnlyFigures: Bool {
    text.unicodeScalars.allSatisfy { Self.isDigit($0) || Self.signs.contains($0) }
  }

  /// How many digits stand behind the last sign: a reading with other ones is cut off.
  private var tail: Int {
    text.unicodeScalars.reversed().prefix { !Self.signs.contains($0) }.count
  }

  /// Takes over what another model read of the same ink where that is a figure and was read more surely. Where both are
  /// figures, differ, and this one stays, it was hardly read.
  mutating func check(against other: RecognizedPage.Line) {
    var read = self
    read.text = other.words.map(\.text).joined()
    read.confidence = other.words.reduce(100) { min($0, $1.confidence) }
    guard !other.words.isEmpty, read.text != text, read.isFigure, read.isOnlyFigures else { return }
    if read.tail == tail, read.confidence > confidence || !isOnlyFigures {
      self = read
    } else if read.text.count == text.count, isOnlyFigures, !read.isGarbled {
      confidence = min(confidence, RecognizedPage.garbledBelow - 1)
    }
  }
}

extension RecognizedPage.Line {
  /// The single words among some that are surely figures, or letters that stand below one another in a column, as the
  /// marks of debit and credit do.
  static func figures(_ lines: [RecognizedPage.Line]) -> [RecognizedPage.Line] {
    let single = lines.filter { $0.words.count == 1 && $0.words[0].confidence >= sure }
    let letters = single.filter(\.isLetter)
    return single.filter { line in
      line.isNumber
        || line.isLetter
          && letters.count { ($0.box.left - line.box.left).magnitude < line.box.height }
            >= leastLetters
    }
  }

  /// So many letters below one another are no accident.
  private static let leastLetters = 3
  /// Circles, strokes and corners are read as the others.
  private static let drawn = Set("OQIJLCUV")

  private var isNumber: Bool {
    let bytes = words[0].text.utf8
    return bytes.contains { (0x30...0x39).contains($0) }
      && bytes.allSatisfy { (0x30...0x39).contains($0) || $0 == 0x2C || $0 == 0x2E }
  }

  private var isLetter: Bool {
    guard words[0].text.count == 1, let letter = words[0].text.first else { return false }
    return letter.isUppercase && !Self.drawn.contains(letter)
  }
}
