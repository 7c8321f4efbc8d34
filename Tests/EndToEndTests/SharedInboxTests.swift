import Foundation
import Glibc
import SystemPackage
import TestSupport
import Testing

/// Two procds and one inbox.
@Suite(.serialized) struct SharedInboxTests {
  private func configure(_ site: Site, _ name: String, inbox: String) throws {
    try site.place.write(
      """
      { "version": 1, "inbox": { "path": "\(inbox)", "settle": "50ms" }, "spool": "\(name)/spool",
        "outbox": "\(name)/outbox", "archive": "\(name)/archive", "quarantine": "\(name)/quarantine",
        "pipelines": [{ "id": "a", "emit": ["source"] }] }
      """, to: "\(name).json")
    for folder in ["inbox", name] {
      try FileManager.default.createDirectory(
        atPath: site.place(folder).string, withIntermediateDirectories: true)
    }
  }

  @Test func `a second procd with a spool of its own is refused, by whatever way it comes`() throws
  {
    let site = try Site()
    try configure(site, "one", inbox: "inbox")
    try configure(site, "two", inbox: "inbox")
    try configure(site, "linked", inbox: "link")
    try #require(symlink("inbox", site.place("link").string) == 0)
    let daemon = try Programs.start("procd", ["run", "-c", "one.json"], in: site.place.path)
    defer { daemon.signal(SIGKILL) }
    #expect(Programs.wait { site.place.exists("one/spool/pulse") })
    for other in ["two", "linked"] {
      let refused = try site.run("run", "--once", "-c", "\(other).json")
      #expect(refused.status == 75, "\(refused)")
      #expect(
        refused.errors.contains(
          "another procd (process \(daemon.number)) takes them, with a spool of its own"
        ),
        "\(refused.errors)")
    }
    // Those who only look are nobody's hindrance.
    #expect(try site.run("status", "-c", "two.json").status == 0)
    #expect(try site.run("add", "one.json", "-c", "two.json", "--name", "a.txt").status == 0)
    #expect(Programs.wait { site.place.exists("one/archive/a.txt") })
    daemon.signal(SIGTERM)
    #expect(daemon.wait() == 0)
    #expect(try site.run("run", "--once", "-c", "linked.json").status == 0)
  }

  @Test(.enabled(if: Programs.find("flock") != nil, "SKIPPED: flock is not installed"))
  func `a stranger's lock on the inbox hinders nobody`() throws {
    let site = try Site()
    try configure(site, "one", inbox: "inbox")
    let flock = try #require(Programs.find("flock"))
    let holder = try Programs.start(
      flock, ["--no-fork", "inbox", "sleep", "60"], in: site.place.path)
    defer { holder.signal(SIGKILL) }
    Thread.sleep(forTimeInterval: 0.3)
    let run = try site.run("run", "--once", "-c", "one.json")
    #expect(run.status == 0, "\(run.errors)")
  }
}
