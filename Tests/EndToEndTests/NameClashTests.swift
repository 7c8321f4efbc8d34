import Foundation
import PluginKit
import SystemPackage
import TestSupport
import Testing

/// The same name again: what becomes of results whose name is taken.
@Suite(.serialized) struct NameClashTests {
  private func site(onClash: String? = nil, duplicates: String = "again") throws -> Site {
    let site = try Site()
    let clash = onClash.map { #""onClash": "\#($0)","# } ?? ""
    try site.place.write(
      """
      { "version": 1, "inbox": { "path": "inbox", "settle": "100ms" }, "duplicates": "\(duplicates)",
        "pipelines": [{ "id": "texts", \(clash) "emit": ["source"] }] }
      """, to: "pipelines.json")
    return site
  }

  @discardableResult
  private func deliver(_ text: String, _ site: Site, as name: String = "scan.txt") throws
    -> Programs.Result
  {
    try site.place.write(text, to: "inbox/\(name)")
    return try site.run("run", "--once")
  }

  private func text(_ site: Site, _ path: String) -> String? {
    site.place.read(path).map { String(decoding: $0, as: UTF8.self) }
  }

  @Test func `numbers tell the order, and result, report and original each show one`() throws {
    let site = try site()
    for text in ["first", "second", "third"] { try deliver(text, site) }
    #expect(
      site.place.files(below: "outbox") == [
        "scan.txt", "scan.txt.report.json", "scan~2.txt", "scan~2.txt.report.json", "scan~3.txt",
        "scan~3.txt.report.json",
      ])
    #expect(text(site, "outbox/scan~2.txt") == "second")
    #expect(text(site, "archive/scan~3.txt") == "third")
    #expect(
      try site.report("scan~2.txt")["artifacts"]?.arrayValue?.first?["path"] == "scan~2.txt")
    // Somebody takes the first two: the newest is still the one with the highest number.
    for name in ["scan.txt", "scan~2.txt"] {
      try FileManager.default.removeItem(atPath: site.place("outbox/\(name)").string)
    }
    try deliver("fourth", site)
    #expect(text(site, "outbox/scan~4.txt") == "fourth")
    #expect(text(site, "outbox/scan.txt") == nil)
    #expect(try site.run("verify").status == 0)
  }

  @Test func `of what is tried again together, what came last replaces the others`() throws {
    let site = try site(onClash: "replace")
    let rules = try #require(text(site, "pipelines.json"))
      .replacing(#""emit": ["source"]"#, with: #""emit": [{ "from": "source", "as": "all.txt" }]"#)
    try site.place.write(
      rules.replacing(#""emit""#, with: #""match": {"name": "other"}, "emit""#),
      to: "pipelines.json")
    let editions = (1...6).map { "edition \($0)" }
    for text in editions { try deliver(text, site) }
    #expect(site.place.files(below: "outbox").isEmpty)
    try site.place.write(rules, to: "pipelines.json")
    #expect(try site.run("retry", "--all").status == 0)
    #expect(try site.run("run", "--once").status == 0)
    // Several are done at once: one that was overtaken gets a number.
    #expect(text(site, "outbox/all.txt") == editions.last)
  }

  @Test func `where the folder of a rule cannot be used, the report says where its results are`()
    throws
  {
    let site = try site()
    let rules = try #require(text(site, "pipelines.json"))
    try site.place.write(
      rules.replacing(#""emit""#, with: #""to": "letters/{yyyy}", "emit""#), to: "pipelines.json")
    try site.place.write("somebody's", to: "outbox/letters")
    try deliver("words", site)
    let names = site.place.files(below: "outbox").filter { $0.hasPrefix("letters~/") }
    let report = try #require(names.first { $0.hasSuffix(".json") })
    #expect("\(try site.json("outbox/\(report)"))".contains("is no folder of its own"))
  }

  @Test func `a name of which nothing is left begins with that of the source`() throws {
    let site = try site()
    let rules = try #require(text(site, "pipelines.json"))
    try site.place.write(
      rules.replacing(
        #""emit": ["source"]"#,
        with:
          #""emit": [{ "from": "source", "as": "{ext}" }, { "from": "source", "as": ".{ext}" }]"#),
      to: "pipelines.json")
    try deliver("words", site, as: "noext")
    let names = site.place.files(below: "outbox").filter { !$0.hasSuffix(".json") }
    #expect(names.allSatisfy { $0.hasPrefix("noext") } && names.count == 2, "\(names)")
  }

  @Test func `what replaces takes the old one's name, and no original is lost`() throws {
    let site = try site(onClash: "replace")
    for text in ["first", "second", "third"] {
      #expect(try deliver(text, site).status == 0)
    }
    #expect(site.place.files(below: "outbox") == ["scan.txt", "scan.txt.report.json"])
    #expect(text(site, "outbox/scan.txt") == "third")
    #expect(try site.report("scan.txt")["original"] == "archive/scan~3.txt")
    #expect(text(site, "archive/scan.txt") == "first")
    #expect(text(site, "archive/scan~2.txt") == "second")
    let verified = try site.run("verify")
    #expect(verified.status == 0, "\(verified.output)")
    // A folder is never replaced.
    try FileManager.default.removeItem(atPath: site.place("outbox/scan.txt").string)
    try site.place.write("mine", to: "outbox/scan.txt/mine")
    // Nor is what stands under the next name.
    try site.place.write("mine too", to: "outbox/scan~2.txt")
    #expect(try deliver("fourth", site).status == 0)
    #expect(text(site, "outbox/scan.txt/mine") == "mine")
    #expect(text(site, "outbox/scan~2.txt") == "mine too")
    let delivered = site.place.files(below: "outbox").filter {
      text(site, "outbox/\($0)") == "fourth"
    }
    #expect(delivered.count == 1, "\(site.place.files(below: "outbox"))")
  }

  @Test func `what is refused waits in the quarantine until the name is free`() throws {
    let site = try site(onClash: "refuse")
    try deliver("first", site)
    let refused = try deliver("second", site)
    #expect(refused.status == 65)
    #expect(refused.errors.contains("the outbox has scan.txt already"), "\(refused.errors)")
    #expect(
      try site.json("quarantine/scan.txt.report.json")["error"]?["code"] == "name.taken")
    #expect(text(site, "outbox/scan.txt") == "first")
    let told = try site.run("status", "scan.txt").output
    #expect(told.contains("  original  \(site.place("quarantine/scan.txt").string)\n"), "\(told)")
    try FileManager.default.removeItem(atPath: site.place("outbox/scan.txt").string)
    let retry = try site.run("retry", "scan.txt")
    #expect(retry.output == "scan.txt will go back into the inbox at the next procd run\n")
    let repeated = try site.run("retry", "--all").output
    #expect(
      repeated
        == "scan.txt will go back into the inbox at the next procd run, as was asked before\n")
    try site.run("run", "--once")
    #expect(text(site, "outbox/scan.txt") == "second")
    #expect(site.place.files(below: "quarantine").isEmpty)
    let later = try site.run("status", "scan.txt").output
    #expect(later.contains("  original  tried again as job "), "\(later)")
    #expect(try !site.run("status", "scan.txt", "--json").output.contains("quarantine/scan.txt"))
  }

  @Test func `the report of a refused file has the steps that ran`() throws {
    let site = try site()
    try site.place.write(
      """
      { "version": 1, "inbox": { "path": "inbox", "settle": "100ms" }, "duplicates": "again",
        "pipelines": [{ "id": "texts", "onClash": "refuse",
          "steps": [{ "id": "text", "use": "pdf.text" }], "emit": ["text.text"] }] }
      """, to: "pipelines.json")
    for words in ["first", "second"] {
      try site.place.write(Site.pdf(words), to: "inbox/scan.pdf")
      try site.run("run", "--once")
    }
    let report = try site.json("quarantine/scan.pdf.report.json")
    #expect(report["error"]?["code"] == "name.taken")
    #expect(report["steps"]?.arrayValue?.map { $0["id"] } == ["text"])
  }

  @Test func `a file is not retried onto one that waits under its name, and is told`() throws {
    let site = try site(onClash: "refuse")
    try deliver("first", site)
    try deliver("second", site)
    try site.place.write("third", to: "inbox/scan.txt")
    let hindered = try site.run("retry", "scan.txt")
    #expect(
      hindered.status == 65 && hindered.errors.contains("the inbox has a file of the same name"))
    try FileManager.default.removeItem(atPath: site.place("inbox/scan.txt").string)
    #expect(try site.run("retry", "scan.txt").status == 0)
  }

  @Test func `a file of known content is refused where the configuration says so`() throws {
    let site = try site(duplicates: "refuse")
    try deliver("same", site, as: "a.txt")
    #expect(try deliver("same", site, as: "b.txt").status == 65)
    let report = try site.json("quarantine/b.txt.report.json")
    #expect(report["error"]?["code"] == "file.duplicate")
    let first = try #require(try site.report("a.txt")["job"]?.stringValue)
    #expect(report["error"]?["message"]?.stringValue?.contains(first) == true)
  }

  @Test func `what is retried is never a duplicate, and files of one name go back together`() throws
  {
    let site = try site(duplicates: "refuse")
    try deliver("same", site, as: "a.txt")
    for _ in 0..<3 { try deliver("same", site, as: "b.txt") }
    #expect(site.place.files(below: "quarantine").count { $0.hasSuffix(".report.json") } == 3)
    #expect(try site.run("retry", "--all").status == 0)
    #expect(try site.run("run", "--once").status == 0)
    #expect(site.place.files(below: "quarantine").isEmpty)
    #expect(
      site.place.files(below: "outbox").filter { !$0.hasSuffix(".report.json") }
        == ["a.txt", "b.txt", "b~2.txt", "b~3.txt"])
  }

  @Test func `reused results are told of, and what left the quarantine is not listed`() throws {
    let site = try site(duplicates: "reuse")
    try deliver("same", site, as: "a.txt")
    try deliver("same", site, as: "b.txt")
    let first = try #require(try site.report("a.txt")["job"]?.stringValue)
    #expect(try site.run("jobs").output.contains("b.txt  (as job \(first))"))
    #expect(try site.run("status", "b.txt").output.contains("the same as that of job \(first)"))
    try deliver("", site, as: "empty.txt")
    #expect(try site.run("jobs", "--quarantined").output.contains("empty.txt  [file.empty]"))
    #expect(try site.run("status").output.contains("in quarantine  1, see"))
    // By the name with which it can be given back.
    try deliver("", site, as: "empty.txt")
    #expect(
      try site.run("jobs", "--quarantined").output.contains("[file.empty], there as empty~2.txt"))
    try FileManager.default.removeItem(atPath: site.place("quarantine/empty~2.txt").string)
    try FileManager.default.removeItem(atPath: site.place("quarantine/empty.txt").string)
    #expect(
      try site.run("jobs", "--quarantined").output
        == "the quarantine holds no file that a job put there\n")
    #expect(try !site.run("status").output.contains("in quarantine"))
    let retry = try site.run("retry", "empty.txt")
    #expect(retry.status == 65)
    #expect(retry.errors.contains("no job put empty.txt into quarantine"))
  }
}
