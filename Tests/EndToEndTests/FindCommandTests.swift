import Foundation
import PluginKit
import SystemPackage
import TestSupport
import Testing

/// `procd find`, over what a real procd made.
@Suite struct FindCommandTests {
  private func site() throws -> Site {
    let site = try Site()
    try site.put(sample: "letter-photo.jpg")
    try site.put(sample: "report-mixed.pdf")
    try site.put(sample: "status-2012-06-01.pdf")
    try site.put(sample: "locked.pdf")
    #expect(try site.run("run", "--once").status == 65)
    return site
  }

  private func hits(_ site: Site, _ words: String...) throws -> [JSON] {
    let result = try Programs.run("procd", ["find", "--json"] + words, in: site.place.path)
    #expect(result.status == (result.output.isEmpty ? 1 : 0), "\(result.errors)")
    return try result.output.split(separator: "\n").map {
      try JSONReader.read(Array($0.utf8)).value
    }
  }

  @Test func `words of pictures, PDFs, rows and names are found, with their page`() throws {
    let site = try site()
    let mooring = try hits(site, "mooring")
    #expect(mooring.map { $0["path"] } == ["letter-photo.jpg"])
    // Recognized on a page that is only scanned.
    let appendix = try hits(site, "appendix")
    #expect(appendix.map { $0["path"] } == ["report-mixed.pdf"] && appendix[0]["page"] == 2)
    #expect(try hits(site, "24300117001").map { $0["pipeline"] } == ["batch-status"])
    let locked = try hits(site, "locked")
    #expect(locked.map { $0["outcome"] } == ["quarantined"])
    #expect(try hits(site, "nothingofthekind").isEmpty)
    #expect(try hits(site, "tide", "--in", "pdf-text").count == 1)
    #expect(try hits(site, "tide", "--since", "2999-01-01").isEmpty)
    #expect(try site.run("find", "tide", "--since", "yesterday").status == 64)
    // Words that are not wanted, of letters that options have, too.
    #expect(try hits(site, "tide").count > 1)
    let without = try hits(site, "tide", "-crane", "-nothere")
    #expect(without.map { $0["path"] } == ["report-mixed.pdf"], "\(without)")
    let shown = try site.run("find", "mooring")
    #expect(shown.output.contains("letter-photo.jpg, page 1\n"), "\(shown.output)")
  }

