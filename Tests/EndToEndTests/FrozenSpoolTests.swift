import Foundation
import PluginKit
import SystemPackage
import TestSupport
import Testing

/// Folders and ledgers that earlier versions left when they were killed in the midst of work
/// (Tests/Fixtures/spool): this version opens them, goes on, and finds all in order.
@Suite struct FrozenSpoolTests {
  private static let versions: [String] = {
    let folder = Programs.repository.appending("Tests/Fixtures/spool").string
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return names.filter { $0.hasSuffix(".tar.gz") }.map { String($0.dropLast(7)) }.sorted()
  }()

  private func thawed(_ version: String) throws -> TemporaryFolder {
    let place = TemporaryFolder()
    let archive = Programs.repository.appending("Tests/Fixtures/spool/\(version).tar.gz").string
    let result = try Programs.run(
      try #require(Programs.find("tar")), ["-xzf", archive, "-C", place.path.string])
    #expect(result.status == 0, "\(result.errors)")
    return place
  }

  private func procd(_ arguments: String..., in place: TemporaryFolder) throws -> Programs.Result {
    try Programs.run("procd", arguments, in: place.path)
  }

  @Test func `there is one of the first version`() { #expect(Self.versions.contains("0.1.0")) }

  @Test(arguments: versions)
  func `what an earlier version left is opened, recovered and verified`(version: String) throws {
    let place = try thawed(version)
    let before = try procd("verify", in: place)
    #expect(before.status == 1, "what was cut off was not seen: \(before.output) \(before.errors)")

    let run = try procd("run", "--once", in: place)
    #expect(run.status == 0, "\(run.errors)")
    for number in 1...3 {
      let text = try #require(place.read("outbox/cut-\(number).txt"))
      #expect(String(decoding: text, as: UTF8.self).contains("Cut off \(number)"))
      #expect(place.exists("archive/cut-\(number).pdf"))
    }
    let after = try procd("verify", in: place)
    #expect(after.status == 0, "\(after.output) \(after.errors)")
    #expect(after.output.contains("1 taken away"))

    let jobs = try procd("jobs", "--json", "-n", "100", in: place)
    #expect(jobs.output.split(separator: "\n").count == 9, "\(jobs.output)")
    let files = place.lastingFiles
    #expect(try procd("run", "--once", in: place).status == 0)
    #expect(place.lastingFiles == files, "a second start changed something")
  }
}
