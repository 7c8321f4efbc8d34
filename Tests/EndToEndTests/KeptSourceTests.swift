import Foundation
import PluginKit
import SystemPackage
import TestSupport
import Testing

/// Files that are published as they came, with or without steps before.
@Suite(.serialized) struct KeptSourceTests {
  private func site(_ pipelines: String, outbox: String = "") throws -> Site {
    let site = try Site()
    try site.place.write(
      """
      { "version": 1, "inbox": { "path": "inbox", "settle": "100ms" }, \(outbox)
        "pipelines": [\(pipelines)] }
      """, to: "pipelines.json")
    return site
  }

  private static let texts =
    #"{ "id": "texts", "match": { "mime": "text/*" }, "emit": ["source"] }"#

  @Test func `a rule without steps delivers what it takes, byte for byte`() throws {
    let site = try site(Self.texts)
    let names = ["README", "Brief.TXT", "sub/a.b.txt", "two words.txt"]
    for name in names { try site.place.write("text of \(name)", to: "inbox/\(name)") }
    let explained = try site.run("explain", "inbox/Brief.TXT")
    #expect(explained.output.contains("Brief.TXT.report.json"), "\(explained.output)")
    let result = try site.run("run", "--once")
    #expect(result.status == 0, "\(result.output)")
    for name in names {
      #expect(site.place.read("outbox/\(name)") == Data("text of \(name)".utf8), "\(name)")
      #expect(site.place.read("archive/\(name)") == Data("text of \(name)".utf8), "\(name)")
      let report = try site.report(name)
      #expect(report["steps"] == [])
      #expect(report["artifacts"]?.arrayValue?.first?["role"] == "source")
      #expect(report["artifacts"]?.arrayValue?.first?["sha256"] == report["source"]?["sha256"])
    }
    #expect(site.place.files(below: "spool/seal").isEmpty)
    #expect(try site.run("verify").status == 0)
  }

