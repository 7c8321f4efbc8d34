import Foundation
import Glibc
import PluginKit
import SystemPackage
import TestSupport
import Testing

/// A disk that becomes full while files are worked on.
@Suite(
  .serialized,
  .enabled(if: SmallDisk.isAvailable, "SKIPPED: only root can mount a small disk to fill"))
struct FullDiskTests {
  /// A site on a small disk whose only step waits until it is told to go on.
  private func site(_ disk: SmallDisk, gate: FilePath) throws {
    func write(_ text: String, _ path: String) throws {
      let file = URL(fileURLWithPath: "\(disk.path)/\(path)")
      try FileManager.default.createDirectory(
        at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(text.utf8).write(to: file)
    }
    try write(
      """
      { "version": 1, "inbox": { "path": "inbox", "settle": "100ms" }, "plugins": ["plugins"],
        "notify": [{ "on": "paused", "every": "10ms", "command": ["\(tell(gate))"] }],
        "pipelines": [{ "id": "slow", "steps": [{ "id": "s", "use": "slow.copy" }],
          "emit": ["s.txt"] }] }
      """, "pipelines.json")
    try write(
      """
      { "name": "slow", "version": "1", "command": ["./run"],
        "sandbox": { "read": ["\(gate.removingLastComponent())"] },
        "steps": { "slow.copy": { "outputs": { "txt": { "mime": "text/plain" } } } } }
      """, "plugins/slow/plugin.json")
    try write(
      """
      #!/bin/sh
      cp "$PROCD_INPUT" out/txt.txt
      while [ ! -e "\(gate)" ]; do sleep 0.1; done
      """, "plugins/slow/run")
    try FileManager.default.setAttributes(
      [.posixPermissions: 0o755], ofItemAtPath: "\(disk.path)/plugins/slow/run")
    try Data("#!/bin/sh\necho \"$PROCD_EVENT\" >> \(told(gate))\n".utf8)
      .write(to: URL(fileURLWithPath: tell(gate)))
    try FileManager.default.setAttributes(
      [.posixPermissions: 0o755], ofItemAtPath: tell(gate))
    for name in ["one.txt", "two.txt"] { try write("content of \(name)\n", "side/\(name)") }
    try write("", "inbox/.keep")
  }

  /// A program beside the gate that is told of pauses, and what it writes.
  private func tell(_ gate: FilePath) -> String {
    gate.removingLastComponent().appending("tell").string
  }
  private func told(_ gate: FilePath) -> String {
    gate.removingLastComponent().appending("told").string
  }

  @Test(.enabled(if: Programs.find("curl") != nil, "SKIPPED: curl is not installed"))
  func `while the disk of the outbox is full no work begins again`() throws {
    let disk = try #require(SmallDisk(megabytes: 1)), site = try Site()
    try site.place.write(
      """
      { "version": 1, "inbox": { "path": "inbox", "settle": "100ms" }, "plugins": ["plugins"],
        "outbox": "\(disk.path)", "metrics": { "socket": "figures" },
        "pipelines": [{ "id": "big", "steps": [{ "id": "s", "use": "big.file" }], "emit": ["s.txt"] }] }
      """, to: "pipelines.json")
    try site.place.write(
      """
      { "name": "big", "version": "1", "command": ["./run"],
        "steps": { "big.file": { "outputs": { "txt": { "mime": "text/plain" } } } } }
      """, to: "plugins/big/plugin.json")
    try site.place.write(
      "#!/bin/sh\nhead -c 300000 /dev/zero > out/txt.txt\n", to: "plugins/big/run")
    try FileManager.default.setAttributes(
      [.posixPermissions: 0o755], ofItemAtPath: site.place("plugins/big/run").string)
    let daemon = try site.watch()
    defer { daemon.signal(SIGKILL) }
    try #require(Programs.wait { site.place.exists("figures") })
    disk.fill()
    try site.place.write("a", to: "inbox/a.txt")
    func runs() throws -> Int {
      let curl = try #require(Programs.find("curl"))
      let told = try Programs.run(
        curl, ["-sf", "--unix-socket", "figures", "http://procd/metrics"], in: site.place.path)
      return told.output.split(separator: "\n").filter { $0.hasPrefix("procd_attempts_total{") }
        .compactMap { $0.split(separator: " ").last.flatMap { Int($0) } }.reduce(0, +)
    }
    // Each file says what it waits for.
    #expect(
      Programs.wait {
        (try? site.run("status").output.contains(
          "a.txt: is tried again, or at the next start: the disk")) == true
      })
    let story = try site.run("status", "a.txt").output
    #expect(story.contains("state     waiting") && story.contains("the disk of the outbox is full"))
    #expect(
      Programs.wait {
        (try? site.run("health").errors.contains("the disk of the outbox is full")) == true
      })
    let once = try runs()
    #expect(once > 0)
    // Longer than a job that was in the way of the disk used to wait.
    sleep(12)
    #expect(try runs() == once)
    try #require(unlink("\(disk.path)/ballast") == 0)
    #expect(Programs.wait { site.place.exists("archive/a.txt") })
    #expect(try runs() > once)
  }

  private func exists(_ path: String, on disk: SmallDisk) -> Bool {
    FileManager.default.fileExists(atPath: "\(disk.path)/\(path)")
  }

  @Test func `jobs in flight end on the ledger's reserve, intake pauses until there is space`()
    throws
  {
    let disk = try #require(SmallDisk(megabytes: 24))
    let outside = TemporaryFolder()
    try site(disk, gate: outside("gate"))
    let log = outside("log").string
    let daemon = try Programs.start(
      try #require(Programs.find("sh")), ["-c", "exec \(Programs.folder)/procd run 2> \(log)"],
      in: disk.path)
    defer { daemon.signal(SIGKILL) }
    func said() -> Comment {
      Comment(rawValue: String(decoding: outside.read("log") ?? Data(), as: UTF8.self))
    }
    #expect(Programs.wait { exists("spool/reserve", on: disk) })
    func hand(_ name: String) {
      #expect(rename("\(disk.path)/side/\(name)", "\(disk.path)/inbox/\(name)") == 0)
    }
    func workFolders() -> Int {
      (try? FileManager.default.contentsOfDirectory(atPath: "\(disk.path)/spool/work"))?.count ?? 0
    }
    hand("one.txt")
    // The step runs: what it copies stands in its work folder.
    #expect(
      Programs.wait {
        let work = "\(disk.path)/spool/work"
        return (FileManager.default.subpaths(atPath: work) ?? []).contains {
          $0.hasSuffix("out/txt.txt")
        }
      })
    let working = try Programs.run("procd", ["status"], in: disk.path)
    #expect(working.output.contains("one.txt: taken by the rule slow: runs s"), "\(working.output)")
    disk.fill()
    try outside.write("", to: "gate")
    #expect(
      Programs.wait { exists("archive/one.txt", on: disk) || !daemon.isRunning }, said())
    try #require(exists("archive/one.txt", on: disk), said())
    #expect(exists("outbox/one.txt.report.json", on: disk))
    #expect(!exists("spool/reserve", on: disk), "the reserve was not needed")
    #expect(daemon.isRunning)

    hand("two.txt")
    Thread.sleep(forTimeInterval: 1)
    #expect(exists("inbox/two.txt", on: disk), "a file was taken in while the disk is full")
    let health = try Programs.run("procd", ["health"], in: disk.path)
    #expect(health.errors.contains("takes in no files: the disk of the spool is full"), "\(health)")
    #expect(unlink("\(disk.path)/ballast") == 0)
    #expect(Programs.wait { exists("archive/two.txt", on: disk) })
    #expect(exists("spool/reserve", on: disk))
    #expect(Programs.wait { outside.read("told") == Data("paused\n".utf8) })
    daemon.signal(SIGTERM)
    #expect(daemon.wait() == 0)
    #expect(workFolders() == 0)
  }

  @Test func `a run that drains the inbox does not wait for a full disk`() throws {
    let disk = try #require(SmallDisk(megabytes: 24))
    let outside = TemporaryFolder()
    try site(disk, gate: outside("gate"))
    try outside.write("", to: "gate")
    // The folders and the ledger are there before the disk is full.
    #expect(try Programs.run("procd", ["run", "--once"], in: disk.path).status == 0)
    #expect(rename("\(disk.path)/side/one.txt", "\(disk.path)/inbox/one.txt") == 0)
    #expect(unlink("\(disk.path)/spool/reserve") == 0)
    disk.fill()
    // Enough for a start, too little for the reserve.
    #expect(truncate("\(disk.path)/ballast", 18 << 20) == 0)
    let result = try Programs.run("procd", ["run", "--once"], in: disk.path)
    #expect(result.status == 75, "\(result.errors)")
    #expect(result.errors.contains("intake pauses"))
    #expect(exists("inbox/one.txt", on: disk))
    #expect(unlink("\(disk.path)/ballast") == 0)
    #expect(try Programs.run("procd", ["run", "--once"], in: disk.path).status == 0)
    #expect(exists("archive/one.txt", on: disk))
  }
}
