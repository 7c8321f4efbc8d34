import Bytes
import Dates
import Foundation
import PluginKit
import Testing

@testable import Guide

extension GuideTests {
  @Suite struct SearchTests {
    private func site(_ programmes: (title: String, about: String)...) throws -> GuideSite {
      var text = "<tv>"
      for (index, programme) in programmes.enumerated() {
        text +=
          "<programme start=\"20260105\((10 + index).padded())0000 +0000\" channel=\"c\(index)\">"
          + "<title>\(programme.title)</title><sub-title>Part \(index)</sub-title>"
          + "<desc>\(programme.about)</desc><credits><actor>Eva Öz</actor></credits></programme>"
      }
      let site = GuideSite()
      try site.load(text + "</tv>")
      return site
    }

    @Test func `titles come before descriptions, whole titles before parts`() throws {
      let site = try site(
        ("About water", "a film of the sea"), ("The Sea Wolf", ""), ("Sea", ""),
        ("Seas of Mars", ""), ("Land", ""))
      #expect(try site.titles("sea") == ["Sea", "The Sea Wolf", "Seas of Mars", "About water"])
    }

    @Test func `several terms: any of them with all first, or all`() throws {
      let site = try site(
        ("Star", ""), ("Trek", ""), ("Star Trek", ""), ("Other", "a star on a trek"))
      #expect(try site.titles("star", "trek") == ["Star Trek", "Other", "Star", "Trek"])
      #expect(try site.titles("star", "trek", all: true) == ["Star Trek", "Other"])
      #expect(try site.titles("star trek") == ["Star Trek"])
      #expect(try site.titles("trek star", all: true).isEmpty)
    }

    @Test func `case, marks and word forms are folded`() throws {
      let site = try site(
        ("Häuser am Fluß", ""), ("ÉLYSÉE", ""), ("Nachrichten", ""), ("Running Cities", ""),
        ("Новости дня", ""),
        ("Łódź", ""), ("Nature", "tom's friends"))
      #expect(try site.titles("haus") == ["Häuser am Fluß"])
      #expect(try site.titles("FLUSS") == ["Häuser am Fluß"])
      #expect(try site.titles("elysee") == ["ÉLYSÉE"])
      #expect(try site.titles("Nachricht") == ["Nachrichten"])
      #expect(try site.titles("run", "city", all: true) == ["Running Cities"])
      #expect(try site.titles("новость") == ["Новости дня"])
      #expect(try site.titles("lodz") == ["Łódź"])
      #expect(try site.titles("friend") == ["Nature"])
      #expect(try site.titles("oz").count == 7)
      #expect(try site.titles("eva oz", all: true).count == 7)
    }

    @Test func `scripts without blanks are found by their letters`() throws {
      let site = try site(("東京物語", ""), ("ニュース7", ""))
      #expect(try site.titles("東京") == ["東京物語"])
      #expect(try site.titles("京東").isEmpty)
      #expect(try site.titles("ニュース") == ["ニュース7"])
    }

    @Test(arguments: [
      "", "  ", "\"", "*", "a OR b", "NEAR(a b)", "title:x", "-x", "(", "'; DROP TABLE work; --",
      "^a", "\u{0}",
    ])
    func `nothing that is typed is an operator`(text: String) throws {
      let site = try site(("One", "two"))
      _ = try site.titles(text)
      #expect(try site.titles("one") == ["One"])
    }

    @Test func `channels and times narrow it down`() throws {
      let site = try site(("Same", ""), ("Same", ""), ("Same", ""))
      #expect(try site.titles("same", channels: ["c1"]).count == 1)
      #expect(try site.titles("same", from: GuideSite.noon).count == 1)
      #expect(try site.titles("same").count == 3)
    }

    @Test(arguments: [
      ("cars", "car"), ("cities", "city"), ("houses", "house"), ("homes", "home"),
      ("running", "runs"),
      ("stopped", "stop"), ("Filme", "films"), ("Kinder", "Kindern"), ("игра", "игры"),
      ("новая", "новые"),
    ])
    func `these are forms of one word`(first: String, second: String) {
      #expect(WordFolding.words(first) == WordFolding.words(second))
    }

    @Test(arguments: [
      ("news", "new"), ("bus", "bu"), ("tennis", "tenni"), ("care", "cart"), ("кот", "кит"),
    ])
    func `these are not`(first: String, second: String) {
      #expect(WordFolding.words(first) != WordFolding.words(second))
    }
  }
}

extension GuideTests {
  @Suite struct PageTests {
    @Test func `the page holds the grid's data and nothing of the guide as markup`() throws {
      let site = GuideSite()
      try site.load(
        guide(
          "a 1000 1100 One", "a 1200 1300 &lt;/script>&lt;script>alert(1)&lt;/script>",
          "b 1000 1100 One"))
      let zone = try #require(LocalZone("UTC"))
      let words = TimeWords(zone: zone, now: GuideSite.noon, dayStarts: 5 * 3600)
      let page = GuidePage(store: try site.store, words: words, zoneName: "UTC")
      let text = String(decoding: try page.make(), as: UTF8.self)
      #expect(!text.contains("alert(1)") && !text.contains("PLACE:"))
      #expect(!text.contains("http://") && text.contains("Content-Security-Policy"))
      #expect(text.components(separatedBy: "class=\"block\"").count == 2)
    }

    @Test func `programmes are clipped to whole days, distances are short`() throws {
      let site = GuideSite()
      try site.load(guide("a 0300 0600 Night", "a 0700 0800 Morning", "b 0700 0800 Morning"))
      let from = GuideSite.noon - 7 * 3600
      let data = PageData(
        store: try site.store, span: from..<from + 86_400, channels: try site.store.channels())
      let made = try data.make(head: Array("\"v\":1".utf8))
      let json = try JSONReader.read(made.core).value
      #expect(json["names"] == ["a", "b"])
      #expect(json["showings"] == [[-120, 180, 0, 0, 60, 60, 1, 0], [120, 60, 1, 0]])
      #expect(json["titles"] == ["Night", "Morning"] && json["works"] == [0, 1])
      #expect(made.programmes == 3 && made.blocks.count == 1)
    }
  }
}
