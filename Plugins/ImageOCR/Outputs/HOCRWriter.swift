internal import Bytes
internal import Glibc
internal import PDFSyntax
internal import PDFText
internal import PDFWriter

/// Writes pages as hOCR 1.2: XHTML whose elements carry the boxes of what they hold.
///
/// Boxes are in whole pixels from the top left of the picture that was given, shown as its file says:
/// before it was turned or made level, so that they lie on the words in any viewer of the picture.
struct HOCRWriter {
  private var output = ByteWriter(reserving: 4096)
  private var areas = 0
  private var lines = 0
  private var words = 0

  var count: Int { output.count }

  /// - Parameter system: the program, for the head.
  init(system: String) {
    output.append(
      """
      <?xml version="1.0" encoding="UTF-8"?>
      <!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Transitional//EN" \
      "http://www.w3.org/TR/xhtml1/DTD/xhtml1-transitional.dtd">
      <html xmlns="http://www.w3.org/1999/xhtml">
      <head>
      <title></title>

      """)
    output.append("<meta http-equiv=\"Content-Type\" content=\"text/html; charset=utf-8\"/>\n")
    output.append("<meta name=\"ocr-system\" content=\"")
    output.append(markup: system, isAttribute: true)
    output.append("\"/>\n<meta name=\"ocr-capabilities\"")
    output.append(" content=\"ocr_page ocr_carea ocr_par ocr_line ocrx_word ocrp_wconf\"/>\n")
    output.append("</head>\n<body>\n")
  }

  /// Adds a page.
  mutating func add(_ page: ReadPage) {
    let picture = page.picture
    open(page: page.number, picture)
    if let language = page.languages.first.flatMap(LanguageTag.tag) {
      for name in [" lang=\"", " xml:lang=\""] {
        output.append(name)
        output.append(markup: language, isAttribute: true)
        output.append("\"")
      }
    }
    output.append(">\n")
    for paragraph in page.content.paragraphs { append(paragraph, in: picture) }
    output.append("</div>\n")
  }

  /// Adds a page of a PDF that has its text already; its pixels are points.
  mutating func add(_ page: TextPage) {
    let blocks = page.blocks()
    func picture(_ box: TextPage.Box) -> PixelBox {
      PixelBox(left: box.x0, top: box.y0, right: box.x1, bottom: box.y1)
    }
    let shown = ReadPage.Picture(
      width: page.width, height: page.height, resolution: (72, 72), fromRecognized: .identity)
    open(page: page.number, shown)
    output.append(">\n")
    for block in blocks {
      areas += 1
      open("div", "ocr_carea", "block_", areas, picture(block.box), in: shown)
      output.append(">\n")
      for index in block.lines {
        let line = page.lines[index]
        lines += 1
        open("span", "ocr_line", "line_", lines, picture(line.box), in: shown)
        output.append(">")
        for place in line.words {
          let word = page.words[place]
          if place > line.words.lowerBound { output.append(" ") }
          words += 1
          open("span", "ocrx_word", "word_", words, picture(word.box), in: shown)
          output.append(">")
          output.append(markup: String(decoding: page.utf8[word.range], as: UTF8.self))
          output.append("</span>")
        }
        output.append("</span>\n")
      }
      output.append("</div>\n")
    }
    output.append("</div>\n")
  }

  /// The document with the pages so far.
  var document: [UInt8] { output.bytes + Array("</body>\n</html>\n".utf8) }

  private mutating func append(
    _ paragraph: ArraySlice<RecognizedPage.Line>, in picture: ReadPage.Picture
  ) {
    let around = PixelBox.around(paragraph.lazy.flatMap(\.words).map(\.box))
    guard let box = around?.transformed(picture.fromRecognized) else { return }
    areas += 1
    open("div", "ocr_carea", "block_", areas, box, in: picture)
    output.append(">\n")
    open("p", "ocr_par", "par_", areas, box, in: picture)
    output.append(">\n")
    for line in paragraph { append(line, in: picture) }
    output.append("</p>\n</div>\n")
  }

  private mutating func append(_ line: RecognizedPage.Line, in picture: ReadPage.Picture) {
    let around = PixelBox.around(line.words.lazy.map(\.box))
    guard let box = around?.transformed(picture.fromRecognized) else { return }
    lines += 1
    var more = ""
    let from = picture.fromRecognized.apply(line.box.left, line.baselineY(at: line.box.left))
    let to = picture.fromRecognized.apply(line.box.right, line.baselineY(at: line.box.right))
    if to.x - from.x >= 1, (to.y - from.y).magnitude <= to.x - from.x {
      // The line y = slope · x + offset from the box's bottom left.
      let slope = (to.y - from.y) / (to.x - from.x)
      let offset = from.y + slope * (box.left - from.x) - box.bottom
      more += "; baseline \(Self.fixed(slope, 4)) \(Self.fixed(offset, 1))"
    }
    let turn = Int((atan2(from.y - to.y, to.x - from.x) * 180 / .pi).rounded())
    // Counter-clockwise, 0 to 359.
    if turn.magnitude > 45 { more += "; textangle \((turn + 360) % 360)" }
    more += "; x_size \(Self.fixed(PageText.height(of: line), 1))"
    open("span", "ocr_line", "line_", lines, box, in: picture, more)
    output.append(">")
    for (place, word) in line.words.enumerated() {
      if place > 0 { output.append(" ") }
      words += 1
      open(
        "span", "ocrx_word", "word_", words, word.box.transformed(picture.fromRecognized),
        in: picture, "; x_wconf \(Int(word.confidence.rounded()))")
      output.append(">")
      output.append(markup: word.text)
      output.append("</span>")
    }
    output.append("</span>\n")
  }

  /// Begins the element of a page, whose tag is left open.
  private mutating func open(page number: Int, _ picture: ReadPage.Picture) {
    let (x, y) = (picture.resolution.x.rounded(), picture.resolution.y.rounded())
    open(
      "div", "ocr_page", "page_", number,
      PixelBox(left: 0, top: 0, right: picture.width, bottom: picture.height), in: picture,
      "; ppageno \(number - 1); scan_res \(Int(x)) \(Int(y))")
  }

  /// Begins an element with its box, and more properties in its title; its tag is left open.
  private mutating func open(
    _ element: String, _ kind: String, _ prefix: String, _ number: Int, _ box: PixelBox,
    in picture: ReadPage.Picture, _ more: String = ""
  ) {
    output.append("<\(element) class=\"\(kind)\" id=\"\(prefix)\(number)\" title=\"bbox")
    for (side, limit) in [
      (box.left.rounded(.down), picture.width), (box.top.rounded(.down), picture.height),
      (box.right.rounded(.up), picture.width), (box.bottom.rounded(.up), picture.height),
    ] {
      output.append(" ")
      output.append(decimal: Int(max(0, min(side, limit.rounded()))))
    }
    output.append("\(more)\"")
  }

  private static func fixed(_ value: Double, _ digits: Int) -> String {
    var number = ByteWriter()
    number.append(fixed: value, digits: digits)
    return String(decoding: number.bytes, as: UTF8.self)
  }
}
