import PDFText
import Testing

@testable import TableText

/// The gutters between columns, and the words on both sides of them.
struct GapProfileTests {
  /// A line of words ten points high, each at its place, as wide as five points for each letter.
  private func line(_ words: [(String, Double)], _ y: Double) -> [PlacedWord] {
    words.map { text, x in
      PlacedWord(
        text: text, box: .init(x0: x, y0: y, x1: x + 5 * Double(text.count), y1: y + 8), size: 10)
    }
  }

  private func profile(_ lines: [[(String, Double)]]) -> GapProfile {
    GapProfile(
      TextLine.lines(lines.enumerated().flatMap { line($1, 100 + 14 * Double($0)) }), rules: [])
  }

  @Test func `a gutter is as wide as all lines leave it free`() throws {
    let profile = profile([
      [("Item", 60), ("Price", 200)], [("Lamp", 60), ("12", 200)], [("Candles", 60), ("9", 200)],
    ])
    let gutters = profile.gutters(0..<3)
    #expect(gutters.count == 1)
    let core = try #require(gutters.first).core
    #expect((95...96).contains(core.lowerBound) && (199...200).contains(core.upperBound))
    #expect(profile.runs() == [0..<3])
  }

  @Test func `a blank counts neither for a gutter nor against it, a word counts against it`() {
    let rows: [[(String, Double)]] = [
      [("Lamp", 60), ("12", 140)], [("Bulb", 60), ("15", 140)], [("Rope", 60), ("17", 140)],
    ]
    let worth = profile(rows).gutters(0..<3).first?.worth
    let blank = profile(rows + [[("Lampshadesofit", 60), ("15", 133)]])
    let word = profile(rows + [[("Lampshadesofthecastle", 60)]])
    #expect(worth == 3 && blank.gutters(0..<4).first?.worth == 3)
    #expect(word.gutters(0..<4).first.map { $0.worth < 3 } ?? true)
  }

  @Test func `a row is cut at a blank if each of its other cells is apart`() {
    let profile = profile([
      [("Lamp", 60), ("1200", 140), ("7", 200)], [("Bulb", 60), ("1500", 140), ("8", 200)],
      [("Chandelierwithit", 60), ("2900", 143), ("9", 200)],
    ])
    let gutters = profile.gutters(0..<3)
    #expect(gutters.count == 2)
    #expect(
      profile.cut(2, at: gutters).pieces.map(\.text) == ["Chandelierwithit", "2900", "9"])
  }

  @Test func `lines of running text are no run`() {
    let profile = profile([
      [("the", 60), ("ferry", 78), ("leaves", 106), ("at", 139), ("eight", 152)],
      [("and", 60), ("comes", 78), ("back", 106), ("when", 129), ("turned", 152)],
      [("tides", 60), ("move", 88), ("it", 111), ("again", 124), ("slowly", 152)],
    ])
    #expect(profile.runs().isEmpty)
  }
}
