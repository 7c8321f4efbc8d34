internal import Bytes
public import PDFSyntax

/// The invisible text over the picture of a page.
///
/// Each line stands on one level baseline and each word is stretched to its exact width; a blank
/// joins it to the next one, so that readers find words and lines without guessing from gaps.
public struct TextLayer: Sendable, Equatable {
  /// A word and where it lies along its line, in points from the line's origin.
  public struct Word: Sendable, Equatable {
    /// The word as Unicode.
    public var text: String
    /// Where it begins along its line, in the units of the line's placement.
    public var start: Double
    /// Where it ends along its line, in the same units.
    public var end: Double

    /// A word between two places of its line.
    public init(text: String, start: Double, end: Double) {
      (self.text, self.start, self.end) = (text, start, end)
    }
  }

  /// Words on one baseline.
  public struct Line: Sendable, Equatable {
    /// In the order of reading.
    public var words: [Word]
    /// The height of the line from its ascenders to its descenders, in points; the font size.
    public var height: Double
    /// Leads from the line (x along the baseline, y upwards from it) to the page.
    public var placement: Matrix

    /// Words on one baseline, in the order of reading.
    public init(words: [Word], height: Double, placement: Matrix) {
      (self.words, self.height, self.placement) = (words, height, placement)
    }
  }

  /// A straight line of a table or a form that the picture shows.
  public struct Rule: Sendable, Equatable {
    /// Where it begins and ends on the page, in points.
    public var from: SIMD2<Double>
    /// The other end.
    public var to: SIMD2<Double>

    /// A line between two places on the page.
    public init(from: (x: Double, y: Double), to: (x: Double, y: Double)) {
      (self.from, self.to) = (SIMD2(from.x, from.y), SIMD2(to.x, to.y))
    }
  }

  /// In the order of reading.
  public var lines: [Line]
  /// What is drawn below the picture, which covers it: readers of tables find the cells by it.
  public var rules: [Rule]

  /// A layer of lines; without any there is nothing to write.
  public init(rules: [Rule] = [], lines: [Line] = []) { (self.rules, self.lines) = (rules, lines) }

  /// Whether there is nothing to write.
  public var isEmpty: Bool { lines.allSatisfy { $0.words.isEmpty } }

  /// The operators that place the text (PDF 32000-1, 9.3 and 9.4), in text rendering mode 3.
  ///
  /// - Parameters:
  ///   - font: encodes the words and learns their characters.
  ///   - name: the name of that font in the page's resources.
  public func content(font: inout InvisibleFont, name: String) -> [UInt8] {
    var writer = ByteWriter(reserving: lines.count * 400)
    guard !isEmpty else { return [] }
    writer.append("q\nBT\n3 Tr\n")
    for line in lines { Self.write(line, font: &font, name: name, to: &writer) }
    writer.append("ET\nQ\n")
    return writer.bytes
  }

  /// The operators that draw the rules (PDF 32000-1, 8.5), to stand before an opaque picture.
  public var ruleContent: [UInt8] {
    guard !rules.isEmpty else { return [] }
    var writer = ByteWriter(reserving: rules.count * 30)
    writer.append("q\n0.5 w\n")
    for rule in rules
    where rule.from.x.isFinite && rule.from.y.isFinite && rule.to.x.isFinite && rule.to.y.isFinite {
      for (place, sign) in [(rule.from, "m"), (rule.to, "l")] {
        for value in [place.x, place.y] {
          writer.append(fixed: value, digits: 2)
          writer.append(0x20)
        }
        writer.append(sign)
        writer.append(0x20)
      }
      writer.append("S\n")
    }
    writer.append("Q\n")
    return writer.bytes
  }

  private static func write(
    _ line: Line, font: inout InvisibleFont, name: String, to writer: inout ByteWriter
  ) {
    let words = line.words.filter { !$0.text.isEmpty && $0.start.isFinite && $0.end.isFinite }
    guard let first = words.first, line.height > 0, line.height.isFinite else { return }
    writer.append(0x2F)
    writer.append(name)
    writer.append(0x20)
    writer.append(fixed: line.height, digits: 3)
    writer.append(" Tf\n")
    let start = Matrix.translation(first.start, 0).then(line.placement)
    for value in [start.a, start.b, start.c, start.d] {
      writer.append(fixed: value, digits: 6)
      writer.append(0x20)
    }
    for value in [start.e, start.f] {
      writer.append(fixed: value, digits: 3)
      writer.append(0x20)
    }
    writer.append("Tm\n")
    // Blanks narrower than this would let the words around them touch.
    let least = line.height * 0.02
    var position = first.start
    for (index, word) in words.enumerated() {
      let next = index + 1 < words.count ? words[index + 1].start : nil
      let end = max(position + least, min(word.end, (next ?? .infinity) - least))
      show(word.text, width: end - position, height: line.height, font: &font, to: &writer)
      let blankEnd = max(end + least, next ?? end + line.height * 0.2)
      show(" ", width: blankEnd - end, height: line.height, font: &font, to: &writer)
      position = blankEnd
    }
  }

  /// Shows a text stretched to a width by horizontal scaling (9.3.4).
  private static func show(
    _ text: String, width: Double, height: Double, font: inout InvisibleFont,
    to writer: inout ByteWriter
  ) {
    let codes = font.encode(text)
    let natural = Double(codes.count * InvisibleFont.advance) / 1000 * height
    guard natural > 0 else { return }
    writer.append(fixed: 100 * width / natural, digits: 3)
    writer.append(" Tz <")
    for code in codes { writer.append(hexadecimal: bigEndian(code)) }
    writer.append("> Tj\n")
  }
}
