import Foundation
import PluginKit
import TestSupport
import Testing

@testable import Guide

extension GuideTests {
  /// What the page needs to give programmes colors and channels marks.
  @Suite struct GenreTests {
    @Test(arguments: [
      ("Film", Genre.film), ("Movie / Drama", .film), ("Spielfilm", .film), ("Película", .film),
      ("Фильм", .film), ("映画", .film), ("Dokumentarfilm", .documentary),
      ("Documentaire", .documentary),
      ("Nature", .documentary), ("Natur und Umwelt", .documentary), ("ドキュメンタリー", .documentary),
      ("Kinderserie", .children), ("Children's / Youth programs", .children),
      ("Dibujos animados", .children),
      ("Мультфильм", .children), ("Sports", .sports), ("Wintersport", .sports),
      ("Fußball", .sports),
      ("Deportes", .sports), ("Fútbol", .sports), ("スポーツ", .sports), ("News", .news),
      ("Nachrichten", .news), ("Journal télévisé", .news), ("Noticias", .news), ("Новости", .news),
      ("أخبار", .news), ("חדשות", .news), ("新闻", .news), ("Musik", .music),
      ("Arts/Culture (without music)", .music),
      ("Konzert", .music), ("Series", .series), ("Krimiserie", .series), ("Soap opera", .series),
      ("Science fiction", .series), ("Сериал", .series), ("Talkshow", .show),
      ("Show / Game show", .show),
      ("Divertissement", .show), ("Docusoap", .show), ("Kochen", .show), ("Transport", .other),
      ("", .other), ("12345", .other), ("Something", .other),
    ])
    func `categories in many languages are known`(category: String, genre: Genre) {
      var finder = GenreFinder()
      #expect(finder.genre(of: Array(category.utf8)) == genre)
      // The same from what is remembered.
      #expect(finder.genre(of: Array(category.utf8)) == genre)
    }

    @Test func `categories are read from the details, keywords and other texts are not`() {
      let details =
        #""titles":[{"text":"\"categories\":[\"News\"]"}],"categories":["A \"b\" c\\","Film"],"keywords":["Sport"]"#
      let found = GenreFinder.categories(Array(details.utf8))
      #expect(found.map { String(decoding: $0, as: UTF8.self) } == [#"A "b" c\"#, "Film"])
      #expect(GenreFinder.categories(Array(#""keywords":["Sport"]"#.utf8)).isEmpty)
      for cut in [#""categories":["#, #""categories":["Fil"#, #""categories":["Fil\"#] {
        #expect(GenreFinder.categories(Array(cut.utf8)).count <= 1)
      }
    }

    @Test func `of several categories the strongest counts`() {
      var finder = GenreFinder()
      func genre(_ categories: String) -> Genre {
        finder.genre(ofDetails: Array("\"categories\":[\(categories)]".utf8))
      }
      #expect(genre(#""Series","Drama","Children""#) == .children)
      #expect(genre(#""Drama","Film""#) == .film)
      #expect(genre(#""Magazine","Sport""#) == .sports)
      #expect(genre(#""???""#) == .other)
    }

    private let png = Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 1, 2, 3])

    @Test func `only small pictures of pixels that stand in the guide are shown`() {
      let packed = png.base64EncodedString()
      #expect(ChannelPicture.isUsable("data:image/png;base64,\(packed)"))
      #expect(ChannelPicture.isUsable("data:image/jpeg;base64,/9j/4AAQ"))
      for address in [
        "https://logo.example/a.png", "//logo.example/a.png", "a.png", "", "data:image/png,abc",
        "data:image/svg+xml;base64,\(packed)", "data:image/svg+xml,<svg onload=alert(1)>",
        "data:text/html;base64,\(packed)", "data:image/png;base64,PHN2Zz4=",
        "data:image/png;base64,\(packed)\" onerror=\"x", "data:image/jpeg;base64,\(packed)",
        "data:image/png;base64," + png.base64EncodedString()
          + String(repeating: "AAAA", count: 5000),
      ] {
        #expect(!ChannelPicture.isUsable(address), "\(address.prefix(60))")
      }
    }

    @Test func `the page has kinds and pictures, and addresses of pictures nowhere`() throws {
      let site = GuideSite(), picture = "data:image/png;base64,\(png.base64EncodedString())"
      try site.load(
        """
        <tv><channel id="a"><display-name>A</display-name><icon src="https://logo.example/a.png"/></channel>
        <channel id="b"><display-name>B</display-name><icon src="\(picture)"/></channel>
        <programme start="20260105100000 +0000" stop="20260105110000 +0000" channel="a"><title>One</title>
        <category>Spielfilm</category></programme>
        <programme start="20260105110000 +0000" stop="20260105120000 +0000" channel="a"><title>Two</title>
        <keyword>Sport</keyword></programme>
        <programme start="20260105100000 +0000" stop="20260105110000 +0000" channel="b"><title>Three</title>
        <category lang="en">News</category></programme></tv>
        """)
      let from = GuideSite.noon - 7 * 3600
      let data = PageData(
        store: try site.store, span: from..<from + 86_400, channels: try site.store.channels())
      let made = try data.make(head: Array("\"v\":1".utf8))
      let json = try JSONReader.read(made.core).value
      #expect(json["genres"] == "103")
      #expect(json["icons"] == ["1": .string(picture)])
      #expect(!String(decoding: made.core, as: UTF8.self).contains("logo.example"))
    }
  }
}
