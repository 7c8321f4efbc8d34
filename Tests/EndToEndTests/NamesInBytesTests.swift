import Foundation
import PluginKit
import SystemPackage
import TestSupport
import Testing

/// Names that are no UTF-8, as old archives and other systems' disks have them.
@Suite(.serialized) struct NamesInBytesTests {
  /// Runs a line of shell in the site; `$e` is the single byte of an `é` in Latin-1, `$a` that of an `à`.
  private func shell(_ site: Site, _ line: String) throws -> Programs.Result {
    let program = Programs.folder.appending("procd").string
    return try Programs.run(
      "/bin/sh",
      [
        "-c",
        "set -e; e=$(printf '\\351'); a=$(printf '\\340'); procd() { \(program) \"$@\"; }; \(line)",
      ],
      in: site.place.path)
  }

  private func prepared() throws -> Site {
    let site = try Site()
    try site.place.write(
      """
      { "version": 1, "inbox": { "path": "inbox", "settle": "100ms", "settleFolder": "100ms" },
        "pipelines": [
          { "id": "letters", "gather": "folder", "match": { "path": "*" },
            "steps": [{ "id": "text", "use": "pdf.text" }], "emit": ["pages.pdf", "text.text"] } ] }
      """, to: "pipelines.json")
    return site
  }

  @Test func `the files of a folder are read whatever their names, and found again by verify`()
    throws
  {
    let site = try prepared()
    try site.place.write(Site.pdf("first"), to: "1.pdf")
    try site.place.write(Site.pdf("second"), to: "2.pdf")
    let made = try shell(
      site, "mkdir -p inbox/b$e; mv 1.pdf inbox/b$e/caf$a.pdf; mv 2.pdf inbox/b$e/caf$e.pdf")
    #expect(made.status == 0, "\(made.errors)")
    let result = try site.run("run", "--once")
    #expect(result.status == 0, "\(result.errors)")
    let text = site.place.read("outbox/b\u{FFFD}.txt") ?? Data()
    let words = String(decoding: text, as: UTF8.self).split(whereSeparator: \.isWhitespace)
    #expect(words == ["first", "second"])
    // As it is shown, and by its bytes.
    #expect(try site.run("status", "b\u{FFFD}").output.contains("/archive/b"))
    #expect(try shell(site, "procd status b$e").output.contains("/archive/b"))
    let report = try site.report("b\u{FFFD}")
    let files = report["source"]?["files"]?.arrayValue ?? []
    #expect(files.compactMap { $0["nameBytes"]?.stringValue } == ["Y2Fm4C5wZGY=", "Y2Fm6S5wZGY="])
    #expect(
      try shell(site, "test -f archive/b$e/caf$a.pdf -a -f archive/b$e/caf$e.pdf").status == 0)
    let verified = try site.run("verify")
    #expect(verified.status == 0, "\(verified.output)\(verified.errors)")
    // What verify says it has looked at it has.
    #expect(try shell(site, "echo >> archive/b$e/caf$e.pdf").status == 0)
    #expect(try site.run("verify").status != 0)
  }

  @Test func `clean lets go of them too`() throws {
    let site = try prepared()
    try site.place.write(Site.pdf("first"), to: "1.pdf")
    #expect(try shell(site, "mkdir -p inbox/b$e; mv 1.pdf inbox/b$e/caf$e.pdf").status == 0)
    #expect(try site.run("run", "--once").status == 0)
    #expect(try site.run("clean", "--keep", "no").status == 0)
    #expect(
      try shell(site, "test ! -e archive/b$e").status == 0, "\(site.place.files(below: "archive"))")
    #expect(try site.run("verify").status == 0)
  }

  @Test func `commands find files by such names`() throws {
    let site = try Site()
    try site.place.write(Site.pdf("first"), to: "1.pdf")
    try site.place.write(Site.pdf("second"), to: "2.pdf")
    try site.place.write("no PDF", to: "3.pdf")
    // Two names that look the same are two.
    let read = try shell(
      site, "mv 1.pdf caf$a.pdf; mv 2.pdf caf$e.pdf; procd extract caf$e.pdf caf$a.pdf")
    #expect(read.status == 0, "\(read.errors)")
    #expect(read.output.split(whereSeparator: \.isWhitespace) == ["second", "first"])
    let converted = try shell(site, "procd convert --to text -o out caf$e.pdf")
    #expect(converted.status == 0, "\(converted.errors)")
    #expect(try shell(site, "procd explain caf$e.pdf").status == 0)
    #expect(
      try shell(site, "procd add caf$e.pdf; test -f inbox/caf$e.pdf; rm inbox/caf$e.pdf").status
        == 0)
    let quarantined = try shell(site, "mv 3.pdf inbox/3$e.pdf; procd run --once || test $? = 65")
    #expect(quarantined.status == 0, "\(quarantined.errors)")
    let again = try shell(site, "procd retry 3$e.pdf")
    #expect(again.status == 0, "\(again.errors)")
  }

  @Test func `a name with a line break is taken as it is shown`() throws {
    let site = try Site()
    try site.place.write("no PDF", to: "inbox/sub/two\nlines.pdf")
    #expect(try site.run("run", "--once").status == 65)
    let listed = try site.run("jobs", "--quarantined").output
    #expect(listed.contains("sub/two\\x0alines.pdf"), "\(listed)")
    for name in ["two\\x0alines.pdf", "sub/two\\x0alines.pdf"] {
      let told = try site.run("status", name)
      #expect(told.status == 0 && told.output.contains("quarantine"), "\(told)")
      let again = try site.run("retry", name)
      #expect(again.status == 0 && again.output.contains("at the next procd run"), "\(again)")
    }
  }
}
