import Foundation
import SystemPackage
import TestSupport
import Testing

/// The spool and what is in it are procd's user's alone.
@Suite struct ClosedSpoolTests {
  private let folder = TemporaryFolder()

  init() throws {
    try folder.write(
      """
      { "version": 1, "inbox": { "path": "inbox", "settle": "50ms" },
        "pipelines": [{ "id": "keep", "emit": ["source"] }] }
      """, to: "pipelines.json")
    try folder.write("text", to: "inbox/a.txt")
  }

  private func mode(_ path: String) -> UInt16? {
    let attributes = try? FileManager.default.attributesOfItem(atPath: folder(path).string)
    return (attributes?[.posixPermissions] as? NSNumber)?.uint16Value
  }

  @Test func `a spool that was left open is closed`() throws {
    try FileManager.default.createDirectory(
      atPath: folder("spool").string, withIntermediateDirectories: true)
    #expect(chmod(folder("spool").string, 0o755) == 0)
    for _ in 0..<2 {
      let result = try Programs.run("procd", ["run", "--once"], in: folder.path)
      #expect(result.status == 0, "\(result.errors)")
      #expect(mode("spool") == 0o700)
      for path in folder.files(below: "spool") {
        #expect(mode("spool/\(path)") == 0o600, "\(path)")
      }
      // As an earlier version, or a careless copy, leaves it.
      #expect(chmod(folder("spool").string, 0o755) == 0)
      #expect(chmod(folder("spool/ledger.sqlite").string, 0o644) == 0)
    }
  }

  @Test func `who holds the ledger is named, and nothing is lost`() throws {
    try #require(Programs.run("procd", ["run", "--once"], in: folder.path).status == 0)
    try folder.write(
      """
      import sqlite3, time
      held = sqlite3.connect("spool/ledger.sqlite", isolation_level=None)
      held.execute("BEGIN EXCLUSIVE")
      open("held", "w").close()
      time.sleep(600)
      """, to: "hold.py")
    let python = try #require(Programs.find("python3"))
    let holder = try Programs.start(python, ["hold.py"], in: folder.path)
    defer {
      holder.signal(SIGKILL)
      _ = holder.wait()
    }
    #expect(Programs.wait { folder.exists("held") })
    try folder.write("more", to: "inbox/b.txt")
    let result = try Programs.run("procd", ["run", "--once"], in: folder.path)
    #expect(result.status == 75)
    #expect(
      result.errors.contains("process \(holder.number) (python3)"),
      "\(result.errors)")
    #expect(folder.exists("inbox/b.txt"))
  }
}
