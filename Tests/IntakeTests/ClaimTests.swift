import Files
import Foundation
import Glibc
import Pipelines
import PluginKit
import SystemPackage
import TestSupport
import Testing

@testable import Intake

/// A real inbox with a real folder of claims beside it.
private final class Bench: Sendable {
  let place = TemporaryFolder()
  let inbox: Inbox
  let claims: Claims

  init(events: Bool = false, settle: Int = 0, removeEmpty: Int? = nil) throws {
    // Breaking a lease would otherwise end the test.
    signal(SIGIO, SIG_IGN)
    var settings = Configuration.Inbox()
    settings.settle = settle
    settings.settleUnleased = 0
    settings.removeEmpty = removeEmpty
    settings.watch = events ? .events : .poll
    var wake: (@Sendable () -> Void)?
    if events { wake = {} }
    inbox = Inbox(path: place("inbox"), settings: settings, wake: wake)
    _ = try inbox.open()
    claims = Claims(inbox: inbox, folder: try Folder.make(place("claimed")))
  }

  var now: Int64 { Int64(Date().timeIntervalSince1970 * 1000) + 5 }

  var paths: [String] { inbox.waiting.filter(\.reason.willPass).map(\.path.string) }

  func take(_ path: FilePath) throws -> ClaimResult {
    try inbox.scan(at: now)
    return try claims.take(path, at: now)
  }

  func claim(_ path: FilePath) throws -> Claim {
    try claimed { try take(path) }
  }

  /// Follows hints until a path is known, without ever scanning.
  func hinted(_ wanted: [String]) -> Bool {
    Programs.wait {
      _ = try? inbox.followHints(at: now)
      return Set(wanted).isSubset(of: paths)
    }
  }
}

@Suite struct InboxTests {
  @Test func `folders that were emptied go after their pause, and only those`() throws {
    let bench = try Bench(removeEmpty: 60_000)
    let names = ["tree/a/b/c.pdf", "tree/d/e.pdf", "full/f.pdf", "lost+found/x/g.pdf"]
    for name in names { try bench.place.write("x", to: "inbox/\(name)") }
    #expect(try bench.inbox.removeEmptyFolders(at: bench.now + 120_000).removed == [])
    for name in names where !name.hasPrefix("full") {
      try FileManager.default.removeItem(atPath: bench.place("inbox/\(name)").string)
    }
    #expect(try bench.inbox.removeEmptyFolders(at: bench.now + 30_000).removed == [])
    let (removed, failure) = try bench.inbox.removeEmptyFolders(at: bench.now + 120_000)
    #expect(failure == nil)
    #expect(Set(removed) == ["tree", "tree/a", "tree/a/b", "tree/d"])
    #expect(!bench.place.exists("inbox/tree"))
    #expect(bench.place.exists("inbox/full/f.pdf") && bench.place.exists("inbox/lost+found/x"))
    let keeping = try Bench()
    try FileManager.default.createDirectory(
      atPath: keeping.place("inbox/empty").string, withIntermediateDirectories: true)
    #expect(try keeping.inbox.removeEmptyFolders(at: .max / 2).removed == [])
  }

