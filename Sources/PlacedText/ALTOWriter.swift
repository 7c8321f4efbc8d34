internal import Bytes
internal import PDFText

/// Writes pages as ALTO 4.2 (Analyzed Layout and Text Object, the Library of Congress's schema): a `Page` with its
/// `PrintSpace`, `TextBlock`, `TextLine`, `String` and `SP`.
///
/// The unit is the pixel, with the places that ``HOCRWriter`` has. On pages of PDFs that have their text already a
/// pixel is a point, 72 to the inch, with two decimals.
public struct ALTOWriter: Sendable {
  private var output = ByteWriter(reserving: 4096)
  private var pages = 0
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
      <alto xmlns="http://www.loc.gov/standards/alto/ns-v4#" \
      xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" \
      xsi:schemaLocation="http://www.loc.gov/standards/alto/ns-v4# \
      http://www.loc.gov/standards/alto/v4/alto-4-2.xsd" SCHEMAVERSION="4.2">
      <Description>
      <MeasurementUnit>pixel</MeasurementUnit>
      <Processing ID="processing_1">
      <processingSoftware>
      <softwareName>
      """)
    output.append(markup: system)
    output.append(
      """
      </softwareName>
      </processingSoftware>
      </Processing>
      </Description>
      <Layout>

      """)
  }

  /// Adds a page.
  public mutating func add(_ page: PlacedPage) {
    pages += 1
    output.append("<Page ID=\"page_\(page.number)\" PHYSICAL_IMG_NR=\"\(page.number)\"")
    append(place: page.box, hasPosition: false)
    output.append(">\n<PrintSpace")
    let blocks = page.blocks.map(\.box)
    append(place: page.within(blocks.dropFirst().reduce(blocks.first ?? page.box) { $0.union($1) }))
    output.append(">\n")
    for block in page.blocks { append(block, in: page) }
    output.append("</PrintSpace>\n</Page>\n")
  }

  /// Hands out the bytes written since the last call.
  public mutating func takeBytes() -> [UInt8] { output.takeBytes() }

  /// Ends the document, and hands out what was not taken yet.
  public mutating func finish() -> [UInt8] {
    // A layout has at least one page.
    if pages == 0 { output.append("<Page ID=\"page_1\" PHYSICAL_IMG_NR=\"1\"/>\n") }
    output.append("</Layout>\n</alto>\n")
    return takeBytes()
  }

  private mutating func append(_ block: PlacedPage.Block, in page: PlacedPage) {
    blocks += 1
    output.append("<TextBlock ID=\"block_\(blocks)\"")
    append(place: page.within(block.box))
    // Counter-clockwise.
    let turn = (360 - (block.lines.first?.angle ?? 0)) % 360
    if (46...314).contains(turn) { output.append(" ROTATION=\"\(turn)\"") }
    if let language = page.language {
      output.append(" LANG=\"")
      output.append(markup: language, isAttribute: true)
      output.append("\"")
    }
    output.append(">\n")
    for line in block.lines { append(line, in: page) }
    output.append("</TextBlock>\n")
  }

  private mutating func append(_ line: PlacedPage.Line, in page: PlacedPage) {
    lines += 1
    output.append("<TextLine ID=\"line_\(lines)\"")
    append(place: page.within(line.box))
    if let (from, to) = line.baseline {
      output.append(" BASELINE=\"")
      for (place, point) in [from, to].enumerated() {
        if place > 0 { output.append(" ") }
        output.append(fixed: point.x, digits: 1)
        output.append(",")
        output.append(fixed: point.y, digits: 1)
      }
      output.append("\"")
    }
    output.append(">\n")
    var last: TextPage.Box?
    for word in line.words {
      let box = page.within(word.box)
      if let last { append(blankBetween: last, box) }
      last = box
      words += 1
      output.append("<String ID=\"word_\(words)\"")
      append(place: box)
      output.append(" CONTENT=\"")
      output.append(markup: word.text, isAttribute: true)
      output.append("\"")
      if let confidence = word.confidence {
        output.append(" WC=\"")
        output.append(fixed: max(0, min(confidence / 100, 1)), digits: 2)
        output.append("\"")
      }
      output.append("/>\n")
    }
    output.append("</TextLine>\n")
  }

  /// The blank between two words, with its place where they stand side by side.
  private mutating func append(blankBetween one: TextPage.Box, _ other: TextPage.Box) {
    let left = min(one.x1, other.x1), right = max(one.x0, other.x0)
    let top = min(one.y0, other.y0), bottom = max(one.y1, other.y1)
    output.append("<SP")
    if left < right {
      append(place: TextPage.Box(x0: left, y0: top, x1: right, y1: bottom))
    }
    output.append("/>\n")
  }

  private mutating func append(place box: TextPage.Box, hasPosition: Bool = true) {
    let sides: [(name: StaticString, value: Double)] = [
      (" HPOS=\"", box.x0), (" VPOS=\"", box.y0),
      (" WIDTH=\"", max(0, box.width)), (" HEIGHT=\"", max(0, box.height)),
    ]
    for (name, value) in sides.dropFirst(hasPosition ? 0 : 2) {
      output.append(name)
      output.append(fixed: value, digits: 2)
      output.append("\"")
    }
  }
}
