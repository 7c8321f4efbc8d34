import Foundation
import JobLedger
import Pipelines
import PluginKit
import Synchronization
import SystemPackage
import TestSupport
import Testing

@Suite struct LedgerTests {
  private let place = TemporaryFolder()
  private func open() throws -> Ledger { try Ledger(path: place("ledger.sqlite")) }

  private func arrival(_ path: FilePath = "a.pdf", at time: Int64 = 1) -> Arrival {
    Arrival(
      path: path, device: 1, inode: 2, size: 3, modifiedSeconds: 4, modifiedNanoseconds: 5,
      arrived: time, completeness: .lease)
  }

  private func finish(
    _ ledger: Ledger, _ job: String, _ outcome: Report.Outcome = .done, at time: Int64 = 9
  ) async throws {
    let place = outcome == .quarantined ? "quarantine" : "archive"
    try await ledger.publishing(
      job: job, outcome: outcome,
      publication: ["original": ["place": .string(place), "path": "o"]],
      report: [:])
    try await ledger.done(
      job: job, outcome: outcome, error: nil, original: FilePath("/\(place)/o"), at: time)
  }

  @Test func `the writer's commits are synced in full`() async throws {
    let ledger = try open()
    // The first commit comes after whatever opening resets.
    try await ledger.record(job: "j", arrival())
    #expect(try await ledger.synchronousLevel() == 2)
    #expect(try ledger.reader.integrity() == "ok")
  }

