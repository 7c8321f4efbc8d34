import Foundation
import Glibc
import PluginKit
import SystemPackage
import TestSupport
import Testing

/// `procd run --json`, and what is told of a disk with room for some files and not for others.
@Suite(.serialized) struct EventStreamTests {
  @Test func `each event is a line of JSON, in the order of the work`() throws {
    let site = try Site()
    try site.put(sample: "report-mixed.pdf")
    try site.put(sample: "locked.pdf")
    let result = try site.run("run", "--once", "--json")
    #expect(result.status == 65)
    let events = try result.output.split(separator: "\n").map {
      try JSONReader.read(Array($0.utf8)).value
    }
    func told(_ kind: String, of path: String) -> [JSON] {
      events.filter { $0["event"]?.stringValue == kind && $0["path"]?.stringValue == path }
    }
    #expect(events.first?["event"]?.stringValue == "ready")
    #expect(events.allSatisfy { $0["time"]?.stringValue?.hasSuffix("Z") == true })
    let done = try #require(told("finished", of: "report-mixed.pdf").first)
    #expect(done["outcome"]?.stringValue == "done")
    #expect(
      done["results"]?.arrayValue?.compactMap(\.stringValue)
        == ["report-mixed.txt", "report-mixed.pdf"])
    let failed = try #require(told("finished", of: "locked.pdf").first)
    #expect(failed["error"]?["code"]?.stringValue == "pdf.password")
    #expect(failed["error"]?["message"]?.stringValue?.isEmpty == false)
    // A run that is worked on is told before its progress, and its end after it.
    let working = told("working", of: "report-mixed.pdf")
      .first { $0["step"]?.stringValue == "text" }
    let run = working?["run"]?.stringValue
    #expect(
      events.filter { $0["run"]?.stringValue == run && run != nil }.compactMap {
        $0["event"]?.stringValue
      }
        == ["working", "progress", "progress", "rested"])
  }

  @Test(.enabled(if: SmallDisk.isAvailable, "SKIPPED: only root can mount a small disk to fill"))
  func `a disk with room for little is told of once`() throws {
    let disk = try #require(SmallDisk(megabytes: 1))
    let site = try Site {
      $0.replacing(#""outbox": "outbox""#, with: #""outbox": "\#(disk.path)/outbox""#)
    }
    let letter = try #require(
      FileManager.default.contents(
        atPath: Programs.repository.appending("docs/samples/report-mixed.pdf").string))
    // What the first leaves is room for the trials of a disk that failed, and not for a result.
    try Data(repeating: 0x55, count: 1_010_000).write(to: URL(filePath: "\(disk.path)/ballast"))
    try site.place.write(letter, to: "inbox/a.pdf")
    let log = site.place("log").string
    let daemon = try Programs.start(
      try #require(Programs.find("sh")),
      ["-c", "exec \(Programs.folder)/procd run --json > \(log)"], in: site.place.path)
    defer { daemon.signal(SIGKILL) }
    func told(_ what: String) -> Int {
      (site.place.read("log").map { String(decoding: $0, as: UTF8.self) } ?? "")
        .components(separatedBy: what).count - 1
    }
    #expect(Programs.wait { told("what is to be written there waits") > 0 })
    // Each trial of the disk makes and removes a file in the spool.
    for _ in 0..<3 {
      let before = try Programs.modified(site.place("spool").string)
      #expect(Programs.wait { (try? Programs.modified(site.place("spool").string)) != before })
    }
    // On a machine that hardly gets on, a trouble may be over for a while and come again.
    #expect(
      told("what is to be written there waits") == 1 + told("what held up the intake is over"))
    // Others would go through.
    let health = try site.run("health")
    #expect(health.status == 1 && health.errors.contains("a.pdf waits"), "\(health)")
    #expect(!health.errors.contains("takes in no files"), "\(health)")
    try FileManager.default.removeItem(atPath: "\(disk.path)/ballast")
    #expect(Programs.wait { site.place.exists("archive/a.pdf") })
  }

  @Test(
    .enabled(
      if: getuid() == 0 && Programs.find("setpriv") != nil,
      "SKIPPED: needs root and setpriv to run as another user"))
  func `who may not look into the spool is told who may`() throws {
    let site = try Site()
    try site.run("run", "--once")
    let programs = TemporaryFolder()
    for name in ["procd", "procd-daemon", "procd-worker", "procd-worker-ocr"] {
      try FileManager.default.copyItem(
        atPath: Programs.folder.appending(name).string, toPath: programs(name).string)
    }
    for place in [site.place.path, programs.path] { #expect(chmod(place.string, 0o755) == 0) }
    for command in ["status", "jobs", "verify", "check"] {
      let result = try Programs.run(
        try #require(Programs.find("setpriv")),
        [
          "--reuid", "65534", "--regid", "65534", "--clear-groups", programs("procd").string,
          command,
        ], in: site.place.path)
      #expect(result.status == 77)
      #expect(result.errors.contains("is open to user root alone"), "\(result.errors)")
      #expect(!result.errors.contains("chown"), "\(result.errors)")
      #expect(result.output.contains("its rules are well") == (command == "check"), "\(result)")
    }
  }
}
