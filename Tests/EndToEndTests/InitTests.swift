import Foundation
import PluginKit
import SystemPackage
import TestSupport
import Testing

/// `procd init`: a configuration that works, from nothing.
@Suite struct InitTests {
  private let place = TemporaryFolder()

  private func procd(_ arguments: String..., in folder: String = ".") throws -> Programs.Result {
    try Programs.run("procd", arguments, in: place(folder))
  }

  @Test(
    arguments: [("scans", 1), ("pdfs", 1), ("pdfs,scans", 2), ("both", 2)],
    ["searchable", "text", "tables"])
  func `each starter is one that can start, and says what it is for`(
    incoming: (kinds: String, rules: Int), want: String
  ) throws {
    let made = try procd("init", "site", "--in", incoming.kinds, "--want", want)
    #expect(made.status == 0, "\(made.errors)")
    #expect(made.output.contains("Next: cd site, then procd run"), "\(made.output)")
    let checked = try procd("check", in: "site")
    // Tests beside this one show pages.
    let isPortTaken = checked.errors.contains("another program listens at port")
    #expect(
      checked.status == 0
        && checked.output.contains(isPortTaken ? "one thing to look at" : "all is well"),
      "\(checked)")
    #expect(!checked.errors.contains("error") && !checked.errors.contains("warning"))
    let written = try JSONReader.read(Array(try #require(place.read("site/pipelines.json"))))
    let rules = written.value["pipelines"]?.arrayValue ?? []
    #expect(rules.count == incoming.rules)
    #expect(rules.allSatisfy { $0["about"]?.stringValue != nil })
  }

  @Test func `a configuration that is there stays, and is told`() throws {
    try place.write("{}", to: "there/pipelines.json")
    for arguments in [["init", "there"], ["init", "there", "--in", "both"]] {
      let again = try Programs.run("procd", arguments, in: place.path)
      #expect(again.status == 73 && again.errors.contains("is there already"), "\(again)")
    }
    #expect(place.read("there/pipelines.json") == Data("{}".utf8))
  }

  @Test func `what was written runs, and the rule for others works where it is moved`() throws {
    #expect(try procd("init", "--want", "text").status == 0)
    let path = "pipelines.json"
    var written = try JSONReader.read(Array(try #require(place.read(path)))).value
    let others = try #require(written["$others"])
    let rules = try #require(written["pipelines"]?.arrayValue)
    written = written.setting("pipelines", .array(rules + [others]))
    try place.write(Data(written.text), to: path)
    try place.write(Site.pdf("A letter"), to: "inbox/letter.pdf")
    try place.write("x", to: "inbox/odd.xyz")
    let run = try procd("run", "--once")
    #expect(run.status == 0, "\(run.errors)")
    #expect(place.read("outbox/letter.txt") == Data("A letter\n".utf8))
    #expect(place.read("outbox/others/odd.xyz") == Data("x".utf8))
  }

  @Test(arguments: ["searchable", "text", "tables"])
  func `a file that cannot be opened is told, whatever is wanted`(want: String) throws {
    #expect(try procd("init", "--want", want).status == 0)
    let sample = Programs.repository.appending("docs/samples/locked.pdf").string
    try FileManager.default.copyItem(atPath: sample, toPath: place("inbox/locked.pdf").string)
    #expect(try procd("run", "--once").status == 65)
    let report = try JSONReader.read(
      Array(try #require(place.read("quarantine/locked.pdf.report.json"))))
    #expect(report.value["error"]?["code"] == "pdf.password")
  }

  @Test func `the page is shown where no other procd shows one, and its link is printed first`()
    throws
  {
    #expect(try procd("init", "one").status == 0)
    let written = try JSONReader.read(Array(try #require(place.read("one/pipelines.json")))).value
    let web = try #require(written["web"]?["listen"]?.stringValue)
    let daemon = try Programs.start("procd", ["run"], in: place("one"))
    defer {
      daemon.signal(SIGTERM)
      _ = daemon.wait()
    }
    var number = 0
    func another() throws -> String? {
      number += 1
      #expect(try procd("init", "more\(number)").status == 0)
      let bytes = try #require(place.read("more\(number)/pipelines.json"))
      return try JSONReader.read(Array(bytes)).value["web"]?["listen"]?.stringValue
    }
    // Once it is shown.
    #expect(Programs.wait { (try? another()).map { $0 != web } ?? false })
    #expect(try procd("web", "open", in: "one").output.hasPrefix("http://\(web)/open?token="))
  }

  @Test func `a configuration that is there is never touched`() throws {
    try place.write("mine", to: "pipelines.json")
    let result = try procd("init")
    #expect(result.status == 73 && result.errors.contains("is there already"))
    #expect(place.read("pipelines.json") == Data("mine".utf8))
  }
}
