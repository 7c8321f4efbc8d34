import PluginKit
import Testing

@testable import Pipelines

/// `sources` and `notify` of a configuration.
@Suite struct SourcesAndTargetsTests {
  private func file(_ members: String) -> ConfigurationFile {
    let text = """
      { "version": 1, \(members),
        "pipelines": [{ "id": "p", "steps": [{ "id": "t", "use": "pdf.text" }], "emit": ["t.text"] }] }
      """
    return ConfigurationFile(
      name: "pipelines.json", text: Array(text.utf8), catalog: Steps.catalog)
  }

  @Test func `what is written is what is meant`() throws {
    let file = file(
      """
      "sources": [
        { "id": "a", "url": "HTTPS://a.example/x.pdf" },
        { "id": "b", "url": "http://b/", "every": "5m", "to": "lists/b", "private": true }
      ],
      "notify": [
        { "mail": "ada@example.org" },
        { "on": ["done", "paused"], "every": "1m", "command": ["tell", "-x"] },
        { "on": "quarantined", "webhook": { "url": "https://c/", "secret": { "file": "s" } } },
        { "webhook": "https://d/" }, { "log": true }
      ]
      """)
    let configuration = try #require(file.configuration, "\(file.complaints)")
    #expect(
      configuration.sources == [
        Source(id: "a", url: "HTTPS://a.example/x.pdf", every: 21_600_000),
        Source(id: "b", url: "http://b/", every: 300_000, to: "lists/b", allowsPrivate: true),
      ])
    let targets = configuration.notify
    #expect(targets.map(\.id) == (0...4).map { "notify-\($0)" })
    #expect(targets.map(\.every) == [300_000, 60_000, 300_000, 300_000, 300_000])
    #expect(targets[0].events == [.number] && targets[1].events == [.done, .paused])
    guard case .mail(["ada@example.org"]) = targets[0].way,
      case .command(["tell", "-x"]) = targets[1].way,
      case .webhook("https://c/", .json, ["file": "s"], false) = targets[2].way,
      case .webhook("https://d/", .json, nil, false) = targets[3].way, case .log = targets[4].way
    else {
      Issue.record("\(targets.map(\.way))")
      return
    }
  }

  @Test(arguments: [
    "http://127.0.0.1:8080/x.pdf", "http://localhost/x", "https://LOCALHOST:1", "http://127.1/",
    "http://[::1]:80/", "http://192.168.1.7?x", "http://10.0.0.1/", "http://2130706433/",
    "http://x.localhost/",
  ])
  func `an address that will be refused is told beforehand`(url: String) {
    for members in [
      #""sources": [{ "id": "a", "url": "\#(url)" PRIVATE }]"#,
      #""notify": [{ "webhook": { "url": "\#(url)" PRIVATE } }]"#,
    ] {
      let refused = file(members.replacing("PRIVATE", with: ""))
      #expect(refused.complaints.map(\.code) == ["url.private"] && !refused.hasErrors)
      #expect(file(members.replacing("PRIVATE", with: #", "private": true"#)).complaints.isEmpty)
    }
  }

  @Test(arguments: ["https://ada:secret@a.example/x.pdf", "http://ada@a.example", "https://a@b?c"])
  func `an address with a name or a password is refused`(url: String) {
    let refused = file(#""sources": [{ "id": "a", "url": "\#(url)" }]"#)
    #expect(refused.complaints.map(\.code) == ["url.credentials"] && refused.hasErrors)
    #expect(file(#""sources": [{ "id": "a", "url": "https://a.example/x@y" }]"#).complaints.isEmpty)
  }

  @Test func `news of numbers that nobody can have is told beforehand`() {
    let told = file(#""notify": [{ "on": ["number", "done"], "log": true }]"#)
    #expect(told.complaints.map(\.code) == ["notify.unheard"] && !told.hasErrors)
    #expect(file(#""notify": [{ "on": "done", "log": true }]"#).complaints.isEmpty)
  }

  @Test(arguments: ["https://a.example/localhost", "http://8.8.8.8/", "http://localhost.example/"])
  func `addresses of everybody are not complained of`(url: String) {
    #expect(file(#""sources": [{ "id": "a", "url": "\#(url)" }]"#).complaints.isEmpty)
  }

  @Test(
    arguments: [
      (#""path": "visa/**""#, "lists", false), (#""path": "visa/**""#, "visa/", true),
      (#""path": "visa/*.pdf", "mime": "application/pdf""#, "visa", true),
      (#""path": "visa/*.pdf""#, "visa/new", false), (#""path": "visa/status.pdf""#, "visa", false),
      (#""name": "status.pdf""#, "", false), (#""name": "other*""#, "", true),
      (#""not": { "path": "visa/**" }"#, "visa", false), (#""mime": "application/*""#, "", true),
      (#""any": [{ "path": "a/**" }, { "path": "visa/**" }]"#, "visa", true),
    ])
  func `a source whose files no rule takes is told`(match: String, to: String, isTaken: Bool) {
    let place = to.isEmpty ? "" : #", "to": "\#(to)""#
    let text = """
      { "version": 1,
        "sources": [{ "id": "a", "url": "https://a.example/x/status.pdf"\(place) }],
        "pipelines": [{ "id": "p", "match": { \(match) },
          "steps": [{ "id": "t", "use": "pdf.text" }], "emit": ["t.text"] }] }
      """
    let file = ConfigurationFile(
      name: "pipelines.json", text: Array(text.utf8), catalog: Steps.catalog)
    #expect(file.complaints.map(\.code) == (isTaken ? [] : ["source.unrouted"]))
    #expect(!file.hasErrors)
  }

  @Test(arguments: [
    (#""sources": [{ "id": "a", "url": "ftp://a/" }]"#, "url.scheme"),
    (#""sources": [{ "id": "a", "url": "http://a/", "to": "../b" }]"#, "source.outside"),
    (#""sources": [{ "id": "a", "url": "sftp://u:w@a/", "key": "k" }]"#, "url.credentials"),
    (#""sources": [{ "id": "a", "url": "sftp://a/x", "key": "k", KEY }]"#, "source.login"),
    (#""sources": [{ "id": "a", "url": "sftp://u@a/x", KEY }]"#, "source.login"),
    (#""sources": [{ "id": "a", "url": "https://a/x", "key": "k" }]"#, "source.login"),
    (
      #""sources": [{ "id": "a", "url": "https://a/x", "password": { "file": "p" } }]"#,
      "source.login"
    ),
    (#""sources": [{ "id": "a", "url": "ftps://a/x", "name": "*.pdf" }]"#, "source.login"),
    (
      #""sources": [{ "id": "a", "url": "sftp://u@a/x", "key": "k", "hostKey": "SHA256:x" }]"#,
      "source.hostkey"
    ),
    (
      #""sources": [{ "id": "a", "url": "http://a/" }, { "id": "a", "url": "http://b/" }]"#,
      "id.twice"
    ),
    (#""notify": [{ "on": "done" }]"#, "notify.way"),
    (#""notify": [{ "log": true, "mail": "root" }]"#, "notify.way"),
    (#""notify": [{ "webhook": "file:///etc/passwd" }]"#, "url.scheme"),
    (#""notify": [{ "mail": ["root", "a@b.c, eve@example.org"] }]"#, "notify.mail"),
    (#""notify": [{ "mail": "a@b.c\nBcc: eve@example.org" }]"#, "notify.mail"),
    (#""notify": [{ "mail": "-oQ/tmp" }]"#, "notify.mail"),
    (#""notify": [{ "series": "x", "log": true }]"#, "ref.series"),
  ])
  func `what cannot be meant is told`(members: String, code: String) {
    let key = "\"hostKey\": \"SHA256:\(String(repeating: "x", count: 43))\""
    let file = file(members.replacing("KEY", with: key))
    #expect(file.configuration == nil)
    #expect(file.complaints.map(\.code) == [code], "\(file.rendered())")
  }

  @Test func `requests and answers of procd-net are read as they were written`() {
    var fetch = NetRequest.Fetch(url: "http://a/", folder: "/f")
    (fetch.etag, fetch.modified, fetch.wasPDF) = ("\"x\"", "Sun", true)
    (fetch.limit, fetch.redirects, fetch.bounds.allowsPrivate) = (5, 2, true)
    (fetch.bounds.connect, fetch.bounds.idle, fetch.bounds.total) = (1, 2, 3)
    (fetch.login.password, fetch.login.key, fetch.login.hostKey) = ("p", "/k", "SHA256:")
    var post = NetRequest.Post(url: "http://a/", type: "t", body: "b\n\"", key: "k")
    post.secret = "s"
    for request in [NetRequest.fetch(fetch), .list(fetch), .post(post)] {
      #expect(NetRequest(request.json) == request)
    }
    var file = NetAnswer.Received(bytes: 1, url: "u", isPDF: true)
    (file.name, file.type, file.etag) = ("n", "t", "e")
    (file.modified, file.modifiedSeconds) = ("m", 7)
    for answer in [
      NetAnswer.progress(done: 1, total: nil), .progress(done: 1, total: 2), .received(file),
      .unchanged, .accepted,
      .failed(NetAnswer.Failure("c", "m", isPassing: true, retryAfter: 9)),
    ] {
      #expect(NetAnswer(answer.json) == answer)
    }
    #expect(NetRequest([:]) == nil && NetAnswer(["progress": true]) == nil)
  }
}
