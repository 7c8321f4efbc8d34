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

  @Test func `an inbox inside that of another procd is left to its own procd`() throws {
    let site = try Site()
    try configure(site, "outer", inbox: "inbox")
    try FileManager.default.createDirectory(
      atPath: site.place("inbox/sub").string, withIntermediateDirectories: true)
    try configure(site, "inner", inbox: "inbox/sub")
    func start(_ name: String) throws -> Programs.Running {
      let daemon = try Programs.start("procd", ["run", "-c", "\(name).json"], in: site.place.path)
      #expect(Programs.wait { (try? site.run("health", "-c", "\(name).json").status) == 0 })
      return daemon
    }
    let inner = try start("inner"), outer = try start("outer")
    defer { for daemon in [inner, outer] { daemon.signal(SIGKILL) } }
    #expect(try site.run("check", "-c", "inner.json").status == 0)
    let told = "inbox: sub is the inbox or the spool of another procd (process \(inner.number))"
    let check = try site.run("check", "-c", "outer.json")
    #expect(check.errors.contains(told), "\(check)")
    for number in 1...5 {
      try site.place.write("\(number)", to: "inbox/sub/\(number).txt")
      try site.place.write("\(number)", to: "inbox/\(number).txt")
      #expect(
        Programs.wait {
          site.place.exists("inner/archive/\(number).txt")
            && site.place.exists("outer/archive/\(number).txt")
        })
    }
    #expect(!site.place.exists("outer/archive/sub"))
    inner.signal(SIGTERM)
    #expect(inner.wait() == 0)
    // Nobody else takes it now.
    try site.place.write("6", to: "inbox/sub/6.txt")
    #expect(
      Programs.wait {
        _ = try? site.place.write("\(UUID())", to: "inbox/tick.txt")
        return site.place.exists("outer/archive/sub/6.txt")
      })
  }

  @Test func `check tells that another procd takes from the inbox`() throws {
    let site = try Site()
    try configure(site, "one", inbox: "inbox")
    try configure(site, "two", inbox: "inbox")
    let daemon = try Programs.start("procd", ["run", "-c", "one.json"], in: site.place.path)
    defer { daemon.signal(SIGKILL) }
    #expect(Programs.wait { site.place.exists("one/spool/pulse") })
    let check = try site.run("check", "-c", "two.json")
    #expect(
      check.status == 78
        && check.errors.contains("another procd (process \(daemon.number)) takes files"), "\(check)"
    )
    #expect(try site.run("check", "-c", "one.json").status == 0)
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
