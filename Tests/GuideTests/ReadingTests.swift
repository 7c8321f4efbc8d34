import Dates
import Foundation
import GRDB
import PluginKit
import SystemPackage
import TestSupport
import Testing

@testable import Guide

extension GuideTests {
  @Suite struct ReadingTests {
    private static let rich = """
      <?xml version="1.0" encoding="UTF-8"?>
      <!DOCTYPE tv SYSTEM "xmltv.dtd">
      <!-- a comment > with signs -->
      <tv generator-info-name="test">
        <channel id="a"><display-name>Channel &amp; Co</display-name><icon src="http://x.example/a.png"/></channel>
        <programme start="20260105200000 +0000" stop='20260105210000 +0000' channel="a">
          <title lang="en">Tom &amp; Jerry&#39;s &#x201C;Caf&#233;&#x201D;</title>
          <title lang="de">Tom und Jerry</title>
          <sub-title>The <![CDATA[<big> & ]]> one</sub-title>
          <desc>
            First line,
            second   line.
          </desc>
          <credits><director>Ann Lee</director><actor role="Tom">Bob Roy</actor></credits>
          <date>2019</date><category>Film</category><category>Comedy</category><keyword>cat</keyword>
          <length units="hours">2</length><country>NZ</country>
          <icon src="http://x.example/p.jpg"/><url>https://x.example/tom</url>
          <episode-num system="xmltv_ns">1.4.0/2</episode-num>
          <rating system="FSK"><value>12</value><icon src="r.png"/></rating>
          <star-rating><value>3/4</value></star-rating>
          <previously-shown start="2020"/><new/>
        </programme>
      </tv>
      """

    @Test func `all that a programme says is kept`() throws {
      let site = GuideSite()
      let summary = try site.load(Self.rich)
      #expect(summary.mended == 0)
      let store = try site.store
      let channel = try #require(try store.channels().first)
      #expect(channel.title == "Channel & Co" && channel.icon == "http://x.example/a.png")
      let programme = try #require(try store.programmes(of: channel, from: 0, to: 1 << 40).first)
      #expect(programme.title == "Tom & Jerry's “Café”")
      #expect(programme.subtitle == "The <big> & one")
      #expect(programme.marks == [.repeated, .new])
      let work = try #require(try store.work(programme.work))
      #expect(String(decoding: work.about, as: UTF8.self) == "First line, second line.")
      let details = work.detailsJSON
      #expect(details["categories"] == ["Film", "Comedy"])
      #expect(details["credits"]?.arrayValue?.count == 2)
      #expect(details["credits"]?.arrayValue?[1]["part"] == "Tom")
      #expect(details["episodes"]?.arrayValue?.first?["number"] == "1.4.0/2")
      #expect(details["ratings"]?.arrayValue?.first?["value"] == "12")
      #expect(details["stars"]?.arrayValue?.first?["value"] == "3/4")
      #expect(details["minutes"] == 120 && details["date"] == "2019")
      #expect(details["icons"] == ["http://x.example/p.jpg"])
      #expect(details["links"] == ["https://x.example/tom"])
      #expect(details["titles"]?.arrayValue?.first?["language"] == "de")
      #expect(try site.titles("und jerry").count == 1)
      #expect(
        ProgrammeText.episode(["system": "xmltv_ns", "number": "1.4.0/2"]) == "season 2, episode 5")
    }

    @Test(arguments: [1, 7, 8, 9, 16, 17, 25])
    func `what is to be made tidy is found at every place of a text`(count: Int) {
      for place in 0...count {
        for odd in ["  ", "\n", " \t", "\u{7F}", "é  "] {
          let before = String(repeating: "a", count: place)
          let after = String(repeating: "b", count: count - place)
          let tidied = TextBytes.tidy(Array((before + odd + after).utf8))
          let middle = odd.hasPrefix("é") ? "é " : " "
          let ends: Set<Character> = [" "]
          var expected = before + middle + after
          while let last = expected.last, ends.contains(last) { expected.removeLast() }
          while let first = expected.first, ends.contains(first) { expected.removeFirst() }
          #expect(String(decoding: tidied, as: UTF8.self) == expected)
        }
      }
    }

