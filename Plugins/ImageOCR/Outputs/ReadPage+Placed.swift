internal import Glibc
internal import PDFSyntax
internal import PDFText
internal import PDFWriter
internal import PlacedText

extension ReadPage {
  /// The page with its places on the picture that was given, shown as its file says, before it was turned or made
  /// level.
  var placed: PlacedPage {
    PlacedPage(
      number: number, unit: .pixels, width: picture.width, height: picture.height,
      resolution: picture.resolution, language: languages.first.flatMap(LanguageTag.tag),
      blocks: content.paragraphs.compactMap { paragraph in
        let lines = paragraph.compactMap(placed)
        return box(around: paragraph.lazy.flatMap(\.words)).map { .init(lines: lines, box: $0) }
      })
  }

  private func placed(_ line: RecognizedPage.Line) -> PlacedPage.Line? {
    guard let box = box(around: line.words) else { return nil }
    let from = picture.fromRecognized.apply(line.box.left, line.baselineY(at: line.box.left))
    let to = picture.fromRecognized.apply(line.box.right, line.baselineY(at: line.box.right))
    let turn = Int((atan2(to.y - from.y, to.x - from.x) * 180 / .pi).rounded())
    return PlacedPage.Line(
      words: line.words.compactMap { word in
        self.box(around: CollectionOfOne(word)).map {
          .init(text: word.text, box: $0, confidence: word.confidence)
        }
      }, box: box, baseline: (from, to), angle: (turn + 360) % 360,
      size: PageText.height(of: line))
  }

  /// The box around words on the picture; nil without any.
  private func box(around words: some Sequence<RecognizedPage.Word>) -> TextPage.Box? {
    let box = PixelBox.around(words.lazy.map(\.box))?.transformed(picture.fromRecognized)
    return box.map { TextPage.Box(x0: $0.left, y0: $0.top, x1: $0.right, y1: $0.bottom) }
  }
}
