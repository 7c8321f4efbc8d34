import Foundation
import Glibc
import PluginKit
import SystemPackage
import TestSupport
import Testing

/// Names that once kept procd from ever starting again, and what stands under names of ours.
@Suite(.serialized) struct HostileNameTests {
  private func write(_ data: Data, below base: FilePath, _ names: [[UInt8]]) throws {
    var path = base.string.utf8CString.dropLast().map { UInt8(bitPattern: $0) }
    for (index, name) in names.enumerated() {
      path += [UInt8(ascii: "/")] + name
      let text = path.map { CChar(bitPattern: $0) } + [0]
      if index < names.count - 1 {
        #expect(mkdir(text, 0o755) == 0 || errno == EEXIST)
      } else {
        let file = open(text, O_WRONLY | O_CREAT | O_EXCL, 0o644)
        try #require(file >= 0)
        _ = data.withUnsafeBytes { Glibc.write(file, $0.baseAddress, $0.count) }
        close(file)
      }
    }
  }

  /// Nothing stays on the way, and the next start has nothing to do.
  private func expectAllDone(_ site: Site, _ count: Int) throws {
    let result = try site.run("run", "--once")
    #expect(result.status == 0, "\(result.errors)")
    #expect(site.place.files(below: "inbox") == [] && site.leftovers == [])
    let outbox = site.place.files(below: "outbox").filter { $0.hasSuffix(".report.json") }
    #expect(outbox.count == count, "\(outbox)")
    #expect(try site.run("run", "--once").status == 0)
    let verified = try site.run("verify")
    #expect(verified.status == 0, "\(verified.output)\(verified.errors)")
  }

  @Test func `folders that grow when they are repaired stay within what the kernel takes`() throws {
    let site = try Site()
    let base = site.place("inbox")
    let bytes = [UInt8](repeating: 0xFF, count: 100)
    try write(Site.pdf("one"), below: base, [bytes, Array("a.pdf".utf8)])
    // Two that are cut to the same length stay two; a deep one stays a path.
    try write(
      Site.pdf("two"), below: base,
      [bytes + Array(repeating: 0xFE, count: 60), Array("a.pdf".utf8)])
    try write(
      Site.pdf("three"), below: base,
      [bytes + Array(repeating: 0xFD, count: 60), Array("a.pdf".utf8)])
    try write(
      Site.pdf("four"), below: base,
      Array(repeating: [UInt8](repeating: 0xFF, count: 250), count: 12) + [Array("a.pdf".utf8)])
    try expectAllDone(site, 4)
    let folders = Set(
      site.place.files(below: "outbox").map { $0.split(separator: "/").dropLast().joined() })
    #expect(folders.count == 4)
  }

  @Test func `folders and names that a rule fills in are cut between characters`() throws {
    let site = try Site()
    let marks = String(repeating: "a\u{301}\u{302}\u{303}\u{304}", count: 30)
    try site.place.write(
      """
      { "version": 1, "inbox": { "path": "inbox", "settle": "100ms" },
        "pipelines": [
          { "id": "letters", "match": { "mime": "application/pdf" },
            "steps": [{ "id": "text", "use": "pdf.text" }],
            "to": "{stem}-{sha8}/\(marks)/{stem}{stem}",
            "emit": [{ "from": "text.text", "as": "{stem}.{stem}\(marks).txt" }] } ] }
      """, to: "pipelines.json")
    let names = [
      String(repeating: "x", count: 246) + ".pdf", String(repeating: "é", count: 123) + ".pdf",
      "a." + String(repeating: "y", count: 244) + ".pdf",
    ]
    for name in names { try write(Site.pdf(name), below: site.place("inbox"), [Array(name.utf8)]) }
    try expectAllDone(site, names.count)
  }

