import Bytes
import Foundation
import GRDB
import PluginKit
import SystemPackage
import TestSupport
import Testing

@testable import Guide

extension GuideTests {
  @Suite struct DamageTests {
    private static let start = "<programme start=\"20260105100000 +0000\" channel="

    @Test(arguments: [
      ("\"x\"><title>Wrong</programme>", "Wrong", 1), ("\"x\"><title>Wrong</title>", "Wrong", 1),
      ("\"x\"></desc><title>Wrong</title></programme>", "Wrong", 1),
      ("\"x\" channel=\"y\"><title>Wrong</title></programme>", "Wrong", 1),
      ("\"x\" new><title lang=en>Wrong</title></programme>", "Wrong", 2),
      ("\"x\"><title>A]]>B & C</title></programme>", "A]]>B & C", 1),
      ("\"x\"><title>A&nbsp;B&#1;C&#xFFFF;</title></programme>", "A\u{A0}B C\u{FFFD}", 0),
      ("\"x\"><title>A\u{FFFE}B</title></programme>", "A\u{FFFD}B", 0),
      ("\"x\"><title>A<![CDATA[ & <b>]]> &lt;</title><</programme>", "A & <b> <", 1),
      ("\"x\"><title>AT&T &copy &amp;</title></programme></foo>", "AT&T &copy &", 3),
      ("'x&y'><title>Wrong</title></programme>", "Wrong", 1),
      ("\"x\"><title>Wrong</title></programme extra>", "Wrong", 0),
      ("\"x\"><title>Wrong</title><1/></programme>", "Wrong", 1),
    ])
    func `a mistake does no harm to what stands behind it`(
      entry: String, title: String, mended: Int
    ) throws {
      let site = GuideSite()
      let around = (0..<300).map { index in
        "<programme start=\"2026010512\((index % 60).padded())00 +0000\" channel=\"c\(index)\">"
          + "<title>N\(index)</title></programme>\n"
      }
      let text =
        "<tv>" + around[..<150].joined() + Self.start + entry + "\n" + around[150...].joined()
        + "</tv>\n"
      let summary = try site.load(text)
      #expect(summary.programmes == 301 && summary.mended == mended && !summary.isCut)
      let titles = try site.listing().map { $0.split(separator: " ", maxSplits: 2)[2] }
      #expect(titles.contains(Substring(title)), "\(titles.filter { !$0.hasPrefix("N") })")
    }

    @Test func `many entries that are wrong are all read`() throws {
      let site = GuideSite()
      let text = (0..<80_000).map { index in
        "<programme start=\"20260105\((index / 60 % 24).padded())\((index % 60).padded())00 +0000\""
          + " channel=\"c\(index / 1440)\"><title>Q & A</title></programme>"
      }
      let summary = try site.load("<tv>" + text.joined() + "</tv>")
      #expect(summary.programmes == 80_000 && summary.mended == 80_000)
      #expect(try site.store.number("SELECT count(*) FROM work") == 1)
    }

    @Test(arguments: ["<!--#-->", "<?note #?>", "<![CDATA[#]]>"])
    func `what is no entry may be as long as it likes`(frame: String) throws {
      let site = GuideSite()
      let long = String(repeating: "<programme channel='b'/> ", count: 400_000)
      let text = guide("a 1000 1100 One", "a 1100 1200 Two").replacing(
        "<tv>", with: "<tv>" + frame.replacing("#", with: long))
      let summary = try site.load(text)
      #expect(summary.programmes == 2 && summary.withoutTime == 0)
      let cut = guide("a 1000 1100 One").replacing(
        "</tv>", with: String(frame.split(separator: "#")[0]) + long)
      #expect(try site.load(cut).isCut)
    }

    @Test func `an entry that is too long to be mended is passed over`() throws {
      let site = GuideSite()
      let long = "<desc>" + String(repeating: "many words ", count: 600_000) + "</desk>"
      let text = guide("a 1000 1100 One", "a 1100 1200 Two", "a 1200 1300 Three").replacing(
        "<title>Two", with: long + "<title>Two")
      let summary = try site.load(text)
      #expect(try site.listing() == ["a 10:00-11:00 One", "a 12:00-13:00 Three"])
      #expect(summary.mended == 1)
    }

    @Test func `documents behind one another are one guide`() throws {
      let site = GuideSite()
      let summary = try site.load(
        "\n \u{FEFF}" + guide("a 1000 1100 One") + guide("b 1000 1100 Two"))
      #expect(summary.programmes == 2 && summary.mended == 0)
    }

