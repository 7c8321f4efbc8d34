import Foundation
import PluginKit
import TestSupport
import Testing

@testable import procd_speech

/// Text that tries to be more than text.
@Suite struct HostileTextTests {
  @Test func `markup is read as text`() throws {
    let plain = try Narrated("Before speak break after.")
    let marked = try Narrated("Before <speak> <break time=\"20s\"/> after [[h@]] &lt;.")
    #expect(marked.words.map(\.text).contains("<speak>"))
    // A break of twenty seconds would show.
    #expect(marked.duration < plain.duration + 10)
    #expect(marked.page.contains("&lt;speak&gt; &lt;break time=\"20s\"/&gt;"))
    #expect(marked.page.contains("&amp;lt;."))
  }

  @Test func `control characters and orders to the engine are left out`() {
    let words = WordCutting.words("a\u{1}200s\u{0}b\u{E041}c\u{FFFD}d", at: .init(page: 1))
    #expect(words.map(\.text) == ["a200sb\u{E041}c\u{FFFD}d"])
    #expect(SpokenText(words[...]).text == "a200sbcd.")
  }

  @Test func `no text ends the script of the page`() throws {
    let read = try Narrated(
      "# </script><script>alert(1)</script>\n\n# Two \"quoted\" & more\n\nWords.\n",
      isMarkdown: true)
    #expect(read.page.components(separatedBy: "</script>").count == 4)
    #expect(!read.page.contains("<script>alert"))
    #expect(read.page.contains("\\u003c/script>\\u003cscript>alert(1)"))
  }

  @Test func `odd characters are no reason to fail`() throws {
    let text =
      "Zalgo Z\u{334}\u{335}\u{336}A\u{337}, 👩‍👩‍👧‍👦 family, \u{10FFFD} \u{202E}abc\u{202C} ﬁne … ......... end 𝔉𝔯𝔞𝔨"
    let read = try Narrated(text)
    #expect(read.words.first?.text == "Zalgo")
    #expect(read.text.contains("abc"))
    #expect(SpokenText(WordCutting.words("ﬁne", at: .init(page: 1))[...]).text == "fine.")
    #expect(SpokenText(WordCutting.words("........", at: .init(page: 1))[...]).text == "")
    #expect(SpokenText(WordCutting.words("----a", at: .init(page: 1))[...]).text == "-a.")
  }

  @Test func `a long line without blanks is cut, and read in bounded pieces`() throws {
    let read = try Narrated(String(repeating: "lorem", count: 600))
    #expect(read.words.count == 3000 / SpeechLimits.wordScalars + 1)
    #expect(read.words.last?.end ?? 0 <= read.duration)
    let words = (0..<2000).flatMap { WordCutting.words("word\($0).", at: .init(page: 1)) }
    let parts = Speaker.parts(words)
    #expect(parts.first?.lowerBound == 0 && parts.last?.upperBound == words.count)
    for (one, next) in zip(parts, parts.dropFirst()) { #expect(one.upperBound == next.lowerBound) }
    #expect(parts.allSatisfy { words[$0].reduce(0) { $0 + $1.text.count + 1 } <= 1100 })
  }

  @Test func `a line of ten megabytes is refused at once, with its reason`() throws {
    let text = String(repeating: "word ", count: 2_000_000)
    let began = ContinuousClock.now
    let failure = try #require(try failure(text))
    #expect(failure.class == .input && failure.code == "speech.long")
    #expect(ContinuousClock.now - began < .seconds(60))
  }
}
