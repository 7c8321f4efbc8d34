/// A text set in lines.
struct TextLayout {
  /// One line at its place, in points.
  struct PlacedLine {
    var line: TextParagraph.Line
    var paragraph: Int
    var x: Double
    /// Of the baseline, from the top downwards.
    var baseline: Double
  }

  private(set) var lines: [PlacedLine] = []
  let paragraphs: [TextParagraph]
  let size: Double
  private(set) var width = 0.0
  private(set) var height = 0.0

  /// A text that was looked at once and can be set in several sizes.
  struct Text {
    let paragraphs: [TextParagraph]
    let book: FontBook

    init(_ text: String, _ book: FontBook) {
      self.book = book
      paragraphs = text.prefix(NotesLimits.lettering)
        .split(separator: "\n", omittingEmptySubsequences: false)
        .map { TextParagraph($0, book) }
    }

    /// Whether its first paragraph with letters runs from right to left.
    var isRightToLeft: Bool { paragraphs.first { !$0.letters.isEmpty }?.isRightToLeft ?? false }
  }

  /// - Parameters:
  ///   - width: of the lines, in points; nil for lines that are as long as they are.
  ///   - alignment: nil for the side at which each paragraph begins.
  init(_ text: Text, size: Double, width: Double?, alignment: Note.Alignment? = nil) {
    (paragraphs, self.size) = (text.paragraphs, size)
    let plain = text.book.plain.map { text.book.fonts[$0] }
    let (ascent, descent) = (plain?.ascent ?? 0.9, plain?.descent ?? -0.25)
    var top = 0.0
    for (place, paragraph) in text.paragraphs.enumerated() {
      let ranges =
        width.map { paragraph.lines(width: $0 / size) } ?? [0..<paragraph.letters.count]
      for range in ranges {
        let line = paragraph.line(range)
        let above = max(ascent, line.ascent), below = min(descent, line.descent)
        lines.append(
          PlacedLine(line: line, paragraph: place, x: 0, baseline: top + above * size))
        top += (above - below) * size
        self.width = max(self.width, line.width * size)
      }
    }
    height = top
    let whole = width ?? self.width
    for index in lines.indices {
      let side =
        alignment
        ?? (text.paragraphs[lines[index].paragraph].isRightToLeft ? .right : .left)
      let rest = whole - lines[index].line.width * size
      switch side {
      case .left: lines[index].x = 0
      case .center: lines[index].x = rest / 2
      case .right: lines[index].x = rest
      }
    }
  }
}
