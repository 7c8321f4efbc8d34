import Foundation
import PluginKit
import SystemPackage
import TestSupport
import Testing

/// Folders that are one document each.
@Suite(.serialized) struct GatheringTests {
  private static let configuration = """
    { "version": 1, "inbox": { "path": "inbox", "settle": "200ms", "settleFolder": "500ms" },
      "pipelines": [
        { "id": "duplex", "gather": "odd-even", "match": { "path": "duplex/*" },
          "steps": [{ "id": "text", "use": "pdf.text" }], "emit": ["pages.pdf", "text.text"] },
        { "id": "letters", "gather": "folder", "match": { "path": "letters/*" },
          "steps": [{ "id": "text", "use": "pdf.text" }], "emit": ["pages.pdf", "text.text"] },
        { "id": "text", "match": { "mime": "application/pdf" },
          "steps": [{ "id": "text", "use": "pdf.text" }], "emit": ["text.text"] }
      ] }
    """

  /// A site without the shipped configuration's place for a shorter wait.
  private func prepared() throws -> Site {
    let site = try Site()
    try site.place.write(Self.configuration, to: "pipelines.json")
    return site
  }

  private func text(_ site: Site, _ name: String) -> [String] {
    String(decoding: site.place.read("outbox/\(name).txt") ?? Data(), as: UTF8.self)
      .split(separator: "\u{C}").map { $0.trimmingCharacters(in: .whitespacesAndNewlines) }
  }

