import Foundation
import PluginKit
import SystemPackage
import TestSupport
import Testing

/// A step that does what a hostile file could make it do, beside seven good files: the good ones are
/// done, the bad one ends with a stable code in bounded time, and nothing of it is left.
@Suite struct PoisonTests {
  /// An act of Tests/Fixtures/plugins/poison, and how its file must end.
  struct Act: Sendable, CustomTestStringConvertible {
    var name: String
    /// The code in the report; nil where the file is done all the same.
    var code: String?
    /// The version of Landlock to behave as; nil for the kernel's.
    var landlock: Int?

    init(_ name: String, _ code: String?, landlock: Int? = nil) {
      (self.name, self.code, self.landlock) = (name, code, landlock)
    }

    var testDescription: String {
      landlock.map { "\(name) at Landlock \($0)" } ?? name
    }
  }

  /// Acts that end by themselves, or are ended as soon as they are seen.
  static let quickActs = [
    Act("crashes", "step.crashed"), Act("exhausts-memory", "limit.memory"),
    Act("forks", "limit.processes"), Act("forks", "limit.processes", landlock: 2),
    Act("leaves-children", nil), Act("leaves-children", nil, landlock: 2),
    Act("crashes-beside-children", "step.crashed"), Act("floods-output", "plugin.protocol"),
    Act("names-by-a-megabyte", "plugin.protocol"), Act("cuts-a-line", "step.silent"),
    Act("ends-without-a-word", "step.silent"), Act("says-nonsense", "plugin.protocol"),
    Act("nests-deeply", "plugin.protocol"), Act("tells-extreme-numbers", nil),
    Act("tells-no-number", "plugin.protocol"), Act("cancels-itself", "plugin.protocol"),
    Act("writes-outside", "step.crashed"), Act("changes-times-outside", "step.crashed"),
    Act("changes-times-outside", "step.crashed", landlock: 0), Act("writes-after-done", nil),
    Act("answers-for-another", "plugin.protocol"), Act("names-a-link", "step.crashed"),
    Act("names-a-link", "plugin.artifact", landlock: 0),
    Act("names-through-a-linked-folder", "plugin.artifact", landlock: 0),
    Act("names-a-hard-link", "step.crashed"),
    Act("names-a-hard-link", "plugin.artifact", landlock: 0), Act("names-a-fifo", "step.crashed"),
    Act("names-a-fifo", "step.crashed", landlock: 0), Act("names-a-folder", "plugin.artifact"),
    Act("names-a-path-outside", "plugin.artifact"),
    Act("names-an-absolute-path", "plugin.artifact"),
    Act("names-nothing-that-is-there", "plugin.artifact"), Act("names-with-a-zero", nil),
    Act("makes-setuid", "step.crashed"), Act("makes-sparse", "limit.output"),
    Act("makes-huge-sparse", "step.crashed"), Act("fills-with-small-files", "limit.output"),
    Act("builds-deep-folders", "limit.output"), Act("takes-rights-away", nil),
    Act("sees-descriptors", nil), Act("hides-in-unlinked-files", "limit.output"),
    Act("hides-in-memory-files", "limit.output"),
    Act("takes-room-without-size", "limit.output"),
    Act("hides-in-a-closed-folder", "limit.output"),
    Act("hides-in-a-closed-folder", "limit.output", landlock: 2),
    Act("starts-threads", "limit.processes"), Act("starts-threads", "limit.processes", landlock: 2),
    Act("says-what-steers", "plugin.protocol"),
  ]

  /// Acts that end only at a limit of time.
  static let slowActs = [
    Act("sleeps", "limit.stall"), Act("spins", "limit.time"),
    Act("leaves-children-and-sleeps", "limit.stall"), Act("floods-errors", "limit.stall"),
    Act("floods-messages", "limit.time"), Act("names-a-million-artifacts", "limit.time"),
    Act("closes-output", "limit.stall"), Act("stays-after-done", "step.lingers"),
  ]

  @Test(arguments: quickActs)
  func `seven good files beside a bad one are done`(act: Act) throws {
    let site = try PoisonedSite()
    try site.put(act.name)
    let status = try site.run(landlock: act.landlock)
    #expect(status == (act.code == nil ? 0 : 65), "\(site.errors)")
    try site.expectGoodFiles()
    try site.expectEnd(of: act.name, code: act.code)
    site.expectNothingLeft()
  }

  @Test func `seven good files beside all that waste time are done`() throws {
    let site = try PoisonedSite(workers: Self.slowActs.count + 1)
    for act in Self.slowActs { try site.put(act.name) }
    #expect(try site.run(landlock: nil) == 65, "\(site.errors)")
    try site.expectGoodFiles()
    for act in Self.slowActs { try site.expectEnd(of: act.name, code: act.code) }
    site.expectNothingLeft()
  }

