import ArgumentParser
import Bytes
import Foundation
import SystemPackage
import TestSupport
import Testing

@testable import procd_speech

#if canImport(FoundationXML)
  import FoundationXML
#endif

/// The feed of audio files.
@Suite struct PodcastTests {
  @Test func `a feed has each audio file with its title, length and time, the newest first`() throws
  {
    let folder = TemporaryFolder()
    let narrated = try Narrated("# Ships & <Harbors>\n\nA few words about them.", isMarkdown: true)
    for (name, time) in [("old & ä.opus", 1_767_614_400), ("new.opus", 1_767_700_800)] {
      try folder.write(narrated.opus, to: name)
      try FileManager.default.setAttributes(
        [.modificationDate: Date(timeIntervalSince1970: Double(time))],
        ofItemAtPath: folder(name).string)
    }
    try folder.write("no audio", to: "broken.opus")
    let files = ["old & ä.opus", "new.opus", "broken.opus", "missing.opus"].map {
      folder($0).string
    }
    let command = try PodcastCommand.parse(
      files + [
        "--address", "https://nas.example/aloud", "--title", "A & B", "-o",
        folder("feed.xml").string,
      ])
    try command.execute()
    let feed = String(decoding: try #require(folder.read("feed.xml")), as: UTF8.self)
    let document = try XMLDocument(xmlString: feed)
    func values(_ path: String) throws -> [String] {
      try document.nodes(forXPath: path).compactMap(\.stringValue)
    }
    #expect(try values("/rss/channel/title") == ["A & B"])
    #expect(
      try values("//item/enclosure/@url")
        == [
          "https://nas.example/aloud/new.opus", "https://nas.example/aloud/old%20%26%20%C3%A4.opus",
        ])
    #expect(try values("//item/pubDate").last == "Mon, 05 Jan 2026 12:00:00 +0000")
    #expect(try values("//item/enclosure/@length").first == "\(narrated.opus.count)")
    #expect(try values("//item/title").allSatisfy { !$0.isEmpty })
    #expect(throws: (any Error).self) {
      try PodcastCommand.parse(files + ["--address", "ftp://x/"])
    }
    let none = try PodcastCommand.parse([folder("broken.opus").string, "--address", "https://x/"])
    #expect(throws: (any Error).self) { try none.execute() }
  }

  @Test func `times are those of mail`() {
    #expect(CalendarDate.inMail(secondsSince1970: 0) == "Thu, 01 Jan 1970 00:00:00 +0000")
    #expect(
      CalendarDate.inMail(secondsSince1970: 1_767_614_399) == "Mon, 05 Jan 2026 11:59:59 +0000")
    #expect(PodcastCommand.encoded("a b~ü") == "a%20b~%C3%BC")
  }
}
