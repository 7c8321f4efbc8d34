internal import Bytes
public import PDFText

/// Draws how pages are read, as SVG, one page below the other: lines with their places in the reading order, what is read
/// before what, gutters between columns, and tables with their rows and columns.
public struct LayoutDrawing {
  private var pages = ByteWriter()
  private var width = 0.0, height = Bound.margin

  private enum Bound {
    /// White around pages, in points.
    static let margin = 10.0
    /// More edges of a page than this are not drawn.
    static let edges = 20_000
    /// Letters of words and numbers are this part of the height of their line.
    static let number = 0.6
  }

  /// - Parameter extractor: its pages note from now on what is drawn of them.
  public init(reading extractor: TextExtractor) {
    extractor.notesRules = true
    extractor.notesGeometry = true
  }

  /// Adds a page below those before.
  public mutating func add(_ page: TextPage) {
    width = max(width, page.width)
    pages.append("<g transform=\"translate(")
    append([Bound.margin, height])
    pages.append(")\">\n")
    rectangle("page", TextPage.Box(x0: 0, y0: 0, x1: page.width, y1: page.height))
    for word in page.words where word.angle == 0 {
      text("word", page.text(word), word.box.x0, word.box.y1 - 0.2 * word.size, word.size)
    }
    for table in PageTables().tables(page) {
      for column in table.columns {
        rectangle(
          "column",
          table.frame.shown(
            TextPage.Box(
              x0: column.lowerBound, y0: table.box.y0, x1: column.upperBound, y1: table.box.y1)))
      }
      for row in table.rows { rectangle("row", table.frame.shown(row.box)) }
    }
    for gutter in page.gutters { rectangle(gutter.isBesideBox ? "box" : "gutter", gutter.box) }
    if let geometry = page.geometry { add(geometry) }
    pages.append("</g>\n")
    height += page.height + Bound.margin
  }

  private mutating func add(_ geometry: PageGeometry) {
    for line in geometry.lines { rectangle("line", line) }
    for (first, second) in geometry.precedence.prefix(Bound.edges) {
      let (above, below) = (geometry.lines[first], geometry.lines[second])
      let shared = (max(above.x0, below.x0), min(above.x1, below.x1))
      let x = shared.0 < shared.1 ? (shared.0 + shared.1) / 2 : nil
      path("edge", [x ?? above.middleX, above.y1, x ?? below.middleX, below.y0])
    }
    let order: StaticString = geometry.followsDrawing ? "order" : "order rows"
    for (last, next) in zip(geometry.lines, geometry.lines.dropFirst()) {
      path(order, [last.x1, last.middleY, next.x0, next.middleY])
    }
    for (place, line) in geometry.lines.enumerated() {
      let size = Bound.number * min(line.height, line.width)
      text("place", "\(place + 1)", line.x0, line.y0 + size, size)
    }
  }

  /// Returns the drawing.
  public mutating func finish() -> [UInt8] {
    var output = ByteWriter()
    output.append("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 ")
    output.append(fixed: width + 2 * Bound.margin, digits: 1)
    output.append(" ")
    output.append(fixed: height, digits: 1)
    output.append(
      """
      ">
      <style>
      text { font-family: sans-serif }
      rect, path { fill: none; stroke-width: .5 }
      .page { fill: #fff; stroke: #999 }
      .word { fill: #999 }
      .line { stroke: #bbb }
      .edge { stroke: #888; stroke-dasharray: 1 1 }
      .gutter { fill: #36f; fill-opacity: .2 }
      .box { fill: #f80; fill-opacity: .3 }
      .column { fill: #2a2; fill-opacity: .12 }
      .row { stroke: #2a2; stroke-width: 1 }
      .order { stroke: #c22; stroke-width: .8; stroke-opacity: .6 }
      .rows { stroke-dasharray: 4 2 }
      .place { fill: #c22; text-anchor: end }
      </style>

      """)
    output.append(contentsOf: pages.bytes)
    output.append("</svg>\n")
    return output.bytes
  }

  private mutating func append(_ numbers: [Double]) {
    for (place, number) in numbers.enumerated() {
      if place > 0 { pages.append(" ") }
      pages.append(fixed: number, digits: 1)
    }
  }

  private mutating func rectangle(_ kind: StaticString, _ box: TextPage.Box) {
    pages.append("<rect class=\"")
    pages.append(kind)
    for (name, value) in [
      ("x", box.x0), ("y", box.y0), ("width", box.width), ("height", box.height),
    ] {
      pages.append("\" \(name)=\"")
      pages.append(fixed: value, digits: 1)
    }
    pages.append("\"/>\n")
  }

  /// - Parameter places: x and y of each corner in turn.
  private mutating func path(_ kind: StaticString, _ places: [Double]) {
    guard places.count > 2 else { return }
    pages.append("<path class=\"")
    pages.append(kind)
    pages.append("\" d=\"M")
    append(places)
    pages.append("\"/>\n")
  }

  private mutating func text(
    _ kind: StaticString, _ text: String, _ x: Double, _ y: Double, _ size: Double
  ) {
    pages.append("<text class=\"")
    pages.append(kind)
    pages.append("\" x=\"")
    pages.append(fixed: x, digits: 1)
    pages.append("\" y=\"")
    pages.append(fixed: y, digits: 1)
    pages.append("\" font-size=\"")
    pages.append(fixed: size, digits: 1)
    pages.append("\">")
    pages.append(markup: text)
    pages.append("</text>\n")
  }
}
