import Files
import Foundation
import Glibc
import Intake
import Pipelines
import PluginKit
import SystemPackage
import TestSupport
import Testing

enum CompanionRulesExample {
  /// Each `NAME.pdf` comes with `NAME.xfdf`, for which it waits a minute.
  static func pairs() throws -> CompanionRules {
    let text = """
      {"version": 1, "pipelines": [
        {"id": "pairs", "match": {"name": "*.pdf"}, "with": "{stem}.xfdf", "wait": "1m",
         "steps": [{"id": "t", "use": "pdf.text"}], "emit": ["t.text"]}]}
      """
    let file = ConfigurationFile(name: "pipelines.json", text: Array(text.utf8), catalog: nil)
    return CompanionRules(try #require(file.configuration).pipelines)
  }
}

/// An inbox where each `NAME.pdf` comes with `NAME.xfdf`, waiting a minute for it.
private final class Bench {
  let place = TemporaryFolder()
  let inbox: Inbox
  let claims: Claims
  /// Milliseconds that the clock is ahead.
  var ahead: Int64 = 5

  init() throws {
    // Breaking a lease would otherwise end the test.
    signal(SIGIO, SIG_IGN)
    var settings = Configuration.Inbox()
    settings.settle = 0
    settings.settleUnleased = 0
    settings.watch = .poll
    inbox = Inbox(path: place("inbox"), settings: settings, wake: nil)
    inbox.pair(try CompanionRulesExample.pairs())
    _ = try inbox.open()
    claims = Claims(inbox: inbox, folder: try Folder.make(place("claimed")))
  }

  var now: Int64 { Int64(Date().timeIntervalSince1970 * 1000) + ahead }

  func put(_ names: String...) throws {
    for name in names { try place.write("content of \(name)", to: "inbox/\(name)") }
  }

  func take(_ path: FilePath) throws -> ClaimResult {
    try inbox.scan(at: now)
    return try claims.take(path, at: now)
  }

  func reason(_ path: FilePath) throws -> WaitReason? {
    guard case .waits(let reason) = try take(path) else { return nil }
    return reason
  }

  func claim(_ path: FilePath = "a.pdf") throws -> Claim {
    try claimed { try take(path) }
  }
}

@Suite struct CompanionTests {
  @Test func `a file is taken together with what it comes with`() throws {
    let bench = try Bench()
    try bench.put("in/a.pdf", "in/a.xfdf", "in/b.xfdf", "a.xfdf")
    let claim = try bench.claim("in/a.pdf")
    #expect(claim.arrival.path == "in/a.pdf" && claim.arrival.companions == ["a.xfdf"])
    #expect(!claim.arrival.isFolder && !claim.needsCopy)
    #expect(bench.place.files(below: "inbox") == ["a.xfdf", "in/b.xfdf"])
    let claimed = try #require(try bench.claims.secure(claim))
    #expect(claimed.source.lastComponent?.string == "a.pdf" && claimed.bytes == 19)
    #expect(claimed.companions.map(\.name) == ["a.xfdf"] && claimed.members.isEmpty)
    #expect(claimed.identity != claimed.sha256)
    #expect(
      try String(contentsOfFile: claimed.companions[0].source.string, encoding: .utf8)
        == "content of in/a.xfdf")
  }

  @Test func `each waits for the other, and the first to come needs no second look`() throws {
    let bench = try Bench()
    try bench.put("a.pdf", "b.xfdf")
    #expect(try bench.reason("a.pdf") == .lacksCompanion(["a.xfdf"]))
    #expect(try bench.reason("b.xfdf") == .awaitsSource)
    #expect(bench.inbox.isDrained, "a run that drains the inbox waits for nobody")
    #expect(bench.inbox.oldestChange == nil, "nothing is late")
    #expect(bench.inbox.due(at: bench.now, limit: 9) == [])

    try bench.put("a.xfdf")
    try bench.inbox.scan(at: bench.now)
    #expect(bench.inbox.due(at: bench.now, limit: 9) == ["a.xfdf"])
    #expect(try bench.claims.take("a.xfdf", at: bench.now).isWaiting)
    // That look has the file looked at whose companion it is.
    #expect(bench.inbox.due(at: bench.now, limit: 9) == ["a.pdf"])
    _ = try bench.claim("a.pdf")

    try bench.put("b.pdf")
    _ = try bench.claim("b.pdf")
    #expect(bench.place.files(below: "inbox") == [])
  }

