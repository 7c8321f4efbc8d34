internal import Bytes
internal import Glibc
internal import PDFSyntax
internal import PDFWriter

extension ReadPage {
  /// Appends the page as one line of JSON: the form that `pdf.text` gives its words in, each word with
  /// its `confidence` from 0 to 100, and without fonts, which recognition does not tell.
  ///
  /// Boxes are `[x0, y0, x1, y1]` in points from the top left of the page as shown.
  func appendJSON(to output: inout ByteWriter) {
    output.append("{\"page\":")
    output.append(decimal: number)
    output.append(",\"width\":")
    output.append(fixed: width, digits: 2)
    output.append(",\"height\":")
    output.append(fixed: height, digits: 2)
    output.append(",\"rotation\":0,\"fonts\":[],\"blocks\":[")
    for (index, paragraph) in content.paragraphs.enumerated() {
      if index > 0 { output.append(0x2C) }
      append(paragraph, to: &output)
    }
    output.append("]}\n")
  }

  /// Points for a pixel of the recognized picture.
  private var scale: Double { hypot(toPage.c, toPage.d) }

  /// Degrees clockwise by which lines are turned on the page, 0 to 359.
  private var angle: Int {
    let degrees = Int((atan2(toPage.b, toPage.a) * 180 / .pi).rounded())
    return (degrees % 360 + 360) % 360
  }

  private func append(_ paragraph: ArraySlice<RecognizedPage.Line>, to output: inout ByteWriter) {
    let heights = paragraph.map { PageText.height(of: $0) * scale }
    output.append("{\"box\":")
    append(PixelBox.around(paragraph.lazy.flatMap(\.words).map(\.box)), to: &output)
    output.append(",\"size\":")
    output.append(fixed: heights.sorted()[heights.count / 2], digits: 2)
    output.append(",\"lines\":[")
    for (index, (line, height)) in zip(paragraph, heights).enumerated() {
      if index > 0 { output.append(0x2C) }
      output.append("{\"box\":")
      append(PixelBox.around(line.words.lazy.map(\.box)), to: &output)
      output.append(",\"words\":[")
      for (place, word) in line.words.enumerated() {
        if place > 0 { output.append(0x2C) }
        append(word, height: height, to: &output)
      }
      output.append("]}")
    }
    output.append("]}")
  }

  private func append(
    _ word: RecognizedPage.Word, height: Double, to output: inout ByteWriter
  ) {
    output.append("{\"text\":")
    output.append(json: word.text.utf8)
    output.append(",\"box\":")
    append(word.box, to: &output)
    output.append(",\"size\":")
    output.append(fixed: height, digits: 2)
    output.append(",\"confidence\":")
    output.append(fixed: word.confidence, digits: 1)
    if angle != 0 {
      output.append(",\"angle\":")
      output.append(decimal: angle)
    }
    output.append("}")
  }

  private func append(_ box: PixelBox?, to output: inout ByteWriter) {
    let box = box?.transformed(toPage) ?? PixelBox(left: 0, top: 0, right: 0, bottom: 0)
    output.append("[")
    for (index, side) in [box.left, box.top, box.right, box.bottom].enumerated() {
      if index > 0 { output.append(",") }
      output.append(fixed: side, digits: 2)
    }
    output.append("]")
  }
}