  @Test func `a scan finds files in nested folders and leaves out what is no file`() throws {
    let bench = try Bench()
    for name in ["a.pdf", "x/b.pdf", "x/y/z/c.pdf", ".hidden", "x/d.tmp", "@eaDir/e.pdf"] {
      try bench.place.write("x", to: "inbox/\(name)")
    }
    try #require(symlink("a.pdf", bench.place("inbox/link").string) == 0)
    try #require(symlink("x", bench.place("inbox/folder").string) == 0)
    try #require(mkfifo(bench.place("inbox/pipe").string, 0o600) == 0)
    try bench.inbox.scan(at: bench.now)
    #expect(bench.paths == ["a.pdf", "x/b.pdf", "x/y/z/c.pdf"])
    #expect(bench.inbox.count == 3)
    let others = bench.inbox.waiting.filter { !$0.reason.willPass }
    #expect(
      others.map(\.path.string) == [
        ".hidden", "@eaDir", "folder", "link", "pipe", "x/d.tmp",
      ])
    #expect(others.filter { $0.reason == .link }.count == 2)
    for name: FilePath in ["link", "pipe", "folder/b.pdf", ".hidden", "@eaDir/e.pdf", "../claimed"]
    {
      guard case .gone = try bench.claims.take(name, at: bench.now) else {
        Issue.record("\(name) was taken")
        return
      }
    }
    #expect(try bench.claims.folder.names() == [])
  }

  @Test func `a folder that is not to be watched below is not`() throws {
    let place = TemporaryFolder()
    try place.write("x", to: "inbox/a")
    try place.write("x", to: "inbox/b/c")
    var settings = Configuration.Inbox()
    settings.recursive = false
    let inbox = Inbox(path: place("inbox"), settings: settings, wake: nil)
    try inbox.scan(at: 0)
    #expect(inbox.waiting.map(\.path.string) == ["a"])
  }

  @Test func `hints alone find files that are written, linked, moved and moved in with a tree`()
    throws
  {
    let bench = try Bench(events: true)
    try bench.inbox.scan(at: bench.now)
    try bench.place.write("x", to: "inbox/written")
    try bench.place.write("x", to: "outside/moved")
    try bench.place.write("x", to: "outside/linked")
    try bench.place.write("x", to: "outside/tree/deep/er/file")
    try #require(
      rename(bench.place("outside/moved").string, bench.place("inbox/moved").string) == 0)
    try #require(
      link(bench.place("outside/linked").string, bench.place("inbox/linked").string) == 0)
    try #require(
      rename(bench.place("outside/tree").string, bench.place("inbox/tree").string) == 0)
    #expect(bench.hinted(["written", "moved", "linked", "tree/deep/er/file"]))
    // The folders of the tree are watched by now, each of them.
    try bench.place.write("x", to: "inbox/tree/deep/later")
    try bench.place.write("x", to: "inbox/fresh/one/two")
    #expect(bench.hinted(["tree/deep/later", "fresh/one/two"]))
  }

  @Test func `a folder that was moved out of the inbox is heard of no more`() throws {
    let bench = try Bench(events: true)
    try bench.place.write("x", to: "inbox/tree/a")
    try bench.inbox.scan(at: bench.now)
    try #require(rename(bench.place("inbox/tree").string, bench.place("gone").string) == 0)
    try bench.place.write("x", to: "inbox/mark")
    #expect(bench.hinted(["mark"]))
    try bench.place.write("x", to: "gone/b")
    try bench.place.write("x", to: "inbox/mark2")
    #expect(bench.hinted(["mark2"]))
    #expect(!bench.paths.contains("tree/b"))
  }

  @Test
  func `a file that comes while one of its name is claimed is seen without a scan`()
    throws
  {
    let bench = try Bench(events: true)
    try bench.inbox.scan(at: bench.now)
    try bench.place.write("first", to: "inbox/a")
    #expect(bench.hinted(["a"]))
    try FileManager.default.moveItem(
      atPath: bench.place("inbox/a").string, toPath: bench.place("claimed/a").string)
    try bench.place.write("second", to: "inbox/a")
    // Events come in order: that of the second file has come.
    try bench.place.write("x", to: "inbox/mark")
    #expect(bench.hinted(["mark"]))
    bench.inbox.forget("a")
    #expect(bench.hinted(["a"]))
  }

  @Test func `an inbox that was replaced is found again by a scan`() throws {
    let bench = try Bench(events: true)
    try bench.inbox.scan(at: bench.now)
    try #require(rename(bench.place("inbox").string, bench.place("old").string) == 0)
    try bench.place.write("x", to: "inbox/a")
    try bench.inbox.scan(at: bench.now)
    #expect(bench.paths == ["a"])
    guard case .claimed = try bench.claims.take("a", at: bench.now) else {
      Issue.record("not taken from the new folder")
      return
    }
  }

  @Test func `what is due comes oldest first and only so much of it`() throws {
    let bench = try Bench(settle: 1000)
    for (name, age) in [("b", 60.0), ("a", 30), ("c", 90)] {
      try bench.place.write("x", to: "inbox/\(name)")
      try FileManager.default.setAttributes(
        [.modificationDate: Date(timeIntervalSinceNow: -age)],
        ofItemAtPath: bench.place("inbox/\(name)").string)
    }
    #expect(bench.inbox.nextTime == nil)
    try bench.inbox.scan(at: bench.now)
    // The change of the times is itself a change, a moment ago.
    #expect(bench.inbox.due(at: bench.now - 100, limit: 9) == [])
    #expect(bench.inbox.due(at: bench.now + 2000, limit: 2) == ["c", "b"])
    // Those are in our hands now.
    #expect(bench.inbox.due(at: bench.now + 2000, limit: 9) == ["a"])
    bench.inbox.postpone("c", .failed("busy"), until: bench.now + 3000)
    #expect(bench.inbox.nextTime == bench.now + 3000)
    #expect(bench.inbox.due(at: bench.now + 2000, limit: 9) == [])
    #expect(bench.inbox.due(at: bench.now + 4000, limit: 9) == ["c"])
    #expect(!bench.inbox.isDrained)
  }
}

