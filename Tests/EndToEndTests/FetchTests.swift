import Foundation
import PluginKit
import SystemPackage
import TestSupport
import Testing

/// `procd fetch` and the sources of a running procd, against a real web server.
@Suite(.serialized) struct FetchTests {
  /// A site with one source `list`.
  private func site(
    _ url: String, every: String = "1h", isPrivate: Bool = true, more: String = ""
  ) throws -> Site {
    try Site {
      $0.replacing(
        #""pipelines""#,
        with: """
          "sources": [
            { "id": "list", "url": "\(url)", "every": "\(every)", "private": \(isPrivate) }
          ],\(more)
          "pipelines"
          """)
    }
  }

  private func edition(_ text: String, lines: Int = 400) -> Data {
    Data(PDFBuilder.pages([PDFBuilder.lines((0..<lines).map { "\(text) \($0)" })]))
  }

  /// The inbox, what procd keeps for itself apart.
  private func inbox(_ site: Site) -> [String] {
    site.place.files(below: "inbox").filter { !$0.hasPrefix(".") }
  }

  /// The only file of the inbox. Its name carries a day, which is left out of what is given.
  private func only(_ site: Site) throws -> (name: String, content: Data?) {
    let name = try #require(inbox(site).first)
    #expect(inbox(site).count == 1)
    #expect(name.contains(/-20\d\d-\d\d-\d\d\./), "\(name)")
    return (name.replacing(/-20\d\d-\d\d-\d\d/, with: ""), site.place.read("inbox/\(name)"))
  }

  @Test func `editions come once each, and asking again costs nothing`() throws {
    let server = try WebServer()
    let site = try site(server.url("/lists/status.pdf"))
    let date = "Fri, 15 Jun 2012 10:00:00 GMT"
    for number in 1...3 {
      try server.place.write(edition("edition \(number)"), to: "\(number).pdf")
      try server.plan([
        "/lists/status.pdf": [
          "file": .string("\(number).pdf"),
          "headers": ["ETag": .string("\"e\(number)\""), "Last-Modified": .string(date)],
        ]
      ])
      let first = try site.run("fetch", "list")
      #expect(first.status == 0, "\(first.errors)")
      #expect(first.output.contains("is new"))
      let again = try site.run("fetch")
      #expect(again.output == "list: nothing new\n", "\(again.errors)")
    }
    // The day, and the time where one came on that day before.
    let names = inbox(site)
    #expect(names.count == 3 && names.allSatisfy { $0.contains(/^status-20\d\d-\d\d-\d\d[.T]/) })
    #expect(names.contains { $0.contains("T") }, "\(names)")
    let contents = Set(names.map { site.place.read("inbox/\($0)") })
    #expect(contents == Set((1...3).map { edition("edition \($0)") }))
    let attributes = try FileManager.default.attributesOfItem(
      atPath: site.place("inbox/\(names[0])").string)
    #expect((attributes[.modificationDate] as? Date)?.timeIntervalSince1970 == 1_339_754_400)
    let requests = server.requests("/lists/status.pdf")
    #expect(requests.map(\.status) == [200, 304, 200, 304, 200, 304])
    #expect(requests[1].header("if-none-match") == "\"e1\"")
    #expect(requests[1].header("if-modified-since") == date)
  }

