import Foundation
import PluginKit
import TestSupport
import Testing

/// Documents on the page as a shelf: listed, taken along, processed again.
@Suite struct PageShelfTests {
  private static func client() throws -> PageClient {
    try PageClient { text in
      text.replacing(
        #""pipelines": ["#,
        with:
          #""pipelines": [ { "id": "kept", "match": { "name": "*.kept" }, "emit": ["source"] }, { "id": "texts", "match": { "name": "*.txt" }, "emit": ["source"] },"#
      )
    }
  }

  private func names(_ client: PageClient, _ query: String) throws -> [String] {
    try client.get("jobs?outcome=done\(query)").json?["jobs"]?.arrayValue?
      .compactMap { $0["path"]?.stringValue } ?? []
  }

  @Test func `documents are listed by folder, day and name`() throws {
    let client = try Self.client()
    for (path, text) in [("b.txt", "1"), ("x/a.txt", "2"), ("x/y/c.txt", "3"), ("x2/d.txt", "4")] {
      try client.site.place.write(text, to: "inbox/\(path)")
      try #require(
        client.wait("jobs?name=\(path.components(separatedBy: "/").last ?? "")") {
          $0["total"] == 1
        })
    }
    #expect(try names(client, "&in=x&order=name") == ["x/a.txt", "x/y/c.txt"])
    #expect(try names(client, "&order=oldest") == ["b.txt", "x/a.txt", "x/y/c.txt", "x2/d.txt"])
    #expect(try names(client, "") == ["x2/d.txt", "x/y/c.txt", "x/a.txt", "b.txt"])
    #expect(try names(client, "&until=2020-01-01").isEmpty)
    #expect(try names(client, "&since=2020-01-01").count == 4)
    #expect(try client.get("jobs?in=x").json?["total"] == 2)
  }

  @Test func `documents are listed by their sender and by their own day`() throws {
    let client = try PageClient {
      $0.replacing(
        #""pipelines": ["#,
        with: #"""
          "pipelines": [ { "id": "letters", "match": { "name": "*.txt" },
            "texts": { "sender": { "names": { "Waterworks": "water", "Bank": "bank" }, "else": "others" },
              "date": { "date": "dmy", "else": "undated" } },
            "emit": ["source"] },
          """#)
    }
    for (name, text) in [
      ("a", "Waterworks, 3 May 2024"), ("b", "bank, 7 June 2025"), ("c", "the bank, 1 May 2023"),
      ("d", "x"),
    ] {
      try client.site.place.write(text, to: "inbox/\(name).txt")
      try #require(client.wait("jobs?name=\(name).txt") { $0["total"] == 1 })
    }
    #expect(try names(client, "&order=sender") == ["c.txt", "b.txt", "a.txt", "d.txt"])
    #expect(try names(client, "&order=day") == ["b.txt", "a.txt", "c.txt", "d.txt"])
    #expect(try names(client, "&sender=Bank&order=oldest") == ["b.txt", "c.txt"])
    #expect(try client.get("jobs?sender=Bank").json?["total"] == 2)
    #expect(try client.get("session").json?["senders"] == ["Bank", "Waterworks"])
  }

  @Test func `documents are taken along as one ZIP file`() throws {
    let client = try Self.client()
    try client.site.place.write("one", to: "inbox/a/letter.txt")
    try client.site.place.write("two", to: "inbox/b/Übersicht.txt")
    try #require(client.wait("now") { $0["totals"]?["done"] == 2 })
    let jobs = try #require(try client.get("jobs").json?["jobs"]?.arrayValue)
      .compactMap { $0["job"] }
    let body = JSON.object([.init("jobs", .array(jobs)), .init("originals", true)])
    let made = try client.post("archives", json: String(decoding: body.line, as: UTF8.self))
    #expect(made.json?["files"] == 4, "\(made)")
    let handle = try #require(made.json?["archive"]?.stringValue)
    let zip = try client.get("archives/\(handle)")
    #expect(zip.headers.contains("application/octet-stream"))
    try client.site.place.write(zip.body, to: "all.zip")
    let listed = try Programs.run(
      try #require(Programs.find("python3")),
      [
        "-c",
        "import zipfile; z = zipfile.ZipFile('all.zip'); print(sorted((n, z.read(n)) for n in z.namelist()), z.testzip())",
      ], in: client.site.place.path)
    #expect(
      listed.output == """
        [('a/letter.txt', b'one'), ('b/Übersicht.txt', b'two'), ('originals/a/letter.txt', b'one'), ('originals/b/Übersicht.txt', b'two')] None

        """, "\(listed)")
    #expect(try client.get("archives/other").status == 404)
    #expect(try client.post("archives", json: #"{"jobs": ["none"]}"#).status == 404)
  }

  @Test func `a document is processed again by another rule`() throws {
    let client = try Self.client()
    try client.site.place.write("one", to: "inbox/letter.txt")
    try #require(client.wait("now") { $0["totals"]?["done"] == 1 })
    let job = try #require(
      try client.get("jobs").json?["jobs"]?.arrayValue?.first?["job"]?.stringValue)
    let again = try client.post("again", json: #"{"jobs": ["\#(job)", "x"], "rule": "kept"}"#)
    #expect(again.json?["done"] == .array([.string(job)]), "\(again)")
    #expect(again.json?["refused"]?.arrayValue?.count == 1)
    #expect(client.wait("jobs?pipeline=kept") { $0["total"] == 1 })
    #expect(try client.post("again", json: #"{"jobs": ["\#(job)"], "rule": "no"}"#).status == 404)
  }

  @Test func `several shots become one document, and a page of it another`() throws {
    let client = try PageClient()
    let photo = PageClient.sample("letter-photo.jpg")
    func part() throws -> String {
      let answer = try client.upload(photo, "name=shot.jpg", to: "parts")
      return try #require(answer.json?["part"]?.stringValue, "\(answer)")
    }
    let (first, second) = (try part(), try part())
    let made = try client.post(
      "assemble",
      json:
        #"{"name": "letter.pdf", "folder": "shots", "pages": [{"part": "\#(second)", "rotate": 180}, {"part": "\#(first)"}]}"#
    )
    #expect(made.status == 201 && made.json?["path"] == "shots/letter.pdf", "\(made)")
    try #require(client.wait("now") { $0["totals"]?["done"] == 1 })
    let job = try #require(
      try client.get("jobs").json?["jobs"]?.arrayValue?.first?["job"]?.stringValue)
    #expect(try client.get("jobs/\(job)").json?["views"]?["pages"] == 2)
    let original = String(
      decoding: try #require(client.site.place.read("archive/shots/letter.pdf")), as: UTF8.self)
    #expect(original.components(separatedBy: "/Rotate 180").count == 2)
    // A part is used once.
    let again = try client.post(
      "assemble", json: #"{"name": "b.pdf", "pages": [{"part": "\#(first)"}]}"#)
    #expect(again.status == 404 && again.code == "web.try")
    let page = try client.post(
      "assemble",
      json: #"{"name": "one.pdf", "pages": [{"job": "\#(job)", "page": 2, "rotate": -90}]}"#)
    #expect(page.status == 201, "\(page)")
    try #require(client.wait("now") { $0["totals"]?["done"] == 2 })
    for (body, status) in [
      (#"{"name": "c.pdf", "pages": [{"job": "\#(job)", "page": 3}]}"#, 409),
      (#"{"name": "c.pdf", "pages": [{"job": "\#(job)", "page": 1, "rotate": 45}]}"#, 400),
      (#"{"name": "../c.pdf", "pages": [{"job": "\#(job)", "page": 1}]}"#, 400),
      (#"{"name": "c.pdf", "folder": "../..", "pages": [{"job": "\#(job)", "page": 1}]}"#, 400),
      (#"{"name": "c.pdf", "pages": []}"#, 400),
      (#"{"name": "c.pdf", "pages": [{"job": "none", "page": 1}]}"#, 404),
    ] {
      #expect(try client.post("assemble", json: body).status == status, "\(body)")
    }
    // Nothing is left of what was on its way.
    #expect(
      Programs.wait {
        client.site.place.files(below: "inbox").allSatisfy { !$0.contains(".procd-add-") }
      })
  }

  @Test func `strangers make, join and take nothing`() throws {
    let client = try PageClient()
    for path in ["rules", "assemble", "archives", "again", "delete", "restore", "retry", "tries/x"]
    {
      let body = ["-X", "POST", "-H", "Content-Type: application/json", "--data-binary", "{}"]
      #expect(try PageClient.curl(body + [client.api(path)]).status == 401, "\(path)")
      let foreign = try client.post(path, json: "{}", "-H", "Origin: http://evil.example")
      #expect(foreign.status == 403, "\(path)")
    }
    for path in ["parts?name=a", "tries?name=a"] {
      let file = ["-X", "POST", "-H", "Content-Type: application/octet-stream", "-d", "x"]
      #expect(try PageClient.curl(file + [client.api(path)]).status == 401, "\(path)")
    }
    for path in ["archives/x", "tries/x/results/0", "tries/x/pages/1"] {
      #expect(try PageClient.curl([client.api(path)]).status == 401, "\(path)")
    }
  }
}