  @Test func `children that hide do not survive the daemon`() throws {
    let site = try PoisonedSite()
    try site.put("leaves-children-and-sleeps")
    let daemon = try Programs.start(
      "procd", ["run", "--existing", "process"], in: site.place.path)
    #expect(Programs.wait { site.survivors.count >= 8 }, "the act never began")
    daemon.signal(SIGKILL)
    _ = daemon.wait()
    #expect(Programs.wait { site.survivors.isEmpty }, "\(site.survivors)")
    #expect(try site.run(landlock: nil) == 65)
    try site.expectGoodFiles()
    try site.expectEnd(of: "leaves-children-and-sleeps", code: "limit.stall")
    site.expectNothingLeft()
  }

  /// A launcher that gets no processor time finds hundreds of ended children when it looks again.
  @Test func `children that ended are not too many processes`() throws {
    let site = try PoisonedSite(stall: 60)
    try site.put("leaves-children-and-sleeps")
    let daemon = try Programs.start(
      "procd", ["run", "--existing", "process"], in: site.place.path)
    #expect(Programs.wait { site.survivors.count >= 8 }, "the act never began")
    let launcher = try #require(site.launchers.first { site.children(of: $0) > 0 })
    // On a slow machine the step is ended for its silence before all rounds are done.
    var rounds = 0
    var isEnded: Bool { site.place.exists("quarantine/leaves-children-and-sleeps.bad") }
    while rounds < 8, !isEnded {
      kill(launcher, SIGSTOP)
      try #require(Programs.wait { site.children(of: launcher) > 400 || isEnded })
      rounds += site.children(of: launcher) > 400 ? 1 : 0
      kill(launcher, SIGCONT)
      try #require(Programs.wait { site.children(of: launcher) < 100 })
    }
    #expect(rounds > 0)
    #expect(Programs.wait { isEnded })
    daemon.signal(SIGTERM)
    #expect(daemon.wait() == 0)
    try site.expectGoodFiles()
    try site.expectEnd(of: "leaves-children-and-sleeps", code: "limit.stall")
    site.expectNothingLeft()
  }

  @Test(arguments: [nil, 2, 0])
  func `what a step started is found when all that watched over it are killed`(
    landlock: Int?
  ) throws {
    let site = try PoisonedSite()
    try site.put("leaves-children-and-sleeps")
    let daemon = try Programs.start(
      "procd", ["run", "--existing", "process"], in: site.place.path,
      environment: landlock.map { ["PROCD_LANDLOCK": "\($0)"] } ?? [:])
    #expect(Programs.wait { site.survivors.count >= 8 }, "the act never began")
    // Neither gets to see that the other one ends.
    daemon.signal(SIGSTOP)
    let launchers = site.launchers
    #expect(!launchers.isEmpty)
    for launcher in launchers { kill(launcher, SIGKILL) }
    daemon.signal(SIGKILL)
    _ = daemon.wait()
    #expect(site.survivors.count >= 8, "nothing is left to be found")
    #expect(try site.run(landlock: landlock) == 65)
    try site.expectGoodFiles()
    try site.expectEnd(of: "leaves-children-and-sleeps", code: "limit.stall")
    site.expectNothingLeft()
  }

  @Test func `what a step keeps from run to run has a bound too`() throws {
    let site = try PoisonedSite()
    try site.put("fills-its-state")
    #expect(try site.run(landlock: nil) == 65, "\(site.errors)")
    try site.expectGoodFiles()
    try site.expectEnd(of: "fills-its-state", code: "limit.state")
  }

  /// A foreign step has its input in its work folder.
  @Test func `the copy of an input is no output`() throws {
    let site = try PoisonedSite()
    let text = Data(repeating: 0x61, count: 12 << 20)
    try site.place.write(text, to: "inbox/large.txt")
    #expect(try site.run(landlock: nil) == 0, "\(site.errors)")
    #expect(site.place.read("outbox/large.txt") == text)
  }

  /// Without fenced signals a step can kill the daemon. It may be started again as often as it takes;
  /// nobody else's file pays for it.
  @Test func `a file that kills the daemon is given up, alone`() throws {
    let site = try PoisonedSite()
    try site.put("kills-the-daemon")
    var statuses: [Int32] = []
    for _ in 0..<16 {
      statuses.append(try site.run(landlock: 0))
      if statuses.last != SIGKILL { break }
    }
    #expect(statuses.count > 1, "the daemon was never killed: \(statuses)")
    #expect(statuses.last == 65, "\(statuses)")
    try site.expectGoodFiles()
    try site.expectEnd(of: "kills-the-daemon", code: "step.killed")
    site.expectNothingLeft()
  }
}

