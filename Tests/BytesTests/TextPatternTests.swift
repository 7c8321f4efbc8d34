import Bytes
import Testing

@Suite struct TextPatternTests {
  @Test(arguments: [
    ("OAM\u{2010}04711/DP\u{2010}2026"), ("OAM\u{2011}04711/DP\u{2011}2026"),
    ("OAM\u{2013}04711/DP\u{2012}2026"), ("OAM\u{2212}04711\u{2215}DP\u{2212}2026"),
    ("OAM\u{AD}04711\u{2044}DP\u{AD}2026"), ("OAM\u{200B}-04711/\u{200C}DP-2026"),
    ("ＯＡＭ－０４７１１／ＤＰ－２０２６"), ("\u{FEFF}OAM-04711/DP-2026"), ("OAM-04711/DP-2026"),
  ])
  func `a number is found however its hyphens are printed`(printed: String) throws {
    let pattern = try TextPattern(#"OAM-(\d{5})/DP-2026"#)
    #expect(pattern.matches(printed))
    #expect(!pattern.matches(printed + "x"))
    let match = try #require(pattern.firstMatch(in: "é Nr. \(printed) é"))
    // As it stands in the text, but for what has no width around it.
    #expect(match.whole == printed || "\u{FEFF}\(match.whole)" == printed)
    #expect(match.groups.count == 1)
  }

  @Test func `a blank is a blank`() throws {
    let pattern = try TextPattern("Invoice no ([0-9]+)")
    let match = try #require(pattern.firstMatch(in: "ü Invoice\u{A0}no\u{202F}12\u{AD}"))
    #expect(match.whole == "Invoice\u{A0}no\u{202F}12")
    #expect(match.groups == ["12"])
  }

  @Test func `a soft hyphen inside a word counts for nothing`() throws {
    let pattern = try TextPattern("Donaubrückenprüfung")
    let text = "Die Donau\u{AD}brücken\u{AD}prüfung."
    #expect(pattern.firstMatch(in: text)?.whole == "Donau\u{AD}brücken\u{AD}prüfung")
  }

  @Test(arguments: [
    ("A\u{2013}[0-9]+", "A-12"), ("A\u{2013}[0-9]+", "A\u{2013}12"),
    ("A[\u{2013}/-]12", "A\u{2010}12"), ("\u{2011}", "\u{2011}"),
    ("（12）", "(12)"), ("（12）", "（12）"), ("A\u{A0}B", "A B"), (#"\p{Pd}"#, "\u{2014}"),
    (#"\u{2011}"#, "\u{2011}"), ("Müller", "Müller"), ("ｄ", "d"),
  ])
  func `an expression may have such signs too`(expression: String, text: String) throws {
    #expect(try TextPattern(expression).matches(text))
  }

  @Test func `an expression that cannot be read is an error`() {
    #expect(throws: (any Error).self) { try TextPattern("(") }
  }

  @Test func `lines have ends of their own if asked`() throws {
    let pattern = try TextPattern("^A-1$").anchorsMatchLineEndings()
    #expect(pattern.firstMatch(in: "x\nA\u{2010}1\ny")?.whole == "A\u{2010}1")
  }
}
