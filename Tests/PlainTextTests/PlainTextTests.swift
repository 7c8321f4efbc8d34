import PlainText
import Testing

@Suite struct PlainTextTests {
  @Test func `nothing that steers a terminal, breaks a line or turns text around is left`() {
    let hostile =
      "a\u{1B}[2Jb\nc\rde\u{7F}f\u{9B}31mg\u{202E}h\u{2066}i\u{2028}j\u{AD}k\tl\u{85}m\u{FEFF}"
    #expect(
      hostile.plain
        == #"a\x1b[2Jb\x0ac\x0dde\x7ff\x9b31mg\u202eh\u2066i\u2028j\xadk\x09l\x85m\ufeff"#)
    for value in (0...0x9F as ClosedRange<UInt32>) where value < 0x20 || value > 0x7E {
      #expect(Unicode.Scalar(value).map { String($0).plain.count } == 4)
    }
    for text in ["Prüfung 請求書 📄", "می‌خواهم", "👩‍👩‍👧", ""] { #expect(text.plain == text) }
  }

  @Test func `what is put into a text stays on its line, what the text itself says stands`() {
    let name = "a\nprocd: b is done", text: PlainText = "✗ \(name):\n  \(1) try"
    #expect(text.string == "✗ a\\x0aprocd: b is done:\n  1 try")
    #expect(("(\(text))" as PlainText).string == "(\(text.string))")
    #expect(PlainText(lines: "a\u{9B}m\nb").string == "a\\x9bm\nb")
    // A line feed with an accent upon it is one Character, and breaks the line.
    #expect(("\("a\n\u{301}b")" as PlainText).string == "a\\x0a\u{301}b")
  }
}