    @Test func `nothing is fetched, whatever a document declares`() throws {
      let site = GuideSite()
      try site.folder.write("<!ENTITY far 'fetched'>", to: "far.dtd")
      let near = site.folder("far.dtd").string
      let types = [
        "<!DOCTYPE tv SYSTEM \"\(near)\">", "<!DOCTYPE tv SYSTEM \"file://\(near)\">",
        "<!DOCTYPE tv [<!ENTITY far SYSTEM \"file://\(near)\">]>",
        "<!DOCTYPE tv [<!ENTITY % all SYSTEM \"\(near)\"> %all;]>",
        "<!DOCTYPE tv [<!ENTITY far \"<title>fetched</title>\">]>",
      ]
      for type in types {
        let summary = try site.load(
          type + guide("a 1000 1100 It is &far; away").dropFirst(39))
        #expect(summary.programmes == 1, "\(type)")
        #expect(try site.listing() == ["a 10:00-11:00 It is &far; away"], "\(type)")
      }
    }

    @Test func `an entity that is long or named often costs nothing`() throws {
      let site = GuideSite()
      let type =
        "<!DOCTYPE tv [<!ENTITY a \"\(String(repeating: "x", count: 50_000))\">"
        + "<!ATTLIST title lang CDATA \"&a;\">]>"
      let text = String(repeating: "&a;", count: 5000)
      let summary = try site.load(type + guide("a 1000 1100 \(text)").dropFirst(39))
      #expect(summary.programmes == 1)
      #expect(try site.listing().first?.utf8.count ?? 0 < 20_000)
    }

    @Test(arguments: [
      ("Shift_JIS", String.Encoding.shiftJIS, "東京"), ("windows-1251", .windowsCP1251, "Новости"),
      ("ISO-8859-2", .isoLatin2, "Łódź"),
      ("UTF-16", .utf16BigEndian, "東京"), ("UTF-16", .utf16, "Łódź"),
    ])
    func `encodings are read by their names`(
      name: String, encoding: String.Encoding, title: String
    ) throws {
      let site = GuideSite()
      let text = guide("a 1000 1100 \(title)").replacing("UTF-8", with: name)
      let summary = try site.load(try #require(text.data(using: encoding)))
      #expect(try site.listing() == ["a 10:00-11:00 \(title)"] && summary.mended == 0)
    }

    @Test func `a guide of the layout before is brought up to date`() throws {
      let site = GuideSite()
      try site.load(guide("a 1000 1100 Häuser"))
      try GuideStore.open(folder: site.folder.path.string).write { database in
        try database.execute(
          sql: """
            DROP TABLE words; DROP TABLE told; DROP TABLE grdb_migrations;
            ALTER TABLE channel DROP COLUMN described; DELETE FROM setting WHERE name = 'words';
            CREATE TABLE batch(id INTEGER PRIMARY KEY, base INTEGER NOT NULL);
            CREATE TABLE posting(
              word INTEGER NOT NULL, batch INTEGER NOT NULL, hits BLOB NOT NULL,
              PRIMARY KEY(word, batch)) WITHOUT ROWID;
            INSERT INTO setting VALUES('words', 1); INSERT INTO setting VALUES('lastWork', 1);
            PRAGMA user_version = 1;
            """)
      }
      #expect(try site.titles("hauser") == ["Häuser"])
      let summary = try site.load(guide("a 1000 1100 Häuser", "a 1100 1200 Other"))
      #expect(summary.unchanged == 1 && summary.added == 1)
      #expect(try site.titles("haus", "other") == ["Other", "Häuser"])
      #expect(
        try site.store.number("SELECT count(*) FROM sqlite_schema WHERE name = 'posting'") == 0)
    }

    @Test func `a guide of a newer version is left alone`() throws {
      let site = GuideSite()
      try site.load(guide("a 1000 1100 One"))
      try GuideStore.open(folder: site.folder.path.string).write {
        try $0.execute(sql: "INSERT INTO grdb_migrations VALUES('from the future')")
      }
      #expect(failure { try site.load(guide("a 1000 1100 Two")) }?.code == "guide.store")
    }

    @Test func `a file that is no guide's is told to be damaged`() throws {
      let site = GuideSite()
      try site.folder.write(String(repeating: "no database ", count: 999), to: "guide.sqlite")
      #expect(failure { try site.load(guide("a 1000 1100 Two")) }?.code == "guide.damaged")
      #expect(failure { _ = try site.titles("two") }?.code == "guide.damaged")
    }
  }
}
