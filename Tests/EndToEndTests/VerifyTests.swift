import Foundation
import PluginKit
import SystemPackage
import TestSupport
import Testing

/// `procd verify`: each way in which outbox, archive, quarantine and ledger can come apart.
@Suite struct VerifyTests {
  /// Two files done, one of them below a folder, one in quarantine.
  private func site(_ change: (String) -> String = { $0 }) throws -> Site {
    let site = try Site(change)
    try site.place.write(Site.pdf("first"), to: "inbox/a.pdf")
    try site.place.write(Site.pdf("second"), to: "inbox/sub/a.pdf")
    try site.place.write("", to: "inbox/empty.pdf")
    #expect(try site.run("run", "--once").status == 65)
    return site
  }

  private struct Verdict {
    var status: Int32
    /// `kind place/path`
    var differences: [String]
    var counts: JSON
  }

  private func verify(_ site: Site, _ more: String...) throws -> Verdict {
    let result = try Programs.run(
      "procd", ["verify", "--json"] + more, in: site.place.path)
    let lines = try result.output.split(separator: "\n").map {
      try JSONReader.read(String($0)).value
    }
    return Verdict(
      status: result.status,
      differences: lines.dropLast().map { line in
        "\(line["kind"]?.stringValue ?? "") \(line["place"]?.stringValue ?? "")/"
          + (line["path"]?.stringValue ?? "")
      }, counts: try #require(lines.last, "\(result.errors)"))
  }

  private func expect(
    _ wanted: [String], after change: (TemporaryFolder) throws -> Void,
    location: SourceLocation = #_sourceLocation
  ) throws {
    let site = try site()
    try change(site.place)
    let verdict = try verify(site)
    #expect(verdict.differences.sorted() == wanted.sorted(), sourceLocation: location)
    #expect(verdict.status == (wanted.isEmpty ? 0 : 1), sourceLocation: location)
    #expect(verdict.counts["differences"]?.integerValue == wanted.count, sourceLocation: location)
  }

  @Test(arguments: ["flat", "folder"])
  func `after a run all agrees`(layout: String) throws {
    let site = try site {
      $0.replacing(
        #""outbox": "outbox""#, with: #""outbox": { "path": "outbox", "layout": "\#(layout)" }"#)
    }
    let verdict = try verify(site)
    #expect(verdict.differences.isEmpty)
    #expect(verdict.status == 0)
    #expect(verdict.counts["jobs"] == 3)
    #expect(verdict.counts["taken"] == 0)
  }

  @Test func `an outbox that was taken away as a whole`() throws {
    try expect(["missing outbox/"]) {
      try FileManager.default.moveItem(
        atPath: $0("outbox").string, toPath: $0("elsewhere").string)
    }
  }

  @Test func `a changed result`() throws {
    try expect(["changed outbox/a.txt"]) { try $0.write("other", to: "outbox/a.txt") }
  }

  @Test func `a result of the same size and other content`() throws {
    try expect(["changed outbox/a.txt"]) { place in
      var data = try #require(place.read("outbox/a.txt"))
      data[0] ^= 1
      try place.write(data, to: "outbox/a.txt")
    }
  }

  @Test func `a result that became a link`() throws {
    try expect(["changed outbox/a.txt"]) { place in
      try FileManager.default.removeItem(atPath: place("outbox/a.txt").string)
      try FileManager.default.createSymbolicLink(
        atPath: place("outbox/a.txt").string, withDestinationPath: "sub/a.txt")
    }
  }

  @Test func `a changed report`() throws {
    try expect(["changed outbox/a.pdf.report.json"]) {
      try $0.write(#"{"version":1}"#, to: "outbox/a.pdf.report.json")
    }
  }

  @Test func `a changed and a missing original`() throws {
    try expect(["changed archive/a.pdf", "missing archive/sub/a.pdf"]) { place in
      try place.write("other", to: "archive/a.pdf")
      try FileManager.default.removeItem(atPath: place("archive/sub/a.pdf").string)
    }
  }

  @Test func `an original without its report`() throws {
    try expect(["unreported archive/a.pdf.report.json", "unreported quarantine/empty.pdf.why.txt"])
    {
      for name in ["archive/a.pdf.report.json", "quarantine/empty.pdf.why.txt"] {
        try FileManager.default.removeItem(atPath: $0(name).string)
      }
    }
  }

  @Test func `files that no job put there`() throws {
    try expect(["extra outbox/sub/new.txt", "extra archive/old.pdf"]) { place in
      try place.write("x", to: "outbox/sub/new.txt")
      try place.write("x", to: "archive/old.pdf")
    }
  }

  @Test func `where the marker is missing, nothing counts as taken away`() throws {
    let site = try Site {
      $0.replacing(
        #""outbox": "outbox""#, with: #""outbox": { "path": "outbox", "marker": ".disk" }"#)
    }
    try site.place.write("", to: "outbox/.disk")
    try site.place.write(Site.pdf("first"), to: "inbox/a.pdf")
    #expect(try site.run("run", "--once").status == 0)
    #expect(try verify(site).status == 0)
    unlink(site.place("outbox/.disk").string)
    let verdict = try verify(site)
    #expect(verdict.status == 1 && verdict.differences == ["unreadable outbox/"], "\(verdict)")
    #expect(verdict.counts["taken"] == 0)
    let told = try site.run("verify")
    #expect(told.output.contains("its marker"), "\(told)")
  }

  @Test(.enabled(if: SmallDisk.isAvailable, "SKIPPED: only root can mount a disk"))
  func `a disk that is mounted over the outbox is told`() throws {
    let site = try site()
    #expect(try !site.run("verify").errors.contains("mounted"))
    #expect(
      try Programs.run(
        try #require(Programs.find("mount")),
        ["-t", "tmpfs", "none", site.place("outbox").string]
      ).status == 0)
    defer {
      _ = try? Programs.run(Programs.find("umount") ?? "", ["-l", site.place("outbox").string])
    }
    let told = try site.run("verify")
    #expect(told.errors.contains("a disk is mounted at the outbox"), "\(told)")
    try site.place.write(Site.pdf("third"), to: "inbox/late.pdf")
    #expect(try site.run("run", "--once").status == 0)
    #expect(try site.run("verify").errors.contains("is hidden, and counts as taken away"))
  }

  @Test func `the marker of a disk is nobody's`() throws {
    try expect([]) { place in
      let rules = String(decoding: try #require(place.read("pipelines.json")), as: UTF8.self)
      try place.write(
        rules.replacing(
          #""outbox": "outbox""#, with: #""outbox": { "path": "outbox", "marker": "disk.id" }"#),
        to: "pipelines.json")
      try place.write("", to: "outbox/disk.id")
    }
  }

  @Test func `what procd left visible`() throws {
    try expect([
      "leftover outbox/.procd/JOB.0", "leftover spool/work/JOB.X", "leftover spool/seal/JOB",
    ]) { place in
      try place.write("x", to: "outbox/.procd/JOB.0")
      try place.write("x", to: "spool/work/JOB.X/out/file")
      try place.write("x", to: "spool/seal/JOB/0")
    }
  }

  @Test func `a claim of no job`() throws {
    try expect(["unmatched spool/claimed/JOB"]) {
      try $0.write("x", to: "spool/claimed/JOB/source")
    }
  }

  @Test func `what a consumer takes is counted, and named on request`() throws {
    let site = try site()
    for name in ["outbox/a.txt", "outbox/a.pdf.report.json", "quarantine/empty.pdf"] {
      try FileManager.default.removeItem(atPath: site.place(name).string)
    }
    let verdict = try verify(site)
    #expect(verdict.status == 0, "\(verdict.differences)")
    #expect(verdict.differences.isEmpty)
    #expect(verdict.counts["taken"] == 3)
    let all = try verify(site, "--all")
    #expect(
      all.differences.sorted()
        == ["taken outbox/a.pdf.report.json", "taken outbox/a.txt", "taken quarantine/empty.pdf"])
    #expect(all.status == 0)
  }

  @Test func `a name that was taken and given again is judged by its newest job`() throws {
    let site = try site()
    for name in site.place.files(below: "outbox") where !name.contains("/") {
      try FileManager.default.removeItem(atPath: site.place("outbox/\(name)").string)
    }
    for name in ["archive/a.pdf", "archive/a.pdf.report.json"] {
      try FileManager.default.removeItem(atPath: site.place(name).string)
    }
    try site.place.write(Site.pdf("third, under the first one's name"), to: "inbox/a.pdf")
    #expect(try site.run("run", "--once").status == 0)
    let verdict = try verify(site)
    #expect(verdict.differences.isEmpty, "\(verdict.differences)")
    #expect(verdict.status == 0)
  }

  @Test
  func
    `a ledger that is damaged within is told without words of SQL, and no new start is asked for`()
    throws
  {
    let site = try site()
    let path = site.place("spool/ledger.sqlite").string
    // What it holds may still stand in the log beside it.
    let moved = try Programs.run(
      try #require(Programs.find("python3")),
      [
        "-c",
        "import sqlite3, sys; sqlite3.connect(sys.argv[1]).execute('PRAGMA wal_checkpoint(TRUNCATE)')",
        path,
      ])
    #expect(moved.status == 0, "\(moved.errors)")
    for name in ["-wal", "-shm"] where FileManager.default.fileExists(atPath: path + name) {
      try FileManager.default.removeItem(atPath: path + name)
    }
    var ledger = try Data(contentsOf: URL(filePath: path))
    try #require(ledger.count > 3 * 4096)
    let pages = 2 * 4096..<min(ledger.count, 30 * 4096)
    ledger.replaceSubrange(pages, with: Data(repeating: 0x55, count: pages.count))
    try ledger.write(to: URL(filePath: path))
    try site.place.write(Site.pdf("another"), to: "inbox/another.pdf")
    let run = try site.run("run", "--once")
    #expect(run.status == 70 && run.errors.contains("move ledger.sqlite"), "\(run)")
    for command in ["doctor", "verify"] {
      let told = try site.run(command)
      let text = told.output + told.errors
      #expect(text.contains("damaged"), "\(text)")
      #expect(!text.contains("btree") && !text.contains("database main"), "\(text)")
    }
    #expect(site.place.exists("inbox/another.pdf"))
  }

  @Test func `a damaged ledger is said, and nothing held against it`() throws {
    let site = try site()
    try site.damageLedger()
    let result = try site.run("verify")
    #expect(result.status == 70, "\(result.output)")
    #expect(result.errors.contains("ledger"))
  }

  /// A link that leads to itself can be opened by nobody, not even by root.
  private func block(_ path: FilePath) throws {
    try FileManager.default.removeItem(atPath: path.string)
    try FileManager.default.createSymbolicLink(
      atPath: path.string, withDestinationPath: path.string)
  }

  @Test(arguments: ["outbox", "archive", "quarantine"])
  func `a place that cannot be read is said, once`(place: String) throws {
    try expect(["unreadable \(place)/"]) { try block($0(place)) }
  }

  @Test func `results in a folder that cannot be read are not taken away`() throws {
    try expect([
      "unreadable outbox/sub/a.pdf.report.json", "unreadable outbox/sub/a.txt", "extra outbox/sub",
    ]) {
      try block($0("outbox/sub"))
    }
  }

  @Test func `what is in work and cannot be read is said`() throws {
    try expect(["unreadable spool/.procd"]) { try block($0("spool/claimed")) }
  }

  @Test func `a ledger that cannot be looked at is not one that is missing`() throws {
    let site = try site()
    try block(site.place("spool/ledger.sqlite"))
    let result = try site.run("verify")
    #expect(result.status == 75)
    #expect(!result.errors.contains("nothing has been processed"), "\(result.errors)")
  }

  @Test func `nothing was processed yet`() throws {
    let result = try Site().run("verify")
    #expect(result.status == 75)
    #expect(result.errors.contains("nothing has been processed"))
  }
}
