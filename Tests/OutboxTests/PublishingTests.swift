import Files
import Foundation
import Glibc
import Outbox
import Pipelines
import PluginKit
import SystemPackage
import TestSupport
import Testing

/// Real folders that results travel through.
private struct Bench {
  let place = TemporaryFolder()
  let places: Places
  static let job = "01JOB"

  init(archive: FilePath? = nil) throws {
    let place = place
    func make(_ name: String) throws -> Folder { try Folder.make(place(name)) }
    places = Places(
      outbox: try make("outbox"),
      archive: try archive.map { try Folder.make($0) } ?? make("archive"),
      quarantine: try make("quarantine"), seals: try make("spool/seal"),
      work: try make("spool/work"),
      trash: try make("spool/trash"))
  }

  func collector(limit: Int = 1000, files: Int = 10) -> Collector {
    Collector(places: places, limit: limit, files: files)
  }

  static func step() throws -> Pipeline.Step {
    var catalog = PluginCatalog()
    let manifest = StepManifest(
      name: "s.s", about: "", accepts: ["*/*"],
      outputs: [OutputManifest("text", mime: "text/plain", fileExtension: "txt")])
    catalog.add(
      PluginManifest(name: "p", version: "1", about: "", steps: [manifest]), run: .worker("w"))
    let text = """
      {"version": 1, "pipelines": [{"id": "p", "steps": [{"id": "it", "use": "s.s"}],
        "emit": ["it.text"]}]}
      """
    let file = ConfigurationFile(name: "x", text: Array(text.utf8), catalog: catalog)
    return try #require(file.configuration?.pipelines.first?.steps.first)
  }

  func collect(_ paths: [String], limit: Int = 1000, files: Int = 10, in work: Folder) throws
    -> [CollectedArtifact]
  {
    try collector(limit: limit, files: files).collect(
      paths.map { Artifact(role: "text", path: $0, mime: "application/octet-stream") },
      of: Self.step(), from: work, job: Self.job)
  }

  /// The code with which artifacts are refused, nil where they are taken.
  func refusal(_ paths: [String], limit: Int = 1000, files: Int = 10, in work: Folder) throws
    -> String?
  {
    do {
      _ = try collect(paths, limit: limit, files: files, in: work)
      return nil
    } catch let failure as PluginFailure { return failure.code }
  }

  func seal(_ files: [String: String]) throws {
    for (name, text) in files { try place.write(text, to: "spool/seal/\(Self.job)/\(name)") }
  }

  func publication(_ items: [(String, String)]) -> Publication {
    Publication(
      items: items.map {
        .init(sealed: FilePath($0.0), place: .outbox, path: FilePath($0.1))
      }, original: .init(sealed: "source", place: .archive, path: "sub/a.pdf"),
      originalReport: .init(
        sealed: Sealer.reportCopyName, place: .archive, path: "sub/a.pdf.report.json"),
      isCopy: false)
  }
}

@Suite struct CollectorTests {
  @Test func `what a step made is copied out of its reach and hashed`() throws {
    let bench = try Bench()
    let work = try bench.collector().makeWorkFolder(job: Bench.job)
    let relative = "spool/work/\(work.path.lastComponent?.string ?? "")/out/a.bin"
    try bench.place.write("result", to: relative)
    let artifact = try #require(try bench.collect(["out/a.bin"], in: work).first)
    #expect(artifact.sha256 == sha256(Array("result".utf8)))
    #expect((artifact.bytes, artifact.mime, artifact.fileExtension) == (6, "text/plain", "txt"))
    try bench.place.write("changed", to: relative)
    #expect(FileManager.default.contents(atPath: artifact.path.string) == Data("result".utf8))
    bench.collector().discard(work)
    #expect(bench.place.files(below: "spool/work") == [])
    #expect(bench.place.files(below: "spool/trash") == [])
  }

  @Test func `work folders are never used twice`() throws {
    let bench = try Bench()
    let paths = try (0..<20).map { _ in try bench.collector().makeWorkFolder(job: "j").path }
    #expect(Set(paths).count == 20)
  }