/// A folder with seven good files, a bad one, and short limits.
private final class PoisonedSite {
  let place = TemporaryFolder()
  /// Among the words of every process that the bad file starts.
  private let token = "poison-\(UUID().uuidString)"
  private static let good = (1...7).map { "good-\($0).txt" }

  /// - Parameter stall: seconds that a step may be silent.
  init(workers: Int = 2, stall: Int = 20) throws {
    let plugins = Programs.repository.appending("Tests/Fixtures/plugins").string
    try place.write(
      """
      {
        "version": 1,
        "workers": \(workers),
        "inbox": { "path": "inbox", "settle": "50ms" },
        "plugins": ["\(plugins)"],
        "defaults": {
          "timeout": "\(2 * stall)s", "stall": "\(stall)s", "retry": { "attempts": 1 },
          "limits": { "memory": "256MiB", "output": "16MiB", "files": 200 }
        },
        "pipelines": [
          { "id": "copy", "steps": [{ "id": "copy", "use": "poison.copy" }], "emit": ["copy.txt"] }
        ]
      }
      """, to: "pipelines.json")
    for name in Self.good { try place.write("the text of \(name)\n", to: "inbox/\(name)") }
  }

  func put(_ act: String) throws {
    try place.write("\(token)\nwhat \(act)\n", to: "inbox/\(act).bad")
  }

  /// Processes that were started to watch over a foreign step of this site.
  var launchers: [Int32] {
    let processes = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
    let wanted = place.path.string
    return processes.compactMap(Int32.init).filter { process in
      guard let words = FileManager.default.contents(atPath: "/proc/\(process)/cmdline") else {
        return false
      }
      let text = String(decoding: words, as: UTF8.self)
      return text.contains("\0confine\0") && text.contains(wanted)
    }
  }

  func children(of process: Int32) -> Int {
    FileManager.default.contents(atPath: "/proc/\(process)/task/\(process)/children")
      .map { $0.split(separator: 0x20).count } ?? 0
  }

  private(set) var errors = ""

  /// Runs procd until the inbox is drained.
  ///
  /// - Returns: its exit status, or the signal that ended it.
  func run(landlock: Int?) throws -> Int32 {
    let result = try Programs.run(
      "procd", ["run", "--once"], in: place.path,
      environment: landlock.map { ["PROCD_LANDLOCK": "\($0)"] } ?? [:])
    errors = result.errors
    return result.status
  }

  private func report(_ path: String) throws -> JSON {
    let text = try #require(place.read(path), "\(path) is missing: \(place.files()) \(errors)")
    return try JSONReader.read(Array(text)).value
  }

  func expectGoodFiles() throws {
    for name in Self.good {
      let stem = name.dropLast(4)
      #expect(try report("outbox/\(name).report.json")["outcome"] == "done")
      #expect(place.read("outbox/\(stem).txt") == Data("the text of \(name)\n".utf8))
      #expect(place.exists("archive/\(name)"))
    }
  }

  func expectEnd(of act: String, code: String?) throws {
    let name = "\(act).bad", ours = place.files(below: "outbox").filter { $0.hasPrefix(act) }
    guard let code else {
      #expect(try report("outbox/\(name).report.json")["outcome"] == "done")
      #expect(ours.sorted() == ["\(name).report.json", "\(act).txt"])
      #expect(place.exists("archive/\(name)"))
      return
    }
    let report = try report("quarantine/\(name).report.json")
    #expect(report["error"]?["code"]?.stringValue == code, "\(report["error"] ?? .null)")
    #expect(ours.isEmpty, "it reached the outbox: \(ours)")
    #expect(place.exists("quarantine/\(name)"))
    #expect(place.files(below: "outbox").count == 14)
  }

  func expectNothingLeft() {
    #expect(Programs.wait { survivors.isEmpty }, "alive: \(survivors)")
    let left = place.files(below: "spool").filter { $0.contains("/") }
    #expect(left.isEmpty, "\(left)")
    #expect(place.files(below: "inbox").isEmpty)
  }

  /// Processes that have the token among their words, whatever else they hide.
  var survivors: [String] {
    let wanted = Data(token.utf8)
    let processes = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
    return processes.filter { name in
      guard Int(name) != nil else { return false }
      let words = FileManager.default.contents(atPath: "/proc/\(name)/cmdline")
      return words?.range(of: wanted) != nil
    }
  }
}