  @Test func `status judges a pair without having seen it before`() throws {
    let bench = try Bench()
    try bench.put("a.pdf", "b.xfdf", "c.pdf", "c.xfdf")
    try bench.inbox.scan(at: bench.now)
    #expect(
      bench.inbox.judged(at: bench.now).map(\.reason)
        == [.lacksCompanion(["a.xfdf"]), .awaitsSource, .due, .awaitsSource])
  }

  @Test func `after the wait each is taken alone`() throws {
    let bench = try Bench()
    try bench.put("a.pdf", "b.xfdf")
    bench.ahead = 60_100
    #expect(try bench.claim("a.pdf").arrival.companions == [])
    #expect(try bench.claim("b.xfdf").arrival.companions == [])
  }

  @Test func `one that came long ago waits on while its file is there`() throws {
    let bench = try Bench()
    try bench.put("a.xfdf")
    bench.ahead = 60_100
    try bench.put("a.pdf")
    try bench.inbox.scan(at: bench.now)
    #expect(try bench.reason("a.xfdf") == .awaitsSource)
    #expect(try bench.claim("a.pdf").arrival.companions == ["a.xfdf"])
  }

  @Test func `nothing is taken while one of them is written`() throws {
    let bench = try Bench()
    try bench.put("a.pdf", "a.xfdf")
    let writer = try #require(
      FileHandle(forWritingAtPath: bench.place("inbox/a.xfdf").string))
    #expect(try bench.reason("a.pdf") == .beingWritten)
    #expect(bench.place.files(below: "inbox") == ["a.pdf", "a.xfdf"])
    try writer.close()
    _ = try bench.claim()
  }

  @Test func `a link in the place of a companion is none`() throws {
    let bench = try Bench()
    try bench.put("a.pdf")
    try bench.place.write("secret", to: "elsewhere")
    try FileManager.default.createSymbolicLink(
      atPath: bench.place("inbox/a.xfdf").string,
      withDestinationPath: bench.place("elsewhere").string)
    #expect(try bench.reason("a.pdf") == .lacksCompanion(["a.xfdf"]))
  }

  @Test func `what is given back stands where it was`() throws {
    let bench = try Bench()
    try bench.put("in/a.pdf", "in/a.xfdf")
    let claim = try bench.claim("in/a.pdf")
    try bench.claims.giveBack(job: claim.job, claim.arrival)
    #expect(bench.place.files(below: "inbox") == ["in/a.pdf", "in/a.xfdf"])
    #expect(bench.place.files(below: "claimed") == [])
  }

  @Test func `where one name is taken meanwhile all come back as one version`() throws {
    let bench = try Bench()
    try bench.put("a.pdf", "a.xfdf")
    let claim = try bench.claim()
    try bench.put("a.xfdf")
    try bench.claims.giveBack(job: claim.job, claim.arrival)
    #expect(
      bench.place.files(below: "inbox")
        == ["a.xfdf", "a~\(claim.job).pdf", "a~\(claim.job).xfdf"])
    // They still belong together.
    let again = try bench.claim(FilePath("a~\(claim.job).pdf"))
    #expect(again.arrival.companions == [FilePath("a~\(claim.job).xfdf")])
  }

  @Test(arguments: [["a.pdf"], ["a.xfdf"], ["a.pdf", "a.xfdf"]])
  func `a claim that was cut off goes back as a whole`(left: [String]) throws {
    let bench = try Bench()
    try bench.put("a.pdf", "a.xfdf")
    let claim = try bench.claim()
    for name in left {
      try FileManager.default.moveItem(
        atPath: bench.place("claimed/\(claim.job)/source/\(name)").string,
        toPath: bench.place("inbox/\(name)").string)
    }
    guard case .incomplete(let found)? = try bench.claims.found().first else {
      Issue.record("taken for whole")
      return
    }
    try bench.claims.giveBack(job: found.job, found.arrival)
    #expect(bench.place.files(below: "inbox") == ["a.pdf", "a.xfdf"])
    #expect(bench.place.files(below: "claimed") == [])
  }

  /// A disk that keeps the new name of one before it takes the old one away, and nothing of the other.
  @Test(arguments: ["a.pdf", "a.xfdf"])
  func `one that a power cut left in both places goes back once`(linked: String) throws {
    let bench = try Bench()
    try bench.put("a.pdf", "a.xfdf")
    let claim = try bench.claim()
    let source = bench.place("claimed/\(claim.job)/source")
    for name in ["a.pdf", "a.xfdf"] {
      let held = source.appending(name).string, inbox = bench.place("inbox/\(name)").string
      try #require((name == linked ? link(held, inbox) : rename(held, inbox)) == 0)
    }
    guard case .incomplete(let found)? = try bench.claims.found().first else {
      Issue.record("not told to be incomplete")
      return
    }
    try bench.claims.giveBack(job: found.job, found.arrival)
    #expect(bench.place.files(below: "inbox") == ["a.pdf", "a.xfdf"])
    #expect(bench.place.files(below: "claimed") == [])
    _ = try bench.claim()
  }

  @Test func `a claim is found again as it was, and one that was torn is told`() throws {
    let bench = try Bench()
    try bench.put("a.pdf", "a.xfdf")
    let claim = try bench.claim()
    guard case .claim(let found)? = try bench.claims.found().first else {
      Issue.record("not found")
      return
    }
    #expect(found.arrival == claim.arrival && found.needsCopy == claim.needsCopy)
    try bench.place.write("", to: "claimed/\(claim.job)/source/a.xfdf")
    guard case .torn? = try bench.claims.found().first else {
      Issue.record("taken for whole")
      return
    }
  }

  @Test func `of files with other names elsewhere copies count, and unchanged ones are let go`()
    throws
  {
    let bench = try Bench()
    try bench.put("a.pdf", "a.xfdf")
    try #require(link(bench.place("inbox/a.xfdf").string, bench.place("second").string) == 0)
    let claim = try bench.claim()
    #expect(claim.needsCopy)
    let claimed = try #require(try bench.claims.secure(claim))
    #expect(claimed.isCopy && claimed.source.string.hasSuffix("/copy/a.pdf"))
    try bench.claims.letGo(job: claim.job)
    try bench.claims.clear(job: claim.job)
    #expect(bench.place.files(below: "claimed") == [])
    #expect(bench.place.files(below: "inbox") == [])
  }

  @Test func `one that changed after it was copied comes back with the others`() throws {
    let bench = try Bench()
    try bench.put("a.pdf", "a.xfdf")
    try #require(link(bench.place("inbox/a.xfdf").string, bench.place("second").string) == 0)
    let claim = try bench.claim()
    _ = try bench.claims.secure(claim)
    try #require(FileHandle(forWritingAtPath: bench.place("second").string)).write(
      contentsOf: Data("news".utf8))
    try bench.claims.letGo(job: claim.job)
    #expect(bench.place.files(below: "inbox") == ["a.pdf", "a.xfdf"])
  }

  /// What is left of a folder whose removal was cut off is no new arrival.
  @Test func `a folder that is let go has left its claim at once`() throws {
    let bench = try Bench()
    try bench.put("a.pdf", "a.xfdf")
    try #require(link(bench.place("inbox/a.xfdf").string, bench.place("second").string) == 0)
    let claim = try bench.claim()
    _ = try bench.claims.secure(claim)
    try bench.claims.letGo(job: claim.job)
    #expect(!bench.place.exists("claimed/\(claim.job)/source"))
    try FileManager.default.removeItem(
      atPath: bench.place("claimed/\(claim.job)/gone/a.pdf").string)
    guard case .empty? = try bench.claims.found().first else {
      Issue.record("still a claim")
      return
    }
    try bench.claims.clear(job: claim.job)
    #expect(bench.place.files(below: "claimed") == [])
  }
}

extension ClaimResult {
  fileprivate var isWaiting: Bool { if case .waits = self { true } else { false } }
}