    @Test func `tags of every form give what they say`() throws {
      let site = GuideSite()
      // Quotes that hold the end of a tag, blanks around the equals sign, no value, a tag within a tag,
      // more attributes than are looked at, an end with attributes.
      let many = (0..<70).map { "a\($0)=\"1\"" }.joined(separator: " ")
      let summary = try site.load(
        "<tv><channel  id = 'a>b' ><display-name x=y\"q>\">One</display-name z=\"1\"></channel>"
          + "<programme start=\"20260105100000 +0000\" stop='20260105110000 +0000' "
          + "channel=\"a>b\" \(many)>"
          + "<title lang=/>T</title ><new / ><desc a='/'/><desc b=\"'\">D</desc></programme></tv>")
      let store = try site.store
      let channel = try #require(try store.channels().first)
      #expect(channel.identifier == "a>b" && channel.title == "One")
      let programme = try #require(try store.programmes(of: channel, from: 0, to: 1 << 40).first)
      #expect(programme.marks == [.new])
      #expect(
        try store.work(programme.work).map { String(decoding: $0.about, as: UTF8.self) } == "D")
      #expect(summary.mended > 0)
    }

    @Test(.enabled(if: Programs.find("gzip") != nil, "SKIPPED: gzip is not installed"))
    func `packed files are read, also in several pieces`() throws {
      let site = GuideSite()
      try site.folder.write(guide("a 1000 1100 One"), to: "plain")
      _ = try Programs.run(
        "/bin/sh",
        [
          "-c",
          "head -c 60 plain | gzip > p.gz; tail -c +61 plain | gzip >> p.gz; gzip < /dev/null >> p.gz",
        ],
        in: site.folder.path)
      _ = try site.load(try #require(site.folder.read("p.gz")), named: "packed.xml.gz")
      #expect(try site.listing() == ["a 10:00-11:00 One"])
      // Cut in the middle: nothing of it can be read, and nothing is damaged.
      let packed = try #require(site.folder.read("p.gz"))
      #expect(failure { _ = try site.load(packed.prefix(30), named: "cut.gz") }?.class == .input)
      #expect(
        failure {
          _ = try site.load(
            Data([0x1F, 0x8B, 8, 0]) + Data(repeating: 7, count: 99), named: "x.gz")
        }?.code == "guide.gzip")
      #expect(try site.listing().count == 1)
    }

    @Test func `other encodings are read`() throws {
      let file = guide("a 1000 1100 Größe").replacing("UTF-8", with: "ISO-8859-1")
      let site = GuideSite()
      try #require(try site.load(Data(file.unicodeScalars.map { UInt8($0.value) })).programmes == 1)
      #expect(try site.listing() == ["a 10:00-11:00 Größe"])
      let wide = guide("b 1000 1100 Größe").replacing("UTF-8", with: "UTF-16")
      try #require(
        try site.load(try #require(wide.data(using: .utf16LittleEndian))).programmes == 1)
      #expect(try site.listing().count == 2)
      let unknown = guide("a 1000 1100 One").replacing("UTF-8", with: "KLINGON")
      #expect(failure { try site.load(unknown) }?.code == "guide.encoding")
    }

    /// The encoding that a file names is often not the one that it has.
    @Test func `UTF-8 and Windows-1252 are told apart by the bytes`() throws {
      let text = guide("a 1000 1100 Größe", "a 1100 1200 Grüße aus Köln", "a 1200 1300 «MENÜ»")
      let listing = [
        "a 10:00-11:00 Größe", "a 11:00-12:00 Grüße aus Köln", "a 12:00-13:00 «MENÜ»",
      ]
      let latin = { (text: String) in Data(text.unicodeScalars.map { UInt8($0.value) }) }
      let unnamed = String(text.drop { $0 != ">" }.dropFirst())
      let named = text.replacing("UTF-8", with: "ISO-8859-1")
      for (data, actual) in [
        (latin(text), "WINDOWS-1252"), (latin(unnamed), "WINDOWS-1252"), (latin(named), nil),
        (Data(named.utf8), "UTF-8"), (Data(unnamed.utf8), nil), (Data(text.utf8), nil),
      ] {
        let site = GuideSite()
        let summary = try site.load(data)
        #expect(try site.listing() == listing)
        #expect(summary.actualEncoding == actual && summary.mended == 0)
      }
    }

    @Test func `one text in Windows-1252 among others in UTF-8 is read`() throws {
      let site = GuideSite()
      let text = guide("a 1000 1100 Größe", "a 1100 1200 Grüße aus Köln", "a 1200 1300 K#ln")
      let data = Data(text.utf8).map { $0 == 0x23 ? 0xF6 : $0 }
      #expect(try site.load(Data(data)).mended == 1)
      #expect(try site.listing().last == "a 12:00-13:00 Köln")
    }

    @Test func `entities of HTML are their letters`() throws {
      let site = GuideSite()
      _ = try site.load(guide("a 1000 1100 Gr&uuml;&szlig;e &ndash; caf&eacute;&nbsp;&hellip;"))
      #expect(try site.listing() == ["a 10:00-11:00 Grüße – café\u{A0}…"])
    }

    @Test(
      arguments: [
        ([0xFD, 0x37, 0x7A, 0x58, 0x5A, 0x00], "xz"), (Array("PK\u{3}\u{4}".utf8), "zip"),
        (Array("BZh91AY".utf8), "bzip2"), ([0x28, 0xB5, 0x2F, 0xFD], "zstd"),
      ] as [([UInt8], String)])
    func `compressed files of other kinds are named`(head: [UInt8], name: String) throws {
      let failure = failure {
        _ = try GuideSite().load(Data(head) + Data(repeating: 7, count: 200))
      }
      #expect(failure?.code == "guide.packed" && failure?.message.contains(name) == true)
    }

    @Test func `mistakes that are common are read over and counted`() throws {
      let site = GuideSite()
      let summary = try site.load(
        guide(
          "a 1000 1100 Tom & Jerry", "a 1100 1200 3 < 4", "a 1200 1300 No &eaqute; here",
          "a 1300 1400 <b>Open"))
      #expect(summary.mended >= 4)
      #expect(
        try site.listing() == [
          "a 10:00-11:00 Tom & Jerry", "a 11:00-12:00 3 < 4", "a 12:00-13:00 No &eaqute; here",
          "a 13:00-14:00 Open",
        ])
    }

    @Test func `bytes that are no text are replaced and counted`() throws {
      let site = GuideSite()
      var data = Data(guide("a 1000 1100 A#B").utf8)
      data = Data(data.map { $0 == 0x23 ? 0x81 : $0 })
      let summary = try site.load(data)
      #expect(summary.mended == 1)
      #expect(try site.listing() == ["a 10:00-11:00 A\u{FFFD}B"])
    }

    @Test func `pieces of the file meet anywhere`() throws {
      // Longer than the reader's window, so that tags, texts and entities lie across its end.
      for padding in [0, 1, 7, 13] {
        let site = GuideSite()
        var file = "<?xml version=\"1.0\"?><tv>" + String(repeating: " ", count: padding)
        for index in 0..<6000 {
          let start = GuideSite.noon + Int64(index) * 60
          let clock = ClockText(zone: try #require(LocalZone("UTC"))).complete(start)
          file +=
            "<programme start=\"\(clock)\" channel=\"a\"><title>A &amp; B &#233; \(index)</title></programme>\n"
        }
        let summary = try site.load(file + "</tv>", now: GuideSite.noon)
        #expect(summary.programmes == 6000 && summary.mended == 0)
        #expect(
          try site.store.number("SELECT count(*) FROM work WHERE title LIKE 'A & B é %'") == 6000)
      }
    }
  }
}

