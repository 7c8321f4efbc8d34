/// The text of one page: words with boxes, lines, and the plain text in reading order.
public struct TextPage: Sendable {
  /// A box on the page as shown: points from its top left, y downwards.
  public struct Box: Sendable, Equatable {
    /// The left edge in points, from the left of the page as shown.
    public var x0: Double
    /// The upper edge in points, from the top of the page as shown.
    public var y0: Double
    /// The right edge in points, from the left.
    public var x1: Double
    /// The lower edge in points, from the top.
    public var y1: Double

    /// A box between its upper left and lower right corner.
    public init(x0: Double, y0: Double, x1: Double, y1: Double) {
      self.x0 = x0
      self.y0 = y0
      self.x1 = x1
      self.y1 = y1
    }

    /// Its extent from left to right in points.
    public var width: Double { x1 - x0 }
    /// Its extent from top to bottom in points.
    public var height: Double { y1 - y0 }
    /// Halfway between its left and its right edge.
    public var middleX: Double { (x0 + x1) / 2 }
    /// Halfway between its upper and its lower edge.
    public var middleY: Double { (y0 + y1) / 2 }

    /// The smallest box around two.
    public func union(_ other: Box) -> Box {
      Box(
        x0: min(x0, other.x0), y0: min(y0, other.y0), x1: max(x1, other.x1), y1: max(y1, other.y1))
    }
  }

  /// One word.
  public struct Word: Sendable {
    /// Where its text is in ``TextPage/utf8``.
    public var range: Range<Int>
    /// The smallest box around its glyphs, each from descent to ascent.
    public var box: Box
    /// The height of the font's em in points.
    public var size: Double
    /// The direction of reading in degrees, clockwise from left-to-right: 0, 90 for downwards, ...
    public var angle: Int
    /// The font of its first letter, a place in ``TextPage/fonts``.
    public var font: Int
  }

  /// One line of text: words on one baseline.
  public struct Line: Sendable {
    /// The indices of its words.
    public var words: Range<Int>
    /// The smallest box around its words.
    public var box: Box
  }

  /// A straight line that the page draws along one of its sides.
  public struct Rule: Sendable, Equatable {
    /// Whether it runs from left to right; else it runs from top to bottom.
    public var isHorizontal: Bool
    /// The y of a horizontal, the x of a vertical one: points on the page as shown.
    public var place: Double
    /// From where to where it runs.
    public var extent: ClosedRange<Double>

    /// A line at a place.
    public init(isHorizontal: Bool, place: Double, extent: ClosedRange<Double>) {
      self.isHorizontal = isHorizontal
      self.place = place
      self.extent = extent
    }
  }

  /// Letters that stand smaller above or below the line: exponents, indices, marks of notes.
  package struct Shift: Sendable {
    /// Where they are in ``TextPage/utf8``, within one word.
    package var range: Range<Int>
    package var isRaised: Bool
  }

  /// An area that leads to an address (PDF 32000-1, 12.6.4.7).
  public struct Link: Sendable, Equatable {
    /// The area that can be clicked on.
    public var box: Box
    /// As the file has it: ASCII, `http`, `https` or `mailto`, without blanks and control characters.
    public var address: String
  }

  /// The number of the page, from 1.
  public let number: Int
  /// How far the page is turned clockwise when it is shown: 0, 90, 180 or 270 degrees. Boxes are on
  /// the page as shown already.
  public let rotation: Int
  /// The width of the page as shown, in points.
  public let width: Double
  /// The height of the page as shown, in points.
  public let height: Double
  /// The plain text in reading order as UTF-8: words separated by blanks, each line ended by a line
  /// feed.
  public internal(set) var utf8: [UInt8] = []
  /// The words in reading order.
  public internal(set) var words: [Word] = []
  /// The lines in reading order; each is a run of words.
  public internal(set) var lines: [Line] = []

  /// The lines that the page draws; empty unless ``TextExtractor/notesRules`` is set.
  public internal(set) var rules: [Rule] = []

  /// A white strip between columns of prose.
  public struct Gutter: Sendable {
    /// Where it is, on the page as shown.
    public var box: Box
    /// How many lines are beside it.
    public var lines: Int
    /// Whether text goes on past the box of text on one side of it.
    public var isBesideBox: Bool
  }

  /// The white strips between columns of prose.
  public internal(set) var gutters: [Gutter] = []

  /// How the order of its lines was found; nil unless ``TextExtractor/notesGeometry`` is set.
  public internal(set) var geometry: PageGeometry?

  /// What is raised or lowered against its line, in the order of the text.
  package internal(set) var shifts: [Shift] = []
  /// Where the page leads to other documents; empty unless ``TextExtractor/notesLinks`` is set.
  public internal(set) var links: [Link] = []

  /// What structure tags call a heading.
  public struct Heading: Sendable, Equatable {
    /// In the order in which it is drawn; blanks may be missing.
    public var text: String
    /// From 1 to 6.
    public var level: Int
  }

  /// What structure tags call headings; empty unless ``TextExtractor/notesHeadings`` is set.
  public internal(set) var headings: [Heading] = []

  /// The fonts of the words.
  public internal(set) var fonts: [FontFace] = []
  /// Characters in the text, blanks and ends of lines left out.
  public internal(set) var characters = 0
  /// Characters among them for which the file does not tell what they are: U+FFFD.
  public internal(set) var unknownCharacters = 0

  init(number: Int, width: Double, height: Double, rotation: Int) {
    self.number = number
    self.rotation = rotation
    self.width = width
    self.height = height
  }

  /// Says that a text has many characters of which nobody knows what they are, as one sentence without full stop; nil
  /// for fewer than one of a hundred, which are marks and icons.
  ///
  /// - Parameters:
  ///   - unknown: as ``unknownCharacters``, of all its pages.
  ///   - characters: as ``characters``.
  public static func sentence(ofUnknown unknown: Int, among characters: Int) -> String? {
    guard unknown > 0, unknown * 100 >= characters else { return nil }
    return
      "\(unknown) of \(characters) characters are not named by the file's fonts and are given as U+FFFD"
  }

  /// What is raised or lowered from a place of the text on.
  package func shifts(from place: Int) -> ArraySlice<Shift> {
    var (low, high) = (0, shifts.count)
    while low < high {
      let middle = (low + high) / 2
      if shifts[middle].range.lowerBound < place { low = middle + 1 } else { high = middle }
    }
    return shifts[low...]
  }

  /// The plain text in reading order.
  public var text: String { String(decoding: utf8, as: UTF8.self) }

  /// The text of a word.
  public func text(_ word: Word) -> String {
    String(decoding: utf8[word.range.clamped(to: 0..<utf8.count)], as: UTF8.self)
  }

  /// Whether the page has no visible character.
  public var isEmpty: Bool { words.isEmpty }
}
