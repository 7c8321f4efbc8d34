import Foundation
import Glibc
import PluginKit
import SystemPackage
import TestSupport
import Testing

/// `archive.keep` and `procd clean`: originals go when their time is over, and nothing else does.
@Suite struct RetentionTests {
  /// Three files done, one of them below a folder, one in quarantine.
  private func site(keep: String) throws -> Site {
    let site = try Site {
      $0.replacing(
        #""archive": "archive""#,
        with: #""archive": { "path": "archive", "keep": "\#(keep)" }"#)
    }
    #expect(site.place.read("pipelines.json")?.contains(Data(#""keep""#.utf8)) == true)
    try site.place.write(Site.pdf("first"), to: "inbox/a.pdf")
    try site.place.write(Site.pdf("second"), to: "inbox/sub/a.pdf")
    try site.place.write(Site.pdf("third"), to: "inbox/b.pdf")
    try site.place.write("", to: "inbox/empty.pdf")
    #expect(try site.run("run", "--once").status == 65)
    return site
  }

  private func clean(_ site: Site, _ arguments: String...) throws -> String {
    let result = try Programs.run("procd", ["clean"] + arguments, in: site.place.path)
    #expect(result.status == 0, "\(result.errors)")
    return result.output
  }

  private static let archived = [
    "a.pdf", "a.pdf.report.json", "b.pdf", "b.pdf.report.json", "sub/a.pdf",
    "sub/a.pdf.report.json",
  ]

  @Test func `where none is kept the archive stays empty, and all agrees`() throws {
    let site = try site(keep: "no")
    #expect(site.place.files(below: "archive").isEmpty)
    #expect(site.place.exists("outbox/a.txt") && site.place.exists("outbox/sub/a.txt"))
    #expect(site.place.exists("quarantine/empty.pdf"))
    let verified = try site.run("verify")
    #expect(verified.status == 0, "\(verified.output)")
    #expect(verified.output.contains("3 let go"))
  }

  @Test func `an original of which only part could be read stays where none is kept`() throws {
    let site = try Site {
      $0.replacing(
        #""archive": "archive""#, with: #""archive": { "path": "archive", "keep": "no" }"#)
    }
    try site.place.write(Site.halfPDF, to: "inbox/a.pdf")
    // Nothing was found in this one.
    try site.place.write(Data(PDFBuilder.pages([""])), to: "inbox/blank.pdf")
    #expect(try site.run("run", "--once").status == 0)
    #expect(try site.report("a.pdf")["partial"] == true)
    #expect(site.place.exists("archive/a.pdf"))
    #expect(try clean(site).contains("0 originals"))
    #expect(site.place.exists("archive/a.pdf") && site.place.exists("archive/blank.pdf"))
    #expect(try clean(site, "--keep", "no").contains("2 originals"))
  }

  @Test func `a rule has a time of its own, others that of the archive`() throws {
    let site = try Site {
      $0.replacing(
        #""pipelines": ["#,
        with: #"""
          "pipelines": [
            { "id": "contracts", "match": { "path": "contracts/**" }, "keep": "no",
              "steps": [{ "id": "text", "use": "pdf.text" }], "emit": ["text.text"] },
            { "id": "letters", "match": { "path": "letters/**" }, "keep": "5d",
              "steps": [{ "id": "text", "use": "pdf.text" }], "emit": ["text.text"] },
          """#)
    }
    for name in ["contracts/a", "letters/b", "c"] {
      try site.place.write(Site.pdf(name), to: "inbox/\(name).pdf")
    }
    #expect(try site.run("run", "--once").status == 0)
    func originals() -> [String] {
      site.place.files(below: "archive").filter { $0.hasSuffix(".pdf") }.sorted()
    }
    try site.place.write(Site.pdf("newest"), to: "inbox/d.pdf")
    #expect(try site.run("run", "--once").status == 0)
    #expect(originals() == ["c.pdf", "d.pdf", "letters/b.pdf"])
    // All but the newest are ten days old now.
    try Site.age(site.place("spool/ledger.sqlite"))
    #expect(try clean(site, "--dry-run").contains("1 original,"))
    #expect(try site.run("run", "--once").status == 0)
    #expect(originals() == ["c.pdf", "d.pdf"])
    #expect(try site.run("verify").status == 0)
    #expect(try clean(site, "--keep", "5d").contains("1 original,"))
  }

  @Test func `what is younger than its time stays`() throws {
    let site = try site(keep: "30d")
    #expect(site.place.files(below: "archive").sorted() == Self.archived)
    #expect(try clean(site).contains("0 originals"))
    #expect(site.place.files(below: "archive").sorted() == Self.archived)
  }

  @Test func `a look at what would go changes nothing`() throws {
    let site = try site(keep: "30d")
    let before = site.contents
    let shown = try clean(site, "--dry-run", "--keep", "no")
    #expect(shown.contains("would go sub/a.pdf"))
    #expect(shown.contains("3 originals"))
    #expect(site.contents == before)
    #expect(try clean(site, "--dry-run", "--keep", "no") == shown)
  }

  @Test func `a file that is not what was archived stays`() throws {
    let site = try site(keep: "30d")
    try site.place.write("somebody's own", to: "archive/a.pdf")
    try site.place.write("a stranger's", to: "archive/c.pdf")
    let lines = try clean(site, "--keep", "no", "--json").split(separator: "\n").map {
      try JSONReader.read(String($0)).value
    }
    #expect(
      lines.map { "\($0["fate"]?.stringValue ?? "") \($0["path"]?.stringValue ?? "")" }.sorted()
        == ["let go b.pdf", "let go sub/a.pdf", "stays a.pdf"])
    #expect(
      site.place.files(below: "archive").sorted() == ["a.pdf", "a.pdf.report.json", "c.pdf"])
    #expect(try clean(site, "--keep", "no").contains("0 originals"))
  }

  @Test func `the original of a newer job under the same name stays`() throws {
    let site = try site(keep: "30d")
    // Taken away by hand: the name is free for the next one.
    for name in ["a.pdf", "a.pdf.report.json"] {
      try FileManager.default.removeItem(atPath: site.place("archive/\(name)").string)
    }
    try site.place.write(Site.pdf("another"), to: "inbox/a.pdf")
    try site.run("run", "--once")
    let newest = try #require(site.place.read("archive/a.pdf"))
    // Long ago, but for the newest.
    try Site.age(site.place("spool/ledger.sqlite"))
    let shown = try clean(site, "--keep", "5d")
    #expect(shown.contains("let go   b.pdf"))
    #expect(site.place.read("archive/a.pdf") == newest)
  }

  @Test func `a folder that was one document goes as a whole, or stays`() throws {
    let site = try Site { text in
      text.replacing(
        #""pipelines": ["#,
        with: #"""
          "pipelines": [
            { "id": "joined", "gather": "folder", "match": { "path": "scan*" },
              "steps": [{ "id": "text", "use": "pdf.text" }], "emit": ["pages.pdf"] },
          """#)
    }
    for path in ["scan1/1", "scan1/2", "scan2/1", "scan2/2"] {
      try site.place.write(Site.pdf(path), to: "inbox/\(path).pdf")
    }
    #expect(try site.run("run", "--once").status == 0)
    #expect(site.place.exists("archive/scan1/1.pdf") && site.place.exists("archive/scan2/2.pdf"))
    try site.place.write("a note", to: "archive/scan2/note.txt")
    #expect(try clean(site, "--keep", "no").contains("1 original,"))
    #expect(!site.place.exists("archive/scan1"))
    #expect(
      site.place.files(below: "archive/scan2").sorted() == ["1.pdf", "2.pdf", "note.txt"])
  }

  @Test func `one that cannot be looked at holds up no other, and is told`() throws {
    let site = try site(keep: "30d")
    try FileManager.default.removeItem(atPath: site.place("archive/sub").string)
    try FileManager.default.createSymbolicLink(
      atPath: site.place("archive/sub").string, withDestinationPath: "/tmp")
    let result = try site.run("clean", "--keep", "no")
    #expect(result.status == 75, "\(result.errors)")
    #expect(
      site.place.files(below: "archive").filter { $0.hasPrefix("a.") || $0.hasPrefix("b.") } == [])
  }

  @Test func `an archive whose disk is not there is left as it is`() throws {
    let site = try site(keep: "30d")
    try #require(rename(site.place("archive").string, site.place("disk").string) == 0)
    try FileManager.default.createDirectory(
      atPath: site.place("archive").string, withIntermediateDirectories: false)
    #expect(try clean(site, "--keep", "no").contains("0 originals"))
    try FileManager.default.removeItem(atPath: site.place("archive").string)
    try #require(rename(site.place("disk").string, site.place("archive").string) == 0)
    #expect(try clean(site, "--keep", "no").contains("3 originals"))
  }

  @Test func `a daemon lets originals go by itself`() throws {
    let site = try site(keep: "2s")
    let daemon = try site.watch()
    defer { daemon.signal(SIGKILL) }
    #expect(Programs.wait { site.place.files(below: "archive").isEmpty }, "they stay")
    daemon.signal(SIGTERM)
    _ = daemon.wait()
  }
}

/// `mode` and `group` of outbox, archive and quarantine.
@Suite struct AccessTests {
  private func access(_ site: Site, _ path: String) throws -> (mode: Int, group: Int) {
    let attributes = try FileManager.default.attributesOfItem(atPath: site.place(path).string)
    return (
      (attributes[.posixPermissions] as? NSNumber)?.intValue ?? 0,
      (attributes[.groupOwnerAccountID] as? NSNumber)?.intValue ?? -1
    )
  }

  @Test func `files and folders of a place get what is asked for`() throws {
    let group = Int(getuid() == 0 ? 4242 : getgid())
    let site = try Site {
      $0.replacing(
        #""outbox": "outbox""#,
        with: #""outbox": { "path": "outbox", "mode": "0640", "group": "\#(group)" }"#
      ).replacing(
        #""archive": "archive""#, with: #""archive": { "path": "archive", "mode": "0604" }"#
      ).replacing(
        #""quarantine": "quarantine""#,
        with: #""quarantine": { "path": "quarantine", "mode": "0666", "group": "\#(group)" }"#)
    }
    try site.place.write(Site.pdf("words"), to: "inbox/sub/a.pdf")
    try site.place.write("", to: "inbox/empty.pdf")
    #expect(try site.run("run", "--once").status == 65)
    for (path, mode) in [
      ("outbox/sub", 0o750), ("outbox/sub/a.txt", 0o640), ("outbox/sub/a.pdf.report.json", 0o640),
      ("quarantine/empty.pdf", 0o666), ("quarantine/empty.pdf.why.txt", 0o666),
      ("quarantine/empty.pdf.report.json", 0o666),
    ] {
      let found = try access(site, path)
      #expect(found.mode == mode && found.group == group, "\(path): \(found)")
    }
    for (path, mode) in [
      ("archive/sub", 0o705), ("archive/sub/a.pdf", 0o604),
      ("archive/sub/a.pdf.report.json", 0o604),
    ] {
      let found = try access(site, path)
      #expect(found.mode == mode, "\(path): \(found)")
    }
  }

  /// A second hard link makes procd work on a copy, which is what it keeps.
  @Test func `an archived copy may be read by whoever might read the original`() throws {
    let site = try Site()
    try site.place.write(Site.pdf("words"), to: "inbox/a.pdf")
    let path = site.place("inbox/a.pdf").string
    try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: path)
    try FileManager.default.linkItem(atPath: path, toPath: site.place("other.pdf").string)
    #expect(try site.run("run", "--once").status == 0)
    #expect(try access(site, "archive/a.pdf").mode == 0o644)
  }

  @Test func `a group that is not there is told`() throws {
    let site = try Site {
      $0.replacing(
        #""archive": "archive""#,
        with: #""archive": { "path": "archive", "group": "no-such-group" }"#)
    }
    let result = try site.run("check")
    #expect(result.status != 0)
    #expect((result.output + result.errors).contains("no group no-such-group"))
  }
}