extension GuideTests {
  @Suite struct HostileTests {
    @Test func `entities of the document are not expanded`() throws {
      var bomb = "<?xml version=\"1.0\"?><!DOCTYPE tv [<!ENTITY a0 \"ha\">"
      for index in 1...40 { bomb += "<!ENTITY a\(index) \"&a\(index - 1);&a\(index - 1);\">" }
      bomb += "<!ENTITY file SYSTEM \"file:///etc/passwd\">]>"
      let site = GuideSite()
      let summary = try site.load(bomb + guide("a 1000 1100 &a40;&file;").dropFirst(38))
      #expect(summary.programmes == 1)
      #expect(try site.listing() == ["a 10:00-11:00 &a40;&file;"])
    }

    @Test func `what is nested too deeply or too long is refused`() throws {
      let site = GuideSite()
      try site.load(guide("a 1000 1100 Before"))
      let deep =
        "<tv><programme start=\"20260105100000\" channel=\"x\">"
        + String(repeating: "<a>", count: 100_000)
      #expect(failure { try site.load(deep) }?.code == "limit.depth")
      let wide =
        "<tv><programme start=\"20260105100000\" channel=\"\(String(repeating: "x", count: 100_000))\"/></tv>"
      #expect(failure { try site.load(wide) }?.code == "limit.tag")
      let endless = "<tv><programme start=\"" + String(repeating: "x", count: 3_000_000)
      #expect(failure { try site.load(endless) }?.code == "limit.tag")
      // Nothing of a file that is refused is kept.
      #expect(try site.listing() == ["a 10:00-11:00 Before"])
    }

