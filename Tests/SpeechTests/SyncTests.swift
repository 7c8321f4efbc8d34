import Foundation
import PluginKit
import TestSupport
import Testing

@testable import procd_speech

/// The times of words, and the files that tell them.
@Suite struct SyncTests {
  private static let story = """
    The keeper of the lamp lived alone on a rock in the sea, three miles from the harbour. Every evening \
    she climbed ninety-one steps, cleaned the glass, and lit the lamp before the first ships came in.

    One morning in March the boat brought a letter with a seal that she did not know. It cost 1,234.50 \
    dollars (so Dr. Smith said in the U.S.A.) & nobody paid it!

    - No ship was lost that night.
    - The letter is still there.
    """

  @Test func `the map has every word, and its times never fall`() throws {
    let read = try Narrated(Self.story)
    let expected = Self.story.split(whereSeparator: \.isWhitespace).filter { $0 != "-" }
    #expect(read.words.map(\.text) == expected.map(String.init))
    #expect(read.facts.words == expected.count)
    var before = 0.0
    for word in read.words {
      #expect(word.start >= before && word.end >= word.start, "\(word)")
      before = word.start
    }
    #expect(read.words.last?.end ?? 0 <= read.duration)
    // Words take time: a map with nothing but interpolated places would not.
    #expect(read.words.filter { $0.end - $0.start > 0.04 }.count > read.words.count * 9 / 10)
  }

  @Test func `the audio is as long as the map says`() throws {
    let read = try Narrated(Self.story)
    let seconds = Double(read.samples.count) / Double(SpeechEngine.sampleRate)
    #expect((seconds - read.duration).magnitude < 0.002)
    // The last granule position of Opus in Ogg (RFC 7845): samples at 48 kHz, 312 or more before.
    let last = try #require(read.opus.range(of: Data("OggS".utf8), options: .backwards))
    let position = read.opus[last.lowerBound + 6..<last.lowerBound + 14].enumerated()
      .reduce(0) { $0 + Int($1.element) << (8 * $1.offset) }
    let header = try #require(read.opus.range(of: Data("OpusHead".utf8)))
    let skip =
      Int(read.opus[header.lowerBound + 10]) + Int(read.opus[header.lowerBound + 11]) << 8
    #expect((Double(position - skip) / 48_000 - read.duration).magnitude < 0.02)
  }

  @Test func `silences of the audio are where the map has none to say`() throws {
    let read = try Narrated(Self.story)
    let silences = read.silences(atLeast: 0.35)
    #expect(silences.count >= read.passages.count - 1)
    for (before, after) in zip(read.passages, read.passages.dropFirst()) {
      let end = try #require(before.words.last).end, start = try #require(after.words.first).start
      let nearest = silences.map {
        max(($0.lowerBound - end).magnitude, ($0.upperBound - start).magnitude)
      }.min()
      #expect(try #require(nearest) < 0.15, "\(end) to \(start): \(silences)")
    }
  }

  /// Inside a passage nothing but the engine's events tells where words begin.
  @Test func `a word behind a full stop begins where the silence ends`() throws {
    let read = try Narrated(
      "It rained all night. Everybody stayed at home. Nothing could be heard. Tomorrow they went.")
    let silences = read.silences(atLeast: 0.12)
    for name in ["Everybody", "Nothing", "Tomorrow"] {
      let word = try #require(read.words.first { $0.text == name })
      let nearest = silences.map { ($0.upperBound - word.start).magnitude }.min()
      #expect(try #require(nearest) < 0.15, "\(word), \(silences)")
    }
  }

  @Test func `words of a PDF have a page and a box`() throws {
    let pages = ["First page of words.", "Second page of words."].map { PDFBuilder.lines([$0]) }
    let read = try Narrated(bytes: PDFBuilder.pages(pages))
    #expect(read.words.map(\.page) == [1, 1, 1, 1, 2, 2, 2, 2])
    let box = try #require(read.words.first?.box)
    #expect(box.count == 4 && (box[0] - 72).magnitude < 1 && box[1] > 50 && box[3] < 90)
  }

