import Foundation
import Glibc
import PluginKit
import SystemPackage
import TestSupport
import Testing

/// `procd doctor`: what it tells of a machine as it is, and of one where something is missing.
@Suite struct DoctorTests {
  private struct Diagnosis {
    var status: Int32
    var isOK: Bool?
    /// Levels by check; the worst where a name comes twice.
    var levels: [String: String] = [:]
    var output: String
  }

  private func doctor(
    _ site: Site, environment: [String: String] = [:]
  ) throws -> Diagnosis {
    let result = try Programs.run(
      "procd", ["doctor", "--json"], in: site.place.path, environment: environment)
    let json = try JSONReader.read(result.output).value
    var diagnosis = Diagnosis(
      status: result.status, isOK: json["ok"]?.boolValue, output: result.output)
    for check in json["checks"]?.arrayValue ?? [] {
      let name = check["check"]?.stringValue ?? "", level = check["level"]?.stringValue ?? ""
      let order = ["ok", "warning", "problem"]
      let old = diagnosis.levels[name].flatMap(order.firstIndex) ?? -1
      if (order.firstIndex(of: level) ?? 0) > old { diagnosis.levels[name] = level }
      if level != "ok" {
        #expect(check["cure"] != nil || name.hasPrefix("env."), "\(name): no cure")
      }
    }
    return diagnosis
  }

