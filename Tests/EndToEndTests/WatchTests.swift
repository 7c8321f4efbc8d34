import Foundation
import Glibc
import PluginKit
import SystemPackage
import TestSupport
import Testing

/// `procd run`, watching.
@Suite(.serialized) struct WatchTests {
  @Test func `what stays in the inbox until somebody helps is told to whoever asks`() throws {
    let site = try Site()
    try site.place.write(
      """
      { "version": 1, "inbox": { "path": "inbox", "settle": "100ms", "rescan": "1h" },
        "pipelines": [{ "id": "all", "emit": ["source"] }] }
      """, to: "pipelines.json")
    try site.place.write("", to: "inbox/.keep")
    try FileManager.default.createSymbolicLink(
      atPath: site.place("inbox/link.txt").string, withDestinationPath: "/etc/hostname")
    let daemon = try site.watch()
    defer { daemon.signal(SIGKILL) }
    #expect(
      Programs.wait {
        (try? site.run("health", "--json").output.contains("is a symbolic link")) == true
      })
    try site.place.write("after it", to: "inbox/b.txt")
    #expect(Programs.wait { site.place.exists("outbox/b.txt.report.json") })
    #expect(try site.run("status").output.contains("link.txt: is a symbolic link"))
    // No event tells of that, and the next look at everything is far.
    try FileManager.default.removeItem(atPath: site.place("inbox/link.txt").string)
    var told: Programs.Result?
    #expect(
      Programs.wait {
        told = try? site.run("health", "--json")
        return told?.status == 0 && told?.output.contains("is a symbolic link") == false
      }, "\(String(describing: told))")
  }

  @Test(
    .enabled(
      if: getuid() == 0 && Programs.find("setpriv") != nil,
      "SKIPPED: needs root and setpriv to run as another user"))
  func `a folder that procd may not move files out of is one line, and is taken once it may`()
    throws
  {
    let site = try Site()
    try site.place.write(
      """
      { "version": 1, "inbox": { "path": "inbox", "settle": "100ms", "settleUnleased": "100ms" },
        "pipelines": [{ "id": "all", "emit": ["source"] }] }
      """, to: "pipelines.json")
    for name in ["a", "b", "c/d"] { try site.place.write(name, to: "inbox/tree/\(name).txt") }
    try site.place.write("own", to: "inbox/own.txt")
    chmod(site.place("inbox/own.txt").string, 0o600)
    let nobody: UInt32 = 65534
    for path in [site.place.path, site.place("inbox"), site.place("pipelines.json")] {
      #expect(chown(path.string, nobody, nobody) == 0)
    }
    let daemon = try Programs.start(
      try #require(Programs.find("setpriv")),
      [
        "--reuid=\(nobody)", "--regid=\(nobody)", "--clear-groups",
        Programs.folder.appending("procd").string, "run",
      ], in: site.place.path)
    defer {
      daemon.signal(SIGTERM)
      _ = daemon.wait()
    }
    func told(_ words: String) -> Bool {
      (try? site.run("status").output.contains(words)) == true
    }
    let cure = "chmod -R g+rwX '\(site.place("inbox").string)/"
    #expect(
      Programs.wait {
        told(
          "  tree: 3 files cannot be moved out of their folder by procd; cure, by root, or by the owner if in the group"
        )
      })
    let status = try site.run("status").output
    #expect(status.contains("\(cure)tree'"), "\(status)")
    #expect(
      status.contains("chmod g+rw '\(site.place("inbox").string)/own.txt'"), "\(status)")
    #expect(status.contains("in the inbox   4; 4 of them cannot be taken"), "\(status)")
    // As the sentence says; what is mended is taken soon, and the reason is gone at once.
    _ = try Programs.run(
      "/bin/sh",
      [
        "-c",
        "chgrp -R \(nobody) \(site.place("inbox/tree")) && chmod -R g+rwX \(site.place("inbox/tree"))",
      ])
    #expect(!told("tree: 3 files"))
    #expect(Programs.wait { site.place.exists("outbox/tree/c/d.txt.report.json") })
    #expect(told("own.txt: cannot be read by procd"))
  }

  /// A state of the inbox in which procd, which runs as nobody, cannot take `a.txt` or what lies below `tree`.
  enum Obstacle: String, CaseIterable {
    case foreignFile = "chown root:root a.txt && chmod 600 a.txt"
    case ownFile = "chmod 0 a.txt"
    case closedFolder = "chown root:root tree && chmod 755 tree"
    case stickyInbox =
      "chown root:root . && chmod 1777 . && chown root:root a.txt && chmod 644 a.txt"
    case stickyFolder = "chown root:root tree tree/b.txt && chmod 1777 tree && chmod 644 tree/b.txt"
    case closedInbox = "chown root:root . && chmod 755 ."
    case immutableFile = "chattr +i a.txt"
    case immutableTree = "chattr +i tree/b.txt tree/c.txt"
    case immutableFolder = "chattr +i tree"
    case appendOnly = "chattr +a a.txt"
  }

  /// Whoever copies the command of the sentence into a terminal has the file taken.
  @Test(
    .enabled(if: getuid() == 0, "SKIPPED: needs root"), arguments: Obstacle.allCases)
  func `the cure that is printed cures`(obstacle: Obstacle) throws {
    let site = try Site()
    try site.place.write(
      """
      { "version": 1, "inbox": { "path": "inbox", "settle": "100ms", "settleUnleased": "100ms" },
        "pipelines": [{ "id": "all", "emit": ["source"] }] }
      """, to: "pipelines.json")
    let inbox = site.place("inbox"), nobody = 65534
    let owned = "chown -R \(nobody):\(nobody) ."
    _ = try Programs.run("/bin/sh", ["-c", owned], in: site.place.path)
    let daemon = try Programs.start(
      try #require(Programs.find("setpriv")),
      [
        "--reuid=\(nobody)", "--regid=\(nobody)", "--clear-groups",
        Programs.folder.appending("procd").string, "run",
      ], in: site.place.path)
    defer {
      daemon.signal(SIGTERM)
      _ = daemon.wait()
      _ = try? Programs.run("/bin/sh", ["-c", "chattr -R -ia ."], in: inbox)
    }
    try #require(Programs.wait { (try? site.run("health").status) == 0 })
    // It finds them as they are when all is prepared.
    daemon.signal(SIGSTOP)
    for name in ["a", "tree/b", "tree/c"] { try site.place.write(name, to: "inbox/\(name).txt") }
    _ = try Programs.run("/bin/sh", ["-c", owned], in: inbox)
    let hindered = try Programs.run("/bin/sh", ["-c", obstacle.rawValue], in: inbox)
    daemon.signal(SIGCONT)
    // Not every file system has such flags.
    if hindered.status != 0, obstacle.rawValue.contains("chattr") { return }
    /// The commands that `status` prints, each once.
    func cures() throws -> [String] {
      try site.run("status").output.split(separator: "\n").compactMap { line in
        line.firstRange(of: "cure, ").map { String(line[$0.upperBound...]) }
      }.compactMap { text in
        text.firstRange(of: ": ch").map { "ch" + text[$0.upperBound...] }
      }
    }
    let names = ["a", "tree/b", "tree/c"]
    func isDone() -> Bool { names.allSatisfy { site.place.exists("outbox/\($0).txt") } }
    var printed: [String] = []
    #expect(
      Programs.wait {
        printed = (try? cures()) ?? []; return !printed.isEmpty
      })
    #expect(!isDone())
    for cure in printed {
      let done = try Programs.run("/bin/sh", ["-c", cure])
      #expect(done.status == 0, "\(cure): \(done)")
    }
    #expect(Programs.wait { isDone() }, "\(printed)")
    #expect(try site.run("status").output.contains("cure") == false)
  }

  @Test func `the report tells that its file was written to after it was taken`() throws {
    let site = try Site()
    try site.place.write(
      """
      { "version": 1, "inbox": { "path": "inbox", "settle": "100ms", "settleUnleased": "100ms" }, "plugins": ["plugins"], "workers": 4,
        "pipelines": [{ "id": "slow", "steps": [{ "id": "s", "use": "slow.copy" }], "emit": ["s.txt"] }] }
      """, to: "pipelines.json")
    try site.place.write(
      """
      { "name": "slow", "version": "1", "command": ["./run"],
        "sandbox": { "read": ["\(site.place.path)"] },
        "steps": { "slow.copy": { "outputs": { "txt": { "mime": "text/plain" } } } } }
      """, to: "plugins/slow/plugin.json")
    try site.place.write(
      """
      #!/bin/sh
      cp "$PROCD_INPUT" out/txt.txt
      while [ ! -e "\(site.place("gate"))" ]; do sleep 0.1; done
      """, to: "plugins/slow/run")
    try FileManager.default.setAttributes(
      [.posixPermissions: 0o755], ofItemAtPath: site.place("plugins/slow/run").string)
    for name in ["linked.txt", "named.txt", "quiet.txt"] {
      try site.place.write("the beginning of \(name)\n", to: "side/\(name)")
      try #require(
        link(site.place("side/\(name)").string, site.place("inbox/\(name)").string) == 0)
    }
    let daemon = try site.watch()
    defer { daemon.signal(SIGKILL) }
    // What is read for a step was read as it was.
    func runs(_ count: Int) -> Bool {
      (try? site.run("status").output.components(separatedBy: ": runs s").count - 1) == count
    }
    #expect(Programs.wait { runs(3) })
    let writer = open(site.place("side/linked.txt").string, O_WRONLY | O_APPEND | O_CLOEXEC)
    #expect(write(writer, "the rest\n", 9) == 9)
    close(writer)
    try site.place.write("the rest\n", to: "inbox/named.txt")
    #expect(Programs.wait { runs(4) })
    try site.place.write("", to: "gate")
    #expect(
      Programs.wait {
        ["linked", "named", "quiet"].allSatisfy {
          site.place.exists("outbox/\($0).txt.report.json")
        }
      })
    func notes(_ name: String) throws -> String {
      try site.report(name)["notes"]?.arrayValue?.compactMap(\.stringValue).joined() ?? ""
    }
    #expect(try notes("linked.txt").contains("wrote to it after it was taken"))
    // Whichever of the two is done first gets the name.
    #expect(
      Programs.wait {
        site.place.files(below: "outbox").filter {
          $0.hasPrefix("named") && $0.hasSuffix(".report.json")
        }.contains {
          String(decoding: site.place.read("outbox/\($0)") ?? Data(), as: UTF8.self)
            .contains("a file of its name has come since")
        }
      })
    #expect(try notes("quiet.txt") == "")
  }

  @Test func `files come in by copy, move, link and slow writing, and SIGTERM ends with 0`() throws
  {
    let site = try Site()
    let daemon = try site.watch()
    defer { daemon.signal(SIGKILL) }
    #expect(Programs.wait { site.place.exists("spool/work") })

    try site.place.write(Site.pdf("copied"), to: "inbox/copied.pdf")
    try site.place.write(Site.pdf("moved"), to: "side/moved.pdf")
    try site.place.write(Site.pdf("linked"), to: "side/linked.pdf")
    try site.place.write(Site.pdf("tree"), to: "side/tree/below/tree.pdf")
    for (from, to) in [("moved.pdf", "moved.pdf"), ("tree", "tree")] {
      try #require(
        rename(site.place("side/\(from)").string, site.place("inbox/\(to)").string) == 0)
    }
    try #require(
      link(site.place("side/linked.pdf").string, site.place("inbox/linked.pdf").string) == 0)
    try #require(unlink(site.place("side/linked.pdf").string) == 0)

    // Slower than the wait for quiet, with the file open all the time.
    let whole = Array(Site.pdf("slow"))
    let writer = open(site.place("inbox/slow.pdf").string, O_WRONLY | O_CREAT | O_CLOEXEC, 0o644)
    for part in stride(from: 0, to: whole.count, by: whole.count / 4 + 1) {
      let piece = Array(whole[part..<min(part + whole.count / 4 + 1, whole.count)])
      #expect(write(writer, piece, piece.count) == piece.count)
      Thread.sleep(forTimeInterval: 0.4)
    }
    #expect(site.place.exists("inbox/slow.pdf"))
    close(writer)

    let names = ["copied", "moved", "linked", "tree/below/tree", "slow"]
    #expect(
      Programs.wait {
        names.allSatisfy { site.place.exists("archive/\($0).pdf") }
      })
    daemon.signal(SIGTERM)
    #expect(daemon.wait() == 0)
    for name in names {
      let text = String(decoding: site.place.read("outbox/\(name).txt") ?? Data(), as: UTF8.self)
      #expect(text.contains(name.split(separator: "/").last ?? "?"), "\(name)")
      #expect(try site.report("\(name).pdf")["outcome"] == "done")
    }
    #expect(site.place.read("archive/slow.pdf") == Data(whole))
    #expect(site.place.exists("inbox/tree/below"), "a folder of the inbox was removed")
    #expect(site.leftovers == [])
  }

  @Test func `folders of results that are removed or moved away are made anew`() throws {
    let site = try Site()
    let daemon = try site.watch()
    defer { daemon.signal(SIGKILL) }
    func expectDone(_ name: String) throws {
      try site.place.write(Site.pdf(name), to: "inbox/\(name).pdf")
      #expect(
        Programs.wait {
          site.place.exists("outbox/\(name).pdf.report.json")
            && site.place.exists("archive/\(name).pdf")
        }, "\(name)")
      #expect(site.place.exists("outbox/\(name).txt"))
    }
    try expectDone("first")
    try FileManager.default.removeItem(atPath: site.place("outbox").string)
    try expectDone("second")
    try #require(rename(site.place("outbox").string, site.place("old").string) == 0)
    try FileManager.default.createDirectory(
      atPath: site.place("outbox").string, withIntermediateDirectories: false)
    try #require(rename(site.place("archive").string, site.place("older").string) == 0)
    try expectDone("third")
    #expect(!site.place.exists("old/third.txt"))
    try FileManager.default.removeItem(atPath: site.place("quarantine").string)
    try site.place.write("", to: "inbox/empty.pdf")
    #expect(Programs.wait { site.place.exists("quarantine/empty.pdf") })
    daemon.signal(SIGTERM)
    #expect(daemon.wait() == 0)
    #expect(site.leftovers == [])
  }

  /// What was decided cannot be carried out without it: the file is processed again, not taken for published.
  @Test func `a job whose seal is gone begins anew`() throws {
    let site = try Site()
    let chattr = try #require(Programs.find("chattr")),
      python = try #require(Programs.find("python3"))
    let daemon = try site.watch()
    defer { daemon.signal(SIGKILL) }
    let outbox = site.place("outbox").string
    #expect(Programs.wait { site.place.exists("spool/work") })
    try #require(
      try Programs.run(chattr, ["+i", outbox]).status == 0,
      "an outbox that refuses everything can only be made as root, on a file system such as ext4")
    defer { _ = try? Programs.run(chattr, ["-i", outbox]) }
    try site.place.write(Site.pdf("words"), to: "inbox/a.pdf")
    let question = """
      import sqlite3, sys
      ledger = sqlite3.connect(sys.argv[1])
      print(ledger.execute("SELECT count(*) FROM job WHERE state = 'publishing'").fetchone()[0])
      """
    let ledger = site.place("spool/ledger.sqlite").string
    #expect(
      Programs.wait {
        (try? Programs.run(python, ["-c", question, ledger]))?.output == "1\n"
      })
    daemon.signal(SIGKILL)
    _ = daemon.wait()
    #expect(try Programs.run(chattr, ["-i", outbox]).status == 0)
    for name in site.place.files(below: "spool/seal") {
      try FileManager.default.removeItem(atPath: site.place("spool/seal/\(name)").string)
    }
    for name in try FileManager.default.contentsOfDirectory(
      atPath: site.place("spool/seal").string)
    {
      try FileManager.default.removeItem(atPath: site.place("spool/seal/\(name)").string)
    }
    let result = try site.run("run", "--once")
    #expect(result.status == 0, "\(result.errors)")
    #expect(site.place.files(below: "outbox").sorted() == ["a.pdf.report.json", "a.txt"])
    #expect(site.place.exists("archive/a.pdf") && site.leftovers == [])
  }

  /// Folders change only with a restart: what is in hand would go astray.
  @Test func `a configuration with other folders is not taken while procd runs`() throws {
    let site = try Site()
    let daemon = try site.watch()
    defer { daemon.signal(SIGKILL) }
    try site.place.write(Site.pdf("first"), to: "inbox/first.pdf")
    #expect(Programs.wait { site.place.exists("archive/first.pdf") })
    let text = String(decoding: try #require(site.place.read("pipelines.json")), as: UTF8.self)
    try site.place.write(
      text.replacing(#""archive": "archive""#, with: #""archive": "other""#), to: "pipelines.json")
    daemon.signal(SIGHUP)
    try site.place.write(Site.pdf("second"), to: "inbox/second.pdf")
    #expect(Programs.wait { site.place.exists("archive/second.pdf") })
    #expect(!site.place.exists("other"))
  }

  @Test func `after SIGKILL in the middle every file ends exactly once`() throws {
    let site = try Site()
    let names = (1...150).map { "f\($0)" }
    var originals: [String: Data] = [:]
    for name in names {
      originals[name] = Site.pdf("Content of \(name)")
      try site.place.write(originals[name] ?? Data(), to: "inbox/\(name).pdf")
    }
    func finished() -> Int {
      site.place.files(below: "outbox").filter { $0.hasSuffix(".report.json") }.count
    }
    // Killed twice, each time while it works.
    for goal in [3, 10] {
      let daemon = try site.watch()
      #expect(Programs.wait { finished() >= goal })
      daemon.signal(SIGKILL)
      #expect(daemon.wait() == SIGKILL)
    }
    #expect(finished() < names.count, "it was too fast to be killed in the middle")
    let result = try site.run("run", "--once")
    #expect(result.status == 0, "\(result.errors)")

    #expect(site.place.files(below: "inbox") == [])
    #expect(site.place.files(below: "quarantine") == [])
    let results = names.flatMap { ["\($0).pdf.report.json", "\($0).txt"] }.sorted()
    #expect(site.place.files(below: "outbox") == results)
    let archived = names.flatMap { ["\($0).pdf", "\($0).pdf.report.json"] }.sorted()
    #expect(site.place.files(below: "archive") == archived)
    for name in names {
      #expect(site.place.read("archive/\(name).pdf") == originals[name])
      let text = String(decoding: site.place.read("outbox/\(name).txt") ?? Data(), as: UTF8.self)
      #expect(text.contains("Content of \(name)"))
      let attempts = try site.report("\(name).pdf")["steps"]?.arrayValue?.compactMap {
        $0["attempts"]?.integerValue
      }
      #expect((attempts ?? []).allSatisfy { $0 <= 1 }, "a death from outside was charged")
    }
    #expect(site.leftovers == [])
    let before = site.contents
    #expect(try site.run("run", "--once").status == 0)
    #expect(site.contents == before)
  }

  @Test func `the log ends with a line that says what waits for the next start`() throws {
    let site = try Site()
    let command = "exec \(Programs.folder.string)/procd run 2> log"
    let daemon = try Programs.start("/bin/sh", ["-c", command], in: site.place.path)
    defer { daemon.signal(SIGKILL) }
    #expect(Programs.wait { site.place.exists("spool/pulse") })
    daemon.signal(SIGTERM)
    #expect(daemon.wait() == 0)
    let log = String(decoding: try #require(site.place.read("log")), as: UTF8.self)
    #expect(log.hasSuffix(" info stopped unfinished=0\n"), "\(log)")
    let once = try site.run("run", "--once", "--json")
    let last = once.output.split(separator: "\n").last ?? ""
    #expect(last.hasPrefix(#"{"event":"stopped","unfinished":0,"#), "\(once)")
    #expect(once.errors == "", "a run that drains the inbox logs nothing")
  }

  @Test func `a journal gets the priority of each line once`() throws {
    let site = try Site()
    func run(_ words: String) throws -> [Substring] {
      let told = try Programs.run(
        try #require(Programs.find("sh")),
        [
          "-c",
          "JOURNAL_STREAM=$(stat -L -c %d:%i /proc/self/fd/2) exec \(Programs.folder.string)/procd \(words)",
        ], in: site.place.path)
      return told.errors.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
    }
    try site.put(sample: "locked.pdf")
    let log = try run("run --once --log-format json")
    #expect(log.contains { $0.hasPrefix("<6>{") && $0.contains(#""ready""#) }, "\(log)")
    #expect(log.contains { $0.hasPrefix("<4>{") && $0.contains(#""quarantined""#) }, "\(log)")
    try site.place.write(#"{ "version": 1, "wob": 1, "pipelines": [] }"#, to: "pipelines.json")
    let refused = try run("run")
    #expect(refused.count > 3 && refused.allSatisfy { $0.hasPrefix("<3>") }, "\(refused)")
    #expect(refused.allSatisfy { !$0.dropFirst(3).contains("<3>") }, "\(refused)")
  }

  @Test func `a log for machines has numbers as numbers`() throws {
    let site = try Site()
    try site.put(sample: "locked.pdf")
    let result = try site.run("run", "--once", "--log-format", "json")
    #expect(result.status == 65, "\(result)")
    let lines = try result.errors.split(separator: "\n").map {
      try JSONReader.read(Array($0.utf8)).value
    }
    func line(_ message: String) -> JSON? {
      lines.first { $0["message"]?.stringValue == message }
    }
    #expect(line("ready")?["resumed"]?.integerValue == 0, "\(result.errors)")
    #expect(line("quarantined")?["ms"]?.integerValue != nil, "\(result.errors)")
    #expect(line("stopped")?["unfinished"]?.integerValue == 0, "\(result.errors)")
  }
}
