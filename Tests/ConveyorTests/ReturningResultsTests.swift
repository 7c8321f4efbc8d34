import Pipelines
import SystemPackage
import Testing

@testable import Conveyor

@Suite struct ReturningResultsTests {
  private func report(
    _ path: String, _ sha256: String, arrived: Int64, modified: Int64 = 7, makes: [(String, String)]
  )
    -> Report
  {
    let claimed = ClaimedFile(
      job: "j",
      arrival: Arrival(
        path: .init(path), device: 0, inode: 0, size: 1, modifiedSeconds: modified,
        modifiedNanoseconds: 0,
        arrived: arrived, completeness: .lease), source: "/s", isCopy: false, bytes: 1,
      sha256: sha256)
    var report = Report(
      job: "j", outcome: .done, source: Report.Source(claimed, mime: nil), arrived: arrived,
      finished: arrived, completeness: .lease)
    report.artifacts = makes.map {
      ArtifactReport(role: "r", path: $0.0, mime: "text/plain", bytes: 1, sha256: $0.1)
    }
    return report
  }

  @Test func `results that come back again and again at once are noticed`() {
    var loops = ReturningResults()
    var name = "a.txt", sha256 = "0"
    for turn in 0..<4 {
      let next = (name + ".txt", "\(turn + 1)")
      let now = Int64(turn) * 5000
      let isLoop = loops.delivered(
        report("in/\(name)", sha256, arrived: now, makes: [("out/\(next.0)", next.1)]), at: now + 9)
      #expect(isLoop == (turn == 3 ? .sameFile : nil) && loops.isClosed == (turn == 3))
      (name, sha256) = next
    }
  }

  @Test(arguments: [false, true])
  func `results that are copied back with new times are noticed`(isNumbered: Bool) {
    var loops = ReturningResults()
    var name = "a.txt"
    let last = isNumbered ? 3 : 30
    for turn in 0...last {
      let now = Int64(turn) * 5000
      // Where the result stays in the outbox, the next one has a number.
      let next = isNumbered ? "a (\(turn + 2)).txt" : name
      let found = loops.delivered(
        report("in/\(name)", "1", arrived: now, modified: now, makes: [("out/\(next)", "1")]),
        at: now + 9)
      #expect(found == (turn < last ? nil : isNumbered ? .sameFile : .newTimes), "turn \(turn)")
      name = next
    }
    // Whoever writes the same file again does nothing else than who copies it back.
    #expect(loops.isClosed == isNumbered)
  }

  @Test func `results that come back under ever another name are noticed`() {
    func isLoop(copies: Bool) -> Bool {
      var loops = ReturningResults()
      for turn in 0..<40 {
        let now = Int64(turn) * 200, name = "x\(turn).txt"
        // Copies that were dropped together arrived before the first was done.
        let found = loops.delivered(
          report(name, "1", arrived: copies ? 0 : now, makes: [(name, "1")]), at: now + 100)
        if found == .otherNames { return true }
      }
      return false
    }
    #expect(isLoop(copies: false) && !isLoop(copies: true))
  }

  @Test(arguments: [(1000, true), (5000, true), (6000, false)], [false, true])
  func `what is copied back with new times is told, and stopped where it comes quickly`(
    pace: (every: Int64, isQuick: Bool), isNamedAnew: Bool
  ) {
    var loops = ReturningResults()
    let told = isNamedAnew ? 29 : 30
    for turn in 0..<100 {
      let now = Int64(turn) * pace.every, name = isNamedAnew ? "x\(turn).txt" : "x.txt"
      let found = loops.delivered(
        report(name, "1", arrived: now, modified: now, makes: [(name, "1")]), at: now + 100)
      let expected: ReturningResults.Loop? =
        turn < told ? nil : pace.isQuick && turn >= 60 ? .quickly : .newTimes
      #expect(found == expected, "turn \(turn)")
    }
    #expect(loops.isClosed == pace.isQuick)
  }

  @Test(arguments: [
    // Put in again by hand: later, under another name, with other content, written anew.
    (61_000, "a.txt", "1", 7), (5000, "b.txt", "1", 7), (5000, "a.txt", "2", 7),
    (5000, "a.txt", "1", 0),
  ])
  func `what somebody puts in again is no loop`(
    pause: Int64, name: String, sha256: String, modified: Int64
  ) {
    var loops = ReturningResults()
    for turn in 0..<20 {
      let now = Int64(turn) * pause
      let isLoop = loops.delivered(
        report(
          name, sha256, arrived: now, modified: modified == 0 ? Int64(turn) : modified,
          makes: [("a.txt", "1")]), at: now + 9)
      #expect(isLoop == nil)
    }
    #expect(!loops.isClosed)
  }

  @Test func `so many files in a short time are no loop, and take no more memory`() {
    var loops = ReturningResults()
    for number in 0..<30_000 {
      let isLoop = loops.delivered(
        report("\(number)", "\(number)", arrived: 5, makes: [("\(number).txt", "\(number)")]), at: 5
      )
      #expect(isLoop == nil)
    }
  }
}
