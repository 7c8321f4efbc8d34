import Foundation
import Glibc
import PluginKit
import SystemPackage
import TestSupport
import Testing

/// Strangers who want to keep the page from its owner.
@Suite(.serialized) struct PageAttackTests {
  @Test func `one name of the page is given, and that is its own`() throws {
    let client = try PageClient()
    let own = "127.0.0.1:\(client.port)"
    func status(_ target: String, _ hosts: String...) throws -> Int {
      let names = hosts.map { "Host: \($0)\r\n" }.joined()
      return try client.send(
        "GET \(target) HTTP/1.1\r\n\(names)\(client.cookie)\r\n\r\n"
      ).status()
    }
    let now = "/api/v1/now"
    #expect(try status(now, own) == 200)
    #expect(try status("http://\(own)\(now)", own) == 200)
    for hosts in [(own, "evil.example"), ("evil.example", own), (own, own)] {
      #expect(try status(now, hosts.0, hosts.1) == 400)
    }
    for target in [
      "http://evil.example\(now)", "HTTPS://evil.example:8\(now)",
      "http://\(own)@evil.example\(now)",
      "//evil.example\(now)", "evil:\(now)",
    ] {
      #expect(try status(target, own) == 400, "\(target)")
    }
    #expect(try status("http://evil.example\(now)", "evil.example") == 403)
    #expect(try status(now) == 403)
  }

  @Test func `a copied cookie is of no use after the log out, also to the next server`() throws {
    let client = try PageClient()
    let jar = client.site.place("jar").string, copy = client.site.place("copy").string
    try FileManager.default.copyItem(atPath: jar, toPath: copy)
    func now() throws -> Int { try PageClient.curl(["-b", copy, client.api("now")]).status }
    #expect(try now() == 200)
    let events = try client.send(
      "GET /api/v1/events HTTP/1.1\r\nHost: 127.0.0.1:\(client.port)\r\n\(client.cookie)\r\n\r\n")
    #expect(events.status() == 200)
    #expect(try client.post("logout", json: "").status == 204)
    #expect(try now() == 401)
    // The last chunk may come alone, with what parts it from the one before read already.
    #expect(events.read { $0.hasSuffix("0\r\n\r\n") }.hasSuffix("0\r\n\r\n"))
    let server = try Programs.run(
      try #require(Programs.find("pgrep")), ["-f", "^\(Programs.folder)/procd-web"])
    for line in server.output.split(separator: "\n") {
      guard let process = Int32(line), try isOf(client.site, process) else { continue }
      kill(process, SIGKILL)
    }
    #expect(Programs.wait { (try? PageClient.curl(["-c", jar, client.link]).status) == 303 })
    #expect(try now() == 401)
    #expect(try client.get("now").status == 200)
  }

  /// Whether a process runs in the folder of a site.
  private func isOf(_ site: Site, _ process: Int32) throws -> Bool {
    (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(process)/cwd"))
      == site.place.path.string
  }

  @Test func `three hundred silent connections do not make the owner wait`() throws {
    let client = try PageClient()
    let crowd = try (0..<300).map { try client.send($0 % 2 == 0 ? "" : "GET / HTTP/1.1\r\nX") }
    // Each of them would be there for ten seconds, and this one behind them.
    let begin = ContinuousClock.now
    #expect(try client.get("now").status == 200)
    #expect(.now - begin < .seconds(8))
    // The oldest made room.
    #expect(crowd[0].read() == "")
  }

  @Test func `bodies of strangers are neither kept nor waited for`() throws {
    let client = try PageClient()
    let head = "HTTP/1.1\r\nHost: 127.0.0.1:\(client.port)\r\nContent-Type: application/json\r\n"
    let long = try client.send(
      "POST /api/v1/login \(head)Content-Length: 1000000\r\n\r\n\(String(repeating: " ", count: 9000))"
    )
    #expect(long.status() == 413)
    let short = try client.send("POST /api/v1/login \(head)Content-Length: 100\r\n\r\n{")
    let refused = try client.send("POST /api/v1/uploads?name=x \(head)Content-Length: 100\r\n\r\n{")
    #expect(refused.status() == 401)
    // Both are closed, and what else is sent is not taken.
    #expect(short.read() == "" && refused.read() == "")
  }

  @Test func `sixteen slow uploads make room for the next`() throws {
    let client = try PageClient()
    let slow = try (0..<16).map { index in
      try client.send(
        "POST /api/v1/uploads?name=slow-\(index).pdf HTTP/1.1\r\nHost: 127.0.0.1:\(client.port)\r\n"
          + "\(client.cookie)\r\nContent-Length: 200000\r\n\r\nx")
    }
    let parts = { client.site.place.files(below: "inbox").count { $0.contains("procd-add") } }
    try #require(Programs.wait { parts() == 16 })
    #expect(try client.upload(PageClient.sample("report-mixed.pdf"), "name=a.pdf").status == 201)
    // The slowest of them is told.
    slow[0].send(String(repeating: "x", count: 199_999))
    #expect(slow[0].read { $0.contains("}") }.contains("web.upload"))
  }

  @Test func `wrong passwords of strangers do not shut out the right one`() throws {
    let port = try #require(Programs.freePort())
    let site = try Site {
      $0.replacing(
        #""version": 1,"#,
        with:
          #""version": 1, "web": { "listen": "127.0.0.1:\#(port)", "behindProxy": true, "hosts": ["scans.example"] },"#
      )
    }
    let procd = Programs.folder.appending("procd").string
    let set = try Programs.run(
      try #require(Programs.find("sh")),
      ["-c", "echo 'a long enough one' | \(procd) web password"],
      in: site.place.path)
    try #require(set.status == 0)
    let web = try Programs.start("procd", ["web"], in: site.place.path)
    defer {
      web.signal(SIGTERM)
      _ = web.wait()
    }
    func login(_ password: String, _ more: String...) throws -> PageClient.Answer {
      try PageClient.curl(
        [
          "-H", "Host: scans.example", "-H", "Content-Type: application/json", "--data-binary",
          #"{"password":"\#(password)"}"#,
        ] + more + ["http://127.0.0.1:\(port)/api/v1/login"])
    }
    try #require(Programs.wait { (try? login("wrong").status) == 401 })
    for _ in 0..<12 { #expect(try login("wrong").status == 401) }
    let right = try login("a long enough one")
    #expect(right.status == 204 && right.headers.contains("; Secure"), "\(right)")
    let known = try #require(right.headers.firstMatch(of: /procd-browser-[^;]+/)).output
    // A crowd of the same address waits longer than another address, or a browser that is known.
    let body = #"{"password":"guess"}"#
    let crowd = try (0..<8).map { _ in
      try RawConnection(
        port,
        "POST /api/v1/login HTTP/1.1\r\nHost: scans.example\r\nContent-Type: application/json\r\n"
          + "Content-Length: \(body.utf8.count)\r\n\r\n\(body)")
    }
    #expect(try login("a long enough one", "-H", "Cookie: \(known)").status == 204)
    #expect(
      try login("a long enough one", "-H", "X-Forwarded-For: 9.9.9.9, 192.0.2.1").status == 204)
    #expect(crowd.map { $0.status() } == Array(repeating: 401, count: 8))
  }
}