  @Test func `secrets that everybody can read are noted`() throws {
    let site = try Site {
      $0.replacing(
        "\"version\": 1,",
        with: """
          "version": 1, "notify": [{ "on": "paused", "command": ["/bin/true"] },
            { "on": "paused", "webhook": { "url": "https://example.org/hook", "secret": { "file": "hook.secret" } } }],
          """)
    }
    try site.place.write("secret\n", to: "hook.secret")
    chmod(site.place.path.string, 0o755)
    chmod(site.place("hook.secret").string, 0o644)
    let open = try site.run("check")
    #expect(open.status == 0, "\(open)")
    #expect(
      open.errors.contains("note[env.secret]: entry 2 of notify: every user can read"), "\(open)")
    chmod(site.place("hook.secret").string, 0o640)
    #expect(try !site.run("check").errors.contains("env.secret"))
  }

  @Test func `a ledger that is gone beside what it belongs to is told`() throws {
    let site = try Site()
    try site.place.write(Site.pdf("one"), to: "inbox/one.pdf")
    var daemon = try site.watch()
    defer { daemon.signal(SIGKILL) }
    #expect(Programs.wait { site.place.exists("archive/one.pdf") })
    daemon.signal(SIGTERM)
    _ = daemon.wait()
    #expect(try !site.run("doctor").output.contains("empty history"))
    for name in ["ledger.sqlite", "ledger.sqlite-wal", "ledger.sqlite-shm"] {
      unlink(site.place("spool/\(name)").string)
    }
    let doctor = try site.run("doctor")
    #expect((doctor.output + doctor.errors).contains("its ledger.sqlite is gone"), "\(doctor)")
    daemon = try site.watch()
    #expect(
      Programs.wait {
        (try? site.run("status").output.contains("empty history")) == true
      })
    #expect(try site.run("status").output.contains("[ledger.lost]"))
    daemon.signal(SIGTERM)
    _ = daemon.wait()
    // A few bytes that are no database are damage, which ends the start.
    for name in ["ledger.sqlite-wal", "ledger.sqlite-shm"] {
      unlink(site.place("spool/\(name)").string)
    }
    try site.place.write("garbage", to: "spool/ledger.sqlite")
    for words in ["doctor", "check", "status"] {
      let told = try site.run(words), text = told.output + told.errors
      #expect(text.contains("is damaged") && !text.contains("empty history"), "\(told)")
    }
    #expect(try site.run("run", "--once").status == 70)
  }

  @Test func `a ledger that is gone is told also where procd only ever drained the inbox`() throws {
    let site = try Site()
    try site.place.write(Site.pdf("one"), to: "inbox/one.pdf")
    #expect(try site.run("run", "--once").status == 0)
    let ledger = site.place("spool/ledger.sqlite").string
    for path in [ledger, "\(ledger)-wal", "\(ledger)-shm"] { unlink(path) }
    for change in [{}, { _ = FileManager.default.createFile(atPath: ledger, contents: nil) }] {
      change()
      for command in ["doctor", "check", "status"] {
        let told = try site.run(command)
        #expect((told.output + told.errors).contains("the archive holds files"), "\(told)")
      }
    }
    let once = try site.run("run", "--once")
    #expect(once.status == 0 && once.errors.contains("[ledger.lost]"), "\(once)")
    #expect(try !site.run("doctor").output.contains("ledger.lost"))
  }

  @Test func `before the first start and after a run nothing is a problem`() throws {
    let site = try Site()
    let before = site.place.files()
    let first = try doctor(site)
    #expect(first.status == 0, "\(first.output)")
    #expect(first.isOK == true)
    #expect(site.place.files() == before, "it made \(site.place.files())")
    for name in ["folder.inbox", "folder.outbox", "worker", "ledger", "configuration"] {
      #expect(first.levels[name] == "ok", "\(name)")
    }

    try site.place.write(Site.pdf("text"), to: "inbox/a.pdf")
    #expect(try site.run("run", "--once").status == 0)
    let files = site.lastingFiles
    let second = try doctor(site)
    #expect(second.status == 0, "\(second.output)")
    for name in ["mount.inbox", "mount.outbox", "clock", "leftovers", "folder.spool"] {
      #expect(second.levels[name] == "ok", "\(name)")
    }
    #expect(site.lastingFiles == files, "it left something behind")
  }

  @Test func `what another user left in the spool is a problem`() throws {
    guard geteuid() == 0 else {
      print("not tried: only root gives files away")
      return
    }
    let site = try Site()
    try site.place.write(Site.pdf("text"), to: "inbox/a.pdf")
    #expect(try site.run("run", "--once").status == 0)
    try #require(chown(site.place("spool/state").string, 65534, 65534) == 0)
    let found = try doctor(site)
    #expect(found.status == 1 && found.levels["owner.spool"] == "problem", "\(found.output)")
    // As root on the spool of somebody else, nothing is run at all.
    try #require(chown(site.place("spool").string, 65534, 65534) == 0)
    for command in [["run", "--once"], ["run"]] {
      let result = try Programs.run("procd", command, in: site.place.path)
      #expect(result.status == 77 && result.errors.contains("sudo -u"), "\(result.errors)")
    }
    try #require(chown(site.place("spool/state").string, 0, 0) == 0)
    for path in try FileManager.default.subpathsOfDirectory(atPath: site.place("spool").string) {
      try #require(chown(site.place("spool/\(path)").string, 65534, 65534) == 0)
    }
    let asRoot = try doctor(site)
    #expect(asRoot.status == 1 && asRoot.levels["owner.spool"] == "problem", "\(asRoot.output)")
    // The rest is tried as who would run it, who may not write here.
    #expect(asRoot.levels["folder.spool"] == "ok" && asRoot.levels["folder.outbox"] == "problem")
  }

  @Test func `beside a running procd it disturbs nothing`() throws {
    let site = try Site()
    let daemon = try site.watch()
    defer {
      daemon.signal(SIGTERM)
      _ = daemon.wait()
    }
    #expect(Programs.wait { site.place.exists("spool/daemon.pid") })
    let diagnosis = try doctor(site)
    #expect(diagnosis.status == 0, "\(diagnosis.output)")
    try site.place.write(Site.pdf("text"), to: "inbox/a.pdf")
    #expect(Programs.wait { site.place.exists("archive/a.pdf") })
    #expect(site.place.files(below: "quarantine").isEmpty)
    #expect(site.place.files(below: "archive").sorted() == ["a.pdf", "a.pdf.report.json"])
  }

  @Test func `without Landlock confinement is a warning, where it is required a problem`() throws {
    let old = ["PROCD_LANDLOCK": "0"]
    let diagnosis = try doctor(try Site(), environment: old)
    #expect(diagnosis.levels["sandbox.sealed"] == "warning", "\(diagnosis.output)")
    #expect(diagnosis.levels["sandbox.tool"] == "warning")
    #expect(diagnosis.status == 0)
    let strict = try Site {
      $0.replacing(#""version": 1,"#, with: #""version": 1, "isolation": "required","#)
    }
    let refused = try doctor(strict, environment: old)
    #expect(refused.levels["sandbox.sealed"] == "problem")
    #expect(refused.status == 1)
  }

  @Test func `a folder that is none is a problem`() throws {
    let site = try Site()
    try site.place.write("x", to: "outbox")
    let diagnosis = try doctor(site)
    #expect(diagnosis.levels["folder.outbox"] == "problem")
    #expect(diagnosis.status == 1)
    #expect(diagnosis.isOK == false)
  }

  @Test func `a damaged ledger is a problem, leftovers are a warning`() throws {
    let site = try Site()
    try site.place.write(Site.pdf("text"), to: "inbox/a.pdf")
    #expect(try site.run("run", "--once").status == 0)
    try site.place.write("x", to: "spool/work/JOB.X/file")
    #expect(try doctor(site).levels["leftovers"] == "warning")
    try site.damageLedger()
    let diagnosis = try doctor(site)
    #expect(diagnosis.levels["ledger"] == "problem")
    #expect(diagnosis.status == 1)
  }

  @Test func `check by root sees what the user lacks who runs procd`() throws {
    guard geteuid() == 0 else {
      print("not tried: only root gives files away")
      return
    }
    let site = try Site()
    for path in ["inbox", "outbox", "archive", "quarantine", "spool"] {
      try FileManager.default.createDirectory(
        atPath: site.place(path).string, withIntermediateDirectories: true)
      try #require(chown(site.place(path).string, 65534, 65534) == 0)
    }
    try #require(chmod(site.place.path.string, 0o755) == 0)
    #expect(try site.run("check").status == 0)
    try #require(chown(site.place("archive").string, 0, 0) == 0)
    let checked = try site.run("check")
    #expect(checked.status == 78, "\(checked)")
    #expect(
      checked.errors.contains("archive: user nobody cannot read and write"), "\(checked.errors)")
  }

  @Test func `a configuration with mistakes is a problem`() throws {
    let site = try Site { $0.replacing(#""version": 1"#, with: #""version": 7"#) }
    let diagnosis = try doctor(site)
    #expect(diagnosis.levels["configuration"] == "problem")
    #expect(diagnosis.status == 1)
  }

  @Test(.enabled(if: SmallDisk.isAvailable, "SKIPPED: needs root and tmpfs"))
  func `a full disk is a problem, another mount a matter of course`() throws {
    let disk = try #require(SmallDisk(megabytes: 4))
    let site = try Site {
      $0.replacing(#""archive": "archive""#, with: #""archive": "\#(disk.path.string)/archive""#)
    }
    _ = try site.run("run", "--once")
    let diagnosis = try doctor(site)
    #expect(diagnosis.levels["mount.archive"] == "warning", "\(diagnosis.output)")
    #expect(diagnosis.levels["space.archive"] == "problem")
    #expect(diagnosis.status == 1)
  }

  @Test func `for people there is a line each`() throws {
    let result = try Site().run("doctor")
    let lines = result.output.split(separator: "\n")
    #expect(lines.count >= 12, "\(result.output)")
    for line in lines {
      #expect(["ok ", "warning ", "problem "].contains { line.hasPrefix($0) }, "\(line)")
    }
  }

  @Test func `check says that a file is no folder`() throws {
    let site = try Site()
    try site.place.write("text", to: "outbox")
    let checked = try site.run("check")
    #expect(checked.status == 78)
    #expect(
      checked.errors.contains(
        "error[env.folder]: outbox: \(site.place("outbox").string) is no folder"),
      "\(checked.errors)")
    #expect(checked.errors.components(separatedBy: "env.folder").count == 2, "\(checked.errors)")
  }

  @Test(
    arguments: [
      ("/dev/archive", "env.folder", "/dev holds devices"),
      ("~ada/archive", "place.shell", "~ada/archive"),
      ("$XDG_DATA_HOME/archive", "place.shell", "$XDG_DATA_HOME"),
      ("/proc/archive", "env.folder", "holds no files"),
    ])
  func `check says where no archive can be`(path: String, code: String, words: String) throws {
    let site = try Site {
      $0.replacing("\"archive\": \"archive\"", with: "\"archive\": \"\(path)\"")
    }
    // Where /dev is a folder of the root's file system it is one like any other.
    func device(_ path: String) throws -> Int? {
      try FileManager.default.attributesOfFileSystem(forPath: path)[.systemNumber] as? Int
    }
    if path.hasPrefix("/dev"), try device("/dev") == device("/") { return }
    let checked = try site.run("check")
    #expect(checked.status == 78)
    #expect(
      checked.errors.contains("error[\(code)]") && checked.errors.contains(words),
      "\(checked.errors)")
  }

  @Test func `an empty ledger is told by who looks, and nobody reads tables that are not there`()
    throws
  {
    let site = try Site()
    let daemon = try site.watch()
    #expect(Programs.wait { (try? site.run("health").status) == 0 })
    daemon.signal(SIGTERM)
    _ = daemon.wait()
    try site.place.write("", to: "spool/ledger.sqlite")
    for command in ["status", "jobs", "check", "doctor"] {
      let told = try site.run(command)
      let all = told.output + told.errors
      #expect(all.contains("its ledger.sqlite is empty"), "\(command): \(told)")
      #expect(!all.contains("no such table"), "\(command): \(told)")
    }
  }

  @Test func `check tells once of a place below a file, and makes none of the folders`() throws {
    let site = try Site {
      $0.replacing("\"outbox\": \"outbox\"", with: "\"outbox\": \"file/results\"")
    }
    try site.place.write("text", to: "file")
    try FileManager.default.removeItem(atPath: site.place("inbox").string)
    let checked = try site.run("check")
    #expect(checked.status == 78)
    #expect(checked.errors.contains("lies below"), "\(checked.errors)")
    #expect(checked.errors.components(separatedBy: "env.folder").count == 2, "\(checked.errors)")
    #expect(!site.place.exists("inbox") && !site.place.exists("spool"))
  }
}
