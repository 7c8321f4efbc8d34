import Foundation
import Glibc
import PluginKit
import SystemPackage
import TestSupport
import Testing

/// The folder of a site was moved as a whole: what was done before the move is known by its files as before.
@Suite struct MovedPlaceTests {
  private let site: Site
  /// The place that the site was moved to.
  private let other = TemporaryFolder()
  private var moved: FilePath { other("place") }

  /// Two files done, one of them below a folder, and two in the quarantine, then the move.
  init() throws {
    site = try Site()
    try site.place.write(Site.pdf("first"), to: "inbox/a.pdf")
    try site.place.write(Site.pdf("second"), to: "inbox/sub/b.pdf")
    try site.place.write("", to: "inbox/empty.pdf")
    try site.place.write("", to: "inbox/sub/empty.pdf")
    #expect(try site.run("run", "--once").status == 65)
    try #require(rename(site.place.path.string, moved.string) == 0)
  }

  private func run(_ arguments: String...) throws -> Programs.Result {
    try Programs.run("procd", arguments, in: moved)
  }

  private func files(_ folder: String) -> [String] {
    other.files(below: "place/\(folder)").filter { $0.hasSuffix(".pdf") }
  }

  @Test func `status says where an original lies now`() throws {
    let told = try run("status", "a.pdf")
    #expect(told.output.contains("original  \(moved)/archive/a.pdf"), "\(told)")
    let json = try JSONReader.read(Array(try run("status", "a.pdf", "--json").output.utf8)).value
    #expect(
      json["jobs"]?.arrayValue?.first?["original"]?.stringValue == "\(moved)/archive/a.pdf")
    #expect(try run("status", "\(moved)/archive/sub/b.pdf").output.contains("sub/b.pdf  (job"))
    #expect(try run("verify").status == 0)
  }

  @Test func `originals whose time is over go`() throws {
    let shown = try run("clean", "--dry-run", "--keep", "no")
    #expect(shown.output.contains("2 originals"), "\(shown)")
    let configuration = String(
      decoding: try #require(other.read("place/pipelines.json")), as: UTF8.self)
    try other.write(
      configuration.replacing(
        #""archive": "archive""#, with: #""archive": { "path": "archive", "keep": "1ms" }"#),
      to: "place/pipelines.json")
    #expect(try run("run", "--once").status == 0)
    #expect(files("archive").isEmpty)
    let verified = try run("verify")
    #expect(verified.status == 0 && verified.output.contains("2 let go"), "\(verified)")
  }

  @Test func `only the very original goes`() throws {
    // Another file of the same size, and another one of the same name in the folder beside it.
    let original = try #require(other.read("place/archive/a.pdf"))
    try other.write(Data(original.reversed()), to: "place/archive/a.pdf")
    try other.write("a stranger's", to: "place/archive/sub/a.pdf")
    #expect(try run("clean", "--keep", "no").output.contains("1 original,"))
    #expect(files("archive") == ["a.pdf", "sub/a.pdf"])
  }

  @Test func `what a newer job put there stays`() throws {
    for name in ["a.pdf", "a.pdf.report.json"] {
      try FileManager.default.removeItem(atPath: "\(moved)/archive/\(name)")
    }
    // The same content under the same name, done just now.
    try other.write(Site.pdf("first"), to: "place/inbox/a.pdf")
    #expect(try run("run", "--once").status == 0)
    try Site.age(other("place/spool/ledger.sqlite"))
    #expect(try run("clean", "--keep", "5d").output.contains("1 original,"))
    #expect(files("archive") == ["a.pdf"])
  }

  @Test func `what was left in an archive elsewhere is not taken for gone`() throws {
    // The ledger and the rules alone were moved.
    try FileManager.default.createDirectory(
      atPath: site.place.path.string, withIntermediateDirectories: false)
    try #require(rename("\(moved)/archive", site.place("archive").string) == 0)
    try other.write("another file", to: "place/archive/note.txt")
    #expect(try run("clean", "--keep", "no").output.contains("0 originals"))
    try FileManager.default.removeItem(atPath: "\(moved)/archive")
    try #require(rename(site.place("archive").string, "\(moved)/archive") == 0)
    #expect(try run("clean", "--keep", "no").output.contains("2 originals"))
  }

  @Test func `what lies in the quarantine is listed, and tried again by its name`() throws {
    let listed = try run("jobs", "--quarantined")
    #expect(listed.output.split(separator: "\n").count == 2, "\(listed)")
    #expect(try run("status").output.contains("in quarantine  2"))
    let asked = try run("retry", "sub/empty.pdf")
    #expect(asked.status == 0, "\(asked)")
    #expect(try run("run", "--once").errors.contains("sub/empty.pdf"))
    let all = try run("retry", "--all")
    #expect(all.status == 0 && !all.errors.contains("no job put it there"), "\(all)")
    let again = try run("run", "--once")
    #expect(again.status == 65, "\(again)")
    #expect(files("quarantine") == ["empty.pdf", "sub/empty.pdf"])
    // The job that was tried again says so, as it would where nothing was moved.
    #expect(try run("status", "empty.pdf").output.contains("tried again as job"))
  }
}
