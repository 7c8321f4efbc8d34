import ArgumentParser
import Foundation
import PluginKit
import SystemPackage
import TestSupport
import Testing

@testable import procd_speech

/// Options, arguments, and what is refused.
@Suite struct OptionTests {
  private static let document = """
    # A title

    Some words before.

    | a | b |
    | --- | --- |
    | first cell | second cell |

    ```
    let answer = 42
    ```

    """

  @Test func `tables are read and code is skipped unless asked otherwise`() throws {
    let usual = try Narrated(Self.document, isMarkdown: true)
    #expect(usual.text == "A title\nSome words before.\na b\nfirst cell second cell")
    #expect(usual.facts.skippedLines == 1)
    #expect(usual.page.contains("<p class=\"code silent\">let answer = 42</p>"))

    var options = SpeechOptions()
    (options.tables, options.code) = (.skip, .read)
    let other = try Narrated(Self.document, options, isMarkdown: true)
    #expect(other.text == "A title\nSome words before.\nlet answer = 42")
    #expect(other.facts.skippedLines == 2)
  }

  @Test func `cells and passages without a stop get a pause`() {
    var words = ["Anna", "34"].flatMap { WordCutting.words($0, at: .init(page: 1)) }
    words[0].endsCell = true
    #expect(SpokenText(words[...]).text == "Anna, 34.")
  }

  @Test func `speed and voice change what is heard`() throws {
    let text = "The keeper of the lamp lived alone on a rock in the sea."
    let usual = try Narrated(text)
    var options = SpeechOptions()
    options.speed = 350
    let fast = try Narrated(text, options)
    #expect(fast.duration < usual.duration * 0.7)
    options = SpeechOptions()
    options.voice = "f3"
    #expect(try Narrated(text, options).samples != usual.samples)
  }

  @Test func `a voice that is not there is a mistake in the options`() throws {
    var options = SpeechOptions()
    options.voice = "no-such"
    let failure = try #require(try failure("Hello.", options))
    #expect(failure.class == .options && failure.code == "speech.voice")
    #expect(failure.hint?.contains("f3") == true)
  }

  @Test(arguments: ["", " \n\n", "--- *** ...\n", "\u{0}\u{1}\u{7F}"])
  func `a text without words is refused`(text: String) throws {
    let failure = try #require(try failure(text))
    #expect(failure.class == .input)
    #expect(failure.code == (text.isEmpty ? "file.empty" : "speech.empty"))
  }

  @Test func `a picture is no text, whatever words its bytes would make`() throws {
    let picture = try #require(
      FileManager.default.contents(
        atPath: Programs.repository.appending("docs/samples/letter-photo.jpg").string))
    do {
      _ = try Narrated(bytes: Array(picture))
      Issue.record("it was read")
    } catch let failure as PluginFailure {
      #expect(failure.code == "speech.empty")
      #expect(failure.hint?.contains("procd convert") == true)
    }
  }

  @Test func `a PDF without text and one without pages are refused`() throws {
    do {
      _ = try Narrated(bytes: PDFBuilder.pages([""]))
      Issue.record("it was read")
    } catch let failure as PluginFailure { #expect(failure.code == "speech.empty") }
    do {
      _ = try Narrated(bytes: Array("%PDF-1.4\n".utf8))
      Issue.record("it was read")
    } catch let failure as PluginFailure { #expect(failure.code == "pdf.broken") }
  }

  @Test func `arguments of the command`() throws {
    let usual = try SpeakCommand.parse([
      "a.md", "-o", "x.html", "-ox.opus", "--output=x.json", "--speed=200",
    ])
    #expect(usual.file == "a.md" && usual.markdown && usual.options.speed == 200)
    let places = try usual.places(scratch: "/s")
    #expect(places.files == [.listen: "x.html", .opus: "x.opus", .sync: "x.json"])
    #expect(places.audioName == "x.opus")
    let other = try SpeakCommand.parse(["-", "-l", "de", "--tables", "skip"])
    #expect(other.file == "-" && other.options.language == "de" && other.options.tables == .skip)
    #expect(try SpeakCommand.parse(["--voices"]).voices)
  }

  @Test(
    arguments: [
      [], ["a", "b"], ["a", "--fast"], ["a", "--speed", "20"], ["a", "--speed"],
      ["a", "--code", "sing"], ["a", "-o", "x.mp3"], ["a", "-o", "x.opus", "-o", "y.opus"],
    ])
  func `mistakes in arguments are told`(words: [String]) {
    #expect(throws: (any Error).self) { try SpeakCommand.parse(words) }
  }
}
