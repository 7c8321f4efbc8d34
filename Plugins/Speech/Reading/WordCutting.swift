internal import PDFText

/// Makes words that can be shown and spoken of what stands between two blanks.
enum WordCutting {
  /// The words of a run of letters without blanks. Usually it is one; scripts without blanks give one
  /// for each character, and what is longer than any word is cut.
  static func words(_ raw: String, at place: PassageWord.Place) -> [PassageWord] {
    var scalars = Array(raw.unicodeScalars.lazy.filter(isShown))
    // A soft hyphen is seen where a line ends.
    if raw.unicodeScalars.last == "\u{AD}", !scalars.isEmpty { scalars.append("-") }
    guard !scalars.isEmpty else { return [] }
    var pieces: [Range<Int>] = []
    var start = 0
    for index in scalars.indices {
      let length = index - start
      guard length > 0 else { continue }
      let cutsHere =
        length >= SpeechLimits.wordScalars && !isMark(scalars[index])
        || standsAlone(scalars[index])
        || standsAlone(scalars[index - 1]) && isLetter(scalars[index])
      if cutsHere {
        pieces.append(start..<index)
        start = index
      }
    }
    pieces.append(start..<scalars.count)
    return pieces.enumerated().map { number, piece in
      var text = String.UnicodeScalarView()
      text.append(contentsOf: scalars[piece])
      var own = place
      if pieces.count > 1, let box = place.box {
        // The share of the box that its letters have; right for letters of one width.
        let each = box.width / Double(scalars.count)
        own.box = TextPage.Box(
          x0: box.x0 + each * Double(piece.lowerBound), y0: box.y0,
          x1: box.x0 + each * Double(piece.upperBound), y1: box.y1)
      }
      return PassageWord(text: String(text), place: own, isGlued: number > 0)
    }
  }

  /// Whether a scalar is shown at all: no control, no blank, none that only steers the layout.
  private static func isShown(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0..<0x21, 0x7F...0xA0, 0xAD, 0x200B, 0x200E, 0x200F, 0x202A...0x202E, 0x2060...0x206F,
      0xFEFF, 0xFFF0...0xFFFB, 0xE0000...0xE0FFF:
      false
    case 0xFDD0...0xFDEF: false
    default: !scalar.properties.isWhitespace && scalar.value & 0xFFFE != 0xFFFE
    }
  }

  private static func isMark(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .spacingMark, .enclosingMark: true
    default: scalar.value == 0x200D
    }
  }

  private static func isLetter(_ scalar: Unicode.Scalar) -> Bool {
    scalar.properties.isAlphabetic || scalar.properties.numericType != nil
  }

  /// Characters of scripts without blanks, which are words or syllables by themselves.
  private static func standsAlone(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x3041...0x3096, 0x30A1...0x30FA, 0x3400...0x4DBF, 0x4E00...0x9FFF, 0xF900...0xFAFF,
      0x20000...0x3FFFF:
      true
    default: false
    }
  }
}