@Suite struct InboxClockTests {
  @Test func `files that were seen before the clock was set back are due after their pause`() throws
  {
    let bench = try Bench(settle: 1000)
    try bench.place.write("x", to: "inbox/a")
    let day: Int64 = 86_400_000
    // Seen by a clock that runs a day ahead, as is the file itself.
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSinceNow: 86_400)],
      ofItemAtPath: bench.place("inbox/a").string)
    try bench.inbox.scan(at: bench.now + day)
    #expect(bench.inbox.due(at: bench.now + 5000, limit: 9) == [])
    bench.inbox.clockWasSetBack(to: bench.now)
    #expect(bench.inbox.due(at: bench.now + 5000, limit: 9) == ["a"])
    guard case .claimed = try bench.claims.take("a", at: bench.now + 5000) else {
      Issue.record("it waits for tomorrow")
      return
    }
  }
}

@Suite struct ClaimTests {
  @Test func `a claim moves the file and leaves a note of where it came from`() throws {
    let bench = try Bench()
    try bench.place.write("content", to: "inbox/2026/letter.pdf")
    let claim = try bench.claim("2026/letter.pdf")
    #expect(bench.place.files(below: "inbox") == [])
    #expect(bench.place.exists("inbox/2026"))
    #expect(
      bench.place.files(below: "claimed") == ["\(claim.job)/arrival.json", "\(claim.job)/source"])
    let note = try JSONReader.read(
      Array(try #require(bench.place.read("claimed/\(claim.job)/arrival.json")))
    ).value
    #expect(Arrival(note) == claim.arrival)
    #expect(claim.arrival.path == "2026/letter.pdf")
    #expect(claim.arrival.size == 7)
    let secured = try #require(try bench.claims.secure(claim))
    #expect(secured.sha256 == sha256(Array("content".utf8)))
    #expect(secured.bytes == 7)
    #expect(secured.isCopy == claim.needsCopy)
    #expect(bench.inbox.isDrained)
  }

  @Test func `a file that changed a moment ago is not taken yet`() throws {
    let bench = try Bench(settle: 60_000)
    try bench.place.write("x", to: "inbox/a")
    guard case .waits(.settling) = try bench.take("a") else {
      Issue.record("it was taken")
      return
    }
    #expect(bench.place.files(below: "inbox") == ["a"])
    #expect(bench.place.files(below: "claimed") == [])
    #expect(!bench.inbox.isDrained)
  }

