import Files
import Foundation
import Glibc
import PluginKit
import SystemPackage
import TestSupport
import Testing

/// Troubles that nobody sees who looks at results alone are told to whoever wants to know.
@Suite struct TroubleNoticeTests {
  private let site: Site

  init() throws {
    site = try Site()
    try configure()
    try site.place.write(
      "#!/bin/sh\necho \"$PROCD_EVENT|$PROCD_COUNT|$PROCD_SUBJECT\" >> told\n", to: "tell")
    try #require(chmod(site.place("tell").string, 0o755) == 0)
  }

  private func configure(_ more: String = "", every: String = "100ms") throws {
    try site.place.write(
      """
      { "version": 1, "inbox": { "path": "inbox", "settle": "100ms", "settleUnleased": "100ms" },
        "notify": [{ "on": ["stuck", "stopped", "paused", "quarantined"], "every": "\(every)",
                     "command": "./tell" }],\(more)
        "pipelines": [{ "id": "all", "match": { "name": "*.txt" }, "emit": ["source"] }] }
      """, to: "pipelines.json")
  }

  private var told: [String] {
    String(decoding: site.place.read("told") ?? Data(), as: UTF8.self)
      .split(separator: "\n").map(String.init)
  }

  @Test func `a damaged ledger is told once`() throws {
    try site.place.write("text", to: "inbox/a.txt")
    #expect(try site.run("run", "--once").status == 0)
    #expect(told.isEmpty)
    try site.damageLedger()
    for _ in 1...2 {
      let run = try site.run("run", "--once")
      #expect(run.status == 70, "\(run)")
      #expect(told == ["stopped|1|procd has stopped"])
    }
    // Mended, and damaged again.
    try FileManager.default.removeItem(atPath: site.place("spool/ledger.sqlite").string)
    #expect(try site.run("run", "--once").status == 0)
    try site.damageLedger()
    #expect(try site.run("run", "--once").status == 70)
    #expect(told.count == 2, "\(told)")
  }

  @Test func `a spool that is taken away is told, though nothing can be kept`() throws {
    let daemon = try site.watch()
    defer { daemon.signal(SIGKILL) }
    try site.place.write("text", to: "inbox/a.txt")
    try #require(Programs.wait { site.place.exists("outbox/a.txt.report.json") })
    try #require(rename(site.place("spool").string, site.place("elsewhere").string) == 0)
    #expect(daemon.wait() == 75)
    #expect(told == ["stopped|1|procd has stopped"])
  }