  @Test func `a job is kept as it was recorded, also by the next process`() async throws {
    let odd = FilePath(bytes: [0x66, 0xFF, 0x2F, 0x61])
    do {
      let ledger = try open()
      try await ledger.record(job: "j", arrival(odd, at: 7))
      // A second record of the same job changes nothing.
      try await ledger.record(job: "j", arrival("other", at: 8))
      try await ledger.identify(job: "j", sha256: "0f")
      try await ledger.routed(job: "j", mime: "image/png", pipeline: "p", hash: "h")
      try await ledger.wait(job: "j", until: 50, code: "c", message: "m")
    }
    let row = try #require(try open().reader.job("j"))
    #expect(row.path == odd)
    #expect(row.arrived == 7)
    #expect(
      [row.sha256, row.mime, row.pipeline, row.pipelineHash] == ["0f", "image/png", "p", "h"])
    #expect(row.state == .waiting)
    #expect(row.notBefore == 50)
    #expect([row.errorCode, row.errorMessage] == ["c", "m"])
    #expect(row.completeness == .lease)
  }

  @Test func `what is done, how attempts ended and what is not done are counted`() async throws {
    let ledger = try open()
    for (job, pipeline, outcome) in [
      ("a", "p", Report.Outcome.done), ("b", "p", .done), ("c", nil, .quarantined),
    ] {
      try await ledger.record(job: job, arrival(FilePath(job)))
      try await ledger.routed(job: job, mime: "m", pipeline: pipeline, hash: nil)
      try await finish(ledger, job, outcome)
    }
    try await ledger.record(job: "d", arrival("d", at: 8))
    try await ledger.record(job: "e", arrival("e", at: 5))
    let (attempt, _) = try await ledger.startAttempt(
      job: "e", step: "s", pipeline: "p", alone: false, at: 6)
    try await ledger.endAttempt(
      attempt, class: "input", code: nil, charged: true, at: 7, .now)
    try await ledger.wait(job: "e", until: 50, code: "c", message: "m")
    let outcomes = try ledger.reader.outcomes()
    #expect(
      Dictionary(uniqueKeysWithValues: outcomes.map { ($0.key, $0.number) }) == [
        .init(pipeline: "p", outcome: .done): 2, .init(pipeline: "", outcome: .quarantined): 1,
      ])
    #expect(try ledger.reader.attemptResults() == ["input": 1])
    let unfinished = try ledger.reader.unfinishedStates()
    #expect(unfinished.states == [.claimed: 1, .waiting: 1])
    #expect(unfinished.oldest == 5)
  }

  @Test func `many writers at once all get their commits`() async throws {
    let ledger = try open()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for index in 0..<400 {
        group.addTask {
          try await ledger.record(job: "j\(index)", arrival(FilePath("f\(index)")))
          try await ledger.identify(job: "j\(index)", sha256: "\(index)")
        }
      }
      try await group.waitForAll()
    }
    // Read by another process's eyes.
    let reader = try #require(try Ledger.reading(path: place("ledger.sqlite")))
    let rows = try reader.unfinished()
    #expect(rows.count == 400)
    #expect(rows.allSatisfy { $0.id == "j\($0.sha256 ?? "")" })
    #expect(try reader.integrity() == "ok")
  }

  @Test func `a change that fails does not undo its neighbours`() async throws {
    let ledger = try open()
    let failures = await withTaskGroup(of: Bool.self) { group in
      for index in 0..<200 {
        group.addTask {
          do {
            if index % 2 == 0 {
              try await ledger.record(job: "j\(index)", arrival())
            } else {
              // No such job: the foreign key refuses it.
              _ = try await ledger.startAttempt(
                job: "none", step: "s", pipeline: "p", alone: false, at: 1)
            }
            return false
          } catch { return true }
        }
      }
      return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
    }
    #expect(failures == 100)
    #expect(try ledger.reader.unfinished().count == 100)
    try await ledger.record(job: "later", arrival())
    #expect(try ledger.reader.job("later") != nil)
  }

  @Test func `a job without a free name fails alone`() async throws {
    let ledger = try open()
    try await ledger.record(job: "a", arrival())
    await #expect(throws: LedgerError.self) {
      try await ledger.reserveNames([NameBundle(.outbox) { _ in ["x"] }], for: "a") { _, _ in false
      }
    }
    try await ledger.record(job: "b", arrival())
    #expect(try ledger.reader.job("b") != nil)
    let names = try await ledger.reserveNames([NameBundle(.outbox) { _ in ["x"] }], for: "b") {
      _, _ in true
    }
    #expect(names == [["x"]])
  }

  @Test func `one of many that want to compute the same is granted it`() async throws {
    let ledger = try open()
    for index in 0..<50 { try await ledger.record(job: "j\(index)", arrival()) }
    let answers = try await withThrowingTaskGroup(of: (Int, ComputationReservation).self) { group in
      for index in 0..<50 {
        group.addTask {
          (index, try await ledger.reserve(sha256: "s", pipelineHash: "h", for: "j\(index)"))
        }
      }
      return try await group.reduce(into: [Int: ComputationReservation]()) { $0[$1.0] = $1.1 }
    }
    let granted = answers.filter { $0.value == .granted }.map(\.key)
    #expect(granted.count == 1)
    let holder = "j\(granted[0])"
    #expect(answers.values.filter { $0 == .inFlight(job: holder) }.count == 49)
    #expect(try await ledger.reserve(sha256: "s", pipelineHash: "h", for: holder) == .granted)
    #expect(try await ledger.reserve(sha256: "s", pipelineHash: "other", for: "j0") == .granted)
    try await finish(ledger, holder)
    let other = granted[0] == 0 ? "j1" : "j0"
    #expect(
      try await ledger.reserve(sha256: "s", pipelineHash: "h", for: other) == .done(job: holder))
    try await ledger.takeOver(sha256: "s", pipelineHash: "h", for: other)
    #expect(try await ledger.reserve(sha256: "s", pipelineHash: "h", for: other) == .granted)
  }

  @Test func `a twin of what was quarantined is judged itself`() async throws {
    let ledger = try open()
    for job in ["a", "b"] { try await ledger.record(job: job, arrival()) }
    _ = try await ledger.reserve(sha256: "s", pipelineHash: "h", for: "a")
    try await finish(ledger, "a", .quarantined)
    #expect(try await ledger.reserve(sha256: "s", pipelineHash: "h", for: "b") == .granted)
  }

  @Test func `reservations of jobs that are no more are void after a start, others stand`()
    async throws
  {
    let ledger = try open()
    for job in ["gone", "here", "done"] {
      try await ledger.record(job: job, arrival())
      _ = try await ledger.reserve(sha256: job, pipelineHash: "h", for: job)
    }
    _ = try await ledger.reserve(sha256: "never", pipelineHash: "h", for: "unknown")
    try await finish(ledger, "done")
    try await ledger.forget(job: "gone")
    try await ledger.dropStaleComputations()
    try await ledger.record(job: "new", arrival())
    func ask(_ content: String) async throws -> ComputationReservation {
      try await ledger.reserve(sha256: content, pipelineHash: "h", for: "new")
    }
    #expect(try await ask("here") == .inFlight(job: "here"))
    #expect(try await ask("done") == .done(job: "done"))
    #expect(try await ask("gone") == .granted)
    #expect(try await ask("never") == .granted)
  }

  @Test func `attempts that vanished make suspects and are charged to nobody`() async throws {
    let ledger = try open()
    for job in ["vanished", "ended", "done"] { try await ledger.record(job: job, arrival()) }
    for job in ["vanished", "done"] {
      _ = try await ledger.startAttempt(job: job, step: "s", pipeline: "p", alone: true, at: 1)
    }
    let (attempt, _) = try await ledger.startAttempt(
      job: "ended", step: "s", pipeline: "p", alone: false, at: 1)
    try await ledger.endAttempt(attempt, class: "internal", code: "c", charged: true, at: 2)
    try await finish(ledger, "done")
    try await ledger.endVanishedAttempts(at: 3)
    #expect(try ledger.reader.job("vanished")?.suspect == true)
    #expect(try ledger.reader.job("ended")?.suspect == false)
    #expect(try ledger.reader.job("done")?.suspect == false)
    for (job, pipeline, count) in [("vanished", "p", 0), ("ended", "p", 1), ("ended", "q", 0)] {
      let next = try await ledger.startAttempt(
        job: job, step: "s", pipeline: pipeline, alone: false, at: 3)
      #expect(next.charged == count)
      try await ledger.endAttempt(
        next.attempt, class: "done", code: nil, charged: false, at: 3, .withNext)
    }
    #expect(try await ledger.vanishedAlone(job: "vanished").count == 1)
    #expect(try await ledger.vanishedAlone(job: "ended").count == 0)
    // A second recovery changes nothing.
    try await ledger.endVanishedAttempts(at: 4)
    #expect(try await ledger.vanishedAlone(job: "vanished").count == 1)
  }

  @Test func `each request is given once, in the order they were made`() async throws {
    let ledger = try open()
    // From another process, while the daemon has the ledger open.
    let other = try open()
    let odd = FilePath(bytes: [0xFF, 0x61])
    try await other.add(.retry("b"), at: 1)
    try await other.add(.retry(odd), at: 2)
    #expect(try await ledger.takeRequests() == [.retry("b"), .retry(odd)])
    #expect(try await ledger.takeRequests() == [])
  }

  @Test func `pipelines that were passed over are remembered by job`() async throws {
    let ledger = try open()
    for job in ["a", "b"] { try await ledger.record(job: job, arrival()) }
    let p = PassedOver(pipeline: "p", reason: "rows 67, at least 100 wanted")
    let q = PassedOver(pipeline: "q", reason: nil)
    try await ledger.passOver(job: "a", p)
    try await ledger.passOver(job: "a", p)
    try await ledger.passOver(job: "a", q)
    #expect(try await ledger.passedOver(job: "a") == [p, q])
    #expect(try await ledger.passedOver(job: "b") == [])
  }

  @Test func `questions find jobs by path, name, outcome and original`() async throws {
    let ledger = try open()
    for (job, path) in [("a", "x/l.pdf"), ("b", "l.pdf"), ("c", "y/tall.pdf")] {
      try await ledger.record(job: job, arrival(FilePath(path)))
      try await ledger.identify(job: job, sha256: "s")
    }
    try await finish(ledger, "a", .quarantined, at: 5)
    try await finish(ledger, "b", .done, at: 6)
    let reader = ledger.reader
    #expect(try reader.jobs(path: "x/l.pdf").map(\.id) == ["a"])
    #expect(Set(try reader.jobs(named: "l.pdf").map(\.id)) == ["a", "b"])
    try await ledger.publishing(
      job: "c", outcome: .done, publication: [],
      report: ["artifacts": [["path": "2026/tall.txt"], ["path": "tall.csv"]]])
    #expect(try reader.jobs(result: "tall.txt").map(\.id) == ["c"])
    #expect(try reader.jobs(result: "2026/tall.txt").map(\.id) == ["c"])
    #expect(try reader.jobs(result: "tall.csv").map(\.id) == ["c"])
    #expect(try reader.jobs(result: "all.csv").isEmpty)
    #expect(try reader.quarantinedOriginals().map(\.job) == ["a"])
    #expect(try reader.recent(limit: 1).map(\.id) == ["b"])
    #expect(try reader.quarantined(sha256: "s").map(\.id) == ["a"])
    #expect(try reader.job(original: Original(.archive, "o", in: "/archive"))?.id == "b")
    // Places may be moved.
    #expect(try reader.job(original: Original(.archive, "o", in: "/new"))?.id == "b")
    #expect(try reader.job(original: Original(.quarantine, "o", in: "/new"))?.id == "a")
    #expect(try reader.job(original: Original(.archive, "x", in: "/new")) == nil)
    #expect(try reader.unfinished().map(\.id) == ["c"])
    let totals = try reader.totals()
    #expect((totals.done, totals.quarantined, totals.unfinished) == (1, 1, 1))
    #expect(try !reader.isEmpty())
  }

  @Test func `an original is found by its path below its place, wherever that is`() async throws {
    let ledger = try open(), odd = FilePath(bytes: [0x66, 0xFF, 0x2F, 0x61])
    func put(_ job: String, as path: FilePath, at whole: FilePath, _ time: Int64) async throws {
      try await ledger.record(job: job, arrival())
      try await ledger.publishing(
        job: job, outcome: .done,
        publication: ["original": ["place": "archive", "path": path.json]], report: [:])
      try await ledger.done(job: job, outcome: .done, error: nil, original: whole, at: time)
    }
    try await put("a", as: odd, at: FilePath("/old").appending(odd.components), 5)
    try await put("b", as: odd, at: FilePath("/new").appending(odd.components), 6)
    // It got this name at the last moment, which earlier ledgers have in the absolute path alone.
    try await put("c", as: "x.pdf", at: "/old/x~2.pdf", 7)
    let reader = ledger.reader
    let (a, b) = (try #require(try reader.job("a")), try #require(try reader.job("b")))
    let original = try #require(a.original)
    #expect(original.standing(in: "/old") == original)
    #expect(original.standing(in: "/new") == b.original)
    #expect(try reader.job(original: Original(.archive, odd, in: "/else"))?.id == "b")
    #expect(try reader.hasSuccessor(a, at: Original(.archive, odd, in: "/else")))
    #expect(try !reader.hasSuccessor(b, at: Original(.archive, odd, in: "/else")))
    let late = try #require(try reader.job("c")?.original).standing(in: "/old")
    #expect(late == Original(.archive, "x~2.pdf", in: "/old"))
    #expect(try reader.job(original: late)?.id == "c")
    // From now on both say so.
    try await ledger.originalLies(
      at: "/old/x~2.pdf",
      publication: ["original": ["place": "archive", "path": "x~2.pdf"]], job: "c")
    let now = try #require(try reader.job("c")?.original)
    #expect(now.standing(in: "/new") == Original(.archive, "x~2.pdf", in: "/new"))
    #expect(try reader.job(original: Original(.archive, "x~2.pdf", in: "/new"))?.id == "c")
  }

  @Test func `what is being published is kept word for word`() async throws {
    let ledger = try open()
    try await ledger.record(job: "a", arrival())
    let publication: JSON = ["items": [["path": ["bytes": "/w=="]]], "text": "é \" \n"]
    try await ledger.publishing(
      job: "a", outcome: .done, publication: publication, report: ["x": 1])
    let row = try #require(try ledger.reader.job("a"))
    #expect(row.state == .publishing)
    #expect(row.publication == publication)
    #expect(row.report == ["x": 1])
    #expect(row.outcome == .done)
  }

  @Test func `there is nothing to read where there is no ledger`() throws {
    let reader = try Ledger.reading(path: place("none.sqlite"))
    #expect(reader.map { _ in true } == nil)
    #expect(!place.exists("none.sqlite"))
  }
}

