import Bytes
import Files
import Foundation
import Glibc
import Pipelines
import Synchronization
import SystemPackage
import TestSupport
import Testing

@testable import Intake

/// What procd does for each of many files and folders, counted.
@Suite struct CrowdedInboxTests {
  private let place = TemporaryFolder()

  private func inbox(
    events: Bool = true, settle: Int = 2000,
    _ change: (inout Configuration.Inbox) -> Void = { _ in }
  ) throws -> (inbox: Inbox, claims: Claims) {
    // Breaking a lease would otherwise end the test.
    signal(SIGIO, SIG_IGN)
    var settings = Configuration.Inbox()
    settings.settle = settle
    settings.settleFolder = settle
    settings.watch = events ? .events : .poll
    change(&settings)
    var wake: (@Sendable () -> Void)?
    if events { wake = {} }
    let inbox = Inbox(path: place("inbox"), settings: settings, wake: wake)
    _ = try inbox.open()
    return (inbox, Claims(inbox: inbox, folder: try Folder.make(place("claimed"))))
  }

  private var now: Int64 { Int64(Date().timeIntervalSince1970 * 1000) }

  private func knows(_ inbox: Inbox, _ path: FilePath) -> Bool {
    Programs.wait {
      _ = try? inbox.followHints(at: now)
      return inbox.knows(path)
    }
  }

  /// Looks at what is due, each second of a time.
  ///
  /// - Returns: how often something was looked at.
  private func looks(_ claims: Claims, from start: Int64, seconds: Int64) throws -> Int {
    var looks = 0
    for second in 0..<seconds {
      let time = start + second * 1000
      for path in claims.inbox.due(at: time, limit: 100) {
        looks += 1
        _ = try claims.take(path, at: time)
      }
    }
    return looks
  }

  private func holdOpen(_ name: String) throws -> Int32 {
    try place.write("x", to: "inbox/\(name)")
    let descriptor = open(place("inbox/\(name)").string, O_WRONLY)
    try #require(descriptor >= 0)
    return descriptor
  }