  /// At any time one of them has another day than UTC.
  @Test(arguments: [("Pacific/Kiritimati", 14.0), ("Pacific/Pago_Pago", -11)])
  func `the day of a name is that of the zone`(zone: String, hours: Double) throws {
    let server = try WebServer()
    let site = try site(server.url("/list.pdf"), more: #""timeZone": "\#(zone)","#)
    func clock() -> Date { Date(timeIntervalSinceNow: hours * 3600) }
    let before = clock()
    for number in 1...2 {
      try server.place.write(edition("edition \(number)"), to: "list.pdf")
      try server.plan(["/list.pdf": ["file": "list.pdf"]])
      #expect(try site.run("fetch").output.contains("is new"))
    }
    let days = [before, clock()].map { $0.formatted(.iso8601.year().month().day()) }
    let names = inbox(site).sorted()
    #expect(names.contains { name in days.contains { name == "list-\($0).pdf" } }, "\(names)")
    let hour = #/T(\d\d)\d{4}\.pdf$/#
    let hoursTold = names.compactMap { $0.firstMatch(of: hour)?.output.1 }
    let told = try #require(hoursTold.first)
    let times = [before, clock()].map {
      $0.formatted(.iso8601.time(includingFractionalSeconds: false))
    }
    #expect(times.contains { $0.hasPrefix(told) }, "\(names)")
  }

  @Test func `a server that knows no conditions gives each edition once all the same`() throws {
    let server = try WebServer()
    let site = try site(server.url("/list.pdf"))
    try server.place.write(edition("the list"), to: "list.pdf")
    try server.plan(["/list.pdf": ["file": "list.pdf"]])
    #expect(try site.run("fetch").output.contains("is new"))
    #expect(try site.run("fetch").output == "list: nothing new\n")
    #expect(try only(site).name == "list.pdf")
    #expect(server.requests("/list.pdf").map(\.status) == [200, 200])
  }

  @Test func `a download that broke off goes on where it was`() throws {
    let server = try WebServer()
    let site = try site(server.url("/list.pdf"))
    let whole = edition("long", lines: 5000)
    try server.place.write(whole, to: "list.pdf")
    let cut = whole.count / 2
    let headers: JSON = ["ETag": "\"whole\""]
    try server.plan([
      "/list.pdf": [
        ["file": "list.pdf", "headers": headers, "cut": .integer(cut)],
        ["file": "list.pdf", "headers": headers],
      ]
    ])
    let broken = try site.run("fetch")
    #expect(broken.status == 75)
    #expect(broken.errors.contains("net.broken"), "\(broken.errors)")
    #expect(inbox(site) == [])
    let second = try site.run("fetch")
    #expect(second.status == 0, "\(second.errors)")
    #expect(try only(site).content == whole)
    let requests = server.requests("/list.pdf")
    #expect(requests.map(\.status) == [200, 206])
    let range = try #require(requests.last?.header("range"))
    let start = try #require(Int(range.dropFirst("bytes=".count).dropLast()))
    #expect(start > 0 && start <= cut, "\(range)")
    #expect(requests[1].header("if-range") == "\"whole\"")
  }

  @Test func `a file that changed meanwhile is not patched together`() throws {
    let server = try WebServer()
    let site = try site(server.url("/list.pdf"))
    let old = edition("old", lines: 5000), new = edition("new", lines: 6000)
    try server.place.write(old, to: "old.pdf")
    try server.place.write(new, to: "new.pdf")
    try server.plan([
      "/list.pdf": [
        ["file": "old.pdf", "headers": ["ETag": "\"old\""], "cut": .integer(old.count / 2)],
        ["file": "new.pdf", "headers": ["ETag": "\"new\""]],
      ]
    ])
    #expect(try site.run("fetch").status == 75)
    #expect(try site.run("fetch").status == 0)
    #expect(try only(site).content == new)
  }

  @Test func `error pages and errors hand nothing in, and stand in status`() throws {
    let server = try WebServer()
    let site = try site(server.url("/list.pdf"))
    try server.place.write(edition("good"), to: "list.pdf")
    try server.plan([
      "/list.pdf": [
        ["status": 500],
        [
          "text": "<!DOCTYPE html><html><body>We are sorry</body></html>",
          "headers": ["Content-Type": "text/html"],
        ],
        ["status": 404], ["text": ""], ["file": "list.pdf"],
      ]
    ])
    for code in ["net.server", "net.type", "net.missing", "net.empty"] {
      let result = try site.run("fetch")
      #expect(result.status == 75)
      #expect(result.errors.contains(code), "\(result.errors)")
      #expect(inbox(site) == [])
      let status = try JSONReader.read(try site.run("status", "--json").output).value
      let source = status["sources"]?.arrayValue?.first
      #expect(source?["error"]?["code"]?.stringValue == code)
      #expect(try site.run("status").output.contains(code))
    }
    #expect(try site.run("fetch").status == 0)
    #expect(try only(site).name == "list.pdf")
    let status = try JSONReader.read(try site.run("status", "--json").output).value
    #expect(status["sources"]?.arrayValue?.first?["failures"] == 0)
  }

  @Test func `redirects are followed within limits, and only to web servers`() throws {
    let server = try WebServer()
    let site = try site(server.url("/start"))
    try server.place.write(edition("moved"), to: "list.pdf")
    func leads(to place: String) throws {
      try server.plan([
        "/start": ["status": 302, "headers": ["Location": .string(place)]],
        "/loop": ["status": 302, "headers": ["Location": "/loop"]],
        "/new/list.pdf": [
          "file": "list.pdf",
          "headers": ["Content-Disposition": "attachment; filename*=UTF-8''..%2FJuni%20%C3%9C.pdf"],
        ],
      ])
    }
    for (place, code) in [
      ("/loop", "net.redirects"), ("file:///etc/passwd", "net.url"),
      ("ftp://127.0.0.1/list.pdf", "net.url"),
    ] {
      try leads(to: place)
      let result = try site.run("fetch")
      #expect(result.status == 75)
      #expect(result.errors.contains(code), "\(place): \(result.errors)")
    }
    try leads(to: "/new/list.pdf")
    #expect(try site.run("fetch").status == 0)
    #expect(try only(site).name == "Juni Ü.pdf")
  }

  @Test(arguments: ["127.0.0.1", "localhost", "127.1", "2130706433", "[::ffff:127.0.0.1]"])
  func `private addresses are asked only where that is allowed`(host: String) throws {
    let server = try WebServer()
    try server.plan(["/list.pdf": ["status": 404]])
    let site = try site(server.url("/list.pdf", host: host), isPrivate: false)
    let result = try site.run("fetch")
    #expect(result.status == 75)
    #expect(result.errors.contains("net.private"), "\(result.errors)")
    #expect(server.requests("/list.pdf").isEmpty)
  }

  @Test func `certificates are verified, and nothing leads from a safe address to an unsafe one`()
    throws
  {
    let server = try WebServer(isSafe: true), unsafe = try WebServer()
    try server.place.write(edition("safe"), to: "list.pdf")
    try server.plan([
      "/list.pdf": ["file": "list.pdf"],
      "/leads": ["status": 301, "headers": ["Location": .string(unsafe.url("/list.pdf"))]],
    ])
    try unsafe.plan(["/list.pdf": ["status": 404]])
    let url = server.url("/list.pdf", host: "localhost", scheme: "https")
    let site = try site(url)
    let refused = try site.run("fetch")
    #expect(refused.errors.contains("net.tls"), "\(refused.errors)")
    #expect(server.requests("/list.pdf").isEmpty)
    let authority = ["SSL_CERT_FILE": server.place("certificate.pem").string]
    let accepted = try Programs.run(
      "procd", ["fetch"], in: site.place.path, environment: authority)
    #expect(accepted.status == 0, "\(accepted.errors)")
    #expect(try only(site).name == "list.pdf")

    let leading = try self.site(server.url("/leads", host: "localhost", scheme: "https"))
    let result = try Programs.run(
      "procd", ["fetch"], in: leading.place.path, environment: authority)
    #expect(result.errors.contains("net.redirects"), "\(result.errors)")
    #expect(unsafe.requests("/list.pdf").isEmpty)
  }

  /// Each server is trusted but for its fault.
  @Test(arguments: WebServer.Fault.allCases)
  func `a server whose certificate or protocol is at fault gets no request`(
    fault: WebServer.Fault
  ) throws {
    let server = try WebServer(isSafe: true, fault: fault)
    try server.place.write(edition("unsafe"), to: "list.pdf")
    try server.plan(["/list.pdf": ["file": "list.pdf"]])
    let site = try site(server.url("/list.pdf", host: "localhost", scheme: "https"))
    let result = try Programs.run(
      "procd", ["fetch"], in: site.place.path,
      environment: ["SSL_CERT_FILE": server.place("certificate.pem").string])
    #expect(result.status == 75)
    #expect(result.errors.contains("[net.tls]"), "\(result.errors)")
    #expect(server.requests("/list.pdf").isEmpty)
    #expect(site.place.files(below: "inbox").isEmpty)
  }

  @Test(arguments: [false, true])
  func `a file that ends with its connection is whole unless a safe one was cut`(
    isSafe: Bool
  ) throws {
    let server = try WebServer(isSafe: isSafe)
    try server.place.write(edition("open"), to: "list.pdf")
    try server.plan(["/list.pdf": ["file": "list.pdf", "open": true]])
    let url = server.url("/list.pdf", host: "localhost", scheme: isSafe ? "https" : "http")
    let site = try site(url)
    let result = try Programs.run(
      "procd", ["fetch"], in: site.place.path,
      environment: isSafe ? ["SSL_CERT_FILE": server.place("certificate.pem").string] : [:])
    #expect(result.status == (isSafe ? 75 : 0), "\(result.errors)")
    #expect(result.errors.contains("[net.broken]") == isSafe, "\(result.errors)")
    #expect(inbox(site).count == (isSafe ? 0 : 1))
  }

  @Test func `an answer whose head does not end is not waited for`() throws {
    let server = try WebServer()
    try server.place.write(edition("late"), to: "list.pdf")
    let line = JSON.string(String(repeating: "x", count: 1000))
    let fields = (0..<300).map { JSON.Member("X-\($0)", line) }
    try server.plan(["/list.pdf": ["file": "list.pdf", "headers": .object(fields)]])
    let result = try site(server.url("/list.pdf")).run("fetch")
    #expect(result.status == 75 && result.errors.contains("[net.http]"), "\(result.errors)")
  }

  /// What stands in the environment of procd is not its user's word on where files come from.
  @Test func `no proxy of the environment is asked`() throws {
    let server = try WebServer(), proxy = try WebServer()
    try server.place.write(edition("direct"), to: "list.pdf")
    try server.plan(["/list.pdf": ["file": "list.pdf"]])
    let site = try site(server.url("/list.pdf"))
    var environment: [String: String] = [:]
    for name in ["http_proxy", "HTTP_PROXY", "https_proxy", "ALL_PROXY", "all_proxy"] {
      environment[name] = proxy.url("")
    }
    let result = try Programs.run(
      "procd", ["fetch"], in: site.place.path, environment: environment)
    #expect(result.status == 0, "\(result.errors)")
    #expect(proxy.place.read("requests.jsonl") == nil)
  }

  @Test(arguments: ["7", "2", "0"])
  func `fetching works at each version of Landlock`(landlock: String) throws {
    let server = try WebServer()
    let site = try site(server.url("/list.pdf", host: "localhost"))
    try server.place.write(edition("confined"), to: "list.pdf")
    try server.plan(["/list.pdf": ["file": "list.pdf"]])
    let result = try Programs.run(
      "procd", ["fetch"], in: site.place.path, environment: ["PROCD_LANDLOCK": landlock])
    #expect(result.status == 0, "\(result.errors)")
    #expect(try only(site).name == "list.pdf")
  }

  @Test func `run asks by itself, and run --once before it looks into the inbox`() throws {
    let server = try WebServer()
    let site = try site(server.url("/list.pdf"), every: "1s")
    try server.place.write(edition("first"), to: "1.pdf")
    try server.place.write(edition("second"), to: "2.pdf")
    try server.plan(["/list.pdf": ["file": "1.pdf", "headers": ["ETag": "\"1\""]]])
    let once = try site.run("run", "--once")
    #expect(once.status == 0, "\(once.errors)")
    #expect(site.place.files(below: "outbox").contains { $0.hasSuffix(".pdf.report.json") })
    let daemon = try site.watch()
    defer { daemon.signal(SIGKILL) }
    #expect(
      Programs.wait {
        server.requests("/list.pdf").count { $0.status == 304 } >= 2
      })
    try server.plan(["/list.pdf": ["file": "2.pdf", "headers": ["ETag": "\"2\""]]])
    #expect(
      Programs.wait {
        site.place.files(below: "archive").count { $0.hasSuffix(".pdf") } == 2
      })
    daemon.signal(SIGTERM)
    #expect(daemon.wait() == 0)
    #expect(server.requests("/list.pdf").count { $0.status == 200 } == 2)
  }

  @Test func `a corrected source is asked at once`() throws {
    let server = try WebServer()
    try server.place.write(edition("private"), to: "list.pdf")
    try server.plan(["/list.pdf": ["file": "list.pdf"]])
    let site = try site(server.url("/list.pdf"), isPrivate: false)
    #expect(try site.run("check").errors.contains("warning[url.private]"))
    #expect(try site.run("run", "--once").errors.contains("[net.private]"))
    let text = String(decoding: try #require(site.place.read("pipelines.json")), as: UTF8.self)
    try site.place.write(
      text.replacing(#""private": false"#, with: #""private": true"#), to: "pipelines.json")
    let once = try site.run("run", "--once")
    #expect(once.status == 0 && server.requests("/list.pdf").count == 1, "\(once.errors)")
    #expect(site.place.files(below: "archive").contains { $0.hasSuffix(".pdf") })
  }

  @Test func `a source that is gone for long is told once, and so is its return`() throws {
    let server = try WebServer()
    let site = try site(
      server.url("/list.pdf"), every: "1s",
      more: #""notify": [ { "on": "source-stale", "every": "1s", "command": ["./tell"] } ],"#)
    try site.place.write(
      "#!/bin/sh\necho \"$PROCD_EVENT $PROCD_SUBJECT\" >> told\n", to: "tell")
    try #require(chmod(site.place("tell").string, 0o755) == 0)
    try server.plan(["/list.pdf": ["status": 503]])
    let daemon = try site.watch()
    defer { daemon.signal(SIGKILL) }
    #expect(Programs.wait { site.place.exists("told") })
    let asked = server.requests("/list.pdf").count
    #expect(Programs.wait { server.requests("/list.pdf").count > asked + 2 })
    try server.place.write(edition("back"), to: "list.pdf")
    try server.plan(["/list.pdf": ["file": "list.pdf"]])
    func told() -> String { String(decoding: site.place.read("told") ?? Data(), as: UTF8.self) }
    #expect(Programs.wait { told().contains("again") })
    let before = server.requests("/list.pdf").count
    #expect(Programs.wait { server.requests("/list.pdf").count > before + 1 })
    daemon.signal(SIGTERM)
    #expect(daemon.wait() == 0)
    #expect(
      told() == "source-stale The source list cannot be reached\n"
        + "source-stale The source list can be reached again\n")
  }
}