@Suite(.enabled(if: SmallDisk.isAvailable, "SKIPPED: only root can mount a small disk to fill"))
struct FullDiskTests {
  /// Records jobs until the ledger refuses; gives how many it took.
  private func fill(_ ledger: Ledger, from first: Int) async throws -> (Int, LedgerError?) {
    for number in first..<(first + 500) {
      let arrival = Arrival(
        path: FilePath("\(number).pdf"), device: 1, inode: 2, size: 3, modifiedSeconds: 4,
        modifiedNanoseconds: 5, arrived: 6, completeness: .lease)
      do { try await ledger.record(job: "j\(number)", arrival) } catch {
        return (number - first, error)
      }
    }
    return (500, nil)
  }

  @Test func `without relief a full disk ends the use of the ledger`() async throws {
    let disk = try #require(SmallDisk(megabytes: 2))
    let ledger = try Ledger(path: disk.path.appending("ledger.sqlite"))
    disk.fill()
    let (taken, error) = try await fill(ledger, from: 0)
    guard case .full? = error else {
      Issue.record("\(taken) were taken, then \(String(describing: error))")
      return
    }
    #expect(try await fill(ledger, from: 1000).0 == 0)
    #expect(try ledger.reader.integrity() == "ok")
  }

  /// Two stores live on one reserve: what one is given up for, the other may need as well.
  @Test func `room that somebody else made meanwhile is used`() async throws {
    let disk = try #require(SmallDisk(megabytes: 2))
    let reserve = disk.path.appending("reserve").string
    #expect(FileManager.default.createFile(atPath: reserve, contents: Data(count: 1 << 20)))
    let asked = Mutex(0)
    let ledger = try Ledger(path: disk.path.appending("ledger.sqlite")) {
      // It stands for the other that removed it between the failure and the question.
      if asked.withLock({
        $0 += 1; return $0
      }) == 1 {
        unlink(reserve)
      }
    }
    disk.fill()
    #expect(try await fill(ledger, from: 0).0 > 50)
  }

  @Test func `with relief the change that failed is made, and those after it`() async throws {
    let disk = try #require(SmallDisk(megabytes: 2))
    let reserve = disk.path.appending("reserve").string
    #expect(FileManager.default.createFile(atPath: reserve, contents: Data(count: 1 << 20)))
    let ledger = try Ledger(path: disk.path.appending("ledger.sqlite")) {
      unlink(reserve)
    }
    disk.fill()
    // In the end the reserve is used up as well.
    let (taken, _) = try await fill(ledger, from: 0)
    #expect(taken > 50)
    #expect(!FileManager.default.fileExists(atPath: reserve), "the reserve was not needed")
    #expect(try ledger.reader.job("j0") != nil && ledger.reader.job("j50") != nil)
    #expect(try ledger.reader.integrity() == "ok")
  }
}