  @Test(arguments: ["..", "/", "../up", ".", "/etc/passwd"])
  func `a text of a document makes no folder and leaves none`(text: String) throws {
    let site = try Site()
    try site.place.write(
      """
      { "version": 1, "inbox": { "path": "inbox", "settle": "100ms" },
        "pipelines": [
          { "id": "notes", "match": { "mime": "application/pdf" },
            "steps": [{ "id": "text", "use": "pdf.text" }],
            "texts": { "c": { "regex": "from (.*) to" } }, "to": "mail/{text:c}",
            "emit": [{ "from": "text.text", "as": "{text:c}" }] } ] }
      """, to: "pipelines.json")
    try site.place.write(Site.pdf("from \(text) to you"), to: "inbox/a.pdf")
    try expectAllDone(site, 1)
    for path in site.place.files(below: "outbox") {
      #expect(path.hasPrefix("mail/") && path.split(separator: "/").count == 3, "\(path)")
    }
  }

  @Test func `what somebody puts under a name of ours does not stop the start`() throws {
    let site = try Site()
    try site.place.write(Site.pdf("x"), to: "inbox/a.pdf")
    for place in ["inbox", "outbox", "archive", "quarantine", "spool"] {
      for name in [".procd-trial", ".procd-trial-1", ".procd-trial-aaaaaaaaaaaa", ".procd"] {
        try site.place.write("mine", to: "\(place)/\(name)")
      }
    }
    let result = try site.run("run", "--once")
    #expect(result.status == 0, "\(result.errors)")
    #expect(site.place.exists("outbox/a.txt"))
    #expect(site.place.read("inbox/.procd-trial") == Data("mine".utf8))
    // It is told of, not taken.
    #expect(try site.run("status", "--json").output.contains(".procd"))
    for kind in ["doctor", "verify"] {
      #expect(try site.run(kind).output.contains(".procd"), "\(kind)")
    }
  }

  @Test func `a spool that was open is closed, and its files with it`() throws {
    let site = try Site()
    try site.place.write(Site.pdf("x"), to: "inbox/a.pdf")
    #expect(try site.run("run", "--once").status == 0)
    for (name, mode) in [("spool", 0o755), ("spool/ledger.sqlite", 0o644)] {
      #expect(chmod(site.place(name).string, mode_t(mode)) == 0)
    }
    try site.place.write(Site.pdf("y"), to: "inbox/b.pdf")
    #expect(try site.run("run", "--once").status == 0)
    for name in ["spool", "spool/ledger.sqlite"] {
      var status = stat()
      #expect(stat(site.place(name).string, &status) == 0 && status.st_mode & 0o077 == 0, "\(name)")
    }
  }

  @Test func `who holds the lock of the spool is told`() throws {
    let site = try Site()
    #expect(try site.run("run", "--once").status == 0)
    let flock = try #require(Programs.find("flock"))
    let holder = try Programs.start(
      flock, [site.place("spool").string, "sleep", "60"], in: site.place.path)
    defer { holder.signal(SIGTERM) }
    #expect(
      Programs.wait {
        (try? Programs.run(flock, ["-n", site.place("spool").string, "true"]))?.status == 1
      })
    let result = try site.run("run", "--once")
    #expect(result.status == 75)
    #expect(result.errors.contains("sleep") || result.errors.contains("flock"), "\(result.errors)")
  }

  @Test func `what a file is called and a step says stays on its line`() throws {
    let site = try Site()
    let name = "a\nprocd: b.pdf is done \u{9B}31m\u{202E}fdp"
    try site.place.write("no such type \u{0}\u{1}", to: "inbox/\(name)")
    let result = try site.run("run", "--once")
    #expect(result.status == 65)
    var shown = result.errors
    for arguments in [["jobs"], ["jobs", "--json"], ["status"], ["status", "--json"], ["verify"]] {
      shown += try Programs.run("procd", arguments, in: site.place.path).output
    }
    for path in site.place.files(below: "quarantine") where path.hasSuffix(".why.txt") {
      shown += String(decoding: site.place.read("quarantine/\(path)") ?? Data(), as: UTF8.self)
    }
    #expect(shown.contains("is done"))
    for line in shown.split(separator: "\n") { #expect(!line.hasPrefix("procd: b.pdf")) }
    for steering in ["\u{9B}", "\u{202E}"] { #expect(!shown.contains(steering)) }
  }
}