  @Test func `a file held open for writing is taken only after it was closed`() throws {
    let bench = try Bench()
    guard try bench.inbox.root().fileSystemType() == 0xEF53 else { return }
    try bench.place.write("half", to: "inbox/a")
    let writer = open(bench.place("inbox/a").string, O_WRONLY | O_APPEND | O_CLOEXEC)
    guard case .waits(.beingWritten) = try bench.take("a") else {
      close(writer)
      Issue.record("it was taken while it was written")
      return
    }
    #expect(bench.place.files(below: "claimed") == [])
    #expect(write(writer, " whole", 6) == 6)
    close(writer)
    let claim = try bench.claim("a")
    #expect(claim.arrival.completeness == .lease)
    #expect(bench.place.read("claimed/\(claim.job)/source") == Data("half whole".utf8))
  }

  @Test func `a file with a second name is worked on as a copy`() throws {
    let bench = try Bench()
    try bench.place.write("shared", to: "elsewhere")
    try #require(link(bench.place("elsewhere").string, bench.place("inbox/a").string) == 0)
    let claim = try bench.claim("a")
    #expect(claim.needsCopy)
    let secured = try #require(try bench.claims.secure(claim))
    #expect(secured.isCopy)
    #expect(secured.source.lastComponent?.string == "copy")
    // The other name can still be written to; the copy does not follow.
    try bench.place.write("CHANGED", to: "other")
    let writer = open(bench.place("elsewhere").string, O_WRONLY | O_CLOEXEC)
    #expect(write(writer, "SHARED", 6) == 6)
    close(writer)
    #expect(bench.place.read("claimed/\(claim.job)/copy") == Data("shared".utf8))
    // Written to meanwhile: it comes back as a new arrival instead of being lost.
    try bench.claims.letGo(job: claim.job)
    #expect(bench.place.read("inbox/a") == Data("SHARED".utf8))
  }