  @Test func `a typo is forgiven on the terminal, and scripts get what they ask for`() throws {
    let site = try site()
    let shown = try site.run("find", "moorng")
    #expect(shown.status == 0 && shown.output.contains("letter-photo.jpg"), "\(shown)")
    #expect(
      shown.errors.contains("nothing found for moorng; these are for mooring"), "\(shown.errors)")
    #expect(try hits(site, "moorng").isEmpty)
    #expect(try site.run("find", "\"moorng\"").status == 1)
  }

  @Test func `filters are words of a search`() throws {
    let site = try site()
    #expect(try hits(site, "tide", "in:pdf-text").count == 1)
    #expect(try hits(site, "tide", "-in:pdf-text").allSatisfy { $0["pipeline"] != "pdf-text" })
    let taken = try hits(site, "in:pdf-text")
    #expect(taken.contains { $0["path"] == "report-mixed.pdf" && $0["snippet"] == [] })
    #expect(taken.allSatisfy { $0["pipeline"] == "pdf-text" })
    #expect(try hits(site, "tide", "before:2020").isEmpty)
    #expect(try hits(site, "tide", "since:2020-02").count > 1)
  }

  @Test func `an index of an earlier version is filled again`() throws {
    let site = try site()
    #expect(try hits(site, "mooring").count == 1)
    // As it was before it had places and senders.
    let made = try Programs.run(
      Programs.find("python3") ?? "",
      [
        "-c",
        """
        import sqlite3, sys
        base = sqlite3.connect(sys.argv[1])
        base.executescript("DROP TABLE sender; DROP TABLE word; ALTER TABLE document DROP COLUMN places;"
                           "DELETE FROM grdb_migrations WHERE identifier LIKE '2 %'; VACUUM")
        """, site.place("spool/find.sqlite").string,
      ], in: site.place.path)
    try #require(made.status == 0, "\(made.errors)")
    #expect(try hits(site, "mooring", "-in:elsewhere").count == 1)
  }

  @Test func `an index that is deleted or damaged is made again from what stands`() throws {
    let site = try site()
    #expect(try hits(site, "mooring").count == 1)
    for name in ["find.sqlite", "find.sqlite-wal", "find.sqlite-shm"]
    where site.place.exists("spool/\(name)") {
      try FileManager.default.removeItem(atPath: site.place("spool/\(name)").string)
    }
    #expect(try hits(site, "mooring").count == 1)
    for name in ["find.sqlite-wal", "find.sqlite-shm"] where site.place.exists("spool/\(name)") {
      try FileManager.default.removeItem(atPath: site.place("spool/\(name)").string)
    }
    try site.place.write(Data(repeating: 0x41, count: 20_000), to: "spool/find.sqlite")
    #expect(try hits(site, "mooring").count == 1)
    #expect(try site.run("find", "--rebuild").status == 0)
    #expect(try hits(site, "mooring").count == 1)
    #expect(try site.run("verify").status == 0)
  }

  @Test func `an outbox that is not there takes no text from the index`() throws {
    let site = try site()
    let files = FileManager.default
    try files.moveItem(atPath: site.place("outbox").string, toPath: site.place("away").string)
    // Told, and nothing is put in by its name alone.
    #expect(try site.run("find", "mooring").status != 0)
    try files.moveItem(atPath: site.place("away").string, toPath: site.place("outbox").string)
    #expect(try hits(site, "mooring").count == 1)
  }

  @Test func `what retention let go and nobody can open is found no more`() throws {
    let site = try Site {
      $0.replacing(
        #""archive": "archive""#, with: #""archive": { "path": "archive", "keep": "no" }"#)
    }
    try site.put(sample: "report-mixed.pdf")
    #expect(try site.run("run", "--once").status == 0)
    // Its results can be opened still.
    #expect(try hits(site, "gauge").count == 1)
    for name in site.place.files(below: "outbox") {
      try FileManager.default.removeItem(atPath: site.place("outbox/\(name)").string)
    }
    #expect(try hits(site, "gauge").isEmpty)
  }

  @Test func `what somebody has taken away is found no more`() throws {
    let site = try Site()
    try site.put(sample: "report-mixed.pdf")
    try site.place.write(Site.pdf("another gauge"), to: "inbox/other.pdf")
    #expect(try site.run("run", "--once").status == 0)
    #expect(try hits(site, "gauge").count == 2)
    func remove(_ place: String) throws {
      for name in site.place.files(below: place) where name.contains("report-mixed") {
        try FileManager.default.removeItem(atPath: site.place("\(place)/\(name)").string)
      }
    }
    try remove("outbox")
    #expect(try hits(site, "gauge").count == 2)
    try remove("archive")
    #expect(try hits(site, "gauge").count == 1)
    #expect(try hits(site, "report").isEmpty && hits(site, "mixed").isEmpty)
  }

  @Test func `a running procd fills the index beside its work`() throws {
    let site = try Site()
    let daemon = try site.watch()
    try site.put(sample: "report-mixed.pdf")
    func kept() -> Bool {
      site.place.exists("spool/find.sqlite")
        && (try? Programs.run(
          Programs.find("python3") ?? "",
          [
            "-c",
            "import sqlite3,sys; print(sqlite3.connect(sys.argv[1]).execute('SELECT count(*) FROM document').fetchone()[0])",
            site.place("spool/find.sqlite").string,
          ], in: site.place.path))?.output == "1\n"
    }
    #expect(Programs.wait { kept() })
    daemon.signal(SIGTERM)
    #expect(daemon.wait() == 0)
  }

  @Test func `where the configuration wants no index, none is made by itself`() throws {
    let site = try Site { $0.replacing(#""version": 1,"#, with: #""version": 1, "find": false,"#) }
    let daemon = try site.watch()
    try site.place.write(Site.pdf("first"), to: "inbox/a.pdf")
    try #require(Programs.wait { site.place.exists("outbox/a.pdf.report.json") })
    daemon.signal(SIGTERM)
    #expect(daemon.wait() == 0)
    #expect(!site.place.exists("spool/find.sqlite"))
    let result = try site.run("find", "first")
    #expect(result.status == 78 && result.errors.contains("\"find\""), "\(result.errors)")
  }
}
