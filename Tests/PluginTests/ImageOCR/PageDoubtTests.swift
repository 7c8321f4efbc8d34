import Languages
import Testing

@testable import ImageOCR

/// Pages that were not read as they should be say so.
@Suite struct PageDoubtTests {
  private static let canRead: Bool =
    LanguageData.folder().map { LanguageData.isInstalled("eng", in: $0) } ?? false

  private func doubts(_ page: DrawnPage) throws -> [PageDoubt] {
    try PageReader(recognizers: Recognizers(.named(["eng"])))
      .read(page.decoded().pixels, resolution: 150).doubts
  }

  @Test(.enabled(if: canRead)) func `a page that is read well has no doubt`() throws {
    #expect(try doubts(.letter) == [])
  }

  /// Marks in rows like letters, of no alphabet.
  private static func foreign() -> DrawnPage {
    var page = DrawnPage(width: 1240, height: 900)
    var state: UInt32 = 11
    for row in 0..<6 {
      for column in 0..<24 where (column * 7 + row) % 6 != 5 {
        for place in 0..<35 {
          state = state &* 1_664_525 &+ 1_013_904_223
          // A stroke along the left side holds the dots together.
          guard place % 5 == 2 || state >> 30 == 0 else { continue }
          for dot in 0..<9 {
            let y = 100 + 110 * row + place / 5 * 3 + dot / 3
            page.grey[y * page.width + 100 + 40 * column + place % 5 * 3 + dot % 3] = 0
          }
        }
      }
    }
    return page
  }

  @Test(.enabled(if: canRead)) func `a page whose letters nobody can read is told`() throws {
    let reading = try PageReader(recognizers: Recognizers(.named(["eng"])))
      .read(Self.foreign().decoded().pixels, resolution: 150)
    #expect(reading.doubts.contains(.unread) || reading.doubts.contains(.unsure))
    let count = TextMarks.count(in: try Self.foreign().decoded().pixels, resolution: 150)
    #expect(count > 80)
  }

  @Test func `marks in rows are counted, others are not`() throws {
    func box(_ x: Double, _ y: Double, _ w: Double = 10, _ h: Double = 14) -> PixelBox {
      PixelBox(left: x, top: y, right: x + w, bottom: y + h)
    }
    let row = (0..<12).map { box(20 + 14 * Double($0), 100) }
    #expect(TextMarks.inRows(row) == 12)
    // An ascender, a descender and a comma are of the row, an initial is not.
    #expect(TextMarks.inRows(row + [box(190, 96, 10, 18), box(206, 100, 10, 18)]) == 14)
    #expect(TextMarks.inRows(row + [box(190, 40, 60, 74)]) == 12)
    // Two columns are two rows; four marks are none.
    #expect(TextMarks.inRows(row + row.map { box($0.left + 400, 100) }) == 24)
    #expect(TextMarks.inRows(row.prefix(4) + []) == 0)
    // What stands one above the other, or in steps.
    #expect(TextMarks.inRows((0..<12).map { box(20, 30 * Double($0)) }) == 0)
    #expect(TextMarks.inRows((0..<12).map { box(14 * Double($0), 20 * Double($0)) }) == 0)
  }

  @Test(.enabled(if: canRead)) func `an empty page and a drawing have no doubt`() throws {
    #expect(try doubts(DrawnPage(width: 1240, height: 900)) == [])
    var rings = DrawnPage(width: 1000, height: 1000)
    for y in 0..<1000 {
      for x in 0..<1000 {
        let (a, b) = (Double(x) - 500, Double(y) - 500)
        let radius = (a * a + b * b).squareRoot()
        if radius < 480, radius.truncatingRemainder(dividingBy: 60) < 8 {
          rings.grey[y * 1000 + x] = 0
        }
      }
    }
    #expect(try doubts(rings) == [])
  }

  @Test(.enabled(if: canRead), arguments: [0, 2])
  func `a page whose lines end at its edge is told, whichever way up`(quarters: Int) throws {
    let letter = DrawnPage.letter, width = 100 + 36 * 12 - 14
    var cut = DrawnPage(width: width, height: letter.height)
    for y in 0..<letter.height {
      for x in 0..<width { cut.grey[y * width + x] = letter.grey[y * letter.width + x] }
    }
    let reading = try PageReader(recognizers: Recognizers(.named(["eng"])))
      .read(cut.turned(quarters).decoded().pixels, resolution: 150)
    #expect(reading.doubts.contains(.cut))
  }

  @Test func `a page in another language than it was read with is told, installed or not`() {
    let german = """
      Der Hund und die Katze sind nicht mehr auf der Straße, sondern bei den Kindern im Haus. Das ist auch für die \
      Mutter eine Freude, weil sie mit dem Vater noch einen Tag am Meer war.
      """.split(separator: " ").map(String.init)
    #expect(LanguageGuess.other(for: german, readWith: ["eng"]) == "deu")
    #expect(LanguageGuess.other(for: german, readWith: ["deu"]) == nil)
    // Of a language that is not known nothing is said.
    #expect(LanguageGuess.other(for: german, readWith: ["jpn"]) == nil)
    let english =
      "The dog and the cat are not on the road but with the children in the house that is theirs"
    #expect(
      LanguageGuess.other(for: english.split(separator: " ").map(String.init), readWith: ["eng"])
        == nil)
  }

  @Test func `a doubt is handed over and told in a sentence`() {
    let doubts = [PageDoubt.unread, .unsure, .cut, .language("deu")]
    #expect(doubts.map(\.written) == ["unread", "unsure", "cut", "language:deu"])
    #expect(PageDoubt.unsure.sentence(words: 9, confidence: 41.2).contains("(41 of 100)"))
    #expect(
      PageDoubt.unread.sentence(words: 0, confidence: nil).contains("but nothing could be read"))
    #expect(
      PageDoubt.unread.sentence(words: 1, confidence: nil).contains("but one word could be read"))
  }
}
