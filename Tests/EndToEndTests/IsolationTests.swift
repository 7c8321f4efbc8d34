import Foundation
import PluginKit
import SystemPackage
import TestSupport
import Testing

/// `"isolation": "required"` on a kernel without Landlock; PROCD_LANDLOCK=0 makes any kernel such a
/// one.
@Suite struct IsolationTests {
  private static let withoutLandlock = ["PROCD_LANDLOCK": "0"]

  private static let hasLandlock: Bool = {
    let folder = TemporaryFolder()
    try? folder.write(#"{"version": 1, "isolation": "required", "pipelines": []}"#, to: "p.json")
    return (try? Programs.run("procd", ["check", "p.json"], in: folder.path))?.status == 0
  }()

  private func site(_ isolation: String) throws -> Site {
    try Site {
      $0.replacing(#""version": 1,"#, with: #""version": 1, "isolation": "\#(isolation)","#)
    }
  }

  private func run(_ site: Site, _ arguments: [String]) throws -> Programs.Result {
    try Programs.run(
      "procd", arguments, in: site.place.path, environment: Self.withoutLandlock)
  }

  @Test(
    arguments: [
      ["run"], ["run", "--once"], ["run", "--dry-run"], ["explain", "inbox/a.pdf"],
      ["convert", "-c", "pipelines.json", "inbox/a.pdf", "-o", "results"],
    ])
  func `where it is required and missing, nothing is started`(arguments: [String]) throws {
    let site = try site("required")
    try site.place.write(Site.pdf("content"), to: "inbox/a.pdf")
    let result = try run(site, arguments)
    #expect(result.status == 78)
    #expect(result.output.isEmpty, "\(result.output)")
    let lines = result.errors.split(separator: "\n")
    #expect(lines.count == 1, "\(result.errors)")
    #expect(result.errors.contains("offers no Landlock"))
    #expect(result.errors.contains(#""isolation": "best-effort""#), "there is no cure")
    #expect(site.place.files() == ["inbox/a.pdf", "pipelines.json"])
  }

  @Test func `check tells it as an error`() throws {
    let result = try run(try site("required"), ["check"])
    #expect(result.status == 78)
    #expect(result.errors.contains("error[env.isolation]: isolation is required"))
  }

  @Test func `with best-effort the report says what was missing`() throws {
    let site = try site("best-effort")
    try site.place.write(Site.pdf("content"), to: "inbox/a.pdf")
    let result = try run(site, ["run", "--once"])
    #expect(result.status == 0, "\(result.errors)")
    let isolation = try site.report("a.pdf")["steps"]?.arrayValue?.last?["isolation"]
    #expect(isolation?["landlock"] == 0)
    #expect(isolation?["missing"] == ["files"])

    let converted = try run(site, ["convert", "archive/a.pdf", "-o", "results", "--json"])
    #expect(converted.status == 0, "\(converted.errors)")
    let line = try JSONReader.read(converted.output).value
    #expect(line["steps"]?.arrayValue?.last?["isolation"]?["missing"] == ["files"])
  }

  @Test(.enabled(if: hasLandlock, "SKIPPED: this kernel has no Landlock"))
  func `where it is required and there, files are processed`() throws {
    let site = try site("required")
    try site.place.write(Site.pdf("content"), to: "inbox/a.pdf")
    #expect(try site.run("run", "--once").status == 0)
    #expect(try site.report("a.pdf")["outcome"] == "done")
  }

  /// Without Landlock a confined process could else read the daemon's memory, and with it secrets.
  @Test(
    .enabled(
      if: getuid() == 0 && Programs.find("setpriv") != nil,
      "SKIPPED: needs root and setpriv to run as another user"))
  func `the daemon's memory is closed to its own user`() throws {
    let site = try site("best-effort")
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
    #expect(Programs.wait { site.place.exists("spool/daemon.pid") })
    // A process that shows its memory to its user belongs to that user in /proc.
    var status = stat()
    #expect(stat("/proc/\(daemon.number)/mem", &status) == 0)
    #expect(status.st_uid == 0)
  }
}