  @Test func `links, fifos, folders, shared files and paths outside are refused`() throws {
    let bench = try Bench()
    let work = try bench.collector().makeWorkFolder(job: Bench.job)
    let base = "spool/work/\(work.path.lastComponent?.string ?? "")"
    try bench.place.write("secret", to: "secret")
    try bench.place.write("x", to: "\(base)/out/a")
    try bench.place.write("x", to: "\(base)/out/good")
    func at(_ name: String) -> String { bench.place("\(base)/out/\(name)").string }
    try #require(symlink(bench.place("secret").string, at("link")) == 0)
    try #require(symlink("..", at("up")) == 0)
    try #require(mkfifo(at("pipe"), 0o600) == 0)
    try #require(link(at("a"), at("second")) == 0)
    try #require(link(bench.place("secret").string, at("stolen")) == 0)
    for path in [
      "out/link", "out/up/out/good", "out/pipe", "out/a", "out/second", "out/stolen", "out",
      "../../../secret", "out/../../../../secret", bench.place("secret").string, "out/none", "",
    ] {
      #expect(try bench.refusal([path], in: work) == "plugin.artifact", "\(path)")
    }
    #expect(try bench.refusal(["out/good"], in: work) == nil)
  }

  @Test func `size and number are limited over all artifacts together`() throws {
    let bench = try Bench()
    let work = try bench.collector().makeWorkFolder(job: Bench.job)
    let base = "spool/work/\(work.path.lastComponent?.string ?? "")"
    try bench.place.write("12345", to: "\(base)/out/a")
    try bench.place.write("12345", to: "\(base)/out/b")
    #expect(try bench.refusal(["out/a", "out/b"], limit: 10, in: work) == nil)
    #expect(try bench.refusal(["out/a", "out/b"], limit: 9, in: work) == "limit.output")
    #expect(try bench.refusal(["out/a", "out/b"], files: 1, in: work) == "limit.output")
    // A sparse file counts as large as it would become.
    let sparse = open(
      bench.place("\(base)/out/sparse").string, O_CREAT | O_WRONLY | O_CLOEXEC, 0o600)
    #expect(ftruncate(sparse, 8 << 40) == 0)
    close(sparse)
    #expect(try bench.refusal(["out/sparse"], limit: 1 << 30, in: work) == "limit.output")
  }
}

@Suite struct PublisherTests {
  private static let files = ["a": "result", "report.json": "{}", "report-copy.json": "{}"]
  private static let items = [("a", "sub/a.txt"), ("report.json", "sub/a.pdf.report.json")]

  @Test func `results appear whole, and again changes nothing`() throws {
    let bench = try Bench()
    try bench.seal(Self.files)
    let publisher = Publisher(places: bench.places)
    let publication = bench.publication(Self.items)
    try publisher.publish(publication, job: Bench.job)
    #expect(bench.place.files(below: "outbox") == ["sub/a.pdf.report.json", "sub/a.txt"])
    #expect(bench.place.read("outbox/sub/a.txt") == Data("result".utf8))
    try publisher.publish(publication, job: Bench.job)
    #expect(bench.place.files(below: "outbox") == ["sub/a.pdf.report.json", "sub/a.txt"])
  }

  /// As any file that is made there.
  @Test(.enabled(if: Programs.find("setfacl") != nil, "SKIPPED: acl is not installed"))
  func `results have the group and the access list of their folder`() throws {
    let bench = try Bench()
    try bench.seal(Self.files)
    let outbox = bench.place("outbox")
    try FileManager.default.createDirectory(
      atPath: outbox.appending("sub").string, withIntermediateDirectories: true)
    let group: UInt32 = 4242
    try #require(chown(outbox.appending("sub").string, .max, group) == 0 || geteuid() != 0)
    try #require(chmod(outbox.appending("sub").string, 0o2770) == 0)
    let set = try Programs.run(
      "/bin/sh", ["-c", "setfacl -d -m u:4343:rw,g::r,o::- sub && touch sub/model"], in: outbox)
    try #require(set.status == 0, "\(set)")
    try Publisher(places: bench.places).publish(bench.publication(Self.items), job: Bench.job)
    func rights(_ name: String) throws -> String {
      try Programs.run("/usr/bin/getfacl", ["-cn", name], in: outbox.appending("sub")).output
    }
    let model = try rights("model")
    #expect(model.contains("user:4343:rw-"))
    for name in ["a.txt", "a.pdf.report.json"] {
      #expect(try rights(name) == model)
      let status = try Folder.open(outbox.appending("sub")).status(FilePath(name))
      #expect(status?.group == group || geteuid() != 0)
    }
    #expect(bench.place.read("outbox/sub/a.txt") == Data("result".utf8))
  }