  @Test func `what the disk did not take is copied, under another name and after a restart too`()
    throws
  {
    let bench = try Bench()
    try bench.place.write("words", to: "inbox/a")
    bench.inbox.noteUnsynced(try #require(try Folder.open(bench.place("inbox")).status("a")))
    try #require(rename(bench.place("inbox/a").string, bench.place("inbox/b").string) == 0)
    let claim = try bench.claim("b")
    #expect(claim.needsCopy && !claim.arrival.isSynced && claim.syncFailure == nil)
    #expect(try bench.claims.secure(claim)?.isCopy == true)
    #expect(bench.place.read("claimed/\(claim.job)/copy") == Data("words".utf8))
    guard case .claim(let found)? = try bench.claims.found().first else {
      Issue.record("no claim was found")
      return
    }
    #expect(found.needsCopy && !found.arrival.isSynced)
    try bench.place.write("others", to: "inbox/c")
    #expect(try bench.claim("c").arrival.isSynced)
  }

  @Test func `the unchanged original of a copy is let go`() throws {
    let bench = try Bench()
    try bench.place.write("shared", to: "elsewhere")
    try #require(link(bench.place("elsewhere").string, bench.place("inbox/a").string) == 0)
    let claim = try bench.claim("a")
    _ = try bench.claims.secure(claim)
    try bench.claims.letGo(job: claim.job)
    try bench.claims.clear(job: claim.job)
    #expect(bench.place.files(below: "claimed") == [])
    #expect(bench.place.files(below: "inbox") == [])
    #expect(bench.place.read("elsewhere") == Data("shared".utf8))
  }

  @Test func `a name that is linked and then unlinked ends as one file`() throws {
    let bench = try Bench()
    try bench.place.write("x", to: "inbox/.upload")
    try #require(link(bench.place("inbox/.upload").string, bench.place("inbox/a").string) == 0)
    try #require(unlink(bench.place("inbox/.upload").string) == 0)
    let claim = try bench.claim("a")
    #expect(!claim.needsCopy || claim.arrival.completeness == .quiet)
  }

  @Test func `giving back keeps both files where the name was taken meanwhile`() throws {
    let bench = try Bench()
    // As long as names may be, in characters of three bytes.
    let long = String(repeating: "€", count: 83) + ".pdf"
    for name in ["a.pdf", "sub/b", "no-suffix", long] {
      try bench.place.write("first", to: "inbox/\(name)")
      let claim = try bench.claim(FilePath(name))
      try bench.place.write("second", to: "inbox/\(name)")
      try bench.claims.giveBack(job: claim.job, claim.arrival)
      let folder = (name as NSString).deletingLastPathComponent
      let below = folder.isEmpty ? "inbox" : "inbox/\(folder)"
      let files = bench.place.files(below: below).filter { !$0.contains("/") }
      let contents = Set(files.compactMap { bench.place.read("\(below)/\($0)") })
      #expect(bench.place.read("inbox/\(name)") == Data("second".utf8))
      #expect(contents == [Data("first".utf8), Data("second".utf8)], "\(files)")
      for file in files {
        try FileManager.default.removeItem(atPath: bench.place("\(below)/\(file)").string)
      }
    }
    #expect(bench.place.files(below: "claimed") == [])
  }

  @Test func `giving back makes the folder anew where it is gone`() throws {
    let bench = try Bench()
    try bench.place.write("x", to: "inbox/sub/deep/a")
    let claim = try bench.claim("sub/deep/a")
    try FileManager.default.removeItem(atPath: bench.place("inbox/sub").string)
    try bench.claims.giveBack(job: claim.job, claim.arrival)
    #expect(bench.place.files(below: "inbox") == ["sub/deep/a"])
    #expect(bench.place.files(below: "claimed") == [])
  }

  @Test func `names that are no UTF-8 come back as they were`() throws {
    let bench = try Bench()
    let name = FilePath(bytes: [0x66, 0xFC, 0xFF, 0x2E, 0x70])
    try bench.inbox.root().creating(name).write(Array("x".utf8).span)
    let claim = try bench.claim(name)
    let note = try JSONReader.read(
      Array(try #require(bench.place.read("claimed/\(claim.job)/arrival.json")))
    ).value
    #expect(Arrival(note)?.path == name)
    try bench.claims.giveBack(job: claim.job, claim.arrival)
    #expect(try bench.inbox.root().names() == [name])
  }
}

@Suite struct ClaimRecoveryTests {
  @Test func `each state that a crash can leave is recognized`() throws {
    let bench = try Bench()
    for name in ["whole", "torn", "bare"] { try bench.place.write("12345", to: "inbox/\(name)") }
    let whole = try bench.claim("whole"), torn = try bench.claim("torn")
    let bare = try bench.claim("bare")
    try bench.place.write("", to: "claimed/\(torn.job)/source")
    // Crashed between the note and the rename.
    try FileManager.default.removeItem(atPath: bench.place("claimed/\(bare.job)/source").string)
    try bench.claims.folder.makeFolder("01NOTHING")
    try bench.place.write("found", to: "claimed/0HAND/source")
    var states: [String: String] = [:]
    for found in try bench.claims.found() {
      switch found {
      case .claim(let claim): states[claim.job] = "claim \(claim.arrival.path)"
      case .incomplete(let claim): states[claim.job] = "incomplete \(claim.arrival.path)"
      case .torn(let claim): states[claim.job] = "torn \(claim.arrival.path)"
      case .empty(let job, let arrival):
        states[job] = "empty \(arrival?.path.string ?? "without a note")"
      }
    }
    let isLeased = whole.arrival.completeness == .lease
    #expect(
      states == [
        whole.job: "claim whole", torn.job: isLeased ? "torn torn" : "claim torn",
        bare.job: "empty bare", "01NOTHING": "empty without a note", "0HAND": "claim 0HAND",
      ])
    // Looking changes nothing.
    #expect(try bench.claims.found().count == 5)
    for job in [bare.job, "01NOTHING"] { try bench.claims.clear(job: job) }
    #expect(try bench.claims.found().count == 3)
  }

  @Test func `a file that a crash left in two places is one`() throws {
    let bench = try Bench()
    try bench.place.write("x", to: "inbox/sub/a")
    let claim = try bench.claim("sub/a")
    // Between link and unlink.
    try #require(
      link(
        bench.place("claimed/\(claim.job)/source").string, bench.place("inbox/sub/a").string) == 0)
    try bench.place.write("other", to: "inbox/sub/b")
    guard case .claim(let found)? = try bench.claims.found().first else {
      Issue.record("no claim was found")
      return
    }
    #expect(found.arrival == claim.arrival)
    #expect(bench.place.files(below: "inbox") == ["sub/b"])
    #expect(bench.place.read("claimed/\(claim.job)/source") == Data("x".utf8))
  }

