import Conveyor
import Pipelines
import PlainText
import PluginKit
import SystemPackage
import TestSupport
import Testing

@testable import procd_daemon

/// A run told by hand.
private struct Told {
  var state = LiveState()

  mutating func working(
    _ run: String, _ path: FilePath, step: String = "ocr", at now: Int, job: String? = nil
  ) {
    state.take(.working(run: run, job: job ?? run, path: path, step: step), at: now)
  }

  mutating func finished(_ job: String, _ outcome: Report.Outcome = .done, at now: Int) {
    let arrival = Arrival(
      path: "a.pdf", device: 0, inode: 0, size: 1, modifiedSeconds: 0, modifiedNanoseconds: 0,
      arrived: 0, completeness: .quiet)
    let claimed = ClaimedFile(
      job: job, arrival: arrival, source: "a.pdf", isCopy: false, bytes: 1, sha256: "")
    let report = Report(
      job: job, outcome: outcome, source: Report.Source(claimed, mime: nil), arrived: 0,
      finished: 0, completeness: .quiet)
    state.take(.finished(report), at: now)
  }

  func lines(_ width: Int = 80, _ height: Int = 24, at now: Int) -> [String] {
    LiveLines(width: width, height: height).lines(of: state, at: now)
  }
}

@Suite struct LiveStateTests {
  @Test func `nothing is shown before there is something to tell`() {
    var told = Told()
    told.state.take(.ready(resumed: 0, polls: false), at: 0)
    #expect(told.lines(at: 0) == [])
  }

  @Test func `a line per busy worker, then the total`() {
    var told = Told()
    told.state.take(.waiting(files: 3), at: 0)
    for job in ["a", "b", "c"] { told.state.take(.claimed(job: job, path: "x"), at: 0) }
    told.working("a", "letter.pdf", at: 0)
    told.working("b", "scans/long.tif", step: "text", at: 2000)
    told.state.take(.progress(run: "a", done: 2, total: 12, unit: "page"), at: 2500)
    #expect(
      told.lines(at: 14_900) == [
        "> letter.pdf      ocr  page 3 of 12  14 s",
        "> scans/long.tif  text  12 s",
        "0 done, 0 quarantined, 4 waiting",
      ])
    told.state.take(.rested(run: "a"), at: 15_000)
    told.finished("a", at: 15_000)
    told.state.take(.left(job: "a"), at: 15_000)
    #expect(
      told.lines(at: 65_000) == [
        "> scans/long.tif  text  1:03 min", "1 done, 0 quarantined, 4 waiting, 1 per minute",
      ])
  }

  @Test func `two runs of one job are two lines, and the job waits no more`() {
    var told = Told()
    told.state.take(.claimed(job: "a", path: "x"), at: 0)
    #expect(told.state.waiting == 1)
    told.working("a#1", "x.pdf", step: "ocr#1", at: 0, job: "a")
    told.working("a#2", "x.pdf", step: "ocr#2", at: 0, job: "a")
    #expect(told.state.waiting == 0 && told.lines(at: 0).count == 3)
    told.state.take(.rested(run: "a#1"), at: 1)
    #expect(told.state.waiting == 0)
    told.state.take(.rested(run: "a#2"), at: 2)
    #expect(told.state.waiting == 1, "between two steps a file waits")
    told.state.take(.left(job: "a"), at: 3)
    #expect(told.state.waiting == 0)
  }

  @Test func `quarantined files are counted apart, and an idle run tells no pace`() {
    var told = Told()
    told.working("a", "x", at: 0)
    told.finished("a", .quarantined, at: 9000)
    told.finished("b", .duplicate, at: 9000)
    #expect(told.lines(at: 10_000).last == "1 done, 1 quarantined, 0 waiting, 12 per minute")
    told.state.take(.rested(run: "a"), at: 10_000)
    #expect(told.lines(at: 10_000) == ["1 done, 1 quarantined, 0 waiting"])
    #expect(told.lines(at: 9_000_000) == told.lines(at: 10_000), "an idle block changes by itself")
  }

  @Test func `the pace is that of the last minute of work`() {
    var told = Told()
    told.working("a", "x", at: 0)
    for second in 0..<300 { told.finished("j\(second)", at: second * 1000) }
    #expect((59...61).contains(told.state.perMinute(at: 300_000) ?? 0))
    #expect(told.state.perMinute(at: 400_000) == nil)
  }

  @Test(arguments: [
    (Int.max, Int.max, "page"), (.min, .max, "page"), (5, 0, "page"), (-1, -1, ""),
    (.max, 1, "\u{1B}[2J\nrows and rows of it"), (3, 2, "page"),
  ])
  func `what a plugin says of itself cannot break the block`(done: Int, total: Int, unit: String) {
    var told = Told()
    told.working("a", "x\u{1B}[2J\n.pdf", step: "s\u{9B}2J", at: 5)
    told.state.take(.progress(run: "a", done: done, total: total, unit: unit), at: 6)
    told.state.take(.progress(run: "nobody", done: 1, total: 1, unit: ""), at: 6)
    for width in 0...100 {
      for line in told.lines(width, at: 0) {
        #expect(ShownText.columns(line) <= max(1, width - 1))
        #expect(line.plain == line)
      }
    }
  }
}

@Suite struct LiveLinesTests {
  private func busy(_ count: Int) -> Told {
    var told = Told()
    for index in 0..<count {
      told.working("r\(index)", FilePath("folder/請求書-\(index)-with-a-long-name.tiff"), at: 0)
      told.state.take(.progress(run: "r\(index)", done: 8, total: 120, unit: "page"), at: 0)
    }
    return told
  }

  @Test func `narrow terminals get fewer words and shorter paths`() {
    #expect(
      busy(1).lines(40, at: 75_000) == [
        "> folder/…me.tiff  ocr  9/120  1:15 min", "0 done, 0 quarantined, 0 waiting",
      ])
    #expect(busy(1).lines(24, at: 0).last == "0 done 0 bad 0 left")
  }

  @Test func `no line is as wide as the terminal, and the block leaves a row above it`() {
    for count in [0, 1, 2, 7, 40] {
      let told = busy(count)
      for width in 1...130 {
        for height in [1, 2, 3, 10, 24] {
          let lines = told.lines(width, height, at: 5000)
          #expect(lines.count <= max(1, height - 1) || height < 3 && lines.count <= 2)
          #expect(lines.allSatisfy { ShownText.columns($0) <= max(1, width - 1) })
        }
      }
    }
  }

  @Test func `more workers than rows are counted`() {
    let lines = busy(9).lines(80, 6, at: 0)
    #expect(lines.count == 5)
    #expect(lines[3] == "> and 6 more")
  }
}
