import Foundation
import Glibc
import PluginKit
import SystemPackage
import TestSupport
import Testing

/// `procd health`, with real processes.
@Suite(.serialized) struct HealthCommandTests {
  @Test func `none runs, one runs, it is stopped, goes on, is killed, runs again, ends`() throws {
    let site = try Site()
    func sick(_ words: String) throws {
      let health = try site.run("health")
      #expect(health.status == 1)
      #expect(health.output.isEmpty)
      #expect(health.errors.contains(words), "\(health.errors)")
      #expect(health.errors.count(where: { $0 == "\n" }) == 1)
    }
    try sick("no procd is running")
    var daemon = try site.watch()
    defer { daemon.signal(SIGKILL) }
    #expect(Programs.wait { (try? site.run("health").status) == 0 })
    let well = try JSONReader.read(Array(try site.run("health", "--json").output.utf8)).value
    #expect(well["healthy"] == true)
    #expect(well["daemon"]?["process"]?.integerValue == Int(daemon.number))
    #expect(well["daemon"]?["phase"] == "running")

    // Rules that were edited are not those that are used, and every command says so until they are.
    let text = String(decoding: try #require(site.place.read("pipelines.json")), as: UTF8.self)
    try site.place.write(text + "\n", to: "pipelines.json")
    for told in [
      try site.run("check"), try site.run("explain", "pipelines.json"), try site.run("status"),
    ] {
      let words = told.output + told.errors
      #expect(words.contains("still uses the configuration as it was before"), "\(words)")
    }
    // Folders stay those of its start.
    try site.place.write(
      text.replacing(#""outbox": "outbox""#, with: #""outbox": "other""#), to: "pipelines.json")
    #expect(try site.run("check").errors.contains("has to be restarted"))
    try site.place.write(text + "\n", to: "pipelines.json")
    #expect(try site.run("reload").output.contains("as it is now"))
    #expect(
      Programs.wait {
        (try? site.run("status").output.contains("still uses")) == false
      })
    #expect(try !site.run("check").errors.contains("still uses"))

    daemon.signal(SIGSTOP)
    try sick("has not answered for 5 s")
    daemon.signal(SIGCONT)
    #expect(Programs.wait { (try? site.run("health").status) == 0 })

    daemon.signal(SIGKILL)
    _ = daemon.wait()
    #expect(site.place.exists("spool/pulse"))
    try sick("no procd is running")
    let untold = try site.run("reload")
    #expect(untold.status == 1 && untold.errors.contains("no procd is running"))
    let sickJSON = try site.run("health", "--json")
    #expect(sickJSON.status == 1)
    #expect(try JSONReader.read(Array(sickJSON.output.utf8)).value["healthy"] == false)

    daemon = try site.watch()
    #expect(Programs.wait { (try? site.run("health").status) == 0 })
    daemon.signal(SIGTERM)
    #expect(daemon.wait() == 0)
    #expect(!site.place.exists("spool/pulse"))
    try sick("no procd is running")
  }

  @Test func `another configuration in the same folder is not that of the procd that runs`() throws
  {
    let site = try Site()
    try site.place.write(
      """
      { "version": 1, "inbox": "in2", "outbox": "out2", "archive": "archive2", "quarantine": "quarantine2",
        "spool": "spool2", "pipelines": [{ "id": "keep", "match": "*", "emit": ["source"] }] }
      """, to: "two.json")
    try site.place.write(Site.pdf("x"), to: "inbox/a.pdf")
    let daemon = try site.watch()
    defer {
      daemon.signal(SIGTERM)
      _ = daemon.wait()
    }
    #expect(Programs.wait { site.place.exists("archive/a.pdf") })
    let health = try site.run("health", "-c", "two.json")
    #expect(health.status == 1 && health.errors.contains("no procd is running"), "\(health)")
    #expect(try site.run("status", "-c", "two.json", "a.pdf").status == 65)
    _ = try site.run("clean", "-c", "two.json", "--keep", "1ms")
    #expect(site.place.exists("archive/a.pdf"))
    // By another way to the same file it is the same.
    let linked = TemporaryFolder()
    try #require(symlink(site.place.path.string, linked("here").string) == 0)
    let text = String(decoding: try #require(site.place.read("pipelines.json")), as: UTF8.self)
    try site.place.write(text.replacing("\"steps\"", with: "\"stepps\""), to: "pipelines.json")
    let same = try site.run("health", "-c", linked("here/pipelines.json").string)
    #expect(same.status == 0 && same.errors.contains("has mistakes"), "\(same)")
  }

  @Test func `a configuration that was moved away is still that of the procd that runs`() throws {
    let site = try Site()
    let daemon = try site.watch()
    defer { daemon.signal(SIGKILL) }
    try #require(Programs.wait { (try? site.run("health").status) == 0 })
    let text = String(decoding: try #require(site.place.read("pipelines.json")), as: UTF8.self)
    try FileManager.default.moveItem(
      atPath: site.place("pipelines.json").string, toPath: site.place("away.json").string)
    let moved = try site.run("health")
    #expect(moved.status == 0 && moved.errors.contains("is gone"), "\(moved)")
    #expect(try site.run("status").output.contains("runs as process"))

    // One that hangs is told as such, whatever its configuration has become.
    try site.place.write(text.replacing("\"steps\"", with: "\"stepps\""), to: "pipelines.json")
    daemon.signal(SIGSTOP)
    let hung = try site.run("health")
    #expect(hung.status == 1 && hung.errors.contains("has not answered for 5 s"), "\(hung)")
    #expect(hung.errors.contains("has mistakes"), "\(hung)")
  }

  @Test func `a procd whose spool the configuration no longer names is found`() throws {
    let site = try Site {
      $0.replacing("{\n", with: "{\n  \"spool\": \"first\",\n", maxReplacements: 1)
    }
    let daemon = try site.watch()
    defer { daemon.signal(SIGKILL) }
    try #require(Programs.wait { (try? site.run("health").status) == 0 })
    let text = String(decoding: try #require(site.place.read("pipelines.json")), as: UTF8.self)
    try site.place.write(text.replacing("\"first\"", with: "\"second\""), to: "pipelines.json")
    let health = try site.run("health")
    #expect(health.status == 0 && health.errors.contains("names other folders"), "\(health)")
    #expect(try site.run("status").output.contains("runs as process \(daemon.number)"))
    let reload = try site.run("reload")
    #expect(reload.status == 78 && reload.errors.contains("takes a restart"), "\(reload)")
    // The file is gone, and with it what it said of the spool.
    try FileManager.default.removeItem(atPath: site.place("pipelines.json").string)
    let gone = try site.run("health", "-c", site.place("pipelines.json").string)
    #expect(gone.status == 0 && gone.errors.contains("is gone"), "\(gone)")
    // Another configuration's procd is not this one's.
    try site.place.write(text.replacing("\"first\"", with: "\"third\""), to: "other.json")
    #expect(try site.run("health", "-c", "other.json").status == 1)
    daemon.signal(SIGTERM)
    #expect(daemon.wait() == 0)
    try site.place.write(text.replacing("\"first\"", with: "\"second\""), to: "pipelines.json")
    #expect(try site.run("health").errors.contains("no procd is running"))
  }

  @Test func `that the ledger is damaged is told where none runs, and by check and find`() throws {
    let site = try Site()
    try site.put(sample: "locked.pdf")
    #expect(try site.run("run", "--once").status == 65)
    try site.damageLedger()
    let health = try site.run("health")
    #expect(health.status == 1 && health.errors.contains("no procd is running"), "\(health)")
    #expect(health.errors.contains("is damaged: ") && health.errors.contains("move ledger.sqlite"))
    #expect(try site.run("check").status == 70)
    let found = try site.run("find", "harbour")
    #expect(found.status == 70 && !found.errors.contains("nothing found"), "\(found)")
  }

  @Test func `one that waits for a disk at its start is seen to wait`() throws {
    let site = try Site {
      $0.replacing(
        #""outbox": "outbox""#, with: #""outbox": { "path": "outbox", "marker": ".disk" }"#)
    }
    let before = try site.run("health")
    #expect(
      before.status == 1 && before.errors.contains("once started, it would wait"), "\(before)")
    let daemon = try site.watch()
    defer { daemon.signal(SIGKILL) }
    let waits = "procd (process \(daemon.number)) waits: the outbox is not there"
    #expect(Programs.wait { (try? site.run("health").errors.contains(waits)) == true })
    let status = try site.run("status").output
    #expect(status.contains("runs as process \(daemon.number)"), "\(status)")
    #expect(status.contains("stopped        the outbox is not there"), "\(status)")
    try site.place.write("", to: "outbox/.disk")
    #expect(Programs.wait { (try? site.run("health").status) == 0 })
  }

  @Test func `a wrong configuration is told as everywhere`() throws {
    let site = try Site { $0.replacing("\"steps\"", with: "\"stepps\"") }
    #expect(try site.run("health").status == 78)
  }
}

@Suite(
  .serialized,
  .enabled(if: SmallDisk.isAvailable, "SKIPPED: only root can mount a small disk to fill"))
struct HealthOfFullDiskTests {
  @Test func `while the disk refuses writes it is not well, and says why`() throws {
    let disk = try #require(SmallDisk(megabytes: 12))
    let configuration = """
      { "version": 1, "inbox": { "path": "inbox", "settle": "100ms" },
        "pipelines": [{ "id": "text", "match": { "mime": "application/pdf" },
          "steps": [{ "id": "t", "use": "pdf.text" }], "emit": ["t.text"] }] }
      """
    try Data(configuration.utf8).write(to: URL(fileURLWithPath: "\(disk.path)/pipelines.json"))
    // Before the start: there is no room for the ledger's reserve.
    disk.fill()
    let ballast = "\(disk.path)/ballast"
    try #require(truncate(ballast, 7 << 20) == 0)
    let daemon = try Programs.start("procd", ["run"], in: disk.path)
    defer { daemon.signal(SIGKILL) }
    func health() throws -> Programs.Result { try Programs.run("procd", ["health"], in: disk.path) }
    #expect(Programs.wait { (try? health().errors.contains("takes in no files")) == true })
    #expect(try health().status == 1)
    try #require(unlink(ballast) == 0)
    #expect(Programs.wait { (try? health().status) == 0 })
  }

  @Test func `where procd's own programs are gone, no file is blamed for it`() throws {
    let site = try Site(), programs = TemporaryFolder()
    for name in ["procd", "procd-daemon", "procd-worker", "procd-worker-ocr"] {
      try FileManager.default.copyItem(
        atPath: Programs.folder.appending(name).string, toPath: programs(name).string)
    }
    let daemon = try Programs.start(programs("procd").string, ["run"], in: site.place.path)
    defer { daemon.signal(SIGKILL) }
    try #require(Programs.wait { (try? site.run("health").status) == 0 })
    let worker = programs("procd-worker").string
    try FileManager.default.moveItem(atPath: worker, toPath: "\(worker).aside")
    for name in ["a", "b"] { try site.place.write(Site.pdf(name), to: "inbox/\(name).pdf") }
    #expect(
      Programs.wait {
        let health = try? site.run("health")
        return health?.status == 1 && health?.errors.contains("could not be started") == true
      })
    #expect(site.place.files(below: "quarantine").isEmpty)
    // Its steps are not called unknown.
    let check = try Programs.run(programs("procd").string, ["check"], in: site.place.path)
    #expect(check.status == 78 && check.errors.contains("cannot be found out"), "\(check)")
    #expect(!(check.output + check.errors).contains("no plugin offers"), "\(check)")
    try FileManager.default.moveItem(atPath: "\(worker).aside", toPath: worker)
    #expect(
      Programs.wait { ["a", "b"].allSatisfy { site.place.exists("archive/\($0).pdf") } })
    #expect(Programs.wait { (try? site.run("health").status) == 0 })
    #expect(site.place.files(below: "quarantine").isEmpty)
  }

  @Test func `a procd that runs on the same spool by another configuration is none of this one`()
    throws
  {
    let site = try Site()
    let daemon = try site.watch()
    defer { daemon.signal(SIGKILL) }
    try #require(Programs.wait { (try? site.run("health").status) == 0 })
    let text = String(decoding: try #require(site.place.read("pipelines.json")), as: UTF8.self)
    try site.place.write(
      text.replacing(#""path": "inbox""#, with: #""path": "second""#), to: "second.json")
    let words = "goes by another configuration"
    for arguments in [["health"], ["check"], ["run"], ["run", "--once"], ["reload"]] {
      let told = try Programs.run("procd", arguments + ["-c", "second.json"], in: site.place.path)
      #expect(told.status != 0 && told.errors.contains(words), "\(arguments): \(told)")
    }
    let status = try Programs.run("procd", ["status", "-c", "second.json"], in: site.place.path)
    #expect(status.output.contains(words), "\(status)")
    #expect(try site.run("health").status == 0)
    // A draft of the same, with its folders, may be checked; but no procd runs for it.
    try site.place.write(text, to: "draft.json")
    for arguments in [["health"], ["run"], ["reload"]] {
      let told = try Programs.run("procd", arguments + ["-c", "draft.json"], in: site.place.path)
      #expect(told.status != 0 && told.errors.contains(words), "\(arguments): \(told)")
    }
    let checked = try site.run("check", "draft.json")
    #expect(checked.status == 0 && checked.errors.contains("note[env.folder]"), "\(checked)")
    #expect(checked.output.contains("one thing to look at"), "\(checked)")
    let doctor = try site.run("doctor", "-c", "draft.json")
    #expect(doctor.output.contains(words), "\(doctor)")
    #expect(!checked.errors.contains("procd reload"), "\(checked)")
    // Another name of the same file is the same.
    try FileManager.default.createSymbolicLink(
      atPath: site.place("link.json").string, withDestinationPath: "pipelines.json")
    #expect(try site.run("health", "-c", "link.json").status == 0)
  }

  @Test func `converting onto a full disk says so and ends with 74`() throws {
    let disk = try #require(SmallDisk(megabytes: 12))
    let site = try Site()
    for name in ["a", "b", "c"] { try site.place.write(Site.pdf(name), to: "in/\(name).pdf") }
    disk.fill()
    for arguments in [["in", "-o", "\(disk.path)/out"], ["in/a.pdf", "\(disk.path)/a.txt"]] {
      let result = try Programs.run("procd", ["convert"] + arguments, in: site.place.path)
      #expect(result.status == 74, "\(result)")
      #expect(!result.errors.contains("/.procd"), "\(result.errors)")
    }
  }

  @Test func `an inbox that cannot be looked at is no health, and check names the link`() throws {
    let site = try Site()
    let daemon = try site.watch()
    defer { daemon.signal(SIGKILL) }
    try #require(Programs.wait { (try? site.run("health").status) == 0 })
    let inbox = site.place("inbox").string, aside = site.place("aside").string
    try FileManager.default.moveItem(atPath: inbox, toPath: aside)
    try FileManager.default.createSymbolicLink(atPath: inbox, withDestinationPath: "nowhere")
    #expect(
      Programs.wait {
        let health = try? site.run("health")
        return health?.status == 1 && health?.errors.contains("cannot be looked at") == true
      })
    let check = try site.run("check")
    #expect(check.status == 78 && check.errors.contains("is a link that leads nowhere"), "\(check)")
    try FileManager.default.removeItem(atPath: inbox)
    try FileManager.default.moveItem(atPath: aside, toPath: inbox)
    #expect(Programs.wait { (try? site.run("health").status) == 0 })
  }
}