  @Test func `new folders are looked at some at a time and all in the end`() throws {
    let (inbox, _) = try inbox()
    try inbox.scan(at: now)
    for number in 0..<600 { try place.write("x", to: "inbox/d\(number)/file") }
    usleep(500_000)
    #expect(try inbox.followHints(at: now))
    #expect(inbox.count <= Inbox.mostHintsAtOnce)
    #expect(
      Programs.wait {
        _ = try? inbox.followHints(at: now)
        return inbox.count == 600
      })
  }

  @Test func `a file that is held open is looked at when it is closed`() throws {
    let (inbox, claims) = try inbox()
    try inbox.scan(at: now)
    let descriptor = try holdOpen("held")
    #expect(knows(inbox, "held"))
    let start = now + 2500
    #expect(try looks(claims, from: start, seconds: 60) <= 3)
    #expect(inbox.unfinished == ["held": .beingWritten])
    close(descriptor)
    // By events alone, and long before its next look would come.
    #expect(
      Programs.wait {
        _ = try? inbox.followHints(at: start + 61_000)
        return inbox.nextTime.map { $0 <= start + 61_000 } ?? false
      })
    #expect(inbox.due(at: start + 61_000, limit: 9) == ["held"])
    _ = try claimed { try claims.take("held", at: start + 61_000) }
  }

  @Test func `without events a file that is held open is looked at ever less often`() throws {
    let (inbox, claims) = try inbox(events: false)
    let descriptor = try holdOpen("held")
    defer { close(descriptor) }
    try inbox.scan(at: now)
    #expect(try looks(claims, from: now + 2500, seconds: 64) <= 7)
  }

  @Test func `a file that seems cut off is looked at when somebody wrote to it`() throws {
    let (inbox, claims) = try inbox { $0.settleEndMark = 20_000 }
    try inbox.scan(at: now)
    try place.write("%PDF-1.7\n", to: "inbox/a.pdf")
    #expect(knows(inbox, "a.pdf"))
    // At once, and when it is taken as it is at the latest.
    let start = now + 2500
    #expect(try looks(claims, from: start, seconds: 16) == 1)
    #expect(inbox.unfinished == ["a.pdf": .lacksEnd])
    try place.write("%PDF-1.7\n%%EOF\n", to: "inbox/a.pdf")
    #expect(
      Programs.wait {
        _ = try? inbox.followHints(at: now)
        return inbox.nextTime.map { $0 < start + 10_000 } ?? false
      })
  }

  @Test func `a close during a look is not lost`() throws {
    let (inbox, _) = try inbox()
    try inbox.scan(at: now)
    let descriptor = try holdOpen("held")
    #expect(knows(inbox, "held"))
    #expect(inbox.due(at: now + 2500, limit: 9) == ["held"])
    var seen = try #require(inbox.known("held"))
    close(descriptor)
    #expect(
      Programs.wait {
        _ = try? inbox.followHints(at: now)
        return inbox.known("held")?.reports != seen.reports
      })
    (seen.reason, seen.next) = (.beingWritten, now + 30_000)
    inbox.put("held", seen, at: now)
    #expect(try #require(inbox.nextTime) <= now + 2000)
  }

  @Test func `a companion whose file is held open is looked at ever less often`() throws {
    let (inbox, claims) = try inbox(events: false, settle: 0)
    inbox.pair(try CompanionRulesExample.pairs())
    try place.write("x", to: "inbox/a.xfdf")
    let descriptor = try holdOpen("a.pdf")
    defer { close(descriptor) }
    try inbox.scan(at: now)
    let start = now + 70_000
    _ = try looks(claims, from: start, seconds: 1)
    #expect(try looks(claims, from: start + 1000, seconds: 120) <= 10)
  }

  @Test func `an event in one folder that is one document makes no look at the others`() throws {
    let (inbox, _) = try inbox()
    let asked = Mutex(0)
    inbox.gather { path in
      asked.withLock { $0 += 1 }
      return path.components.count == 1 ? 1 : nil
    }
    for number in 0..<100 { try place.write("x", to: "inbox/d\(number)/page") }
    try inbox.scan(at: now)
    asked.withLock { $0 = 0 }
    try place.write("x", to: "inbox/d7/another")
    #expect(
      Programs.wait {
        _ = try? inbox.followHints(at: now)
        return inbox.known("d7")?.memory.status.size == 2
      })
    #expect(asked.withLock { $0 } < 20)
  }

  @Test func `hints come in their order, each once`() {
    var queue = HintQueue()
    for name: FilePath in ["b", "a", "b"] { queue.add(file: name) }
    queue.add(.folder("c", recursive: true))
    #expect(queue.take(atMost: 2) == [.file("b"), .file("a")])
    queue.add(file: "b")
    #expect(queue.take(atMost: .max) == [.folder("c", recursive: true), .file("b")])
    queue.add(file: "a")
    queue.add(.everything)
    queue.add(file: "b")
    #expect(queue.take(atMost: .max) == [.everything])
    #expect(queue.take(atMost: .max) == [])
  }

  @Test func `very many hints for files become one for their folder`() {
    var queue = HintQueue()
    for number in 0..<70_000 { queue.add(file: FilePath("x/\(number)")) }
    let hints = queue.take(atMost: .max)
    #expect(hints.count == 65_537)
    #expect(hints.last == .folder("x", recursive: false))
  }

  @Test func `a folder that moved takes along what is below it and nothing else`() {
    var folders = WatchedFolders()
    for (watch, path) in ["", "a", "a/b/c", "a/b", "ab", "d"].enumerated() {
      folders.add(Int32(watch), at: FilePath(path))
    }
    #expect(folders.removeTree(at: "a").sorted() == [1, 2, 3])
    #expect(folders.path(of: 2) == nil && folders.path(of: 4) == "ab")
    folders.add(4, at: "d/ab")
    #expect(folders.removeTree(at: "ab") == [])
    #expect(folders.removeTree(at: "d").sorted() == [4, 5])
    #expect(folders.removeTree(at: "") == [0])
  }

  @Test func `files are found by their folder and by their time`() throws {
    var files = WaitingFiles()
    try place.write("x", to: "inbox/any")
    var status = try #require(try Folder.open(place("inbox")).status("any"))
    func add(_ path: FilePath, modified: Int64, next: Int64) {
      status.modified = FileTime(seconds: modified, nanoseconds: 0)
      files[path] = Inbox.Known(
        memory: Settling.Memory(status, at: 0), next: next, reason: .settling)
    }
    add("x/new", modified: 30, next: 100)
    add("x/old", modified: 10, next: 200)
    add("y/later", modified: 1, next: 300)
    #expect(files.paths(in: "x") == ["x/new", "x/old"] && files.paths(in: "") == [])
    #expect(files.takeDue(at: 99) == nil && files.nextTime() == 100)
    #expect(files.takeDue(at: 200) == "x/old")
    // However old it is, it comes after those that were due before.
    add("y/oldest", modified: 1, next: 150)
    #expect(files.takeDue(at: 200) == "x/new")
    #expect(files.takeDue(at: 200) == "y/oldest")
    #expect(files.takeDue(at: 200) == nil && files.nextTime() == 300)
    for time: Int64 in 1000..<2000 { files["x/new"]?.next = time }
    #expect(files.nextTime() == 300)
    files["y/later"] = nil
    #expect(files.nextTime() == 1999 && files.takeDue(at: 1998) == nil)
    #expect(files.takeDue(at: 1999) == "x/new")
    files.keep(["x/old"])
    #expect(Array(files.all.keys) == ["x/old"] && files.paths(in: "y") == [])
  }

  @Test func `a heap gives its elements in their order`() {
    var heap = Heap<Int>(), numbers = (0..<500).map { $0 * 7919 % 503 }
    for number in numbers { heap.insert(number) }
    numbers.sort()
    #expect((0..<500).compactMap { _ in heap.removeFirst() } == numbers)
    #expect(heap.removeFirst() == nil && heap.first == nil)
  }
}