  @Test(
    .enabled(
      if: getuid() == 0 && Programs.find("setpriv") != nil,
      "SKIPPED: needs root and setpriv to run as another user"))
  func `a file that stays in the inbox is told once, counted, and told of a single run too`()
    throws
  {
    try configure(#" "metrics": { "file": "figures.prom" },"#)
    try site.place.write("closed", to: "inbox/closed.txt")
    chmod(site.place("inbox/closed.txt").string, 0o600)
    for name in ["", "inbox", "pipelines.json", "tell"] {
      #expect(chown(site.place(name).string, 65534, 65534) == 0)
    }
    let program = [
      "--reuid=65534", "--regid=65534", "--clear-groups",
      Programs.folder.appending("procd").string, "run",
    ]
    let setpriv = try #require(Programs.find("setpriv"))
    for _ in 1...2 {
      let once = try Programs.run(setpriv, program + ["--once"], in: site.place.path)
      #expect(once.status == 75, "\(once)")
      #expect(told == ["stuck|1|closed.txt stays in the inbox"])
    }
    try site.place.write("closed", to: "inbox/later.txt")
    chmod(site.place("inbox/later.txt").string, 0o600)
    let daemon = try Programs.start(setpriv, program, in: site.place.path)
    #expect(Programs.wait { told.contains("stuck|1|later.txt stays in the inbox") })
    daemon.signal(SIGTERM)
    _ = daemon.wait()
    #expect(told.count == 2, "\(told)")
    let figures = String(decoding: try #require(site.place.read("figures.prom")), as: UTF8.self)
    #expect(figures.contains("\nprocd_inbox_stuck 2\n"), "\(figures)")
  }

  @Test func `what waits to be sent together is said with its time`() throws {
    try configure(every: "1h")
    try site.place.write("", to: "inbox/a.txt")
    let daemon = try site.watch()
    defer { daemon.signal(SIGKILL) }
    #expect(
      Programs.wait {
        (try? site.run("status").output.contains(": 1 waiting to be sent together at 2")) == true
      })
  }

  @Test func `a disk that is missing at the start is told of, and so is its end by a later run`()
    throws
  {
    try configure(
      #"""
       "outbox": { "path": "outbox", "marker": ".mounted" }, "status": { "socket": "run/status" },
      """#)
    try site.place.write("", to: "outbox/.mounted")
    try FileManager.default.createDirectory(
      atPath: site.place("run").string, withIntermediateDirectories: true)
    #expect(try site.run("run", "--once").status == 0)
    try FileManager.default.removeItem(atPath: site.place("outbox/.mounted").string)
    let daemon = try site.watch()
    let folder = try Folder.open(site.place("run"))
    func asked() -> JSON? {
      (try? folder.ask("status", patience: 5000)).flatMap { try? JSONReader.read($0).value }
    }
    // Whoever may not look into the spool learns from the one who waits why nothing moves.
    #expect(Programs.wait { asked()?["status"]?["daemon"] != nil })
    let text = asked()?["text"]?.stringValue ?? ""
    #expect(text.contains("runs as process") && text.contains(".mounted"), "\(text)")
    #expect(Programs.wait { told == ["paused|1|procd takes in no files at present"] })
    // If procd ends before it has recorded the delivery, the next run delivers the notice again.
    #expect(Programs.wait { (try? site.run("status").output.contains("last told")) == true })
    daemon.signal(SIGTERM)
    _ = daemon.wait()
    #expect(try site.run("run", "--once").status == 75)
    try site.place.write("", to: "outbox/.mounted")
    #expect(try site.run("run", "--once").status == 0)
    #expect(
      told == [
        "paused|1|procd takes in no files at present", "paused|1|procd takes in files again",
      ]
    )
    #expect(try site.run("run", "--once").status == 0)
    #expect(told.count == 2)
  }

  @Test func `a result folder that was removed comes back with its rights`() throws {
    let daemon = try site.watch()
    defer { daemon.signal(SIGKILL) }
    try site.place.write("text", to: "inbox/a.txt")
    try #require(Programs.wait { site.place.exists("outbox/a.txt.report.json") })
    try #require(chmod(site.place("outbox").string, 0o2775) == 0)
    try #require(rename(site.place("outbox").string, site.place("before").string) == 0)
    try site.place.write("more", to: "inbox/b.txt")
    try #require(Programs.wait { site.place.exists("outbox/b.txt.report.json") })
    #expect(try Folder.open(site.place("outbox")).status().mode & 0o7777 == 0o2775)
  }

  @Test func `of the results of a file all take their place or none`() throws {
    try site.place.write(
      """
      { "version": 1, "pipelines": [
        { "id": "rows", "steps": [{ "id": "rows", "use": "status.rows" }],
          "emit": ["rows.csv", "rows.json"] }] }
      """, to: "rules.json")
    try site.put(sample: "status-2012-06-01.pdf", as: "list.pdf")
    try site.place.write("mine", to: "t/list.jsonl")
    let refused = try site.run("convert", "-c", "rules.json", "inbox/list.pdf", "-o", "t")
    #expect(refused.status == 65 && refused.errors.contains("[result.exists]"), "\(refused)")
    #expect(site.place.files(below: "t") == ["list.jsonl"])
    try FileManager.default.removeItem(atPath: site.place("t/list.jsonl").string)
    #expect(
      try site.run("convert", "-c", "rules.json", "inbox/list.pdf", "-o", "t").status == 0)
    #expect(site.place.files(below: "t").sorted() == ["list.csv", "list.jsonl"])
  }
}