  @Test func `a folder of files becomes one document with one report`() throws {
    let site = try prepared()
    for (name, word) in [("page 10", "tenth"), ("page 1", "first"), ("page 2", "second")] {
      try site.place.write(Site.pdf(word), to: "inbox/letters/bank/\(name).pdf")
    }
    try site.place.write(Site.pdf("alone"), to: "inbox/single.pdf")
    let result = try site.run("run", "--once")
    #expect(result.status == 0, "\(result.errors)")
    #expect(text(site, "letters/bank") == ["first", "second", "tenth"])
    #expect(text(site, "single") == ["alone"])
    try site.place.write("x", to: "inbox/letters/shop/deeper/x.pdf")
    let explained = try site.run("explain", "letters/shop")
    #expect(
      explained.status == 65 && explained.errors.contains("move deeper out of it"), "\(explained)")
    try FileManager.default.removeItem(atPath: site.place("inbox/letters/shop").string)
    let report = try site.report("letters/bank")
    #expect(report["pipeline"] == "letters" && report["source"]?["mime"] == "inode/directory")
    #expect(
      report["source"]?["files"]?.arrayValue?.compactMap { $0["name"]?.stringValue }
        == ["page 1.pdf", "page 2.pdf", "page 10.pdf"])
    #expect(report["original"] == "archive/letters/bank")
    #expect(
      site.place.files(below: "archive").filter { $0.hasSuffix(".pdf") }.sorted()
        == [
          "letters/bank/page 1.pdf", "letters/bank/page 10.pdf", "letters/bank/page 2.pdf",
          "single.pdf",
        ])
    #expect(site.place.files(below: "inbox") == [] && site.leftovers == [])
    let checked = try Programs.run(
      "/usr/bin/qpdf", ["--check", site.place("outbox/letters/bank.pdf").string])
    #expect(checked.status == 0, "\(checked.errors)\(checked.output)")
  }

  @Test func `fronts and backs are interleaved`() throws {
    let site = try prepared()
    func document(_ pages: [String]) -> Data {
      Data(PDFBuilder.pages(pages.map { PDFBuilder.lines([$0]) }))
    }
    try site.place.write(document(["one", "three", "five"]), to: "inbox/duplex/a/1.pdf")
    try site.place.write(document(["four", "two"]), to: "inbox/duplex/a/2.pdf")
    try site.place.write(document(["one", "three"]), to: "inbox/duplex/bad/1.pdf")
    try site.place.write(document(["x", "y", "z"]), to: "inbox/duplex/bad/2.pdf")
    let result = try site.run("run", "--once")
    #expect(result.status == 65, "\(result.errors)")
    #expect(text(site, "duplex/a") == ["one", "two", "three", "four", "five"])
    let report = try site.json("quarantine/duplex/bad.report.json")
    #expect(report["error"]?["code"] == "pages.sides")
    #expect(site.place.exists("quarantine/duplex/bad/1.pdf"))
    #expect(site.place.exists("quarantine/duplex/bad/2.pdf"))
    #expect(site.place.exists("quarantine/duplex/bad.why.txt"))

    // Moved back with what was missing, it is tried again as a whole.
    try FileManager.default.moveItem(
      atPath: site.place("quarantine/duplex/bad").string,
      toPath: site.place("inbox/duplex/bad").string)
    try site.place.write(document(["four", "two"]), to: "inbox/duplex/bad/2.pdf")
    #expect(try site.run("run", "--once").status == 0)
    #expect(text(site, "duplex/bad") == ["one", "two", "three", "four"])
  }

  @Test func `fronts wait for their backs, as long as it takes to turn a stack`() throws {
    let site = try prepared()
    try site.place.write(Site.pdf("one"), to: "inbox/duplex/job/fronts.pdf")
    let running = try site.watch()
    defer { running.signal(SIGKILL) }
    #expect(
      Programs.wait {
        (try? site.run("status").output.contains("waits up to an hour for its second file")) == true
      })
    try site.place.write(Site.pdf("two"), to: "inbox/duplex/job/gone.pdf")
    #expect(Programs.wait { site.place.exists("outbox/duplex/job.report.json") })
    #expect(text(site, "duplex/job") == ["one", "two"])
    #expect(site.place.files(below: "quarantine").isEmpty)
  }

  @Test func `one bad file puts its folder as a whole into quarantine and says which`() throws {
    let site = try prepared()
    try site.place.write(Site.pdf("good"), to: "inbox/letters/x/1.pdf")
    try site.place.write("no document", to: "inbox/letters/x/2.txt")
    #expect(try site.run("run", "--once").status == 65)
    let report = try site.json("quarantine/letters/x.report.json")
    #expect(report["error"]?["message"]?.stringValue?.hasPrefix("2.txt: ") == true)
    #expect(site.place.exists("quarantine/letters/x/1.pdf"))
    #expect(site.place.files(below: "outbox") == [])
  }

  @Test func `a folder outlives kills at any time`() throws {
    let site = try prepared()
    for round in 0..<6 {
      for page in 1...3 {
        try site.place.write(
          Site.pdf("r\(round) page \(page)"), to: "inbox/letters/r\(round)/\(page).pdf")
      }
    }
    for delay in [0.25, 0.35, 0.45, 0.3, 0.5] {
      let daemon = try site.watch()
      Thread.sleep(forTimeInterval: delay)
      daemon.signal(SIGKILL)
      _ = daemon.wait()
    }
    let result = try site.run("run", "--once")
    #expect(result.status == 0, "\(result.errors)")
    for round in 0..<6 {
      #expect(
        text(site, "letters/r\(round)") == (1...3).map { "r\(round) page \($0)" })
    }
    #expect(
      site.place.files(below: "archive").filter { $0.hasSuffix(".pdf") }.count == 18)
    #expect(site.place.files(below: "inbox") == [] && site.leftovers == [])
  }

  @Test func `convert joins what is named in the order in which it is named`() throws {
    let site = try prepared()
    try site.place.write(Site.pdf("first"), to: "z.pdf")
    try site.place.write(Site.pdf("second"), to: "folder/2.pdf")
    try site.place.write(Site.pdf("third"), to: "folder/10.pdf")
    let result = try site.run(
      "convert", "z.pdf", "folder", "--join", "-o", "results/whole.pdf")
    #expect(result.status == 0, "\(result.errors)")
    #expect(site.place.files(below: "results") == ["whole.pdf"])
    let read = try site.run("extract", "results/whole.pdf")
    #expect(
      read.output.split(whereSeparator: \.isWhitespace).map(String.init)
        == ["first", "second", "third"])
  }
}
