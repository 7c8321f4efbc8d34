import Foundation
import SystemPackage
import TestSupport
import Testing

/// `outbox.reports`: reports apart from results, for a consumer that takes whatever lies in a folder.
@Suite struct ReportFolderTests {
  private func folder(outbox: String) throws -> TemporaryFolder {
    let folder = TemporaryFolder()
    try folder.write(
      """
      {
        "version": 1,
        "inbox": { "path": "inbox", "settle": "50ms" },
        "outbox": { "path": "outbox", \(outbox) },
        "pipelines": [
          {
            "id": "text", "match": { "mime": "application/pdf" },
            "steps": [{ "id": "text", "use": "pdf.text" }], "emit": ["text.text", "text.markdown"]
          }
        ]
      }
      """, to: "pipelines.json")
    return folder
  }

  @Test func `reports lie apart and lead to their results`() throws {
    let folder = try folder(outbox: #""reports": ".reports/procd""#)
    let sample = Programs.repository.appending("docs/samples/report-mixed.pdf").string
    let bytes = try Data(contentsOf: URL(filePath: sample))
    try folder.write(bytes, to: "inbox/2026/march/a.pdf")
    // The same content again: its results are taken from those that the report leads to.
    try folder.write(bytes, to: "inbox/twin.pdf")
    let explained = try Programs.run("procd", ["explain", "inbox/twin.pdf"], in: folder.path)
    #expect(explained.output.contains("twin.txt, twin.md, .reports/procd/twin.pdf.report.json"))
    let result = try Programs.run("procd", ["run", "--once"], in: folder.path)
    // Its second page is a scan, which this rule does not recognize.
    #expect(result.status == 0, "\(result.errors)")
    #expect(
      result.errors.split(separator: "\n").allSatisfy { $0.contains("text.unread") },
      "\(result.errors)")
    #expect(
      folder.files().filter { $0.hasPrefix("outbox/") && !$0.hasPrefix("outbox/.") }.sorted() == [
        "outbox/2026/march/a.md", "outbox/2026/march/a.txt", "outbox/twin.md", "outbox/twin.txt",
      ])
    var computed = 0
    for (report, results) in [
      ("2026/march/a", ["../../../../2026/march/a.txt", "../../../../2026/march/a.md"]),
      ("twin", ["../../twin.txt", "../../twin.md"]),
    ] {
      let text = try #require(folder.read("outbox/.reports/procd/\(report).pdf.report.json"))
      let json = try #require(try JSONSerialization.jsonObject(with: text) as? [String: Any])
      computed += json["reusedFrom"] == nil ? 1 : 0
      let artifacts = try #require(json["artifacts"] as? [[String: Any]])
      #expect(artifacts.compactMap { $0["path"] as? String } == results)
    }
    #expect(computed == 1)
    let status = try Programs.run("procd", ["status", "twin.pdf"], in: folder.path)
    #expect(status.output.contains("/outbox/twin.txt\n"), "\(status.output)")

    // `verify` finds each result by its report, and what was changed.
    let agreed = try Programs.run("procd", ["verify"], in: folder.path)
    #expect(agreed.status == 0, "\(agreed.output)")
    try folder.write("other", to: "outbox/2026/march/a.md")
    let differs = try Programs.run("procd", ["verify"], in: folder.path)
    #expect(differs.status == 1 && differs.output.contains("outbox/2026/march/a.md"))
  }

  @Test(arguments: [
    #""reports": "../elsewhere""#, #""reports": "/srv/reports""#, #""reports": ".procd""#,
    #""reports": "apart", "layout": "folder""#,
  ])
  func `a place that cannot be is told`(outbox: String) throws {
    let folder = try folder(outbox: outbox)
    let result = try Programs.run("procd", ["check"], in: folder.path)
    #expect(result.status == 78 && result.errors.contains("error[outbox.reports]"))
  }
}