  @Test func `another file under the old name is no twin and stays`() throws {
    let bench = try Bench()
    try bench.place.write("x", to: "inbox/a")
    let claim = try bench.claim("a")
    try bench.place.write("x", to: "inbox/a")
    try #require(
      link(bench.place("claimed/\(claim.job)/source").string, bench.place("elsewhere").string) == 0)
    _ = try bench.claims.found()
    #expect(bench.place.files(below: "inbox") == ["a"])
  }

  /// A claim whose note is replaced by this; nil for none.
  private func damaged(_ bench: Bench, _ note: String?) throws -> Claim {
    try bench.place.write("x", to: "inbox/sub/letter.txt")
    let claim = try bench.claim("sub/letter.txt")
    let path = "claimed/\(claim.job)/arrival.json"
    if let note {
      try bench.place.write(note, to: path)
    } else {
      try FileManager.default.removeItem(atPath: bench.place(path).string)
    }
    return claim
  }

  @Test(arguments: ["", "{\"path\": \"sub/l", "{}", nil])
  func `where its note is damaged or gone, the ledger knows the path of a file`(
    note: String?
  ) throws {
    let bench = try Bench()
    let claim = try damaged(bench, note)
    let recorded = Arrival(
      path: "sub/letter.txt", device: 0, inode: 0, size: 1, modifiedSeconds: 0,
      modifiedNanoseconds: 0, arrived: 77, completeness: .lease)
    #expect(!bench.claims.hasNote(claim.job))
    guard case .claim(let found)? = try bench.claims.found(claim.job, recorded: recorded) else {
      Issue.record("no claim was found")
      return
    }
    #expect(found.arrival.path == "sub/letter.txt" && found.arrival.arrived == 77)
    #expect(found.needsCopy)
    // From here on it is as any other: it can be let go, or go back to where it was.
    #expect(bench.claims.hasNote(claim.job))
    _ = try bench.claims.secure(found)
    try bench.claims.giveBack(job: claim.job, found.arrival)
    #expect(bench.place.files(below: "inbox") == ["sub/letter.txt"])
  }

  @Test func `a damaged note is not taken for none`() throws {
    let bench = try Bench()
    let claim = try damaged(bench, "{")
    #expect(throws: FileError.self) { try bench.claims.found(claim.job) }
    #expect(throws: FileError.self) { try bench.claims.letGo(job: claim.job) }
    #expect(bench.place.read("claimed/\(claim.job)/source") == Data("x".utf8))
    // The ledger does not know what is in a folder.
    try FileManager.default.removeItem(atPath: bench.place("claimed/\(claim.job)/source").string)
    try bench.place.write("x", to: "claimed/\(claim.job)/source/a")
    #expect(throws: FileError.self) {
      try bench.claims.found(claim.job, recorded: claim.arrival)
    }
  }
}
