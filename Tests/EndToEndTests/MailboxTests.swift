import Foundation
import TestSupport
import Testing

/// Sources that are mailboxes, against Dovecot.
@Suite(
  .serialized,
  .enabled(if: MailServer.isUsable, "SKIPPED: needs dovecot-imapd, and root for it"))
struct MailboxTests {
  private func site(_ source: String) throws -> Site {
    try Site {
      $0.replacing(
        #""pipelines""#, with: #""sources": [{ "id": "post", \#(source) }], "pipelines""#)
    }
  }

  private func fetch(_ site: Site, _ server: MailServer) throws -> Programs.Result {
    try Programs.run(
      "procd", ["fetch"], in: site.place.path, environment: ["SSL_CERT_FILE": server.certificate])
  }

  private func inbox(_ site: Site) -> [String: String] {
    let names = site.place.files(below: "inbox").filter { !$0.hasPrefix(".") }
    return Dictionary(
      uniqueKeysWithValues: names.map {
        ($0, String(decoding: site.place.read("inbox/\($0)") ?? Data(), as: UTF8.self))
      })
  }

  private func mail(_ subject: String, lines: Int = 1) -> String {
    "From: b@example.org\r\nSubject: \(subject)\r\n\r\n"
      + String(repeating: "A1 OK * 1 FETCH (UID 9) body\r\n", count: lines)
  }

  @Test func `each mail of a mailbox comes once, whole, and stays there`() throws {
    let server = try MailServer()
    let site = try site(server.source("INBOX"))
    #expect(try fetch(site, server).output == "post: nothing new\n")
    let first = mail("one"), second = mail("two", lines: 20_000)
    try server.deliver(first, as: "1.a")
    try server.deliver(second, as: "2.b")
    let came = try fetch(site, server)
    #expect(came.status == 0, "\(came.errors)")
    #expect(inbox(site) == ["post-1.eml": first, "post-2.eml": second], "\(came)")
    #expect(try fetch(site, server).output == "post: nothing new\n")
    try server.deliver(mail("three"), as: "3.c")
    #expect(try fetch(site, server).status == 0)
    #expect(inbox(site).count == 3 && inbox(site)["post-3.eml"] == mail("three"))
    #expect(server.place.files(below: "mail").filter { $0.contains(":2,S") }.count == 3)
  }

  @Test func `what is wrong with a mailbox is told in a sentence`() throws {
    let server = try MailServer()
    let missing = try fetch(try site(server.source("Scans")), server)
    #expect(
      missing.errors.contains("localhost has no mailbox Scans [net.missing]"), "\(missing.errors)")
    try server.place.write("other\n", to: "password")
    let refused = try fetch(try site(server.source("INBOX")), server)
    #expect(refused.errors.contains("refuses access for ada [net.refused]"), "\(refused.errors)")
    let stranger = try site(server.source("INBOX"))
    let unsafe = try Programs.run("procd", ["fetch"], in: stranger.place.path)
    #expect(unsafe.errors.contains("[net.tls]"), "\(unsafe.errors)")
    let open = try site(#""url": "imaps://localhost/INBOX""#)
    let checked = try open.run("check")
    #expect(checked.status == 78 && checked.errors.contains("imaps needs a user and a password"))
  }
}
