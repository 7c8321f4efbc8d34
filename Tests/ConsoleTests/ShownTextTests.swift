import TestSupport
import Testing

@testable import procd_daemon

@Suite struct ShownTextTests {
  @Test(arguments: [
    ("plain.pdf", 9), ("Prüfung.pdf", 11), ("Pru\u{308}fung", 7), ("請求書.pdf", 10), ("ｶﾅ", 2),
    ("한글", 4), ("📄 letter", 9), ("", 0),
  ])
  func `columns are counted as terminals do`(text: String, columns: Int) {
    #expect(ShownText.columns(text) == columns)
  }

  @Test func `cuts keep within their columns, whatever the text`() {
    var numbers = SeededNumbers(seed: 11)
    let signs: [Character] = ["a", "é", "e\u{301}", "請", "📄", "👩‍👩‍👧", "🇩🇪", "✈️", "\u{FFFD}", " "]
    for _ in 0..<2000 {
      let text = String(
        (0..<Int.random(in: 0...30, using: &numbers)).map { _ in
          signs.randomElement(using: &numbers) ?? "a"
        })
      let width = Int.random(in: 0...40, using: &numbers)
      #expect(ShownText.columns(ShownText.cut(text, to: width)) <= width)
      #expect(ShownText.columns(ShownText.shortened(text, to: width)) <= width)
      if ShownText.columns(text) <= width {
        #expect(ShownText.cut(text, to: width) == text)
        #expect(ShownText.shortened(text, to: width) == text)
      }
    }
  }

  @Test func `a path keeps its beginning and its end`() {
    #expect(ShownText.shortened("letters/2026/invoice-117.pdf", to: 15) == "letters…117.pdf")
    #expect(ShownText.cut("letters/2026", to: 5) == "lett…")
  }
}
