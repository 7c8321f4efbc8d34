import Foundation
import PluginKit
import SystemPackage
import TestSupport
import Testing

/// Editions of a list, from the inbox to what `lookup` tells.
@Suite(.serialized) struct EditionTests {
  private func site() throws -> Site {
    let site = try Site()
    try site.place.write(
      """
      { "version": 1, "inbox": { "path": "inbox", "settle": "200ms" },
        "pipelines": [
          { "id": "list", "series": "visa", "match": { "mime": "application/pdf" },
            "steps": [{ "id": "rows", "use": "status.rows", "expect": { "minRows": 1 } }],
            "emit": ["rows.csv"] } ] }
      """, to: "pipelines.json")
    return site
  }

  private func lookup(_ site: Site, _ arguments: String...) throws -> (status: Int32, json: JSON) {
    let result = try Programs.run("procd", ["lookup"] + arguments + ["--json"], in: site.place.path)
    let line = result.output.split(separator: "\n").first.map(String.init) ?? "null"
    return (result.status, try JSONReader.read(line).value)
  }

  private func counts(_ site: Site, _ name: String) throws -> [Int?] {
    let changes = try site.json("outbox/\(name).changes.json")
    return ["added", "removed", "changed"].map { changes["counts"]?[$0]?.integerValue }
  }

  @Test func `editions are compared, and the story of a number is told`() throws {
    let site = try site()
    try site.put(sample: "status-2012-06-01.pdf")
    #expect(try site.run("run", "--once").status == 0)
    #expect(try counts(site, "status-2012-06-01") == [0, 0, 0])
    let followed = try site.run("follow", "24300117018", "--name", "Ada")
    #expect(followed.status == 0 && followed.output.contains("documents requested"))
    #expect(try site.run("follow", "24300117063").output.contains("No list has it yet"))

    try site.put(sample: "status-2012-06-15.pdf")
    #expect(try site.run("run", "--once").status == 0)
    #expect(try counts(site, "status-2012-06-15") == [1, 1, 1])
    let report = try site.report("status-2012-06-15.pdf")
    #expect(report["edition"]?["standing"] == "newest")
    #expect(report["edition"]?["comparedWith"] == "2012-06-01")

    let (status, found) = try lookup(site, "24300117018", "--history")
    #expect(status == 0 && found["label"] == "Ada")
    #expect(found["current"]?["status"] == "under review" && found["since"] == "2012-06-15")
    #expect(found["before"]?["list"] == "2012-06-01")
    #expect(found["history"]?.arrayValue?.count == 2)
    let (gone, last) = try lookup(site, "24300117049")
    #expect(gone == 1 && last["found"] == false && last["history"]?.arrayValue?.count == 1)
    let (missing, other) = try lookup(site, "24300117081")
    #expect(missing == 1 && other["similar"]?.arrayValue?.first == "24300117018")
    #expect(try site.run("lookup", "12").status == 64)
    #expect(try site.run("lookup", "123456").status == 64)

    let page = String(
      decoding: site.place.read("outbox/visa.status.html") ?? Data(), as: UTF8.self)
    #expect(page.contains("Ada") && page.contains("under review") && page.contains("2012-06-15"))
  }

  @Test func `the same list once more changes nothing`() throws {
    let site = try site()
    try site.put(sample: "status-2012-06-15.pdf")
    #expect(try site.run("run", "--once").status == 0)
    try site.put(sample: "status-2012-06-15.pdf", as: "status-2012-06-20.pdf")
    #expect(try site.run("run", "--once").status == 0)
    #expect(try counts(site, "status-2012-06-20") == [0, 0, 0])
    #expect(try site.report("status-2012-06-20.pdf")["edition"]?["standing"] == "known")
  }

  @Test func `an edition is counted once, whenever the daemon is killed`() throws {
    let site = try site()
    try site.put(sample: "status-2012-06-01.pdf")
    #expect(try site.run("run", "--once").status == 0)
    #expect(try site.run("follow", "24300117018").status == 0)
    try site.put(sample: "status-2012-06-15.pdf")
    for delay in [0.22, 0.26, 0.3, 0.34, 0.38, 0.42, 0.28, 0.32] {
      let daemon = try site.watch()
      Thread.sleep(forTimeInterval: delay)
      daemon.signal(SIGKILL)
      _ = daemon.wait()
    }
    #expect(try site.run("run", "--once").status == 0)
    #expect(try counts(site, "status-2012-06-15") == [1, 1, 1])
    let (_, found) = try lookup(site, "24300117018", "--history")
    #expect(found["history"]?.arrayValue?.count == 2)
    #expect(found["list"]?["numbers"] == 6)
    #expect(site.leftovers == [])
  }

  @Test func `a file is looked in without any configuration`() throws {
    let sample = Programs.repository.appending("docs/samples/status-2012-06-01.pdf").string
    let empty = TemporaryFolder()
    let result = try Programs.run(
      "procd", ["lookup", "24300117018", "--in", sample], in: empty.path)
    #expect(result.status == 0 && result.output.contains("documents requested"), "\(result.errors)")
    #expect(result.output.contains("1 Jun 2012"))
    #expect(empty.files() == [])
  }

  @Test func `a rule with a series that gives no rows says so`() throws {
    let site = try site()
    try site.place.write(
      """
      { "version": 1, "inbox": { "path": "inbox", "settle": "200ms" },
        "pipelines": [
          { "id": "list", "series": "visa", "steps": [{ "id": "text", "use": "pdf.text" }],
            "emit": ["text.text"] } ] }
      """, to: "pipelines.json")
    try site.put(sample: "status-2012-06-01.pdf")
    #expect(try site.run("run", "--once").status == 65)
    let report = try site.json("quarantine/status-2012-06-01.pdf.report.json")
    #expect(report["error"]?["code"] == "series.rows")
  }
}