  @Test func `a file larger than the memory of a step is delivered, and probed`() throws {
    let site = try site(
      #"{ "id": "all", "emit": ["source"] }"#,
      outbox: #""defaults": { "limits": { "memory": "512MiB" } },"#)
    try site.place.write(Data([0x1F, 0x8B, 0x08, 0x00]), to: "inbox/large.gz")
    try #require(truncate(site.place("inbox/large.gz").string, 700 << 20) == 0)
    let result = try site.run("run", "--once")
    #expect(result.status == 0, "\(result.errors)")
    let report = try site.report("large.gz")
    #expect(report["source"]?["bytes"] == .integer(700 << 20))
    #expect(report["source"]?["mime"] == "application/gzip")
  }

  @Test func `a file that not even its owner may read is delivered, or waits with its cure`() throws
  {
    let site = try site(#"{ "id": "all", "emit": ["source"] }"#)
    try site.place.write("closed", to: "inbox/closed.txt")
    try #require(chmod(site.place("inbox/closed.txt").string, 0) == 0)
    let result = try site.run("run", "--once")
    if getuid() == 0 {
      #expect(result.status == 0, "\(result.errors)")
      #expect(site.place.read("outbox/closed.txt") == Data("closed".utf8))
    } else {
      #expect(result.errors.contains("chmod"), "\(result.errors)")
      #expect(site.place.files(below: "quarantine").isEmpty)
    }
  }

  @Test func `names that are taken or ours give way`() throws {
    let site = try site(Self.texts)
    try site.place.write("theirs", to: "outbox/a.txt")
    try site.place.write("mine", to: "inbox/a.txt")
    try site.place.write("no report", to: "inbox/b.report.json")
    #expect(try site.run("run", "--once").status == 0)
    #expect(site.place.read("outbox/a.txt") == Data("theirs".utf8))
    let delivered = site.place.files(below: "outbox").filter {
      $0.hasPrefix("a~") && $0.hasSuffix(".txt")
    }
    #expect(delivered.count == 1)
    #expect(delivered.first.flatMap { site.place.read("outbox/\($0)") } == Data("mine".utf8))
    #expect(site.place.read("outbox/b.report~1.json") == Data("no report".utf8))
  }

  @Test func `twins each keep their own name`() throws {
    let site = try site(Self.texts)
    for name in ["one.txt", "two.text", "three"] {
      try site.place.write("the same words", to: "inbox/\(name)")
    }
    #expect(try site.run("run", "--once").status == 0)
    for name in ["one.txt", "two.text", "three"] {
      #expect(site.place.read("outbox/\(name)") == Data("the same words".utf8), "\(name)")
    }
  }

  @Test func `a PDF is filed by what it says, whether a step changed it or not`() throws {
    let site = try site(
      """
      { "id": "letters", "match": { "mime": "application/pdf" },
        "steps": [{ "id": "ocr", "use": "ocr.tesseract", "if": "probe.pagesWithoutText > 0" }],
        "texts": { "date": { "date": "dmy", "else": "undated" } }, "to": "{text:date.yyyy}",
        "emit": [{ "from": "ocr.pdf", "else": "source", "as": "{text:date}.pdf" }] }
      """)
    let letter = Site.pdf("Berlin, 5. Mai 2024")
    try site.place.write(letter, to: "inbox/a.pdf")
    let explained = try site.run("explain", "inbox/a.pdf")
    #expect(explained.output.contains("{text:date.yyyy}/{text:date}.pdf"), "\(explained.output)")
    #expect(try site.run("run", "--once").status == 0)
    #expect(site.place.read("outbox/2024/2024-05-05.pdf") == letter)
  }

  @Test func `a source beside a result of the same name gets one of its own`() throws {
    let site = try site(
      """
      { "id": "both", "match": { "mime": "application/pdf" },
        "steps": [{ "id": "text", "use": "pdf.text" }],
        "emit": ["source", { "from": "text.text", "as": "{stem}.pdf" }] }
      """)
    try site.place.write(Site.pdf("words"), to: "inbox/a.pdf")
    #expect(try site.run("run", "--once").status == 0)
    #expect(site.place.read("outbox/a.pdf") == Site.pdf("words"))
    let names = site.place.files(below: "outbox")
    #expect(names.contains { $0.hasPrefix("a~") && $0.hasSuffix(".pdf") }, "\(names)")
  }

  @Test func `what is emitted twice is there twice`() throws {
    let site = try site(
      """
      { "id": "pdf", "match": { "mime": "application/pdf" },
        "steps": [{ "id": "text", "use": "pdf.text" }],
        "emit": ["text.text", { "from": "text.text", "as": "{stem} again.txt" }, "source",
                 { "from": "source", "as": "{stem} again.pdf" }] }
      """)
    try site.place.write(Site.pdf("words"), to: "inbox/a.pdf")
    #expect(try site.run("run", "--once").status == 0)
    for name in ["a.txt", "a again.txt"] {
      #expect(site.place.read("outbox/\(name)") == Data("words\n".utf8), "\(name)")
    }
    for name in ["a.pdf", "a again.pdf"] {
      #expect(site.place.read("outbox/\(name)") == Site.pdf("words"), "\(name)")
    }
    #expect(try site.report("a.pdf")["artifacts"]?.arrayValue?.count == 4)
    try site.place.write(Site.pdf("words"), to: "inbox/twin.pdf")
    #expect(try site.run("run", "--once").status == 0)
    for name in ["twin.txt", "twin again.txt", "twin.pdf", "twin again.pdf"] {
      #expect(site.place.exists("outbox/\(name)"), "\(site.place.files(below: "outbox"))")
    }
  }

  @Test func `convert keeps it under its name too, and knows it again`() throws {
    let site = try site(#"{ "id": "all", "emit": ["source"] }"#)
    for name in ["README", "a.b.txt"] { try site.place.write("text of \(name)", to: "in/\(name)") }
    #expect(try site.run("convert", "-r", "in", "-o", "out", "-c", "pipelines.json").status == 0)
    #expect(site.place.files(below: "out") == ["README", "a.b.txt"])
    #expect(site.place.read("out/README") == Data("text of README".utf8))
    let again = try site.run(
      "convert", "-r", "in", "-o", "out", "-c", "pipelines.json", "--update", "--json")
    #expect(again.status == 0 && again.output.isEmpty, "\(again.output)")
  }

  @Test func `in the layout folder it stands in the folder of its job`() throws {
    let site = try site(Self.texts, outbox: #""outbox": { "path": "outbox", "layout": "folder" },"#)
    try site.place.write("words", to: "inbox/a.txt")
    #expect(try site.run("run", "--once").status == 0)
    #expect(site.place.read("outbox/a.txt/a.txt") == Data("words".utf8))
    #expect(site.place.exists("outbox/a.txt/report.json"))
  }
}