  @Test(.enabled(if: Programs.find("setfacl") != nil, "SKIPPED: acl is not installed"))
  func `permissions that are asked for count more than those of the folder`() throws {
    let bench = try Bench()
    try bench.seal(Self.files)
    let outbox = bench.place("outbox")
    let set = try Programs.run("/bin/sh", ["-c", "setfacl -d -m u:4343:rw ."], in: outbox)
    try #require(set.status == 0, "\(set)")
    try #require(chmod(bench.place("spool/seal/\(Bench.job)/a").string, 0o640) == 0)
    let access: [Place: PlaceAccess] = [.outbox: PlaceAccess(mode: 0o640)]
    try Publisher(places: bench.places, access: access).publish(
      bench.publication([("a", "a.txt"), ("report.json", "a.report.json")]), job: Bench.job)
    let shown = try Programs.run("/usr/bin/getfacl", ["-cn", "a.txt"], in: outbox).output
    #expect(!shown.contains("4343") && shown.contains("group::r--"), "\(shown)")
  }

  @Test func `what a consumer has taken already is not delivered again`() throws {
    let bench = try Bench()
    try bench.seal(["report.json": "{}"])
    try Publisher(places: bench.places).publish(bench.publication(Self.items), job: Bench.job)
    #expect(bench.place.files(below: "outbox") == ["sub/a.pdf.report.json"])
    // Where the whole seal is gone nothing is known to be published.
    try bench.places.seals.removeTree(FilePath(Bench.job))
    #expect(throws: FileError.self) {
      try Publisher(places: bench.places).publish(bench.publication(Self.items), job: Bench.job)
    }
    #expect(bench.place.files(below: "outbox") == ["sub/a.pdf.report.json"])
  }

  @Test func `a taken name stops everything behind it, the report first of all`() throws {
    let bench = try Bench()
    try bench.seal(Self.files)
    try bench.place.write("foreign", to: "outbox/sub/a.txt")
    let publisher = Publisher(places: bench.places)
    do {
      try publisher.publish(bench.publication(Self.items), job: Bench.job)
      Issue.record("a file was replaced")
    } catch let taken as Publisher.Taken { #expect(taken.item.path == "sub/a.txt") }
    #expect(bench.place.files(below: "outbox") == ["sub/a.txt"])
    #expect(bench.place.read("outbox/sub/a.txt") == Data("foreign".utf8))
    #expect(bench.place.read("spool/seal/\(Bench.job)/a") == Data("result".utf8))
    try publisher.publish(
      bench.publication([("a", "sub/a~2.txt"), Self.items[1]]), job: Bench.job)
    #expect(
      bench.place.files(below: "outbox") == ["sub/a.pdf.report.json", "sub/a.txt", "sub/a~2.txt"])
  }

  @Test func `a move that was cut between its two names is finished, not made again`() throws {
    let bench = try Bench()
    try bench.seal(Self.files)
    try bench.place.write("", to: "outbox/sub/.keep")
    #expect(
      link(
        bench.place("spool/seal/\(Bench.job)/a").string, bench.place("outbox/sub/a.txt").string)
        == 0)
    try Publisher(places: bench.places).publish(bench.publication(Self.items), job: Bench.job)
    #expect(
      bench.place.files(below: "outbox") == ["sub/.keep", "sub/a.pdf.report.json", "sub/a.txt"])
    #expect(bench.place.files(below: "spool/seal") == ["\(Bench.job)/report-copy.json"])
  }

  @Test func `a report is written anew only where it still waits`() throws {
    let bench = try Bench()
    try bench.seal(["report.json": "old"])
    let sealer = Sealer(places: bench.places)
    for name in [Sealer.reportName, Sealer.whyName] {
      try sealer.rewrite(Array("new".utf8), as: name, job: Bench.job)
    }
    #expect(bench.place.files(below: "spool/seal") == ["\(Bench.job)/report.json"])
    #expect(bench.place.read("spool/seal/\(Bench.job)/report.json") == Data("new".utf8))
  }

  @Test func `a file where a folder should be counts as a taken name`() throws {
    let bench = try Bench()
    try bench.seal(Self.files)
    try bench.place.write("foreign", to: "outbox/sub")
    #expect(throws: Publisher.Taken.self) {
      try Publisher(places: bench.places).publish(bench.publication(Self.items), job: Bench.job)
    }
    #expect(bench.place.read("outbox/sub") == Data("foreign".utf8))
    #expect(bench.places.usableFolder(.outbox, "sub/x") == "sub~/x")
    #expect(!bench.places.isFree(.outbox, "sub/x"))
    #expect(bench.places.isFree(.outbox, "sub~/x"))
  }

  @Test func `a link in the outbox leads nothing astray`() throws {
    let bench = try Bench()
    try bench.seal(Self.files)
    try bench.place.write("x", to: "elsewhere/x")
    try #require(symlink("../elsewhere", bench.place("outbox/sub").string) == 0)
    #expect(throws: (any Error).self) {
      try Publisher(places: bench.places).publish(bench.publication(Self.items), job: Bench.job)
    }
    #expect(bench.place.files(below: "elsewhere") == ["x"])
  }

  @Test func `an original is released with a copy of its report, once`() throws {
    let bench = try Bench()
    try bench.seal(Self.files)
    try bench.place.write("original", to: "claimed/source")
    let claimed = try Folder.open(bench.place("claimed"))
    for _ in 0..<2 {
      try Publisher(places: bench.places).release(
        bench.publication(Self.items), from: claimed, name: "source", job: Bench.job)
      #expect(bench.place.files(below: "archive") == ["sub/a.pdf", "sub/a.pdf.report.json"])
      #expect(bench.place.read("archive/sub/a.pdf") == Data("original".utf8))
      #expect(bench.place.files(below: "claimed") == [])
    }
  }

  @Test func `between mounts an original is copied, compared, and only then removed`() throws {
    let memory = FilePath("/dev/shm/procd-test-\(getpid())-\(UInt32.random(in: 0 ... .max))")
    defer { try? FileManager.default.removeItem(atPath: memory.string) }
    let bench = try Bench(archive: memory)
    guard try bench.places.archive.status().device != bench.places.outbox.status().device else {
      return
    }
    try bench.seal(Self.files)
    try bench.place.write("original", to: "claimed/source")
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSince1970: 1_000_000)],
      ofItemAtPath: bench.place("claimed/source").string)
    let claimed = try Folder.open(bench.place("claimed"))
    let publisher = Publisher(places: bench.places)
    func release() throws {
      try publisher.release(
        bench.publication(Self.items), from: claimed, name: "source", job: Bench.job)
    }
    try release()
    let archived = memory.appending("sub").appending("a.pdf").string
    #expect(FileManager.default.contents(atPath: archived) == Data("original".utf8))
    #expect(try bench.places.archive.folder("sub").status("a.pdf")?.modified.seconds == 1_000_000)
    #expect(try bench.places.archive.folder(".procd").names() == [])
    #expect(bench.place.files(below: "claimed") == [])
    // A crash between rename and unlink: the same bytes stand in both places and become one.
    try bench.place.write("original", to: "claimed/source")
    try release()
    #expect(bench.place.files(below: "claimed") == [])
    // Other bytes are never replaced.
    try bench.place.write("another", to: "claimed/source")
    #expect(throws: Publisher.Taken.self) { try release() }
    #expect(FileManager.default.contents(atPath: archived) == Data("original".utf8))
    #expect(bench.place.read("claimed/source") == Data("another".utf8))
  }

  @Test func `a publication is the same after the ledger has kept it`() throws {
    var publication = try Bench().publication(Self.items)
    publication.items[0].path = FilePath(bytes: [0x61, 0xFF, 0x2F, 0x62])
    let line = publication.json.line
    #expect(Publication(try JSONReader.read(line).value) == publication)
    publication.originalReport = nil
    publication.isCopy = true
    #expect(Publication(try JSONReader.read(publication.json.line).value) == publication)
    #expect(Publication(["items": [["sealed": "a"]]]) == nil)
  }

  @Test func `sealed results have the source's time and may be read by its group`() throws {
    let bench = try Bench()
    try bench.seal(["a": "result"])
    let sealer = Sealer(places: bench.places)
    try sealer.seal(
      ["a"], job: Bench.job,
      .init(modified: FileTime(seconds: 5, nanoseconds: 7), access: PlaceAccess()))
    let status = try #require(try sealer.folder(job: Bench.job).status("a"))
    #expect(status.modified == FileTime(seconds: 5, nanoseconds: 7))
    #expect(status.mode == 0o660)
    try sealer.write(Array("{}".utf8), as: Sealer.reportName, job: Bench.job, PlaceAccess())
    try sealer.gather(
      [("a", "x.txt"), ("report.json", "report.json")], job: Bench.job, PlaceAccess())
    #expect(
      bench.place.files(below: "spool/seal/\(Bench.job)") == ["folder/report.json", "folder/x.txt"])
    try sealer.discard(job: Bench.job)
    try sealer.discard(job: Bench.job)
    #expect(try bench.places.seals.names() == [])
  }
}
