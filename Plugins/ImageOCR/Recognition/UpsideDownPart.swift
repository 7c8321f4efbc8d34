internal import PDFSyntax
internal import PDFWriter
internal import PluginKit

/// A part of a picture that seems to stand on its head, as one of two sheets on a scanner does: its letters are read as
/// others.
enum UpsideDownPart {
  /// Each part has at least so many letters.
  private static let leastLetters = 60
  /// The one is read at least this surely, the other at most, on average.
  private static let sure = 80.0
  private static let unsure = 68.0
  /// At most this share of the letters stands in words that belong to both.
  private static let mostShared = 0.02

  /// The part that was hardly read; nil where all of the picture was read about equally well.
  ///
  /// - Parameters:
  ///   - width: of the picture in pixels.
  ///   - height: of the picture in pixels.
  static func find(in page: RecognizedPage, width: Int, height: Int) -> PixelBox? {
    let words = page.lines.flatMap(\.words)
    let across = cut(words.map { ($0.box.left, $0.box.right, $0) })
    let down = cut(words.map { ($0.box.top, $0.box.bottom, $0) })
    var part = PixelBox(left: 0, top: 0, right: Double(width), bottom: Double(height))
    if let across, across.variance > down?.variance ?? 0 {
      if across.isBefore { part.right = across.place } else { part.left = across.place }
    } else if let down {
      if down.isBefore { part.bottom = down.place } else { part.top = down.place }
    } else {
      return nil
    }
    return part
  }

  /// Where a straight cut divides what was read well from what was not.
  private static func cut(
    _ words: [(from: Double, to: Double, word: RecognizedPage.Word)]
  ) -> (place: Double, isBefore: Bool, variance: Double)? {
    /// What stands on one side.
    struct Side {
      var letters = 0
      var sum = 0.0
      var mean: Double { sum / Double(max(1, letters)) }
      mutating func add(_ word: RecognizedPage.Word, times: Int = 1) {
        let count = times * word.text.unicodeScalars.count
        letters += count
        sum += word.confidence * Double(count)
      }
    }
    let ends = words.sorted { $0.to < $1.to }
    var behind = words.sorted { $0.from < $1.from }.reversed() as [_]
    var before = Side(), rest = Side()
    for word in words { rest.add(word.word) }
    let total = rest.letters
    var best: (place: Double, isBefore: Bool, variance: Double)?
    // What begins before a place is no longer behind it.
    for end in ends {
      before.add(end.word)
      while let first = behind.last, first.from < end.to {
        rest.add(first.word, times: -1)
        behind.removeLast()
      }
      let shared = total - before.letters - rest.letters
      // As a threshold divides the pixels of a picture best (Otsu 1979): the variance between both sides.
      let apart = before.mean - rest.mean
      let variance = apart * apart * Double(before.letters) * Double(rest.letters)
      guard min(before.letters, rest.letters) >= leastLetters,
        Double(shared) <= mostShared * Double(total),
        max(before.mean, rest.mean) >= sure, min(before.mean, rest.mean) <= unsure,
        variance > best?.variance ?? 0
      else { continue }
      best = (end.to, before.mean < rest.mean, variance)
    }
    return best
  }
}

extension PageReader {
  /// Reads a part that seems to stand on its head the other way up, and keeps that where it was read well.
  func readUpsideDown(
    _ best: inout Reading, in level: borrowing Pixels, resolution: Double,
    with tesseract: Tesseract
  ) throws(PluginFailure) {
    guard let part = UpsideDownPart.find(in: best.page, width: level.width, height: level.height),
      let turned = level.clipped(part)?.turned(2)
    else { return }
    let read = try tesseract.recognize(turned, resolution: Int(resolution.rounded()))
    var page = best.page
    page.remove(in: part)
    let (right, bottom) = (part.left + Double(turned.width), part.top + Double(turned.height))
    page.lines += read.lines.map { line in
      var line = line.mapped { PixelPoint(x: right - $0, y: bottom - $1) }
      line.isUpsideDown = true
      return line
    }
    guard (read.confidence ?? 0) >= Self.doubtful, page.certainty > best.page.certainty else {
      return
    }
    best.page = page
  }
}
