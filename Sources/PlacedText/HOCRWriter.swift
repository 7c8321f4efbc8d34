internal import Bytes
internal import PDFText

/// Writes pages as hOCR 1.2: XHTML whose elements carry the boxes of what they hold.
///
/// Boxes are whole numbers, as hOCR demands: pixels from the top left of the picture that was given, shown as its
/// file says, before it was turned or made level, so that they lie on the words in any viewer of the picture. On
/// pages of PDFs that have their text already they are points; `scan_res` says how many make an inch.
public struct HOCRWriter: Sendable {
  private var output = ByteWriter(reserving: 4096)
  private var blocks = 0
  private var lines = 0
  private var words = 0

  /// Bytes so far, those that were taken included.
  public var count: Int { output.taken + output.count }

  /// - Parameter system: the program that found the words, for the head.
  public init(system: String) {
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
  public mutating func add(_ page: PlacedPage) {
    let (x, y) = (page.resolution.x.rounded(), page.resolution.y.rounded())
    open("div", "ocr_page", "page_", page.number, page.box, in: page)
    output.append("; ppageno \(page.number - 1); scan_res ")
    output.append("\(Int(clamping: x)) \(Int(clamping: y))\"")
    if let language = page.language {
      for name in [" lang=\"", " xml:lang=\""] {
        output.append(name)
        output.append(markup: language, isAttribute: true)
        output.append("\"")
      }
    }
    output.append(">\n")
    for block in page.blocks { append(block, in: page) }
    output.append("</div>\n")
  }

  /// Hands out the bytes written since the last call.
  public mutating func takeBytes() -> [UInt8] { output.takeBytes() }

  /// Ends the document, and hands out what was not taken yet.
  public mutating func finish() -> [UInt8] {
    output.append("</body>\n</html>\n")
    return takeBytes()
  }

  private mutating func append(_ block: PlacedPage.Block, in page: PlacedPage) {
    blocks += 1
    open("div", "ocr_carea", "block_", blocks, block.box, in: page)
    output.append("\">\n")
    open("p", "ocr_par", "par_", blocks, block.box, in: page)
    output.append("\">\n")
    for line in block.lines { append(line, in: page) }
    output.append("</p>\n</div>\n")
  }

  private mutating func append(_ line: PlacedPage.Line, in page: PlacedPage) {
    lines += 1
    open("span", "ocr_line", "line_", lines, line.box, in: page)
    if let (from, to) = line.baseline, to.x - from.x >= 1,
      (to.y - from.y).magnitude <= to.x - from.x
    {
      // The line y = slope · x + offset from the box's bottom left.
      let slope = (to.y - from.y) / (to.x - from.x)
      output.append("; baseline ")
      output.append(fixed: slope, digits: 4)
      output.append(" ")
      output.append(fixed: from.y + slope * (line.box.x0 - from.x) - line.box.y1, digits: 1)
    }
    // Counter-clockwise, 0 to 359.
    let turn = (360 - line.angle) % 360
    if (46...314).contains(turn) { output.append("; textangle \(turn)") }
    output.append("; x_size ")
    output.append(fixed: line.size, digits: 1)
    output.append("\">")
    for (place, word) in line.words.enumerated() {
      if place > 0 { output.append(" ") }
      words += 1
      open("span", "ocrx_word", "word_", words, word.box, in: page)
      if let confidence = word.confidence {
        output.append("; x_wconf ")
        output.append(decimal: Int(clamping: max(0, min(confidence, 100)).rounded()))
      }
      output.append("\">")
      output.append(markup: word.text)
      output.append("</span>")
    }
    output.append("</span>\n")
  }

  /// Begins an element with its box; its title is left open for more properties.
  private mutating func open(
    _ element: String, _ kind: String, _ prefix: String, _ number: Int, _ box: TextPage.Box,
    in page: PlacedPage
  ) {
    output.append("<\(element) class=\"\(kind)\" id=\"\(prefix)\(number)\" title=\"bbox")
    let box = page.within(box)
    for side in [
      box.x0.rounded(.down), box.y0.rounded(.down), box.x1.rounded(.up), box.y1.rounded(.up),
    ] {
      output.append(" ")
      output.append(decimal: Int(clamping: side))
    }
  }
}

extension Int {
  /// The nearest whole number; 0 for what is none.
  fileprivate init(clamping value: Double) {
    self = value.isNaN ? 0 : Int(exactly: value.rounded()) ?? (value < 0 ? .min : .max)
  }
}