    @Test func `long texts are cut, many attributes and comments passed over`() throws {
      let site = GuideSite()
      let long = String(repeating: "ä", count: 200_000)
      let attributes = (0..<500).map { "x\($0)=\"y\"" }.joined(separator: " ")
      let summary = try site.load(
        "<tv \(attributes)><!--\(long)--><?x \(long)?>" + guide("a 1000 1100 \(long)").dropFirst(43)
      )
      #expect(summary.programmes == 1)
      let title = try #require(try site.listing().first)
      #expect(title.utf8.count < 300_000 && title.hasPrefix("a 10:00-11:00 ää"))
    }

    /// So many channels in 2099 kept out all others, for ever.
    @Test func `a file keeps out no other, and what is far ahead is not kept`() throws {
      let site = GuideSite()
      func file(_ count: Int, day: String) -> String {
        let showings = (0..<count).map {
          "<programme start=\"\(day)000000 +0000\" stop=\"\(day)010000 +0000\" channel=\"c\($0)\"><title>x</title></programme>"
        }
        return "<tv>\(showings.joined())</tv>"
      }
      let far = try site.load(file(50_000, day: "20990101"))
      #expect(far.tooFar == 50_000 && far.programmes == 0 && far.channels == 0)
      #expect(try site.store.number("SELECT count(*) FROM channel") == 0)
      #expect(try site.load(file(50_000, day: "20270105")).tooFar == 0)
      #expect(failure { try site.load(file(50_001, day: "20260106")) }?.code == "limit.channels")
      #expect(try site.load(file(50_001, day: "20260106"), channels: ["c7"]).programmes == 1)
      let other = "<tv><channel id=\"o\"><display-name>Other</display-name></channel>"
      let described = try site.load(other + guide("b 1000 1100 One").dropFirst(43))
      #expect(described.added == 1)
      // What an earlier version kept goes, and channels when nothing is known of them any more.
      try GuideStore.open(folder: site.folder.path.string).write {
        try $0.execute(
          sql:
            "UPDATE showing SET start = start + 3000000000, stop = stop + 3000000000 WHERE channel != (SELECT id FROM channel WHERE name = 'b')"
        )
      }
      try site.load(guide("b 1100 1200 Two"))
      #expect(try site.listing() == ["b 10:00-11:00 One", "b 11:00-12:00 Two"])
      #expect(try site.store.channels().map(\.identifier).sorted() == ["b", "o"])
      try site.load(guide("b 1100 1200 Two"), now: GuideSite.noon + 8 * 86_400, keep: 7 * 86_400)
      #expect(try site.store.number("SELECT count(*) FROM channel WHERE name = 'o'") == 0)
    }

