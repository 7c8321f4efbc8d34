import Foundation
import PluginKit
import SystemPackage
import TestSupport
import Testing

/// Rules that are made, changed and tried on the page.
@Suite struct PageRuleTests {
  private static func client(allowed: Bool = true) throws -> PageClient {
    try PageClient { text in
      allowed
        ? text.replacing(
          #/"web": ("127.0.0.1:[0-9]+")/#,
          with: { "\"web\": { \"listen\": \($0.output.1), \"rules\": \"edit\" }" }) : text
    }
  }

  private static func json(_ members: [String: JSON]) -> String {
    let body = members.sorted { $0.key < $1.key }.map { JSON.Member($0.key, $0.value) }
    return String(decoding: JSON.object(body).line, as: UTF8.self)
  }

  private func mark(_ client: PageClient) throws -> JSON {
    try #require(try client.get("rules").json?["mark"])
  }

  private func change(
    _ client: PageClient, _ members: [String: JSON]
  ) throws -> PageClient.Answer {
    var members = members
    if members["mark"] == nil { members["mark"] = try mark(client) }
    return try client.post("rules", json: Self.json(members))
  }

  private let notes = #"{"id": "notes", "match": {"name": "*.note"}, "emit": ["source"]}"#

  @Test func `a rule made on the page takes the next file, and the old file is kept`() throws {
    let client = try Self.client(), path = "pipelines.json"
    let before = try #require(client.site.place.read(path))
    #expect(try client.get("rules").json?["edit"] == true)
    let dry = try change(
      client, ["change": "put", "rule": .string(notes), "dry": true]
    ).json
    #expect(dry?["saved"] == false && dry?["problems"] == nil)
    #expect(client.site.place.read(path) == before)

    let saved = try change(client, ["change": "put", "rule": .string(notes)])
    #expect(saved.json?["saved"] == true, "\(saved)")
    #expect(saved.json?["lines"] == .array(["procd uses the new rules."]))
    let kept = try #require(saved.json?["kept"]?.stringValue)
    #expect(FileManager.default.contents(atPath: kept) == before)
    let after = String(decoding: try #require(client.site.place.read(path)), as: UTF8.self)
    #expect(after.contains(#""id": "notes""#))
    // All that was there is there as it was written.
    for line in String(decoding: before, as: UTF8.self).components(separatedBy: "\n")
    where !line.isEmpty {
      #expect(after.contains(line.trimmingCharacters(in: .whitespaces)), "\(line)")
    }
    try client.site.place.write("x", to: "inbox/a.note")
    #expect(Programs.wait { client.site.place.read("outbox/a.note") != nil })
  }

  @Test func `rules are replaced, moved and removed`() throws {
    let client = try Self.client()
    func ids() throws -> [String] {
      try client.get("rules").json?["rules"]?.arrayValue?.compactMap { $0["id"]?.stringValue } ?? []
    }
    let first = try #require(try ids().first)
    _ = try change(client, ["change": "put", "rule": .string(notes), "before": .string(first)])
    #expect(try ids().first == "notes")
    let other = notes.replacing("notes", with: "others")
    _ = try change(client, ["change": "put", "id": "notes", "rule": .string(other)])
    #expect(try ids().first == "others")
    _ = try change(client, ["change": "move", "id": "others"])
    #expect(try ids().last == "others")
    _ = try change(client, ["change": "remove", "id": "others"])
    #expect(try !ids().contains("others"))
  }

  @Test func `mistakes are shown with their place in the rule, and nothing is saved`() throws {
    let client = try Self.client(), before = client.site.place.read("pipelines.json")
    for (rule, told) in [
      (
        "{\n  \"id\": \"n\",\n  \"steps\": [{ \"id\": \"a\", \"use\": \"ocr.tesserakt\" }],\n  \"emit\": [\"a.pdf\"]\n}",
        "rule:3:"
      ),
      (#"{"id": "n", "emit": ["source"], "to": "../elsewhere"}"#, "rule:1:"),
      (#"{"id": "n", "emit": ["source"], "to": "/etc"}"#, "rule:1:"),
      (#"{"id": "n", "emit": [{"from": "source", "as": "../x"}]}"#, "rule:1:"),
      (#"{"id": "pdf-text", "emit": ["source"]}"#, "error["),
    ] {
      let answer = try change(client, ["change": "put", "rule": .string(rule)]).json
      #expect(answer?["saved"] == false)
      #expect(
        answer?["problems"]?.stringValue?.contains(told) == true, "\(rule): \(answer ?? .null)")
    }
    let broken = try change(client, ["change": "put", "rule": .string("{\"id\": ")])
    #expect(broken.status == 409 && broken.code == "web.rules")
    // What would be a second value, and would end the list.
    let hidden = try change(
      client,
      [
        "change": "put",
        "rule": #"{"id": "n", "emit": ["source"]}], "plugins": ["/tmp"], "$x": [{}"#,
      ])
    #expect(hidden.status == 409)
    #expect(client.site.place.read("pipelines.json") == before)
  }

  @Test func `what only the file may say is refused`() throws {
    let client = try Self.client(), before = client.site.place.read("pipelines.json")
    let secret =
      #"{"id": "n", "match": {"mime": "application/pdf"}, "steps": [{"id": "t", "use": "pdf.text", "with": {"passwords": {"file": "/etc/hostname"}}}], "emit": ["t.text"]}"#
    #expect(try change(client, ["change": "put", "rule": .string(secret)]).status == 403)
    let stale = try change(client, ["change": "remove", "id": "pdf-text", "mark": "0"])
    #expect(stale.status == 409 && stale.code == "web.changed")
    // Another site, and nobody who is logged in.
    let body = Self.json(["change": "remove", "id": "pdf-text", "mark": try mark(client)])
    #expect(try client.post("rules", json: body, "-H", "Origin: http://evil.example").status == 403)
    #expect(
      try PageClient.curl(
        ["-X", "POST", "-H", "Content-Type: application/json", "--data-binary", body]
          + [client.api("rules")]
      ).status == 401)
    #expect(client.site.place.read("pipelines.json") == before)
  }

  @Test func `without leave in the configuration nothing is changed`() throws {
    let client = try Self.client(allowed: false)
    let rules = try client.get("rules").json
    #expect(
      rules?["edit"] == false && rules?["editObstacle"]?.stringValue?.contains("edit") == true)
    #expect(try change(client, ["change": "remove", "id": "pdf-text"]).status == 403)
  }

  @Test func `a rule is tried with a file before it is saved`() throws {
    let client = try Self.client()
    let sample = client.site.place("sample.txt")
    try client.site.place.write("words", to: "sample.txt")
    let begun = try client.upload(sample, "name=a.note", to: "tries")
    #expect(begun.status == 200 && begun.json?["taken"] == false, "\(begun)")
    let handle = try #require(begun.json?["try"]?.stringValue)
    let without = try client.post("tries/\(handle)", json: "{}").json
    #expect(without?["code"] == "route.unmatched")
    let with = try client.post(
      "tries/\(handle)", json: Self.json(["rule": .string(notes)])
    ).json
    #expect(with?["pipeline"] == "notes", "\(with ?? .null)")
    #expect(with?["results"]?.arrayValue?.first?["bytes"] == 5)
    // What would end the list of rules and bring in plugins.
    let hidden = #"{"id": "n", "emit": ["source"]}], "plugins": ["/tmp"], "$x": [{}"#
    let refused = try client.post(
      "tries/\(handle)", json: Self.json(["rule": .string(hidden)]))
    #expect(refused.status == 409 && refused.code == "web.rules", "\(refused)")
    let result = try client.get("tries/\(handle)/results/0?view=1")
    #expect(result.body == Data("words".utf8))
    #expect(try client.get("tries/\(handle)/results/1").status == 404)
    #expect(try client.get("tries/other/results/0").status == 404)
    // Nothing of it goes into the folders.
    #expect(client.site.place.files(below: "outbox") == [])
  }

  @Test func `a file that no rule takes is offered the rule that would`() throws {
    let plugins = TemporaryFolder()
    for name in ["plugin.json", "procd-mail"] {
      let source = Programs.repository.appending("Plugins/Mail/\(name)").string
      try plugins.write(Data(), to: "mail/empty")
      try FileManager.default.copyItem(atPath: source, toPath: plugins("mail/\(name)").string)
    }
    defer { withExtendedLifetime(plugins) {} }
    let mail = plugins.path.string
    let client = try PageClient { text in
      text.replacing("\"version\": 1,", with: "\"version\": 1, \"plugins\": [\"\(mail)\"],")
        .replacing(
          #/"web": ("127.0.0.1:[0-9]+")/#,
          with: { "\"web\": { \"listen\": \($0.output.1), \"rules\": \"edit\" }" })
    }
    try client.site.place.write(
      "From: Ann <ann@example.org>\r\nSubject: hello\r\n\r\nHello\r\n", to: "letter.eml")
    let file = client.site.place("letter.eml")
    let told = try client.upload(file, "name=letter.eml", to: "explain").json
    let offer = try #require(told?["offer"]), rule = try #require(offer["rule"])
    #expect(offer["kind"] == "mail")
    _ = try client.upload(file, "name=letter.eml&anyway=1")
    #expect(
      Programs.wait {
        (try? client.get("quarantine").json?["files"]?.arrayValue?.first?["offer"]?["kind"])
          == "mail"
      })
    let saved = try change(
      client,
      ["change": "put", "rule": .string(String(decoding: rule.line, as: UTF8.self))])
    #expect(saved.json?["saved"] == true, "\(saved)")
    _ = try client.post("retry", json: #"{"all": true}"#)
    #expect(
      Programs.wait { client.site.place.read("outbox/mail/letter/letter.txt") != nil })
  }
}
