import Files
import Foundation
import Glibc
import Intake
import Pipelines
import SystemPackage
import TestSupport
import Testing

/// An inbox of which every folder below `letters` is one document.
private final class Bench {
  let place = TemporaryFolder()
  let inbox: Inbox
  let claims: Claims

  init(settle: Int = 0) throws {
    // Breaking a lease would otherwise end the test.
    signal(SIGIO, SIG_IGN)
    var settings = Configuration.Inbox()
    settings.settle = settle
    settings.settleFolder = settle
    settings.settleUnleased = 0
    settings.watch = .poll
    inbox = Inbox(path: place("inbox"), settings: settings, wake: nil)
    inbox.gather { $0.removingLastComponent() == FilePath("letters") ? 1 : nil }
    _ = try inbox.open()
    claims = Claims(inbox: inbox, folder: try Folder.make(place("claimed")))
  }

  var now: Int64 { Int64(Date().timeIntervalSince1970 * 1000) + 5 }

  func put(_ names: String...) throws {
    for name in names { try place.write("content of \(name)", to: "inbox/letters/\(name)") }
  }

  func take(_ path: FilePath = "letters/a") throws -> ClaimResult {
    try inbox.scan(at: now)
    return try claims.take(path, at: now)
  }

  func claim() throws -> Claim {
    try claimed { try take() }
  }
}

@Suite struct GatheredFolderTests {
  @Test func `a folder is taken as a whole, its files in the order people count`() throws {
    let bench = try Bench()
    try bench.put("a/page 10.png", "a/page 2.png", "a/Page 1.png", "a/.DS_Store", "b/other.png")
    let claim = try bench.claim()
    #expect(claim.arrival.isFolder && claim.arrival.path == "letters/a")
    #expect(!bench.place.exists("inbox/letters/a"))
    #expect(bench.place.exists("inbox/letters/b/other.png"))
    let claimed = try #require(try bench.claims.secure(claim))
    #expect(claimed.members.map(\.name.string) == ["Page 1.png", "page 2.png", "page 10.png"])
    #expect(claimed.bytes == claimed.members.reduce(0) { $0 + $1.bytes })
    for member in claimed.members {
      #expect(FileManager.default.fileExists(atPath: member.source.string))
    }
  }

  @Test func `a folder with a file that is still written waits`() throws {
    let bench = try Bench()
    try bench.put("a/1.png", "a/2.png")
    let writer = try #require(
      FileHandle(forWritingAtPath: bench.place("inbox/letters/a/2.png").string))
    guard case .waits(let reason) = try bench.take() else {
      Issue.record("was taken")
      return
    }
    #expect(reason == .beingWritten)
    #expect(bench.place.exists("inbox/letters/a/1.png"))
    try writer.close()
    _ = try bench.claim()
  }

  @Test func `a folder waits until its newest file has been quiet`() throws {
    let bench = try Bench(settle: 60_000)
    try bench.put("a/1.png")
    let old = Date().addingTimeInterval(-3600)
    try FileManager.default.setAttributes(
      [.modificationDate: old], ofItemAtPath: bench.place("inbox/letters/a/1.png").string)
    guard case .waits(.settling) = try bench.take() else {
      Issue.record("was taken")
      return
    }
  }

  @Test func `an empty folder is nothing yet, and a folder in it is told`() throws {
    let bench = try Bench()
    try FileManager.default.createDirectory(
      atPath: bench.place("inbox/letters/a").string, withIntermediateDirectories: true)
    try bench.inbox.scan(at: bench.now)
    #expect(bench.inbox.waiting.isEmpty)
    try bench.put("a/1.png", "a/inner/2.png")
    try bench.inbox.scan(at: bench.now)
    #expect(bench.inbox.waiting.map(\.reason) == [.notOnlyFiles("inner")])
  }

  @Test(arguments: [".2.png", "2.png.part", ".2.png.Xa81Qz"])
  func `a folder waits for a file that is written under another name`(name: String) throws {
    let bench = try Bench()
    try bench.put("a/1.png", "a/\(name)")
    try bench.inbox.scan(at: bench.now)
    #expect(bench.inbox.waiting.map(\.reason) == [.unfinished(name)])
    let folder = bench.place("inbox/letters/a").string
    try FileManager.default.moveItem(atPath: "\(folder)/\(name)", toPath: "\(folder)/2.png")
    let claim = try bench.claim()
    #expect(try bench.claims.secure(claim)?.members.count == 2)
  }

  @Test func `a folder that is given back stands where it was`() throws {
    let bench = try Bench()
    try bench.put("a/1.png", "a/2.png")
    let claim = try bench.claim()
    try bench.claims.giveBack(job: claim.job, claim.arrival)
    #expect(bench.place.files(below: "inbox") == ["letters/a/1.png", "letters/a/2.png"])
    #expect(bench.place.files(below: "claimed") == [])
  }

  @Test func `a folder whose name is taken meanwhile comes back as a version`() throws {
    let bench = try Bench()
    try bench.put("a/1.png")
    let claim = try bench.claim()
    try bench.put("a/new.png")
    try bench.claims.giveBack(job: claim.job, claim.arrival)
    let files = bench.place.files(below: "inbox")
    #expect(files.count == 2 && files.contains("letters/a/new.png"), "\(files)")
    #expect(files.contains { $0.hasSuffix("/1.png") })
  }

  @Test func `files with other names elsewhere are copied, and the copy is what counts`() throws {
    let bench = try Bench()
    try bench.put("a/1.png")
    try #require(
      link(bench.place("inbox/letters/a/1.png").string, bench.place("second").string) == 0)
    let claim = try bench.claim()
    #expect(claim.needsCopy)
    let claimed = try #require(try bench.claims.secure(claim))
    #expect(claimed.isCopy && claimed.members[0].source.string.contains("/copy/"))
    try bench.claims.letGo(job: claim.job)
    try bench.claims.clear(job: claim.job)
    #expect(bench.place.files(below: "claimed") == [])
    #expect(bench.place.files(below: "inbox") == [])
  }

  @Test func `after a crash a claimed folder is found again`() throws {
    let bench = try Bench()
    try bench.put("a/1.png", "a/2.png")
    let claim = try bench.claim()
    guard case .claim(let found)? = try bench.claims.found().first else {
      Issue.record("not found")
      return
    }
    #expect(found.job == claim.job && found.arrival == claim.arrival)
    #expect(found.needsCopy == claim.needsCopy)
    try FileManager.default.removeItem(
      atPath: bench.place("claimed/\(claim.job)/source/2.png").string)
    guard case .torn? = try bench.claims.found().first else {
      Issue.record("taken for whole")
      return
    }
  }

  @Test(arguments: [
    (["b", "a"], ["a", "b"]), (["p10", "p9", "p1"], ["p1", "p9", "p10"]),
    (["p010", "p9"], ["p9", "p010"]), (["B1", "a2"], ["a2", "B1"]),
    (["1-10", "1-2", "01-3"], ["1-2", "01-3", "1-10"]),
    (["a", "a1", "A"], ["A", "a", "a1"]),
    (["99999999999999999999999", "100000000000000000000000"], nil),
  ])
  func `names are ordered as people count`(names: [String], expected: [String]?) {
    let sorted = names.sorted { NaturalOrder.precedes(Array($0.utf8), Array($1.utf8)) }
    #expect(sorted == expected ?? names)
  }
}