    @Test(.timeLimit(.minutes(1)))
    func `a tag with very many attributes is refused before they are compared`() throws {
      let many = (0..<200_000).map { " a\($0)=\"\"" }.joined()
      for document in [
        "<tv\(many)>", "<tv><!-- ' --><channel id=\"a\"\(many)/>",
        "<tv><programme b=\"&\" \(many.replacing("=\"\"", with: "='>'"))/></tv>",
      ] {
        #expect(failure { try GuideSite().load(document) }?.code == "limit.tag")
      }
    }

    @Test func `a file that was cut gives what came before`() throws {
      let file = guide("a 1000 1100 One", "a 1100 1200 Two", "a 1200 1300 Three")
      for cut in stride(from: 1, to: file.utf8.count - 8, by: 5) {
        let site = GuideSite()
        let data = Data(file.utf8.prefix(cut))
        var summary: GuideLoad.Summary?
        let failure = failure { summary = try site.load(data) }
        if let failure {
          #expect(["guide.xml", "guide.empty"].contains(failure.code), "\(cut)")
        } else {
          #expect(summary?.isCut == true, "\(cut)")
        }
      }
    }

    @Test(arguments: [
      ("", "guide.xml"), ("no markup at all", "guide.xml"), ("<rss><channel/></rss>", "guide.xml"),
      ("<html><tv></tv></html>", "guide.xml"), ("<tv></tv>", "guide.empty"),
      ("<tv/>", "guide.empty"),
      ("<tv><programme/></tv>", "guide.empty"), ("<", "guide.xml"), ("<!--", "guide.xml"),
      ("<![CDATA[", "guide.xml"), ("</tv>", "guide.xml"), ("<tv", "guide.xml"),
      ("\u{0}\u{1}", "guide.xml"),
    ])
    func `what is no guide is refused with a reason`(text: String, code: String) throws {
      let failure = failure { try GuideSite().load(text) }
      #expect(failure?.code == code && failure?.class == .input)
    }

    @Test func `bytes that were changed at random never bring it down`() throws {
      let file = Array(guide("a 1000 1100 One &amp; two", "b 1100 - Three").utf8)
      var random = SeededNumbers(seed: 7)
      let site = GuideSite()
      for _ in 0..<300 {
        var bytes = file
        for _ in 0..<Int.random(in: 1...6, using: &random) {
          bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(
            in: 0...255, using: &random)
        }
        if Bool.random(using: &random) {
          bytes.removeLast(Int.random(in: 0..<bytes.count, using: &random))
        }
        _ = failure { _ = try site.load(Data(bytes)) }
      }
    }

    @Test(.enabled(if: Programs.find("gzip") != nil, "SKIPPED: gzip is not installed"))
    func `what grows too much when it is unpacked is refused`() throws {
      let site = GuideSite()
      try site.folder.write("<tv>", to: "start")
      _ = try Programs.run(
        "/bin/sh",
        ["-c", "(cat start; head -c 200000000 /dev/zero | tr '\\0' ' ') | gzip -9 > bomb.gz"],
        in: site.folder.path)
      let bomb = try #require(site.folder.read("bomb.gz"))
      #expect(failure { _ = try site.load(bomb, named: "bomb2.gz") }?.code == "limit.ratio")
    }
  }
}