  @Test func `captions are WebVTT`() throws {
    let read = try Narrated(Self.story + "\n\nA < B --> C & D are signs.\n")
    let blocks = read.captions.components(separatedBy: "\n\n")
    #expect(blocks.first == "WEBVTT")
    var before = ""
    for block in blocks.dropFirst() {
      let lines = block.split(separator: "\n")
      #expect((2...4).contains(lines.count), "\(block)")
      let times = String(lines[0])
      #expect(times.wholeMatch(of: /\d\d:\d\d:\d\d\.\d{3} --> \d\d:\d\d:\d\d\.\d{3}/) != nil)
      let begin = String(times.prefix(12)), end = String(times.suffix(12))
      #expect(begin < end && before <= begin, "\(block)")
      before = end
    }
    #expect(read.captions.contains("A &lt; B --&gt; C &amp; D are signs."))
    #expect(read.captions.components(separatedBy: "-->").count == blocks.count)
  }

  @Test func `headings are chapters, and chapters begin with their heading`() throws {
    let read = try Narrated("# One\n\nText of it.\n\n## Two\n\nMore text.\n", isMarkdown: true)
    #expect(read.chapters.map(\.title) == ["One", "Two"])
    #expect(read.chapters.map(\.level) == [1, 2])
    for chapter in read.chapters {
      let word = try #require(read.words.first { $0.text == chapter.title })
      #expect((word.start - chapter.start).magnitude < 0.05)
    }
  }

  @Test func `the outline of a PDF gives its chapters`() throws {
    var builder = PDFBuilder()
    let catalog = builder.add(""), tree = builder.add("")
    let font = builder.add("<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>")
    var kids: [Int] = []
    for text in [
      "(Opening words.) Tj T* T* T* (Chapter the first) Tj T* T* T* (It begins.) Tj",
      "(Later words.) Tj",
    ] {
      let stream = builder.addStream(Array("BT /F1 12 Tf 16 TL 72 720 Td \(text) ET".utf8))
      kids.append(
        builder.add(
          "<</Type/Page/Parent \(tree) 0 R/Contents \(stream) 0 R/Resources<</Font<</F1 \(font) 0 R>>>>>>"
        ))
    }
    builder.replace(
      tree, "<</Type/Pages/Kids[\(kids[0]) 0 R \(kids[1]) 0 R]/Count 2/MediaBox[0 0 612 792]>>")
    let outline = builder.add(""), first = builder.add(""), inner = builder.add("")
    let second = builder.add(
      "<</Title<FEFF004E00E40068>/Parent \(outline) 0 R/A<</S/GoTo/D[\(kids[1]) 0 R/Fit]>>/Next \(first) 0 R>>"
    )
    builder.replace(
      first,
      "<</Title(Chapter the first)/Parent \(outline) 0 R/Dest[\(kids[0]) 0 R/XYZ 0 600 0]/First \(inner) 0 R/Next \(second) 0 R>>"
    )
    builder.replace(inner, "<</Title(Inside)/Parent \(first) 0 R/Dest(place)>>")
    builder.replace(outline, "<</Type/Outlines/First \(first) 0 R>>")
    builder.replace(
      catalog,
      "<</Type/Catalog/Pages \(tree) 0 R/Outlines \(outline) 0 R"
        + "/Names<</Dests<</Names[(place)<</D[\(kids[1]) 0 R/FitH 792]>>]>>>>>>")
    let read = try Narrated(bytes: builder.file(root: catalog))
    #expect(read.chapters.map(\.title) == ["Chapter the first", "Inside", "Näh"])
    #expect(read.chapters.map(\.level) == [1, 2, 1])
    #expect(read.chapters.map(\.page) == [1, 2, 2])
    let word = try #require(read.words.first { $0.text == "Chapter" })
    #expect((word.start - (read.chapters.first?.start ?? 0)).magnitude < 0.05)
  }
}
