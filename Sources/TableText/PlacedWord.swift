import PDFText

/// A word of a page with its text, in a frame in which text reads from left to right.
struct PlacedWord {
  var text: String
  var box: TextPage.Box
  var size: Double

  /// The words of a page, turned where most of its text runs along its side.
  static func words(_ page: TextPage) -> [PlacedWord] {
    var counts = [0, 0, 0, 0]
    for word in page.words where word.angle % 90 == 0 { counts[word.angle / 90 & 3] += 1 }
    let turn = counts.firstIndex(of: counts.max() ?? 0) ?? 0
    return page.words.compactMap { word in
      guard word.angle == turn * 90 else { return nil }
      let box = word.box
      let turned =
        switch turn {
        case 1:
          TextPage.Box(
            x0: box.y0, y0: page.width - box.x1, x1: box.y1, y1: page.width - box.x0)
        case 2:
          TextPage.Box(
            x0: page.width - box.x1, y0: page.height - box.y1, x1: page.width - box.x0,
            y1: page.height - box.y0)
        case 3:
          TextPage.Box(
            x0: page.height - box.y1, y0: box.x0, x1: page.height - box.y0, y1: box.x1)
        default: box
        }
      return PlacedWord(text: page.text(word), box: turned, size: word.size)
    }
  }

  /// Cuts words into lines from top to bottom, each from left to right.
  static func lines(_ words: [PlacedWord]) -> [[PlacedWord]] {
    let sorted = words.sorted { $0.box.middleY < $1.box.middleY }
    var result: [[PlacedWord]] = []
    var place = -Double.infinity
    for word in sorted {
      if word.box.middleY - place < 0.35 * word.size {
        result[result.count - 1].append(word)
      } else {
        result.append([word])
        place = word.box.middleY
      }
    }
    return result.map { $0.sorted { $0.box.x0 < $1.box.x0 } }
  }
}
