import Foundation
import Glibc
import PluginKit
import TestSupport
import Testing

/// Files that are handed in for a rule, or with an option, that somebody asked for.
@Suite struct AskedRuleTests {
  private static let rules = #"""
    { "version": 1, "inbox": { "path": "inbox", "settle": "100ms" },
      "pipelines": [
        { "id": "text", "match": { "name": "*.txt" }, "emit": ["source"], "to": "texts" },
        { "id": "kept", "match": { "name": "*.nothing" }, "emit": ["source"], "to": "kept" }
      ] }
    """#

  private static func site() throws -> TemporaryFolder {
    let place = TemporaryFolder()
    try place.write(rules, to: "pipelines.json")
    try place.write("some words", to: "a.txt")
    return place
  }

  @Test func `the rule that is asked for takes a file of any kind, once`() throws {
    let place = try Self.site()
    func run(_ arguments: String...) throws -> Programs.Result {
      try Programs.run("procd", arguments, in: place.path)
    }
    #expect(try run("add", "--rule", "kept", "a.txt").status == 0)
    #expect(try run("run", "--once").status == 0)
    #expect(place.read("outbox/kept/a.txt") != nil && place.read("outbox/texts/a.txt") == nil)
    // The wish is over with its job; the same content is no news for the rules.
    #expect(place.files(below: "spool/wishes") == [])
    #expect(try run("add", "--name", "b.txt", "a.txt").status == 0)
    #expect(try run("run", "--once").status == 0)
    #expect(place.read("outbox/texts/b.txt") != nil || place.read("outbox/kept/b.txt") != nil)
    // Content that was processed before is processed again where a rule is asked for.
    #expect(try run("add", "--rule", "kept", "--name", "c.txt", "a.txt").status == 0)
    #expect(try run("run", "--once").status == 0)
    #expect(place.read("outbox/kept/c.txt") != nil)
    let wrong = try run("add", "--rule", "none", "a.txt")
    #expect(wrong.status == 78 && wrong.errors.contains("no rule none"))
  }

  @Test func `a wish outlives a procd that is killed`() throws {
    let place = try Self.site()
    #expect(
      try Programs.run("procd", ["add", "--rule", "kept", "a.txt"], in: place.path).status == 0)
    for milliseconds in [20, 60, 120, 200, 300, 450] {
      let daemon = try Programs.start("procd", ["run"], in: place.path)
      usleep(UInt32(milliseconds) * 1000)
      daemon.signal(SIGKILL)
      _ = daemon.wait()
    }
    #expect(try Programs.run("procd", ["run", "--once"], in: place.path).status == 0)
    #expect(place.read("outbox/kept/a.txt") != nil, "\(place.files())")
    #expect(place.read("outbox/texts/a.txt") == nil)
    let verified = try Programs.run("procd", ["verify"], in: place.path)
    #expect(verified.status == 0, "\(verified)")
  }

  @Test func `what is asked for on the page is over with the job`() throws {
    let client = try PageClient()
    let photo = PageClient.sample("letter-photo.jpg")
    #expect(try client.upload(photo, "name=sheet.jpg&crop=1").status == 201)
    #expect(try client.upload(photo, "name=other.jpg&rule=none").status == 404)
    try #require(client.wait("now") { $0["totals"]?["done"] == 1 })
    #expect(Programs.wait { client.site.place.files(below: "spool/wishes") == [] })
    // A rule that is asked for takes a file of another kind than its own.
    #expect(try client.upload(photo, "name=odd.jpg&rule=pdf-text").status == 201)
    #expect(client.wait("jobs?pipeline=pdf-text") { $0["total"] == 1 })
  }
}
