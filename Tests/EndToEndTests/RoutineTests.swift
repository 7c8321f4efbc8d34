import Foundation
import PluginKit
import SystemPackage
import TestSupport
import Testing

/// The whole routine around a status list: fetched, read, kept, compared, told.
@Suite(.serialized) struct RoutineTests {
  private let number = "24300117018"

  private struct Scene {
    let site: Site
    let server: WebServer
    let whole: Int
  }

  /// A source with three editions to come, a number's follower with a command and a webhook.
  private func scene(every: String) throws -> Scene {
    let server = try WebServer()
    func sample(_ name: String) throws -> Data {
      try #require(
        FileManager.default.contents(
          atPath: Programs.repository.appending("docs/samples/\(name)").string))
    }
    let second = try sample("status-2012-06-15.pdf")
    try server.place.write(try sample("status-2012-06-01.pdf"), to: "1.pdf")
    try server.place.write(second, to: "2.pdf")
    // Put up again: other bytes, the same rows.
    try server.place.write(second + Data("\n% again\n".utf8), to: "3.pdf")
    let site = try Site()
    try site.place.write(
      """
      { "version": 1, "inbox": { "path": "inbox", "settle": "100ms" },
        "sources": [{ "id": "visa", "url": "\(server.url("/list.pdf"))", "every": "\(every)",
                      "to": "visa", "private": true }],
        "pipelines": [
          { "id": "list", "series": "visa", "match": { "path": "visa/**" },
            "steps": [{ "id": "rows", "use": "status.rows", "expect": { "minRows": 1 } }],
            "emit": ["rows.csv"] } ],
        "notify": [
          { "on": "number", "command": ["./tell"] },
          { "on": "number", "webhook": { "url": "\(server.url("/hook"))", "private": true } } ] }
      """, to: "pipelines.json")
    try site.place.write(
      """
      #!/bin/sh
      printf '%s|%s|%s\\n' "$PROCD_ID" "$PROCD_NUMBER" "$PROCD_SUBJECT" >> told
      """, to: "tell")
    try #require(chmod(site.place("tell").string, 0o755) == 0)
    return Scene(site: site, server: server, whole: second.count)
  }

  /// What the server gives, under a name with a date.
  private func edition(_ number: Int, date: String, cut: Int? = nil) -> JSON {
    [
      "file": .string("\(number).pdf"),
      "headers": [
        "ETag": .string("\"e\(number)\""),
        "Content-Disposition": .string("attachment; filename=\"list \(date).pdf\""),
      ],
      "cut": cut.map { .integer($0) },
    ]
  }

  private let june1 = "2012-06-01"
  private let june15 = "15.06.2012"
  private let june20 = "2012-06-20"

  private func expectStory(_ scene: Scene) throws {
    let told = String(decoding: scene.site.place.read("told") ?? Data(), as: UTF8.self)
      .split(separator: "\n").map { $0.split(separator: "|", maxSplits: 1).map(String.init) }
    // A kill between the program's end and its record runs it once more with the same message, which is
    // told by its identifier.
    #expect(Set(told.map(\.first)).count == 1, "\(told)")
    #expect(
      Set(told.map(\.last))
        == ["\(number)|Ada (\(number)) has changed in the list visa: under review, 08.06.2012"])
    let accepted = scene.server.requests("/hook").filter { $0.status < 300 }
    let keys = Set(accepted.map { $0.header("webhook-id") ?? $0.header("idempotency-key") ?? "" })
    #expect(keys.count == 1, "\(accepted.map(\.headers))")
    let result = try scene.site.run("lookup", number, "--history", "--json")
    #expect(result.status == 0, "\(result.errors)")
    let found = try JSONReader.read(result.output).value
    #expect(found["current"]?["status"] == "under review")
    #expect(found["since"] == "2012-06-15" && found["list"]?["date"] == "2012-06-15")
    #expect(found["before"]?["list"] == "2012-06-01")
    #expect(found["history"]?.arrayValue?.count == 2)
    let page = String(
      decoding: scene.site.place.read("outbox/visa.status.html") ?? Data(), as: UTF8.self)
    #expect(page.contains("Ada") && page.contains("under review"))
  }

  @Test func `a change is told once, whatever the server does in between`() throws {
    let scene = try scene(every: "1h")
    let (site, server) = (scene.site, scene.server)
    try server.plan([
      "/list.pdf": [
        edition(1, date: june1), edition(1, date: june1), ["status": 500],
        edition(2, date: june15, cut: scene.whole / 2), edition(2, date: june15),
        edition(3, date: june20),
      ],
      "/hook": ["status": 204],
    ])
    #expect(try site.run("fetch").status == 0)
    #expect(try site.run("run", "--once").status == 0)
    #expect(try site.run("follow", number, "--name", "Ada").status == 0)
    // Nothing new, then an error, then half a file, then the rest of it.
    for status: Int32 in [0, 75, 75, 0] {
      let round = try site.run("fetch")
      #expect(round.status == status, "\(round.output)\(round.errors)")
      #expect(try site.run("run", "--once").status == 0)
    }
    #expect(try site.run("fetch").status == 0)
    #expect(try site.run("run", "--once").status == 0)
    #expect(server.requests("/list.pdf").map(\.status) == [200, 304, 500, 200, 206, 200])
    try expectStory(scene)
    #expect(server.requests("/hook").count == 1)
    #expect(site.place.read("told")?.count { $0 == UInt8(ascii: "\n") } == 1)
  }

  @Test func `that the server has nothing new counts as a check of the list`() throws {
    let scene = try scene(every: "1h")
    let (site, server) = (scene.site, scene.server)
    try server.plan(["/list.pdf": edition(1, date: june1), "/hook": ["status": 204]])
    #expect(try site.run("fetch").status == 0)
    #expect(try site.run("run", "--once").status == 0)
    func checked() throws -> String {
      let answer = try JSONReader.read(try site.run("lookup", number, "--json").output).value
      return try #require(answer["list"]?["checked"]?.stringValue)
    }
    func page() -> String {
      String(decoding: site.place.read("outbox/visa.status.html") ?? Data(), as: UTF8.self)
    }
    let before = try checked()
    try FileManager.default.removeItem(atPath: site.place("outbox/visa.status.html").string)
    // The answer is in seconds.
    let second = time(nil)
    #expect(Programs.wait { time(nil) > second })
    let round = try site.run("fetch")
    #expect(round.output.contains("nothing new"), "\(round)")
    #expect(server.requests("/list.pdf").map(\.status) == [200, 304])
    #expect(try checked() > before)
    #expect(page().contains("Last checked"))
  }

  @Test func `what an address serves now is the newest, whatever its server says of its age`()
    throws
  {
    let scene = try scene(every: "1h")
    let (site, server) = (scene.site, scene.server)
    func serve(_ number: Int, _ date: String) throws {
      try server.plan([
        "/list.pdf": [
          "file": .string("\(number).pdf"),
          "headers": ["ETag": .string("\"e\(number)\""), "Last-Modified": .string(date)],
        ], "/hook": ["status": 204],
      ])
      #expect(try site.run("fetch").status == 0)
      #expect(try site.run("run", "--once").status == 0)
    }
    try serve(1, "Fri, 15 Jun 2012 10:00:00 GMT")
    #expect(try site.run("follow", number, "--name", "Ada").status == 0)
    try serve(2, "Wed, 13 Jun 2012 10:00:00 GMT")
    let told = String(decoding: site.place.read("told") ?? Data(), as: UTF8.self)
    #expect(told.contains("under review"))
    let found = try JSONReader.read(try site.run("lookup", number, "--json").output).value
    #expect(found["current"]?["status"] == "under review")
    #expect(found["before"]?["status"]?.stringValue?.hasPrefix("documents requested") == true)
    // The results of both are there under names of their own, which tell when they came.
    let rows = site.place.files(below: "outbox").filter {
      $0.hasSuffix(".csv") && !$0.hasSuffix(".changes.csv")
    }
    #expect(rows.count == 2 && rows.allSatisfy { $0.contains(/list-20\d\d-\d\d-\d\d[.T]/) })
  }

  @Test func `the story holds over kills at any time`() throws {
    let scene = try scene(every: "1s")
    let (site, server) = (scene.site, scene.server)
    try server.plan(["/list.pdf": edition(1, date: june1), "/hook": ["status": 204]])
    #expect(try site.run("fetch").status == 0)
    #expect(try site.run("run", "--once").status == 0)
    #expect(try site.run("follow", number, "--name", "Ada").status == 0)
    try server.plan([
      "/list.pdf": [
        edition(1, date: june1), ["status": 500], edition(2, date: june15, cut: scene.whole / 2),
        edition(2, date: june15),
      ],
      "/hook": [["status": 500], ["status": 204]],
    ])
    for delay in [0.3, 0.9, 0.5, 1.3, 0.4, 0.7, 1.1, 0.6] {
      let daemon = try site.watch()
      Thread.sleep(forTimeInterval: delay)
      daemon.signal(SIGKILL)
      _ = daemon.wait()
    }
    let daemon = try site.watch()
    let arrived = Programs.wait {
      site.place.read("told") != nil
        && server.requests("/hook").contains { $0.status < 300 }
    }
    #expect(arrived)
    // Where all was told before, it may hardly have begun.
    #expect(daemon.handles(SIGTERM))
    daemon.signal(SIGTERM)
    #expect(daemon.wait() == 0)
    #expect(try site.run("run", "--once").status == 0)
    try expectStory(scene)
  }
}
